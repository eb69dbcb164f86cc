//! Shards: parts of the runs of a plan, for several machines.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Part `index` of `count`, from 1: it has every `count`-th run, so that parts take about the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// The number of the part, from 1.
    pub index: u64,
    /// The number of parts.
    pub count: u64,
}

impl Shard {
    /// The only part.
    pub const WHOLE: Self = Self { index: 1, count: 1 };
    /// Maximum number of parts.
    pub const MAX: u64 = 1_000_000;

    /// Returns the number of its runs of `all`.
    pub fn len_of(self, all: u64) -> u64 {
        (all + self.count - self.index) / self.count
    }

    /// Returns the run at a position of the part.
    pub fn run(self, at: u64) -> u64 {
        at * self.count + self.index - 1
    }

    /// Returns true if it is valid.
    pub(super) fn is_valid(self) -> bool {
        (1..=Self::MAX).contains(&self.count) && (1..=self.count).contains(&self.index)
    }
}

impl Display for Shard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let shard = parts
            .and_then(|(index, count)| Some(Self { index: index.parse().ok()?, count: count.parse().ok()? }));
        let error = || format!("expected I/N, part I of N, such as 1/8; at most {} parts", Self::MAX);
        shard.filter(|shard| shard.is_valid()).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_in_one_part() {
        for (all, count) in [(0, 3), (1, 3), (7, 3), (9, 3), (5, 1)] {
            let parts = (1..=count).map(|index| Shard { index, count });
            let mut runs: Vec<_> =
                parts.flat_map(|part| (0..part.len_of(all)).map(move |at| part.run(at))).collect();
            runs.sort_unstable();
            assert_eq!(runs, (0..all).collect::<Vec<_>>());
        }
    }

    #[test]
    fn parts_are_numbered_from_one() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, count: 3 }));
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "-1/2", "1/9999999"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
