//! Composition of generations: contents that work go live, others only cause a message.

mod budget;
mod data;
mod drawn;
mod flows;
mod imports;
mod lacking;
mod measures;
mod memory;
mod names;
mod saves;
mod scene;
mod suspended;
mod trials;
mod unsaved;

use std::path::Path;
use std::sync::Arc;

use steerbox_core::diagnostics::Fault;
use steerbox_core::sim::{Contribution, Simulation};
use steerbox_core::world::ParamValue;

use super::*;

const SCENE: &str = "(world: Plane(size: (100, 100)), bodies: { \"m\": Mover() },
    groups: [(name: \"a\", body: \"m\", count: 3, behaviors: [(script: \"one\", params: {\"K\": 2}), (script: \"two\")])])";
const ONE: &str =
    "const K = param(1.0, 0.0, 9.0);\nconst MEMORY = #{ n: 0 };\nfn steer(me, world) { this.n += 1; K }";
const TWO: &str = "fn steer(me, world) { vec(1, 0) }";

/// A project and a simulation that runs it.
struct Case {
    project: Project,
    generation: Generation,
    simulation: Simulation,
}

#[allow(clippy::unnecessary_wraps, reason = "the type that projects use")]
fn text(text: &str) -> Option<Result<Arc<str>, Fault>> {
    Some(Ok(text.into()))
}

impl Case {
    fn new() -> Self {
        Self::open(SCENE, ONE)
    }

    fn open(scene: &str, one: &str) -> Self {
        let mut project = Project::new(Place::of_scene(Path::new("/p/scenes/s.ron")));
        project.set_scene(text(scene));
        project.set_script("one", 0, text(one));
        project.set_script("two", 0, text(TWO));
        let generation = project.compose().unwrap();
        let simulation = generation.start(None);
        Self { project, generation, simulation }
    }

    /// Composes and swaps; returns the events as kind and path, and the notes about the world.
    fn swap(&mut self) -> (Vec<(EventKind, String)>, Vec<String>) {
        self.project.set_running(RunningWorld {
            scene: Arc::clone(&self.generation.scene),
            sample: self.simulation.sample(),
        });
        let generation = self.project.compose().unwrap();
        let notes = generation.swap_into(&mut self.simulation, &self.generation.scene, None);
        self.generation = generation;
        let event = |event: &Event| (event.kind, event.path.clone());
        (self.generation.events.iter().map(event).collect(), notes)
    }

    fn save(&mut self, script: &str, content: &str) -> Vec<(EventKind, String)> {
        self.project.set_script(script, 0, text(content));
        self.swap().0
    }

    fn accepts(&mut self, script: &str, content: &str) {
        assert_eq!(self.save(script, content), live(&format!("{script}.rhai")), "{content}");
    }

    fn rejects(&mut self, script: &str, content: &str) {
        assert_eq!(self.save(script, content), rejected(&format!("{script}.rhai")), "{content}");
    }

    fn tune(&mut self, knob: KnobName, value: ParamValue) {
        let handle = self.generation.behaviors[0][0].handle.clone();
        self.project.tune(handle, knob, value);
    }

    fn file(&self, path: &str) -> Option<&FileState> {
        self.generation.files.iter().find(|file| file.path == path)
    }

    /// Returns the first contribution of the first unit in the next step.
    fn first(&mut self) -> Contribution {
        self.step()[0]
    }

    fn save_scene(&mut self, content: &str) -> (Vec<(EventKind, String)>, Vec<String>) {
        self.project.set_scene(text(content));
        self.swap()
    }

    /// Returns the contributions to the first unit in the next step.
    fn step(&mut self) -> Vec<Contribution> {
        self.simulation.step();
        assert_eq!(self.simulation.reports(), []);
        self.simulation.decisions(0).map(|(_, contribution)| contribution).collect()
    }

    fn run(mut self, steps: usize) -> u64 {
        (0..steps).for_each(|_| drop(self.step()));
        self.simulation.hash()
    }

    fn error(&self) -> &Fault {
        self.generation.events[0].error.as_ref().unwrap()
    }
}

fn turn(x: f32) -> Contribution {
    Contribution::Turn(glam::Vec2::new(x, 0.0))
}

fn live(path: &str) -> Vec<(EventKind, String)> {
    vec![(EventKind::Live, path.to_owned())]
}

fn rejected(path: &str) -> Vec<(EventKind, String)> {
    vec![(EventKind::Rejected, path.to_owned())]
}
