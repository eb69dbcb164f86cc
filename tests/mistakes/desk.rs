//! A project in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use steerbox::reload::listing;

/// The folder of mistakes.
pub(crate) fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes")
}

/// The names of the files of a folder, in order, without their ending.
pub(crate) fn names(folder: &str, extension: &str) -> Vec<String> {
    let paths = listing(&corpus().join(folder)).unwrap().into_iter();
    paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect()
}

pub(crate) struct Desk(tempfile::TempDir);

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        for folder in ["scripts", "scenes"] {
            fs::create_dir(desk.path(folder)).unwrap();
        }
        desk
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn copy_scripts(&self, wanted: impl Fn(&str) -> bool) {
        for name in names("scripts", "rhai").iter().filter(|name| wanted(name)) {
            self.copy(&format!("scripts/{name}.rhai"));
        }
    }

    pub(crate) fn copy_scenes(&self) {
        for name in names("scenes", "ron") {
            self.copy(&format!("scenes/{name}.ron"));
        }
    }

    fn copy(&self, path: &str) {
        fs::copy(corpus().join(path), self.path(path)).unwrap();
    }

    /// What `steerbox check` prints with these arguments.
    pub(crate) fn check(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steerbox"));
        let command = command.current_dir(self.0.path()).env("NO_COLOR", "1");
        let output = command.arg("check").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let is_json = arguments.contains(&"json");
        let text = if is_json {
            output.stdout
        } else {
            output.stderr
        };
        String::from_utf8(text).unwrap()
    }
}
