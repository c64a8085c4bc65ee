//! NumPy's default random number generator, so that resampling draws what sacreBLEU draws.
//!
//! `numpy.random.default_rng(seed)` is PCG64 (O'Neill 2014, XSL-RR 128/64), seeded through a `SeedSequence`; bounded
//! integers come from 32-bit halves of its output by Lemire's method (2019, "Fast random integer generation in an
//! interval").

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// NumPy's default generator.
#[derive(Debug, Clone)]
pub struct NumpyRandom {
    state: u128,
    increment: u128,
    /// The unused upper half of the last output.
    half: Option<u32>,
}

impl NumpyRandom {
    /// `numpy.random.default_rng(seed)`.
    pub fn new(seed: u64) -> Self {
        let [high, low, increment_high, increment_low] = seed_sequence(seed);
        let join = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
        let mut random = Self { state: 0, increment: join(increment_high, increment_low) << 1 | 1, half: None };
        random.step();
        random.state = random.state.wrapping_add(join(high, low));
        random.step();
        random
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }

    fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        self.step();
        let output = ((self.state >> 64) as u64 ^ self.state as u64).rotate_right((self.state >> 122) as u32);
        self.half = Some((output >> 32) as u32);
        output as u32
    }

    /// `integers(count)`: uniform in [0, count), with `count` at most 2^32 - 1; 0 if `count` is at most 1.
    pub fn below(&mut self, count: u32) -> u32 {
        if count <= 1 {
            return 0;
        }
        let mut product = u64::from(self.next_u32()) * u64::from(count);
        if (product as u32) < count {
            let threshold = count.wrapping_neg() % count;
            while (product as u32) < threshold {
                product = u64::from(self.next_u32()) * u64::from(count);
            }
        }
        (product >> 32) as u32
    }

    /// `choice(count, size=(rows, count), replace=True)`, row by row.
    pub fn draws(&mut self, rows: usize, count: usize) -> Vec<Vec<u32>> {
        let limit = u32::try_from(count).unwrap_or(u32::MAX);
        (0..rows).map(|_| (0..count).map(|_| self.below(limit)).collect()).collect()
    }

    /// `integers(2, size=(rows, count), dtype=bool)`, row by row: 32 coins from each 32-bit half.
    pub fn coins(&mut self, rows: usize, count: usize) -> Vec<Vec<bool>> {
        let (mut bits, mut left) = (0_u32, 0);
        let mut coin = || {
            if left == 0 {
                (bits, left) = (self.next_u32(), 32);
            } else {
                bits >>= 1;
            }
            left -= 1;
            bits & 1 == 1
        };
        (0..rows).map(|_| (0..count).map(|_| coin()).collect()).collect()
    }

    /// `rint(random(size=(rows, count), dtype=float32))`, row by row: true for 1.
    pub fn rounded(&mut self, rows: usize, count: usize) -> Vec<Vec<bool>> {
        // `rint` rounds 0.5 to 0, the even number.
        const HALF: u32 = 1 << 23;
        (0..rows).map(|_| (0..count).map(|_| self.next_u32() >> 8 > HALF).collect()).collect()
    }
}

/// `SeedSequence(seed).generate_state(4, uint64)`: O'Neill's seed_seq_fe.
fn seed_sequence(seed: u64) -> [u64; 4] {
    const MIX_LEFT: u32 = 0xca01_f9dd;
    const MIX_RIGHT: u32 = 0x4973_f715;
    let mut factor = 0x43b0_d7e5_u32;
    let mut hash = |value: u32| hashed(value, &mut factor, 0x931e_8875);
    let mut pool = [seed as u32, (seed >> 32) as u32, 0, 0].map(&mut hash);
    for source in 0..4 {
        for target in (0..4).filter(|&target| target != source) {
            let value = MIX_LEFT.wrapping_mul(pool[target]).wrapping_sub(MIX_RIGHT.wrapping_mul(hash(pool[source])));
            pool[target] = value ^ value >> 16;
        }
    }
    let mut factor = 0x8b51_f9dd_u32;
    let words: [u32; 8] = std::array::from_fn(|at| hashed(pool[at % 4], &mut factor, 0x58f3_8ded));
    std::array::from_fn(|at| u64::from(words[2 * at + 1]) << 32 | u64::from(words[2 * at]))
}

fn hashed(value: u32, factor: &mut u32, multiplier: u32) -> u32 {
    let value = value ^ *factor;
    *factor = factor.wrapping_mul(multiplier);
    let value = value.wrapping_mul(*factor);
    value ^ value >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    // numpy 2.4.6: numpy.rint(numpy.random.default_rng(4).random((1000, 5), dtype=numpy.float32))[:3].astype(int)
    #[test]
    fn rounded_numbers_are_numpys() {
        let drawn = NumpyRandom::new(4).rounded(1000, 5);
        let first: Vec<Vec<u8>> = drawn[..3].iter().map(|row| row.iter().map(|&one| u8::from(one)).collect()).collect();
        assert_eq!(first, [[1, 1, 1, 1, 1], [1, 1, 0, 0, 1], [0, 0, 1, 1, 1]]);
    }

    #[test]
    fn one_choice_is_no_choice() {
        assert_eq!(NumpyRandom::new(1).draws(2, 1), [[0], [0]]);
        assert_eq!(NumpyRandom::new(1).below(0), 0);
    }
}
