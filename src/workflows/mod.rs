//! What a command does, as one call each. In: settings and names of files. Out: reports; files are written. Next:
//! callers.

pub mod import;
