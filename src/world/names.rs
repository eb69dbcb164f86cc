//! Names behind the bits of a 64-bit mask.

use thiserror::Error;

/// A mask has 64 bits and all are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("at most 64 different names")]
pub struct NamesFull;

/// Up to 64 names, each with a bit of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(Vec<String>);

impl Names {
    /// The bit of `name`, added if it is new.
    ///
    /// # Errors
    /// When `name` is new and 64 names are taken; nothing is added.
    pub fn intern(&mut self, name: &str) -> Result<u64, NamesFull> {
        if let Some(bit) = self.bit(name) {
            return Ok(bit);
        }
        if self.0.len() == 64 {
            return Err(NamesFull);
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

    /// The bit of `name`, if it has one.
    pub fn bit(&self, name: &str) -> Option<u64> {
        self.0
            .iter()
            .position(|known| known == name)
            .map(|at| 1 << at)
    }

    /// Every name, in the order of the bits.
    pub fn all(&self) -> &[String] {
        &self.0
    }

    /// The names whose bits are set in `mask`.
    pub fn of(&self, mask: u64) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .enumerate()
            .filter(move |(at, _)| mask >> at & 1 == 1)
            .map(|(_, n)| n.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sixty_fifth_name_is_refused() {
        let mut names = Names::default();
        for at in 0..64 {
            assert_eq!(names.intern(&at.to_string()), Ok(1 << at));
        }
        assert_eq!(names.intern("one more"), Err(NamesFull));
        assert_eq!(names.intern("63"), Ok(1 << 63));
        assert_eq!(names.of(0b101).collect::<Vec<_>>(), ["0", "2"]);
    }
}
