//! What commands refuse, and what they say.
