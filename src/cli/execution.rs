//! Behaviors that are interpreted although they should be compiled, and the reasons.

use std::collections::BTreeMap;
use std::path::Path;

use steerbox_core::diagnostics::{Fault, Severity};
use steerbox_project::reload::Generation;
use steerbox_script::{ScriptBehavior, Unsupported};

use super::lines::OutputError;

/// Constructs that the compiler does not support, by script. A script may be compiled with some parameters and
/// interpreted with others.
#[derive(Default)]
pub(super) struct Interpreted(BTreeMap<String, Vec<Unsupported>>);

impl Interpreted {
    /// Collects the behaviors of a generation.
    pub(super) fn new(generation: &Generation) -> Self {
        let mut all = Self::default();
        all.add_all(generation);
        all
    }

    /// Adds the behaviors of a generation.
    pub(super) fn add_all(&mut self, generation: &Generation) {
        for planned in generation.planned() {
            if let Some(behavior) = &planned.behavior {
                self.add(&planned.handle.script, behavior);
            }
        }
    }

    /// Adds one behavior.
    pub(super) fn add(&mut self, script: &str, behavior: &ScriptBehavior) {
        if let Some(refusal) = behavior.unsupported() {
            let known = self.0.entry(script.to_owned()).or_default();
            if !known.contains(refusal) {
                known.push(refusal.clone());
            }
        }
    }

    /// Removes scripts with errors, whose execution mode is irrelevant.
    pub(super) fn leave_out(&mut self, faults: &[Fault]) {
        for fault in faults.iter().filter(|it| it.severity == Severity::Error) {
            let name = Path::new(&fault.path).file_stem().unwrap_or_default();
            self.0.remove(&*name.to_string_lossy());
        }
    }

    /// Returns each reason with the script's file name.
    pub(super) fn refusals(&self) -> impl Iterator<Item = (String, &Unsupported)> {
        self.0.iter().flat_map(|(script, refusals)| {
            let file = format!("{script}.rhai");
            refusals.iter().map(move |refusal| (file.clone(), refusal))
        })
    }

    /// Prints the reasons with `line`, if there are any.
    pub(super) fn print(&self, line: impl Fn(String) -> Result<(), OutputError>) -> Result<(), OutputError> {
        let names: Vec<_> = self.0.keys().map(String::as_str).collect();
        if names.is_empty() {
            return Ok(());
        }
        line(format!("interpreted: {}", names.join(", ")))?;
        for (file, refusal) in self.refusals() {
            line(format!("  {file}: {refusal}"))?;
        }
        Ok(())
    }
}
