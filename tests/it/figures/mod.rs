//! Figures that hold: labels, intervals, tests and names. Each test shows a fault that was found, and that must not
//! come back; the numbers keep the tests of one fault together.

mod identity;
mod intervals;
mod judges;
mod others;
mod ranking;
mod scales;
