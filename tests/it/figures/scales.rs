//! The scales of labels and of verdicts.
