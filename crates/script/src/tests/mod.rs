//! Tests of scripts in whole simulations.

mod api;
mod events;
mod failing;
mod imports;
mod measure;
mod state;

use std::sync::Arc;

use glam::{Vec2, Vec3};
use steerbox_core::sim::{Behavior, Contribution, Failure, Frozen, Shape, Simulation, Slot};
use steerbox_core::world::{
    Arena, Body, Domain, Edges, Flow, Group, Mover, NamedFlow, NamedPath, NamedView, Names, Obstacle,
    ParamValue, Path, Solid, Units, View, World, Zone, unit_key,
};

use super::{Execution, Library, Program, Script, ScriptBehavior};

/// Three units in a plane: one at (10, 10) with heading +y, one ahead of it, one to its starboard.
fn world() -> World {
    let mut kinds = Names::default();
    let craft = kinds.intern("craft").unwrap();
    let mut units = Units::default();
    for (index, (x, y)) in [(10.0, 10.0), (10.0, 14.0), (13.0, 10.0)].into_iter().enumerate() {
        let (position, velocity) = (Vec3::new(x, y, 0.0), Vec3::new(0.0, 2.0, 0.0));
        units.push(position, velocity, (Vec3::Y, Vec3::Z), 0, unit_key("flock", index));
    }
    let group = Group {
        name: "flock".to_owned(),
        body: Body::Mover(Mover::default()),
        kinds: craft,
        friends: 0,
        enemies: 0,
        view: Some(0),
        sense: 50.0,
        units: 0..3,
        ..Group::default()
    };
    World {
        arena: Arena {
            domain: Domain::Plane { size: Vec2::new(100.0, 80.0) },
            edges: Edges::Wrap,
            ..Arena::default()
        },
        groups: vec![group],
        units,
        views: vec![NamedView { name: "around".to_owned(), view: View::Around { radius: 20.0 } }],
        obstacles: vec![Obstacle::from(Solid::Ball { center: Vec3::new(10.0, 30.0, 0.0), radius: 5.0 })]
            .into(),
        kinds,
        target: Some(Vec3::new(1.0, 2.0, 0.0)),
        step: 0.5,
        seed: 7,
        ..World::default()
    }
}

/// Importable scripts by name.
pub(super) struct Shelf<'a>(pub(super) &'a [(&'a str, &'a str)]);

impl Library for Shelf<'_> {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map_or(Err(format!("no {name}")), |(_, text)| Ok((*text).into()))
    }
}

fn compiled(text: &str) -> Script {
    Script::compile("test.rhai", text).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn behavior(text: &str, values: &[(String, ParamValue)]) -> Arc<dyn Behavior> {
    Arc::new(ScriptBehavior::new(Program::fold(&compiled(text), values).unwrap(), Execution::Native))
}

fn simulation(text: &str) -> Simulation {
    let mut world = world();
    let script = compiled(text);
    world.marks.intern_all(&script.marks);
    world.name_signals(&script.signals);
    Simulation::new(world, vec![vec![Slot::new("test", 1, Some(behavior(text, &[])))]])
}

/// Returns the contribution of a body of `steer` to the first unit in the first step.
fn first(body: &str) -> Contribution {
    let mut simulation = simulation(&format!("fn steer(me, world) {{ {body} }}"));
    simulation.step();
    assert_eq!(simulation.reports(), [], "{body}");
    simulation.decisions(0).next().unwrap().1
}

fn number(body: &str) -> f32 {
    match first(body) {
        Contribution::Turn(turn) => turn.x,
        other => panic!("{body}: {other:?}"),
    }
}

/// Splits a table into rows of cells; `
/// ` denotes a line break.
pub(super) fn rows<const N: usize>(table: &str) -> impl Iterator<Item = [String; N]> {
    let rows = table.lines().map(str::trim).filter(|row| !row.is_empty());
    rows.map(|row| {
        let mut cells = row.splitn(N, '¦').map(|cell| cell.trim().replace("\\n", "\n"));
        std::array::from_fn(|_| cells.next().unwrap_or_default())
    })
}

/// Compares the numbers that bodies return with the expected ones.
fn are_near(most: f32, table: &str) {
    for [body, expected] in rows(table) {
        let (found, expected) = (number(&body), expected.parse::<f32>().unwrap());
        assert!((found - expected).abs() < most, "{body}: {found}");
    }
}

fn failure(text: &str) -> Failure {
    let mut simulation = simulation(text);
    simulation.step();
    simulation.reports().first().unwrap_or_else(|| panic!("no failure: {text}")).failure.clone()
}
