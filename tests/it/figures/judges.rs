//! One value and one name for what is said about a judge.
