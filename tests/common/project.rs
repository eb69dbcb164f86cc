//! A temporary project folder, and runs of the program in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Timeout of waits for events that should arrive at once.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A temporary folder with a project.
pub(crate) struct ProjectDir(tempfile::TempDir);

impl ProjectDir {
    /// Creates a folder with these files: path and text.
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

    /// Returns a `steerbox` command with these arguments, in the folder, without a display.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steerbox"));
        command.current_dir(self.0.path()).env("NO_COLOR", "1").env("STEERBOX_ABORT", "1");
        command.env_remove("DISPLAY").args(args);
        command
    }

    pub(crate) fn call(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs the program, which must succeed, and returns the hash that it prints.
    pub(crate) fn hash(&self, args: &[&str]) -> String {
        hash(&self.call(args))
    }

    /// Runs the program, which must fail with status 1 and print each of `parts`; returns its message.
    pub(crate) fn refuses(&self, args: &[&str], parts: &[&str]) -> String {
        failed(&self.call(args), 1, parts)
    }

    /// Starts the program in the background, without output.
    pub(crate) fn spawn(&self, args: &[&str]) -> Running {
        Running::new(&mut self.command(args))
    }

    /// Waits for the first line of a file of JSON lines that satisfies `fits`.
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

/// A process that is killed at the end of the test.
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

/// Asserts the exit status and parts of the message; returns the message.
pub(crate) fn failed(output: &Output, status: i32, parts: &[&str]) -> String {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(status), "{text}");
    contains(&text, parts);
    text
}

/// Asserts that the text contains every part.
pub(crate) fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
}

/// Returns the hash printed by a successful run.
pub(crate) fn hash(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    let text = stdout(output);
    let hash = text.lines().find_map(|line| line.strip_prefix("hash: "));
    let hash = hash.unwrap_or_else(|| panic!("{text}")).to_owned();
    assert!(hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{hash}");
    hash
}

/// Parses a text of JSON lines.
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Reads a file; returns an empty text if it cannot be read.
pub(crate) fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
