//! Files: limits, damage, names.
