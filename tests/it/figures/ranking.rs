//! Rankings, their labels and their intervals.
