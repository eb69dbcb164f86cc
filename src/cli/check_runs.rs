//! `check --run`: runs scenes until their expectations are judged.

use std::fmt::Write as _;

use super::{expectations, interrupt};
use crate::diagnostics::{Fault, Severity};
use crate::reload::Generation;
use crate::scene::Expectation;
use crate::session::{self, Verdict, Verdicts};

/// The scenes that were checked, each with the results of its run.
#[derive(Default)]
pub(super) struct CheckRuns(Vec<SceneCase>);

struct SceneCase {
    scene: String,
    cases: Vec<Case>,
    /// The messages of its failed expectations.
    failed: Vec<String>,
}

/// A test case of a report.
struct Case {
    name: String,
    /// The reason of a failure.
    failure: Option<String>,
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
        verdicts.observe(scene, &simulation);
        // A step without decisions does not check the flag.
        session::pool(0)?.install(|| {
            while !verdicts.are_final()
                && !interrupt::is_requested()
                && simulation.try_step(interrupt::flag())
            {
                verdicts.observe(scene, &simulation);
            }
        });
        let mut faults = expectations::failed(scene, &verdicts);
        let expected = faults.iter().map(|fault| fault.message.clone()).collect();
        faults.extend(simulation.reports().iter().map(|report| generation.fault(report)));
        self.add(shown, &verdicts, expected);
        Ok(faults)
    }

    /// Adds the expectations of a run as cases.
    fn add(&mut self, scene: &str, verdicts: &Verdicts, failed: Vec<String>) {
        let case = |(expectation, verdict): (&Expectation, Verdict)| Case {
            name: expectation.to_string(),
            failure: match verdict {
                Verdict::Met(_) => None,
                Verdict::Failed(reason) => Some(reason),
                Verdict::Open(_) | Verdict::Late => Some("the run was interrupted".to_owned()),
            },
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
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        let is_of_file = |fault: &&Fault| {
            fault.severity == Severity::Error
                && !self.0.iter().any(|scene| scene.failed.contains(&fault.message))
        };
        let of_files = faults.iter().filter(is_of_file);
        let of_files =
            of_files.map(|fault| Case { name: fault.path.clone(), failure: Some(fault.summary()) });
        let mut of_files: Vec<_> = of_files.collect();
        if of_files.is_empty() {
            of_files.push(Case { name: "files".to_owned(), failure: None });
        }
        suite(&mut text, "check", &of_files);
        for scene in &self.0 {
            suite(&mut text, &scene.scene, &scene.cases);
        }
        text.push_str("</testsuites>\n");
        text
    }
}

fn suite(text: &mut String, name: &str, cases: &[Case]) {
    let (name, failures) = (escaped(name), cases.iter().filter(|case| case.failure.is_some()).count());
    let (tests, class) = (cases.len(), &name);
    let _ = writeln!(text, "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\">");
    for case in cases {
        let start = format!("    <testcase classname=\"{class}\" name=\"{}\"", escaped(&case.name));
        let _ = match &case.failure {
            None => writeln!(text, "{start}/>"),
            Some(failure) => writeln!(text, "{start}><failure message=\"{}\"/></testcase>", escaped(failure)),
        };
    }
    text.push_str("  </testsuite>\n");
}

/// Escapes a text for an attribute; control characters, which XML does not permit, become spaces.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            character if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {
                escaped.push(' ');
            }
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_has_a_case_for_each_fault_and_expectation() {
        let case = |name: &str, failure: Option<&str>| Case {
            name: name.to_owned(),
            failure: failure.map(str::to_owned),
        };
        let cases = vec![case("speed above 1 by 2 s", None), case("a<b", Some("at \"0\"\n"))];
        let runs = CheckRuns(vec![SceneCase { scene: "s.ron".to_owned(), cases, failed: Vec::new() }]);
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites>
  <testsuite name=\"check\" tests=\"1\" failures=\"0\">
    <testcase classname=\"check\" name=\"files\"/>
  </testsuite>
  <testsuite name=\"s.ron\" tests=\"2\" failures=\"1\">
    <testcase classname=\"s.ron\" name=\"speed above 1 by 2 s\"/>
    <testcase classname=\"s.ron\" name=\"a&lt;b\"><failure message=\"at &quot;0&quot; \"/></testcase>
  </testsuite>
</testsuites>
";
        assert_eq!(runs.junit(&[]), expected);
        assert_eq!(runs.count(), 2);
    }
}
