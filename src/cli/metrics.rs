//! `--metrics FILE.csv`: statistics of every group and means of watched values, one row per group and step.

use std::io::Write as _;

use super::lines::{Lines, OutputError};
use crate::sim::{Simulation, csv_field, metrics};

pub(super) struct Metrics(Lines);

impl Metrics {
    /// Writes the header.
    pub(super) fn new(mut lines: Lines) -> Result<Self, OutputError> {
        let figures: Vec<_> = metrics::FIGURES.iter().map(|figure| figure.name).collect();
        lines.write(|text| writeln!(text, "step,time,group,{},failures,watched", figures.join(",")))?;
        Ok(Self(lines))
    }

    pub(super) fn write(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let world = simulation.world();
        let watched = metrics::watched(simulation);
        for (index, figures) in metrics::of_groups(world).into_iter().enumerate() {
            let reports = simulation.reports().iter().filter(|report| report.group == index);
            let failures: u64 = reports.map(|report| report.count).sum();
            let group = csv_field(&world.groups[index].name);
            let (step, time) = (world.steps, world.time());
            let figures: Vec<_> = figures.iter().map(|(_, value)| value.to_string()).collect();
            let figures = figures.join(",");
            let watched = watched.iter().filter(|watched| watched.group == index);
            let watched: Vec<_> =
                watched.map(|of| format!("{}: {} = {}", of.rule, of.name, of.mean)).collect();
            let watched = watched.join("; ");
            let watched = csv_field(&watched);
            self.0.write(|text| writeln!(text, "{step},{time},{group},{figures},{failures},{watched}"))?;
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        self.0.flush()
    }
}
