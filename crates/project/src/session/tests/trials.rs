//! A trial leaves nothing behind: units and memory that an unsaved text lacks return when it ends.

use std::time::Instant;

use steerbox_script::Execution;

use super::*;
use crate::session::stored::{Digests, ReplayFile};

const SCENE: &str = "(world: Plane(size: (90, 60), edges: Wrap), bodies: {\"m\": Mover(max_speed: 6)},
    groups: [(name: \"a\", body: \"m\", count: 3, behaviors: [(script: \"own\")])])";
const RULE: &str = "const MEMORY = #{ n: 0, m: 5.0 };
fn steer(me, world) { this.n += 1; vec(me.id + 1.0, this.n * 0.01) }";

/// A scene in a folder that runs and reloads.
struct Run {
    folder: tempfile::TempDir,
    session: Session,
}

impl Run {
    /// Opens the scene and makes some steps.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let scene = folder.path().join("s.ron");
        std::fs::create_dir(folder.path().join("scripts")).unwrap();
        std::fs::write(&scene, SCENE).unwrap();
        std::fs::write(folder.path().join("scripts/own.rhai"), RULE).unwrap();
        let options = Options { threads: Some(1), keep: Keep::ALL, ..Options::new(Place::of_scene(&scene)) };
        let mut session = Session::open(options).unwrap();
        session.watch().unwrap();
        let mut run = Self { folder, session };
        run.step(30);
        run
    }

    fn step(&mut self, steps: usize) {
        (0..steps).for_each(|_| assert!(self.session.simulation.step(&AtomicBool::new(false))));
    }

    /// Runs an unsaved text, or the saved one again; returns the notes of the swap.
    fn run_text(&mut self, name: &str, text: Option<&str>) -> Vec<String> {
        self.session.run_text(name, text.map(Into::into));
        self.swap(name)
    }

    fn save(&mut self, text: &str) -> Vec<String> {
        std::fs::write(self.folder.path().join("scripts/own.rhai"), text).unwrap();
        self.swap("own.rhai")
    }

    /// Swaps in generations up to one in which a file runs that was changed.
    fn swap(&mut self, name: &str) -> Vec<String> {
        let give_up = Instant::now() + Duration::from_secs(30);
        while Instant::now() < give_up {
            // A trial run requests a sample of the world while this waits.
            let Some(generation) = self.session.wait(Duration::from_millis(10)) else { continue };
            let swapped = self.session.swap(generation);
            if swapped.events.iter().any(|event| event.path == name && event.kind.runs()) {
                return swapped.notes;
            }
        }
        panic!("{name} does not run");
    }

    /// The memory of each unit for its behavior.
    fn memory(&self) -> Vec<Vec<u32>> {
        let units = 0..self.session.simulation.world().units.len();
        let memory =
            |unit: usize| self.session.simulation.memory(unit).flat_map(|(.., words)| words.to_vec());
        units.map(|unit| memory(unit).collect()).collect()
    }

    fn hash(&self) -> u64 {
        self.session.simulation.hash()
    }

    /// Repeats the run from a file.
    fn is_repeated(&self) {
        let replay = self.session.replay_file(Digests::default()).unwrap();
        let replay = ReplayFile::from_bytes(&replay.to_bytes().unwrap()).unwrap();
        let end = replay.repeat((Execution::default(), Some(1)), &AtomicBool::new(false), |_| true);
        assert_eq!(end.unwrap().hash(), self.hash());
    }
}

#[test]
fn memory_that_a_draft_lacks_returns_when_it_ends() {
    let mut run = Run::new();
    let before = run.memory();
    run.run_text("own.rhai", Some("fn steer(me, world) { 1.0 }"));
    assert!(run.memory().concat().is_empty());
    run.step(20);
    // A second draft declares one of the fields, which continues in it.
    run.run_text("own.rhai", Some(&RULE.replace(", m: 5.0", "")));
    run.step(2);
    let notes = run.run_text("own.rhai", None);
    assert_eq!(notes, ["memory of 3 units returned"]);
    let expected: Vec<_> = before
        .iter()
        .map(|unit| {
            let n = f32::from_bits(unit[1]) + 2.0;
            vec![unit[0], n.to_bits()]
        })
        .collect();
    assert_eq!(run.memory(), expected, "fields by name: m, n");
    run.step(3);
    run.is_repeated();
}

#[test]
fn units_that_a_draft_lacks_return_when_it_ends() {
    for draft in [SCENE.replace("count: 3", "count: 1"), SCENE.replace("\"a\"", "\"b\"")] {
        let mut run = Run::new();
        let before = (run.memory(), run.hash());
        run.run_text("s.ron", Some(&draft));
        // A renamed group has its units.
        assert_eq!(run.hash() == before.1, draft.contains("\"b\""));
        run.run_text("s.ron", None);
        assert_eq!((run.memory(), run.hash()), before, "{draft}");
        run.step(3);
        run.is_repeated();
    }
}

#[test]
fn memory_that_a_save_lacks_returns_with_a_save_soon_after_it() {
    let without = RULE.replace("n: 0, ", "").replace("this.n += 1; ", "").replace("this.n", "this.m");
    for (steps, returns) in [(60, true), (620, false)] {
        let mut run = Run::new();
        let before = run.memory();
        run.save(&without);
        run.step(steps);
        run.save(RULE);
        let initial: Vec<_> = before.iter().map(|unit| vec![unit[0], 0]).collect();
        assert_eq!(run.memory(), if returns { before } else { initial });
    }
}
