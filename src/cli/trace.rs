//! `--trace FILE`: every unit's state and decisions, one JSON object per line.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::Serialize;

use super::lines::{Lines, OutputError};
use crate::sim::{Contribution, Simulation, use_names};

pub(super) struct Trace(Lines);

#[derive(Serialize)]
struct Row<'a> {
    step: u64,
    time: f32,
    unit: usize,
    group: &'a str,
    position: [f32; 3],
    velocity: [f32; 3],
    heading: [f32; 3],
    angular_velocity: [f32; 3],
    marks: Vec<&'a str>,
    steering: BTreeMap<String, Steering>,
}

/// A contribution in JSON: `{"turn": […]}` or `{"push": […]}`.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Steering {
    Turn([f32; 2]),
    Push([f32; 3]),
}

impl Steering {
    /// Converts a contribution, if any.
    pub(super) fn new(contribution: Contribution) -> Option<Self> {
        match contribution {
            Contribution::None => None,
            Contribution::Turn(turn) => Some(Self::Turn(turn.to_array())),
            Contribution::Push(push) => Some(Self::Push(push.to_array())),
        }
    }
}

impl Trace {
    pub(super) fn new(lines: Lines) -> Self {
        Self(lines)
    }

    /// Writes the current state, one unit per line.
    pub(super) fn write(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let world = simulation.world();
        let units = &world.units;
        let at = |field: &[Vec3], unit: usize| field[unit].to_array();
        for unit in 0..units.len() {
            let row = Row {
                step: world.steps,
                time: world.time(),
                unit,
                group: &world.group_of(unit).name,
                position: at(&units.position, unit),
                velocity: at(&units.velocity, unit),
                heading: at(&units.heading, unit),
                angular_velocity: at(&units.angular_velocity, unit),
                marks: world.marks.of(units.marks[unit]).collect(),
                steering: steering(simulation, unit),
            };
            self.0.write(|text| {
                serde_json::to_writer(&mut *text, &row)?;
                text.push(b'\n');
                Ok(())
            })?;
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        self.0.flush()
    }
}

/// Contributions before gain, by script; further uses of a script in a group are `script#2` and so on.
fn steering(simulation: &Simulation, unit: usize) -> BTreeMap<String, Steering> {
    let names = use_names(simulation.decisions(unit).map(|(slot, _)| slot));
    let contributions = simulation.decisions(unit).map(|(_, contribution)| Steering::new(contribution));
    names.into_iter().zip(contributions).filter_map(|(name, steering)| Some((name, steering?))).collect()
}
