//! Intervals and tests that hold.
