//! Safeguards against silent failures. The number in a test's name is that of the safeguard in the documentation of
//! [`tribunal::error`].

mod commands;
mod evaluation;
mod files;
mod formats;
mod judges;
mod metrics;
mod verdicts;
