//! A hash index of the words or phrases of one text.

/// Keys, each with a number, in a hash table with chaining.
#[derive(Debug)]
pub(super) struct Index {
    /// For each slot, the number of its first entry, from 1; 0 for none. Sparse, so that most absent keys are recognised
    /// at the first look.
    slots: Vec<u32>,
    entries: Vec<Entry>,
}

/// A key with its number.
#[derive(Debug)]
pub(super) struct Entry {
    key: u64,
    value: u32,
    /// The number of the next entry of its slot, from 1; 0 for none.
    next: u32,
}

impl Entry {
    pub fn new(key: u64, value: u32) -> Self {
        Self { key, value, next: 0 }
    }
}

impl Index {
    pub fn new(entries: Vec<Entry>) -> Self {
        let mut index = Self { slots: vec![0; (2 * entries.len()).next_power_of_two()], entries };
        // From the last entry, since the chains grow at the front.
        for at in (0..index.entries.len()).rev() {
            let slot = index.slot(index.entries[at].key);
            index.entries[at].next = std::mem::replace(&mut index.slots[slot], at as u32 + 1);
        }
        index
    }

    /// The numbers of a key, in the order of the entries.
    pub fn get(&self, key: u64) -> impl Iterator<Item = u32> {
        let entry = |number: u32| self.entries.get((number as usize).wrapping_sub(1));
        let in_slot = std::iter::successors(entry(self.slots[self.slot(key)]), move |found| entry(found.next));
        in_slot.filter(move |found| found.key == key).map(|found| found.value)
    }

    fn slot(&self, key: u64) -> usize {
        // Similar keys are spread out by multiplication. Knuth 1998, section 6.4.
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.slots.len() - 1)
    }
}
