//! Which behaviors do not run as machine code, although they were to, and why.

use std::collections::BTreeMap;
use std::path::Path;

use super::lines::OutputError;
use crate::diagnostics::{Fault, Severity};
use crate::reload::Generation;
use crate::script::{ScriptBehavior, Unsupported};

/// What the compiler did not take, by the names of the scripts. A script may run in both ways, under
/// different parameters.
#[derive(Default)]
pub(super) struct Interpreted(BTreeMap<String, Vec<Unsupported>>);

impl Interpreted {
    /// The behaviors of a generation.
    pub(super) fn of(generation: &Generation) -> Self {
        let mut all = Self::default();
        for planned in generation.behaviors.iter().flatten() {
            if let Some(behavior) = &planned.behavior {
                all.add(&planned.handle.script, behavior);
            }
        }
        all
    }

    /// Takes note of one behavior.
    pub(super) fn add(&mut self, script: &str, behavior: &ScriptBehavior) {
        self.refuse(script, behavior.unsupported().cloned());
    }

    /// Takes note of all that another holds.
    pub(super) fn merge(&mut self, other: Self) {
        for (script, refusals) in other.0 {
            self.refuse(&script, refusals);
        }
    }

    fn refuse(&mut self, script: &str, refusals: impl IntoIterator<Item = Unsupported>) {
        for refusal in refusals {
            let known = self.0.entry(script.to_owned()).or_default();
            if !known.contains(&refusal) {
                known.push(refusal);
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
    pub(super) fn refusals(&self) -> impl Iterator<Item = (String, &Unsupported)> {
        self.0.iter().flat_map(|(script, refusals)| {
            let file = format!("{script}.rhai");
            refusals.iter().map(move |refusal| (file.clone(), refusal))
        })
    }

    /// Prints it, if there is anything to tell.
    pub(super) fn tell(
        &self,
        print: impl Fn(String) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        let names: Vec<_> = self.0.keys().map(String::as_str).collect();
        if names.is_empty() {
            return Ok(());
        }
        print(format!("interpreted: {}", names.join(", ")))?;
        for (file, refusal) in self.refusals() {
            print(format!("  {file}: {refusal}"))?;
        }
        Ok(())
    }
}
