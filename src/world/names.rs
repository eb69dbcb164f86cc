//! Names behind the bits of a mask.

use thiserror::Error;

/// All bits of a mask are taken; the number of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("at most {0} different names")]
pub struct NamesFull(pub usize);

/// Bits of a mask: most kinds, and most marks, that a world has.
pub const MOST_BITS: usize = u64::BITS as usize;

/// Up to `MOST` names, each with an index and a bit of its own; at most 64.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names<const MOST: usize = MOST_BITS>(Vec<String>);

impl<const MOST: usize> Names<MOST> {
    /// The bit of `name`, added if it is new.
    ///
    /// # Errors
    /// When `name` is new and all bits are taken; nothing is added.
    pub fn intern(&mut self, name: &str) -> Result<u64, NamesFull> {
        if let Some(bit) = self.bit(name) {
            return Ok(bit);
        }
        if self.0.len() == MOST {
            return Err(NamesFull(MOST));
        }
        self.0.push(name.to_owned());
        Ok(1 << (self.0.len() - 1))
    }

    /// Adds every name that is new, as far as there are bits; a name without one is never found.
    pub fn intern_all(&mut self, names: &[String]) {
        for name in names {
            let _ = self.intern(name);
        }
    }

    /// The index of `name`, if it has one.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|known| known == name)
    }

    /// The bit of `name`, if it has one.
    pub fn bit(&self, name: &str) -> Option<u64> {
        self.index(name).map(|at| 1 << at)
    }

    /// Every name, in the order of the bits.
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
    fn one_name_more_than_there_are_bits_is_refused() {
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
