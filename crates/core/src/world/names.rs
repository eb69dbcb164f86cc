//! Names of the bits of a mask.

use thiserror::Error;

/// The error of a mask without a free bit; contains the number of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("at most {0} different names")]
pub struct NamesFull(pub usize);

/// Number of bits of a mask: the maximum number of kinds, and of marks, in a world.
pub const MAX_NAMES: usize = u64::BITS as usize;

/// Up to `MAX` names (at most 64), each with an index and a bit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names<const MAX: usize = MAX_NAMES>(Vec<String>);

impl<const MAX: usize> Names<MAX> {
    /// Returns the bit of `name`; adds the name if it is new.
    ///
    /// # Errors
    /// If `name` is new and no bit is free; nothing is added.
    pub fn intern(&mut self, name: &str) -> Result<u64, NamesFull> {
        if let Some(bit) = self.bit(name) {
            return Ok(bit);
        }
        if self.0.len() == MAX {
            return Err(NamesFull(MAX));
        }
        self.0.push(name.to_owned());
        Ok(1 << (self.0.len() - 1))
    }

    /// Adds every new name while bits are free; the remaining names are ignored.
    pub fn intern_all(&mut self, names: &[String]) {
        for name in names {
            let _ = self.intern(name);
        }
    }

    /// Returns the index of `name`, if it is known.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|known| known == name)
    }

    /// Returns the bit of `name`, if it is known.
    pub fn bit(&self, name: &str) -> Option<u64> {
        self.index(name).map(|at| 1 << at)
    }

    /// Returns the bit here of each name in `others`; 0 if it is unknown.
    pub fn bits_of(&self, others: &[String]) -> Vec<u64> {
        others.iter().map(|name| self.bit(name).unwrap_or(0)).collect()
    }

    /// All names, in the order of their bits.
    pub fn all(&self) -> &[String] {
        &self.0
    }

    /// The names whose bits are set in `mask`.
    pub fn of(&self, mask: u64) -> impl Iterator<Item = &str> {
        let names = self.0.iter().enumerate();
        names.filter(move |(at, _)| mask >> at & 1 == 1).map(|(_, name)| name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_free_bit_is_rejected() {
        let mut names = Names::<64>::default();
        for at in 0..64 {
            assert_eq!(names.intern(&at.to_string()), Ok(1 << at));
        }
        assert_eq!(names.intern("one more"), Err(NamesFull(64)));
        assert_eq!(names.intern("63"), Ok(1 << 63));
        assert_eq!(names.of(0b101).collect::<Vec<_>>(), ["0", "2"]);
        let mut two = Names::<2>::default();
        two.intern_all(&["a", "b", "c"].map(str::to_owned));
        assert_eq!((two.index("b"), two.index("c")), (Some(1), None));
    }
}
