//! What identifies a text, a pair and a label.
