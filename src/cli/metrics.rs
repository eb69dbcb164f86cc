//! `--metrics FILE.csv`: statistics of every group and means of watched values, one row per group and step.

use std::io::Write as _;

use super::lines::{Lines, OutputError};
use crate::sim::{Simulation, csv_field, metrics};

const COLUMNS: &str = "step,time,group,count,speed_mean,polarization,nearest_mean,failures,watched";

pub(super) struct Metrics(Lines);

impl Metrics {
    /// Writes the header.
    pub(super) fn new(mut lines: Lines) -> Result<Self, OutputError> {
        lines.write(|text| writeln!(text, "{COLUMNS}"))?;
        Ok(Self(lines))
    }

    pub(super) fn write(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let world = simulation.world();
        let watched = metrics::watched(simulation);
        for (index, figures) in metrics::of_groups(world).into_iter().enumerate() {
            let reports = simulation.reports().iter().filter(|report| report.group == index);
            let failures: u64 = reports.map(|report| report.count).sum();
            let group = csv_field(&world.groups[index].name);
            let (step, time, count, speed) = (world.steps, world.time(), figures.count, figures.speed_mean);
            let (polarization, nearest) = (figures.polarization, figures.nearest_mean);
            let watched = watched.iter().filter(|watched| watched.group == index);
            let watched: Vec<_> =
                watched.map(|of| format!("{}: {} = {}", of.rule, of.name, of.mean)).collect();
            let watched = watched.join("; ");
            let watched = csv_field(&watched);
            let row = format!("{step},{time},{group},{count},{speed},{polarization},{nearest},{failures}");
            self.0.write(|text| writeln!(text, "{row},{watched}"))?;
        }
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        self.0.flush()
    }
}
