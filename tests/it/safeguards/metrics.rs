//! Metrics: what they cost, and what they need.
