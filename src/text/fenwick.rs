//! A binary indexed tree of counts. Fenwick 1994, "A new data structure for cumulative frequency tables".

/// How often each position was added; adding and counting take O(log n) steps.
#[derive(Debug, Clone)]
pub struct Fenwick(Vec<u64>);

impl Fenwick {
    /// For positions below `length`.
    pub fn new(length: usize) -> Self {
        Self(vec![0; length + 1])
    }

    /// Adds a position.
    pub fn add(&mut self, position: usize) {
        let mut at = position + 1;
        while at < self.0.len() {
            self.0[at] += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// How many of the added positions are below `position`.
    pub fn below(&self, position: usize) -> u64 {
        let (mut at, mut count) = (position, 0);
        while at > 0 {
            count += self.0[at];
            at &= at - 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_what_is_below() {
        let mut tree = Fenwick::new(6);
        [4, 0, 4].into_iter().for_each(|position| tree.add(position));
        assert_eq!([0, 1, 4, 5, 6].map(|position| tree.below(position)), [0, 1, 1, 3, 3]);
    }
}
