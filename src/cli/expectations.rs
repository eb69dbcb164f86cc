//! The report on the expectations of a scene.

use super::print::{err, faults};
use crate::diagnostics::Fault;
use crate::scene::Scene;
use crate::session::{Verdict, Verdicts};

/// Returns a fault for each expectation that failed.
pub(super) fn failed(scene: &Scene, verdicts: &Verdicts) -> Vec<Fault> {
    let failed = verdicts.all().filter_map(|(expectation, verdict)| match verdict {
        Verdict::Failed(reason) => {
            let message = format!("expected {expectation}, but {reason}");
            Some(scene.fault(&expectation.span, message))
        }
        Verdict::Met(_) | Verdict::Open(_) | Verdict::Late => None,
    });
    failed.collect()
}

/// Prints the judgment of every expectation, or if `quiet` of those that failed; returns true if one failed.
pub(super) fn print(scene: &Scene, verdicts: &Verdicts, quiet: bool) -> bool {
    for (expectation, verdict) in verdicts.all().filter(|_| !quiet) {
        match verdict {
            Verdict::Met(reached) => err(format!("expected {expectation}: {reached}")),
            Verdict::Open(Some(nearest)) => {
                err(format!("expected {expectation}: not judged, the run ended before; nearest {nearest}"));
            }
            Verdict::Open(None) => err(format!("expected {expectation}: not judged, the run ended before")),
            Verdict::Late => {
                err(format!("expected {expectation}: not judged, the run began after this time"));
            }
            Verdict::Failed(_) => {}
        }
    }
    let failed = failed(scene, verdicts);
    faults(&failed);
    !failed.is_empty()
}
