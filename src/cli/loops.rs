//! Iteration order of loops over units, and the reasons.

use std::collections::BTreeMap;

use steerbox_script::{Script, UnitLoop};

use super::lines::OutputError;
use super::print::{note, out};

/// The loops of scripts by path. A script that several scenes use is listed once.
#[derive(Default)]
pub(super) struct Loops(BTreeMap<String, Vec<UnitLoop>>);

impl Loops {
    /// Adds the loops of a script with this displayed path.
    pub(super) fn add(&mut self, path: &str, script: &Script) {
        self.0.entry(path.to_owned()).or_insert_with(|| script.unit_loops());
    }

    /// Prints a line for each loop.
    pub(super) fn print(&self) -> Result<(), OutputError> {
        for (path, loops) in &self.0 {
            for looping in loops {
                out(format!("{path}, line {}: {}", looping.line, order(looping)))?;
            }
        }
        Ok(())
    }

    /// Prints an object for each loop.
    pub(super) fn print_json(&self) -> anyhow::Result<()> {
        for (path, loops) in &self.0 {
            for looping in loops {
                note(path, (looping.line, looping.column), &order(looping), None)?;
            }
        }
        Ok(())
    }
}

fn order(looping: &UnitLoop) -> String {
    match &looping.nearest_first {
        None => "in any order".to_owned(),
        Some(why) => format!("nearest first: {why}"),
    }
}
