//! Encoders, files, metrics, pages and messages.
