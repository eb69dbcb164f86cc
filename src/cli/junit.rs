//! Reports of tests in the XML of `JUnit`, which test runners and forges read.

use std::fmt::Write as _;

/// A test case of a report.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) outcome: Outcome,
}

/// The result of a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    /// With the reason why it cannot be judged.
    Skipped(String),
    /// With the reason.
    Failed(String),
}

impl Case {
    pub(super) fn new(name: impl Into<String>, outcome: Outcome) -> Self {
        Self { name: name.into(), outcome }
    }

    /// Creates a case that failed if there is a reason.
    pub(super) fn failed_for(name: impl Into<String>, reason: Option<String>) -> Self {
        Self::new(name, reason.map_or(Outcome::Passed, Outcome::Failed))
    }
}

/// Returns a report of suites: name and cases.
pub(super) fn report<'a>(suites: impl IntoIterator<Item = (&'a str, &'a [Case])>) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (name, cases) in suites {
        suite(&mut text, name, cases);
    }
    text.push_str("</testsuites>\n");
    text
}

fn suite(text: &mut String, name: &str, cases: &[Case]) {
    let count = |is: fn(&Outcome) -> bool| cases.iter().filter(|case| is(&case.outcome)).count();
    let failures = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let skipped = count(|outcome| matches!(outcome, Outcome::Skipped(_)));
    let skipped = if skipped > 0 { format!(" skipped=\"{skipped}\"") } else { String::new() };
    let (name, tests) = (escaped(name), cases.len());
    let _ =
        writeln!(text, "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\"{skipped}>");
    for case in cases {
        let start = format!("    <testcase classname=\"{name}\" name=\"{}\"", escaped(&case.name));
        let (element, reason) = match &case.outcome {
            Outcome::Passed => {
                let _ = writeln!(text, "{start}/>");
                continue;
            }
            Outcome::Skipped(reason) => ("skipped", reason),
            Outcome::Failed(reason) => ("failure", reason),
        };
        let _ = writeln!(text, "{start}><{element} message=\"{}\"/></testcase>", escaped(reason));
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
    fn a_report_has_a_suite_with_its_cases() {
        let cases = [
            Case::new("speed above 1 by 2 s", Outcome::Passed),
            Case::failed_for("a<b", Some("at \"0\"\n".to_owned())),
            Case::new("c", Outcome::Skipped("nothing".to_owned())),
        ];
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites>
  <testsuite name=\"s.ron\" tests=\"3\" failures=\"1\" skipped=\"1\">
    <testcase classname=\"s.ron\" name=\"speed above 1 by 2 s\"/>
    <testcase classname=\"s.ron\" name=\"a&lt;b\"><failure message=\"at &quot;0&quot; \"/></testcase>
    <testcase classname=\"s.ron\" name=\"c\"><skipped message=\"nothing\"/></testcase>
  </testsuite>
  <testsuite name=\"t.ron\" tests=\"0\" failures=\"0\">
  </testsuite>
</testsuites>
";
        assert_eq!(report([("s.ron", &cases[..]), ("t.ron", &[])]), expected);
    }
}
