//! The file beside a scene that keeps tuned values under names: `flock.values.ron` beside `flock.ron`.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::disk::{ReadFault, read_plain};
use super::place::{VALUES, file_name};
use super::replace::{Base, ReplaceError};
use crate::diagnostics::Fault;

/// Most bytes that are read.
const LONGEST: u64 = 1 << 20;
/// How often a change is begun anew because another program changed the file in the middle of it.
const ATTEMPTS: usize = 5;

/// The file beside a scene that keeps tuned values under names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuesFile {
    path: PathBuf,
}

impl ValuesFile {
    /// That of the scene at this path.
    pub fn of_scene(scene: &Path) -> Self {
        let stem = scene.file_stem().unwrap_or(scene.as_os_str()).to_string_lossy();
        Self { path: scene.with_file_name(format!("{stem}{VALUES}")) }
    }

    /// Its name, as messages give it.
    pub fn name(&self) -> String {
        file_name(&self.path)
    }

    /// What it holds; nothing where there is no such file.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn read(&self) -> Result<String, Fault> {
        if matches!(self.path.try_exists(), Ok(false)) {
            return Ok(String::new());
        }
        let read = || -> Result<String, ReadFault> {
            let (bytes, _) = read_plain(&self.path, LONGEST)?;
            let text = ReadFault::text_of(&bytes)?;
            Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
        };
        read().map_err(|error| Fault::of_file(self.name(), format!("the values cannot be read: {error}")))
    }

    /// Puts what `change` makes of its text in its place, at once: at any moment there is the old text or the
    /// new one. A file that is not there begins empty.
    ///
    /// # Errors
    /// When `change` fails or the file takes no new text; it is as it was then.
    pub fn change(&self, change: impl Fn(&str) -> Result<String, Fault>) -> Result<(), Fault> {
        let mut is_new = false;
        let changed = self.change_made(change, &mut is_new);
        let is_empty = || self.path.metadata().is_ok_and(|file| file.len() == 0);
        if changed.is_err() && is_new && is_empty() {
            // Where it stays, it reads as one without values.
            let _ = std::fs::remove_file(&self.path);
        }
        changed
    }

    /// The same, but for a file that it made, which stays.
    fn change_made(
        &self,
        change: impl Fn(&str) -> Result<String, Fault>,
        is_new: &mut bool,
    ) -> Result<(), Fault> {
        let refused = |error: &dyn std::fmt::Display| {
            Fault::of_file(self.name(), format!("the values were not written: {error}"))
        };
        for _ in 0..ATTEMPTS {
            let text = change(&self.read()?)?;
            match File::create_new(&self.path) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(refused(&error)),
                made => *is_new |= made.is_ok(),
            }
            let base = Base::read(&self.path, LONGEST).map_err(|error| refused(&error))?;
            // Another program may have changed it since it was read above.
            if change(base.text().trim_start_matches('\u{feff}'))? != text {
                continue;
            }
            match base.replace(&text) {
                Err(ReplaceError::Changed) => {}
                done => return done.map_err(|error| refused(&error)),
            }
        }
        Err(refused(&ReplaceError::Changed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_changed_and_left_alone_where_a_change_fails() {
        let folder = tempfile::tempdir().unwrap();
        let file = ValuesFile::of_scene(&folder.path().join("flock.ron"));
        assert_eq!((file.name().as_str(), file.read()), ("flock.values.ron", Ok(String::new())));
        let add = |text: &str| Ok(format!("{text}a"));
        file.change(add).unwrap();
        file.change(add).unwrap();
        assert_eq!(file.read(), Ok("aa".to_owned()));
        let fault = Fault::of_file("flock.values.ron", "no");
        assert_eq!(file.change(|_| Err(fault.clone())), Err(fault));
        assert_eq!(file.read(), Ok("aa".to_owned()));
        assert_eq!(crate::reload::listing(folder.path()).unwrap().len(), 1, "nothing is left beside it");
        let other = ValuesFile::of_scene(&folder.path().join("other.ron"));
        let calls = std::cell::Cell::new(0);
        let late = |_: &str| match calls.replace(1) {
            0 => Ok("a".to_owned()),
            _ => Err(Fault::of_file("other.values.ron", "no")),
        };
        assert!(other.change(late).is_err());
        assert!(!folder.path().join("other.values.ron").exists(), "nothing is left behind");
        let missing = ValuesFile::of_scene(&folder.path().join("no/flock.ron"));
        assert!(missing.change(add).unwrap_err().message.starts_with("the values were not written"));
        std::fs::write(folder.path().join("flock.values.ron"), [0xff]).unwrap();
        assert!(file.read().unwrap_err().message.starts_with("the values cannot be read"));
        assert!(file.change(add).is_err());
    }
}
