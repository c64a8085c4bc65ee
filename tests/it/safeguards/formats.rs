//! Formats of judgments and their labels.
