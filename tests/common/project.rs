//! A project in a folder of its own, and the program called in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Waiting for something that should come at once ends after this long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A project in a folder that is removed with it.
pub(crate) struct ProjectDir(tempfile::TempDir);

impl ProjectDir {
    /// A folder with these files: path and text.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            project.save(path, text);
        }
        project
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn save(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// `steerbox` with these arguments, in the folder, without a display.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steerbox"));
        command.current_dir(self.0.path()).env("NO_COLOR", "1");
        command.env_remove("DISPLAY").args(args);
        command
    }

    pub(crate) fn call(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// A call that must succeed and print a hash.
    pub(crate) fn hash(&self, args: &[&str]) -> String {
        hash(&self.call(args))
    }

    /// A call that must fail with status 1 and say each of `parts`; what it said.
    pub(crate) fn refuses(&self, args: &[&str], parts: &[&str]) -> String {
        failed(&self.call(args), 1, parts)
    }

    /// A call that goes on in the background, without output.
    pub(crate) fn spawn(&self, args: &[&str]) -> Running {
        Running::new(&mut self.command(args))
    }

    /// The first line of a file of JSON lines that fits, waited for.
    pub(crate) fn event(&self, path: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let (path, give_up) = (self.path(path), Instant::now() + PATIENCE);
        loop {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let mut events = text.lines().filter_map(|line| serde_json::from_str(line).ok());
            if let Some(event) = events.find(&fits) {
                return event;
            }
            assert!(Instant::now() < give_up, "no such event: {text}");
            std::thread::yield_now();
        }
    }
}

/// A process that ends with the test.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    /// Starts `command` without output.
    pub(crate) fn new(command: &mut Command) -> Self {
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What a call said that failed with this status and these words.
pub(crate) fn failed(output: &Output, status: i32, parts: &[&str]) -> String {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{text}");
    contains(&text, parts);
    text
}

/// Every part is in the text.
pub(crate) fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

/// The hash that a run printed which went well.
pub(crate) fn hash(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    let text = stdout(output);
    let hash = text.lines().find_map(|line| line.strip_prefix("hash: "));
    let hash = hash.unwrap_or_else(|| panic!("{text}")).to_owned();
    assert!(hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{hash}");
    hash
}

/// A file of JSON lines.
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A file's text, or nothing where it cannot be read.
pub(crate) fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
