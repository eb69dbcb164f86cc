//! Figures of the groups over the last minute, for plots.

use std::collections::VecDeque;
use std::fmt::Write as _;

use crate::sim::csv_field;
use crate::sim::metrics::{self, Figures};
use crate::world::World;

/// Simulated seconds that are kept, and between two samples.
const SECONDS: f32 = 60.0;
const EVERY: f32 = 0.1;

/// A figure that can be plotted.
pub(super) struct Metric {
    /// As the user reads it.
    pub(super) name: &'static str,
    /// What it says.
    pub(super) about: &'static str,
    /// Its greatest value, if it has one.
    pub(super) most: Option<f32>,
    of: fn(&Figures, &World, usize) -> f32,
}

/// All of them.
pub(super) const METRICS: [Metric; 5] = [
    Metric {
        name: "polarization",
        about: "1: all move in one direction; 0: disorder",
        most: Some(1.0),
        of: |figures, _, _| figures.polarization,
    },
    Metric {
        name: "milling",
        about: "1: all circle about the middle of their group",
        most: Some(1.0),
        of: |figures, _, _| figures.milling,
    },
    Metric { name: "speed", about: "mean speed", most: None, of: |figures, _, _| figures.speed_mean },
    Metric {
        name: "nearest",
        about: "mean distance to the nearest unit",
        most: None,
        of: |figures, _, _| figures.nearest_mean,
    },
    Metric {
        name: "touching",
        about: "units in contact with another",
        most: None,
        of: |_, world, group| {
            let units = world.groups[group].units.clone();
            units.filter(|unit| !world.units.touching.of(*unit).is_empty()).count() as f32
        },
    },
];

/// The figures of all groups at one time.
#[derive(Clone, Debug, PartialEq)]
struct Sample {
    time: f32,
    /// By group, then by metric.
    values: Vec<[f32; METRICS.len()]>,
}

/// The figures of the last minute, taken while they are shown.
#[derive(Clone, Debug)]
pub(super) struct Plots {
    /// Whether they are shown.
    pub(super) open: bool,
    /// Which metrics are plotted.
    pub(super) chosen: [bool; METRICS.len()],
    samples: VecDeque<Sample>,
}

impl Default for Plots {
    fn default() -> Self {
        Self { open: false, chosen: [true, false, true, true, false], samples: VecDeque::new() }
    }
}

impl Plots {
    /// Takes a sample, if it is time to.
    pub(super) fn note(&mut self, world: &World) {
        if !self.open {
            return;
        }
        let time = world.time();
        let last = self.samples.back();
        // Time went back, or the groups are others.
        if last.is_some_and(|last| time < last.time || last.values.len() != world.groups.len()) {
            self.samples.clear();
        }
        if self.samples.back().is_some_and(|last| time - last.time < EVERY) {
            return;
        }
        let figures = metrics::of_groups(world);
        let values = figures.iter().enumerate();
        let values = values.map(|(group, figures)| METRICS.map(|metric| (metric.of)(figures, world, group)));
        self.samples.push_back(Sample { time, values: values.collect() });
        while self.samples.front().is_some_and(|first| time - first.time > SECONDS) {
            self.samples.pop_front();
        }
    }

    /// A metric of a group: times in seconds and values.
    pub(super) fn points(&self, metric: usize, group: usize) -> impl Iterator<Item = [f64; 2]> {
        self.samples.iter().filter_map(move |sample| {
            let values = sample.values.get(group)?;
            Some([f64::from(sample.time), f64::from(values[metric])])
        })
    }

    /// All samples as a table: a line for each time and group.
    pub(super) fn csv(&self, groups: &[&str]) -> String {
        let names = METRICS.map(|metric| metric.name).join(",");
        let mut table = format!("time,group,{names}\n");
        for sample in &self.samples {
            for (name, values) in groups.iter().zip(&sample.values) {
                let values = values.map(|value| value.to_string()).join(",");
                let _ = writeln!(table, "{},{},{values}", sample.time, csv_field(name));
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;

    fn world() -> World {
        let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()}, groups: [
            (name: \"a\", body: \"m\", spawn: At([(position: (40, 50), heading: 90), (position: (60, 50), heading: 270)]))])";
        let mut world = scene::build(&scene::read("a.ron", text).unwrap(), None);
        // One to the left that moves down, one to the right that moves up: they circle.
        world.units.velocity = vec![glam::Vec3::NEG_Y * 3.0, glam::Vec3::Y * 3.0];
        world
    }

    #[test]
    fn two_that_circle_mill_and_are_not_polarized() {
        let mut plots = Plots { open: true, ..Plots::default() };
        let mut world = world();
        for _ in 0..3 {
            plots.note(&world);
            world.steps += 1000;
        }
        let values: Vec<_> = (0..4).map(|metric| plots.points(metric, 0).last().unwrap()[1]).collect();
        assert_eq!(values, [0.0, 1.0, 3.0, 20.0]);
        let table = plots.csv(&["a"]);
        assert!(
            table.starts_with("time,group,polarization,milling,speed,nearest,touching\n0,a,0,1,3,20,0\n"),
            "{table}"
        );
        world.steps = 0;
        plots.note(&world);
        assert_eq!(plots.points(0, 0).count(), 1, "after a restart they begin anew");
    }

    #[test]
    fn nothing_is_taken_while_nothing_is_shown() {
        let mut plots = Plots::default();
        plots.note(&world());
        assert_eq!(plots.points(0, 0).count(), 0);
    }
}
