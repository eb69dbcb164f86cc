//! The report on the expectations of a scene.

use steerbox_core::diagnostics::Fault;
use steerbox_project::session::{Verdict, Verdicts};
use steerbox_scene::Expectation;

use super::print::{err, faults};

/// Returns a fault for each expectation that failed.
pub(super) fn failed(verdicts: &Verdicts) -> Vec<Fault> {
    let failed = verdicts.all().filter(|(_, verdict)| matches!(verdict, Verdict::Failed { .. }));
    let fault = |(expectation, verdict): (&Expectation, Verdict)| {
        verdicts.scene().fault(&expectation.span, verdict.words(expectation))
    };
    failed.map(fault).collect()
}

/// Prints the judgment of every expectation, or if `quiet` of those that failed; returns true if one failed.
pub(super) fn print(verdicts: &Verdicts, quiet: bool) -> bool {
    for (expectation, verdict) in verdicts.all().filter(|_| !quiet) {
        match verdict {
            Verdict::Open { nearest: Some(nearest), .. } => {
                err(format!("expected {expectation}: not judged, the run ended before; nearest {nearest}"));
            }
            Verdict::Open { nearest: None, .. } => {
                err(format!("expected {expectation}: not judged, the run ended before"));
            }
            Verdict::Met(_) | Verdict::Late => err(verdict.words(expectation)),
            Verdict::Failed { .. } => {}
        }
    }
    let failed = failed(verdicts);
    faults(&failed);
    !failed.is_empty()
}
