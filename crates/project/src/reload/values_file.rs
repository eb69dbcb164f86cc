//! The file with named values of a scene: `flock.values.ron` beside `flock.ron`.

use std::path::{Path, PathBuf};

use steerbox_core::diagnostics::Fault;

use super::disk::{ReadFault, read_plain};
use super::place::{VALUES, file_name};
use super::replace::{ATTEMPTS, Base, REPLACED_BYTES, ReplaceError};

/// The file with named values of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuesFile {
    path: PathBuf,
}

impl ValuesFile {
    /// Returns the file of the scene at this path.
    pub fn of_scene(scene: &Path) -> Self {
        let stem = scene.file_stem().unwrap_or(scene.as_os_str()).to_string_lossy();
        Self { path: scene.with_file_name(format!("{stem}{VALUES}")) }
    }

    /// Returns its name, as in messages.
    pub fn name(&self) -> String {
        file_name(&self.path)
    }

    /// Returns its text, empty if there is no such file.
    ///
    /// # Errors
    /// If it exists and cannot be read.
    pub fn read(&self) -> Result<String, Fault> {
        if matches!(self.path.try_exists(), Ok(false)) {
            return Ok(String::new());
        }
        let read = || -> Result<String, ReadFault> {
            let (bytes, _) = read_plain(&self.path, REPLACED_BYTES)?;
            let text = ReadFault::text_of(&bytes)?;
            Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
        };
        read().map_err(|error| Fault::of_file(self.name(), format!("the values cannot be read: {error}")))
    }

    /// Replaces its text by the result of `change` atomically. A missing file starts empty.
    ///
    /// # Errors
    /// If `change` fails or the file cannot be written; it is unchanged then.
    pub fn change(&self, change: impl Fn(&str) -> Result<String, Fault>) -> Result<(), Fault> {
        let refused = |error: ReplaceError| {
            Fault::of_file(self.name(), format!("the values were not written: {error}"))
        };
        for _ in 0..ATTEMPTS {
            let base = Base::find(&self.path, REPLACED_BYTES).map_err(refused)?;
            let text = change(base.text().map_err(refused)?.trim_start_matches('\u{feff}'))?;
            match base.replace(&text) {
                Err(ReplaceError::Changed) => {}
                replaced => return replaced.map_err(refused),
            }
        }
        Err(refused(ReplaceError::Changed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_created_and_changed_and_unchanged_after_a_failure() {
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
        assert_eq!(
            crate::reload::read_dir_sorted(folder.path()).unwrap().len(),
            1,
            "temporary files are removed"
        );
        let other = ValuesFile::of_scene(&folder.path().join("other.ron"));
        assert!(other.change(|_| Err(Fault::of_file("other.values.ron", "no"))).is_err());
        assert!(!folder.path().join("other.values.ron").exists(), "nothing is left behind");
        let missing = ValuesFile::of_scene(&folder.path().join("no/flock.ron"));
        assert!(missing.change(add).unwrap_err().message.starts_with("the values were not written"));
        std::fs::write(folder.path().join("flock.values.ron"), [0xff]).unwrap();
        assert!(file.read().unwrap_err().message.starts_with("the values cannot be read"));
        assert!(file.change(add).is_err());
    }

    #[test]
    fn a_concurrent_change_of_another_program_is_retained() {
        let folder = tempfile::tempdir().unwrap();
        let file = ValuesFile::of_scene(&folder.path().join("flock.ron"));
        let calls = std::cell::Cell::new(0);
        let add = |text: &str| {
            if calls.replace(calls.get() + 1) == 0 {
                std::fs::write(folder.path().join("flock.values.ron"), "theirs, ").unwrap();
            }
            Ok(format!("{text}ours"))
        };
        file.change(add).unwrap();
        assert_eq!((file.read(), calls.get()), (Ok("theirs, ours".to_owned()), 2));
    }

    #[cfg(unix)]
    #[test]
    fn values_are_saved_to_plain_files_only() {
        use crate::targets::{Policy, check_writer};
        check_writer("flock.values.ron", "old", Policy::FollowsLinks, &|path| {
            let file = ValuesFile::of_scene(&path.with_file_name("flock.ron"));
            file.change(|_| Ok("new".to_owned())).map_err(|fault| fault.message)
        });
    }
}
