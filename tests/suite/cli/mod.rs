//! The program from its users' view.

mod arguments;
mod compare;
mod explain;
#[cfg(unix)]
mod files;
mod grids;
mod measures;
mod names;
mod outputs;
mod plot;
mod record;
mod runs;
mod sensitivity;
#[cfg(unix)]
pub(crate) mod signals;
mod stored;
mod sweep;
mod terminal;
mod tests_of_scenes;

use std::process::Output;

use crate::common::project::ProjectDir;

const SCENE: &str = "(world: Plane(size: (200, 100)), seed: 3, bodies: { \"m\": Mover(max_speed: 20) },
    views: { \"around\": Around(radius: 50) },
    groups: [(name: \"a\", body: \"m\", count: 20, view: \"around\",
        behaviors: [(script: \"gather\", gain: 0.5), (script: \"turn\"), (script: \"turn\")])])";
const GATHER: &str = "const REACH = param(40.0, 1.0, 90.0);
fn steer(me, world) {
    let mates = me.neighbors.within(REACH);
    if mates.is_empty { return (); }
    (mates.mean_position - me.position).normalized
}";
const TURN: &str = "fn steer(me, world) { me.mark(\"seen\"); me.random_between(-1, 1) }";
/// A run that does not end by itself.
const ENDLESS: [&str; 4] = ["run", "scenes/s.ron", "--steps", "1000000000"];
/// A run in real time with reloads.
const WATCH: [&str; 5] = ["run", "scenes/s.ron", "--watch", "--events", "events"];

/// A scene of 20 units with two scripts, one of them used twice.
fn project() -> ProjectDir {
    let scripts = [("scripts/gather.rhai", GATHER), ("scripts/turn.rhai", TURN)];
    let project = ProjectDir::with(&scripts);
    project.save("scenes/s.ron", SCENE);
    project
}

/// Runs 20 steps with additional arguments.
fn run(project: &ProjectDir, more: &[&str]) -> Output {
    project.call(&[&["run", "scenes/s.ron", "--steps", "20"], more].concat())
}

/// Saves another content of the script `turn`.
fn save_turn(project: &ProjectDir) {
    project.save("scripts/turn.rhai", &TURN.replace("-1, 1", "-2, 2"));
}
