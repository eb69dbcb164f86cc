//! Which behaviors run as machine code, and why the others do not.

use std::collections::BTreeMap;
use std::path::Path;

use super::print::out;
use crate::diagnostics::{Fault, Severity};
use crate::reload::Generation;
use crate::script::{Refusal, ScriptBehavior};

/// How scripts run, by their names.
#[derive(Default)]
pub(super) struct Executions(BTreeMap<String, Execution>);

/// How one script runs. It may run in both ways, under different parameters.
#[derive(Default)]
struct Execution {
    native: bool,
    interpreted: bool,
    refusals: Vec<Refusal>,
}

impl Executions {
    /// How the behaviors of a generation run.
    pub(super) fn of(generation: &Generation) -> Self {
        let mut all = Self::default();
        for planned in generation.crews.iter().flatten() {
            if let Some(behavior) = &planned.behavior {
                all.add(&planned.handle.script, behavior);
            }
        }
        all
    }

    /// Takes note of one behavior.
    pub(super) fn add(&mut self, script: &str, behavior: &ScriptBehavior) {
        let execution = self.0.entry(script.to_owned()).or_default();
        execution.native |= behavior.is_native();
        execution.interpreted |= !behavior.is_native();
        if let Some(refusal) = behavior.refusal()
            && !execution.refusals.contains(refusal)
        {
            execution.refusals.push(refusal.clone());
        }
    }

    /// Takes note of all that another holds.
    pub(super) fn merge(&mut self, other: Self) {
        for (script, execution) in other.0 {
            let known = self.0.entry(script).or_default();
            known.native |= execution.native;
            known.interpreted |= execution.interpreted;
            for refusal in execution.refusals {
                if !known.refusals.contains(&refusal) {
                    known.refusals.push(refusal);
                }
            }
        }
    }

    /// Leaves out scripts with faults: how they would run is of no interest.
    pub(super) fn leave_out(&mut self, faults: &[Fault]) {
        for fault in faults.iter().filter(|it| it.severity == Severity::Error) {
            let name = Path::new(&fault.path).file_stem().unwrap_or_default();
            self.0.remove(&*name.to_string_lossy());
        }
    }

    /// Every refusal, with the script's file name.
    pub(super) fn refusals(&self) -> impl Iterator<Item = (String, &Refusal)> {
        self.0.iter().flat_map(|(script, execution)| {
            let refusals = execution.refusals.iter();
            refusals.map(move |refusal| (format!("{script}.rhai"), refusal))
        })
    }

    /// Prints it.
    pub(super) fn tell(&self) {
        let named = |is: fn(&Execution) -> bool| {
            let names = self.0.iter().filter(|(_, execution)| is(execution));
            let names: Vec<_> = names.map(|(name, _)| name.as_str()).collect();
            names.join(", ")
        };
        let native = named(|execution| execution.native);
        let interpreted = named(|execution| execution.interpreted);
        if !native.is_empty() {
            out(format!("native: {native}"));
        }
        if !interpreted.is_empty() {
            out(format!("interpreted: {interpreted}"));
        }
        for (file, refusal) in self.refusals() {
            out(format!("  {file}: {refusal}"));
        }
    }
}
