//! A trace of JSON lines, one object per unit and state, and one per environment grid and state if they are requested.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

use glam::Vec3;
use serde::Serialize;
use steerbox_core::sim::{Contribution, Simulation, use_names};
use steerbox_core::world::{Coordinates, ScalarGrid, World};

use super::selection::Field;

#[derive(Serialize)]
struct Row<'a> {
    step: u64,
    time: f64,
    unit: usize,
    group: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Coordinates>,
    #[serde(skip_serializing_if = "Option::is_none")]
    velocity: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heading: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    angular_velocity: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steering: Option<BTreeMap<String, Steering>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

#[derive(Serialize)]
struct GridRow<'a> {
    step: u64,
    time: f64,
    grid: &'a str,
    total: f64,
    /// Numbers of cells along x, y and z.
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<[u32; 3]>,
    /// Ordered along x first, then y, then z.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Cow<'a, [f32]>>,
}

/// A contribution in JSON: `{"turn": […]}` or `{"push": […]}`.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::cli) enum Steering {
    Turn([f32; 2]),
    Push([f32; 3]),
}

impl Steering {
    /// Converts a contribution, if any.
    pub(in crate::cli) fn new(contribution: Contribution) -> Option<Self> {
        match contribution {
            Contribution::None => None,
            Contribution::Turn(turn) => Some(Self::Turn(turn.to_array())),
            Contribution::Push(push) => Some(Self::Push(push.to_array())),
        }
    }
}

/// Writes a unit in the current state as a line; `time` is that of the state.
pub(super) fn write(
    text: &mut Vec<u8>,
    (simulation, time): (&Simulation, f64),
    unit: usize,
    (fields, flips_y): (&[Field], bool),
) -> io::Result<()> {
    let world = simulation.world();
    let units = &world.units;
    let has = |field: Field| fields.contains(&field);
    let flipped =
        |field: Field, vector: Vec3| if flips_y { field.flip_y(vector, &world.arena) } else { vector };
    let at = |field, values: &[Vec3]| has(field).then(|| flipped(field, values[unit]).to_array());
    let shown = |contribution| match contribution {
        Contribution::Push(push) => Contribution::Push(flipped(Field::Steering, push)),
        other => other,
    };
    let row = Row {
        step: world.steps,
        time,
        unit,
        group: &world.group_of(unit).name,
        position: has(Field::Position)
            .then(|| world.arena.coordinates(flipped(Field::Position, units.position[unit]))),
        velocity: at(Field::Velocity, &units.velocity),
        heading: at(Field::Heading, &units.heading),
        angular_velocity: at(Field::AngularVelocity, &units.angular_velocity),
        marks: has(Field::Marks).then(|| world.marks.of(units.marks[unit]).collect()),
        steering: has(Field::Steering).then(|| steering(simulation, unit, shown)),
        key: has(Field::Key).then(|| format!("{:016x}", units.key[unit])),
    };
    serde_json::to_writer(&mut *text, &row)?;
    text.push(b'\n');
    Ok(())
}

/// Writes an environment grid in the current state as a line, with the values of its cells if these are requested.
pub(super) fn write_grid(
    text: &mut Vec<u8>,
    (world, time): (&World, f64),
    grid: &ScalarGrid,
    (has_values, flips_y): (bool, bool),
) -> io::Result<()> {
    let [width, height, _] = grid.cells().to_array().map(|cells| cells as usize);
    let values = || {
        if !flips_y {
            return Cow::Borrowed(grid.values());
        }
        let layers = grid.values().chunks(width * height);
        layers.flat_map(|layer| layer.rchunks(width)).flatten().copied().collect()
    };
    let row = GridRow {
        step: world.steps,
        time,
        grid: &grid.name,
        total: grid.total(),
        cells: has_values.then(|| grid.cells().to_array()),
        values: has_values.then(values),
    };
    serde_json::to_writer(&mut *text, &row)?;
    text.push(b'\n');
    Ok(())
}

/// Contributions before gain, by script; further uses of a script in a group are `script#2` and so on.
fn steering(
    simulation: &Simulation,
    unit: usize,
    shown: impl Fn(Contribution) -> Contribution,
) -> BTreeMap<String, Steering> {
    let names = use_names(simulation.decisions(unit).map(|(slot, _)| slot));
    let contributions =
        simulation.decisions(unit).map(|(_, contribution)| Steering::new(shown(contribution)));
    names.into_iter().zip(contributions).filter_map(|(name, steering)| Some((name, steering?))).collect()
}
