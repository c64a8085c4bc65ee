use std::fmt;

/// Which of two hypotheses is preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// The first hypothesis is better; written `1`.
    First,
    /// Neither is better; written `0`.
    Tie,
    /// The second hypothesis is better; written `-1`.
    Second,
}

impl Verdict {
    /// All verdicts, in the order in which tables show them.
    pub const ALL: [Self; 3] = [Self::First, Self::Tie, Self::Second];

    /// The verdict of two scores, higher is better; a tie only if they are equal.
    pub fn compare(first: f64, second: f64) -> Self {
        if first > second {
            Self::First
        } else if first < second {
            Self::Second
        } else {
            Self::Tie
        }
    }

    /// The verdict on the same hypotheses in the other order.
    pub fn swapped(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Tie => Self::Tie,
            Self::Second => Self::First,
        }
    }

    /// The position of the verdict in [`Self::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// 1, 0 or -1.
    pub fn sign(self) -> i8 {
        match self {
            Self::First => 1,
            Self::Tie => 0,
            Self::Second => -1,
        }
    }

    /// Reads `1`, `0` or `-1`; surrounding white space is allowed, as are `+1` and the fraction `.0`, which other
    /// programs write.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (whole, zeros) = text.split_once('.').unwrap_or((text, "0"));
        if zeros.is_empty() || zeros.bytes().any(|digit| digit != b'0') {
            return None;
        }
        match whole {
            "1" | "+1" => Some(Self::First),
            "0" => Some(Self::Tie),
            "-1" => Some(Self::Second),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.sign())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_reads_what_it_writes() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::parse(&verdict.to_string()), Some(verdict));
            assert_eq!(verdict.swapped().swapped(), verdict);
            assert_eq!(Verdict::ALL[verdict.index()], verdict);
        }
        for (text, verdict) in
            [("1.0", Verdict::First), ("+1", Verdict::First), (" -1.00 ", Verdict::Second), ("0.0", Verdict::Tie)]
        {
            assert_eq!(Verdict::parse(text), Some(verdict));
        }
        for text in ["2", "", "1.", "1.5", "-0", "+0", "1.0.0", ".0", "1e0"] {
            assert_eq!(Verdict::parse(text), None, "{text}");
        }
    }
}
