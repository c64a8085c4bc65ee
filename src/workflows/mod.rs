//! What the commands do. In: owned data and plain settings. Out: reports and models. Next: the callers (command line,
//! bindings), which parse, call and print.
//!
//! One file each, strung together from the stages; progress is a callback, and nothing is printed.

pub mod score;
