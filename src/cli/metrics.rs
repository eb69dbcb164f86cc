//! `--metrics FILE.csv`: figures of every group, a row a step.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use crate::sim::{Simulation, metrics};

pub(super) struct Metrics(BufWriter<File>);

impl Metrics {
    /// Begins with the names of the columns.
    pub(super) fn new(file: File) -> std::io::Result<Self> {
        let mut file = BufWriter::new(file);
        writeln!(
            file,
            "step,time,group,count,speed_mean,polarization,nearest_mean,failures"
        )?;
        Ok(Self(file))
    }

    pub(super) fn write(&mut self, simulation: &Simulation) -> std::io::Result<()> {
        let world = simulation.world();
        for (index, figures) in metrics::of_groups(world).into_iter().enumerate() {
            let reports = simulation
                .reports()
                .iter()
                .filter(|report| report.group == index);
            let failures: u64 = reports.map(|report| report.count).sum();
            let group = &world.groups[index].name;
            let group = if group.contains([',', '"', '\n']) {
                format!("\"{}\"", group.replace('"', "\"\""))
            } else {
                group.clone()
            };
            let metrics::Figures {
                count,
                speed_mean,
                polarization,
                nearest_mean,
            } = figures;
            let (step, time) = (world.steps, world.time());
            writeln!(
                self.0,
                "{step},{time},{group},{count},{speed_mean},{polarization},{nearest_mean},{failures}"
            )?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}
