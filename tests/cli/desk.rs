//! A project in a folder of its own, and the program called in it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

pub(crate) const SCENE: &str =
    "(world: Plane(size: (200, 100)), seed: 3, bodies: { \"m\": Mover(max_speed: 20) },
    views: { \"around\": Around(radius: 50) },
    groups: [(name: \"a\", body: \"m\", count: 20, view: \"around\",
        behaviors: [(script: \"gather\", gain: 0.5), (script: \"turn\"), (script: \"turn\")])])";
pub(crate) const GATHER: &str = "const REACH = param(40.0, 1.0, 90.0);
fn steer(me, world) {
    let mates = me.neighbors.within(REACH);
    if mates.is_empty { return (); }
    (mates.mean_position - me.position).normalized
}";
pub(crate) const TURN: &str = "fn steer(me, world) { me.mark(\"seen\"); me.random_between(-1, 1) }";

/// A project in a folder of its own.
pub(crate) struct Desk(tempfile::TempDir);

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        for (path, text) in [
            ("scenes/s.ron", SCENE),
            ("scripts/gather.rhai", GATHER),
            ("scripts/turn.rhai", TURN),
        ] {
            desk.save(path, text);
        }
        desk
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn save(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steerbox"));
        command
            .current_dir(self.0.path())
            .env("NO_COLOR", "1")
            .env_remove("DISPLAY")
            .args(args);
        command
    }

    pub(crate) fn call(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// What `run scenes/s.ron --steps 20` prints, with more arguments.
    pub(crate) fn run(&self, more: &[&str]) -> Output {
        self.call(&[&["run", "scenes/s.ron", "--steps", "20"], more].concat())
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The hash line of a run that went well.
pub(crate) fn hash(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    let text = stdout(output);
    let hash = text
        .lines()
        .find_map(|line| line.strip_prefix("hash: "))
        .unwrap_or_else(|| panic!("{text}"));
    assert!(
        hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()),
        "{hash}"
    );
    hash.to_owned()
}
