//! `check --run`: runs scenes until their expectations are judged.

use steerbox_core::diagnostics::{Fault, Severity};
use steerbox_project::reload::Generation;
use steerbox_project::session::{self, Verdict, Verdicts};
use steerbox_scene::Expectation;

use super::junit::{self, Case};
use super::{expectations, interrupt};

/// The scenes that were checked, each with the results of its run.
#[derive(Default)]
pub(super) struct CheckRuns(Vec<SceneCase>);

struct SceneCase {
    scene: String,
    cases: Vec<Case>,
    /// The messages of its failed expectations.
    failed: Vec<String>,
}

impl CheckRuns {
    /// Runs a scene if it has expectations, and returns the faults: failed expectations and scripts.
    ///
    /// # Errors
    /// If the system provides no threads.
    pub(super) fn run(&mut self, generation: &Generation, shown: &str) -> anyhow::Result<Vec<Fault>> {
        let scene = &generation.scene;
        if scene.expect.is_empty() {
            return Ok(Vec::new());
        }
        let mut simulation = generation.start(None);
        let mut verdicts = Verdicts::new(scene, &simulation);
        simulation.watching = verdicts.need_watching();
        // A step without decisions does not check the flag.
        session::pool(0)?.install(|| {
            while !verdicts.are_final()
                && !interrupt::is_requested()
                && simulation.try_step(interrupt::flag())
            {
                verdicts.observe(&simulation);
            }
        });
        let mut faults = expectations::failed(&verdicts);
        let expected = faults.iter().map(|fault| fault.message.clone()).collect();
        let of_measures = simulation.measures().reports();
        let reports = simulation.reports().iter().chain(&of_measures);
        faults.extend(reports.map(|report| generation.fault(report)));
        self.add(shown, &verdicts, expected);
        Ok(faults)
    }

    /// Adds the expectations of a run as cases.
    fn add(&mut self, scene: &str, verdicts: &Verdicts, failed: Vec<String>) {
        let case = |(expectation, verdict): (&Expectation, Verdict)| {
            let failure = match verdict {
                Verdict::Met(_) => None,
                Verdict::Failed { reason, .. } => Some(reason),
                Verdict::Open { .. } | Verdict::Late => Some("the run was interrupted".to_owned()),
            };
            Case::failed_for(expectation.to_string(), failure)
        };
        self.0.push(SceneCase { scene: scene.to_owned(), cases: verdicts.all().map(case).collect(), failed });
    }

    /// The number of expectations that were judged.
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|scene| scene.cases.len()).sum()
    }

    /// Returns a report in the XML of `JUnit`: a suite with a case for each fault of a file, and for each scene a suite
    /// with a case for each expectation.
    pub(super) fn junit(&self, faults: &[Fault]) -> String {
        let is_of_file = |fault: &&Fault| {
            fault.severity == Severity::Error
                && !self.0.iter().any(|scene| scene.failed.contains(&fault.message))
        };
        let of_files = faults.iter().filter(is_of_file);
        let of_files = of_files.map(|fault| Case::failed_for(&fault.path, Some(fault.summary())));
        let mut of_files: Vec<_> = of_files.collect();
        if of_files.is_empty() {
            of_files.push(Case::failed_for("files", None));
        }
        let scenes = self.0.iter().map(|scene| (scene.scene.as_str(), &*scene.cases));
        junit::report(std::iter::once(("check", &*of_files)).chain(scenes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_a_suite_of_files_and_one_per_scene() {
        let cases =
            vec![Case::failed_for("speed above 1 by 2 s", None), Case::failed_for("b", Some("x".to_owned()))];
        let runs = CheckRuns(vec![SceneCase { scene: "s.ron".to_owned(), cases, failed: Vec::new() }]);
        let report = runs.junit(&[]);
        assert!(report.contains("<testsuite name=\"check\" tests=\"1\" failures=\"0\">"), "{report}");
        assert!(report.contains("<testsuite name=\"s.ron\" tests=\"2\" failures=\"1\">"), "{report}");
        assert_eq!(runs.count(), 2);
    }
}
