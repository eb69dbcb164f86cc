//! Experiment files: the options of a sweep in RON.

use std::num::NonZeroU64;

use ron::error::{Error, SpannedError};
use ron::extensions::Extensions;
use serde::Deserialize;

use crate::diagnostics::{Fault, suggestion};

/// The options of a sweep. Names and values are those of the command line; what is missing has its default there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExperimentFile {
    /// The scene: a name, or a file relative to the project.
    pub scene: String,
    /// See [`super::Request`]; the following are the same.
    pub vary: Vec<String>,
    /// A file with a table of points.
    pub design: Option<String>,
    /// `latin:N`, `sobol:N`, `morris:N` or `saltelli:N`.
    pub sample: Option<String>,
    /// The first seed.
    pub seed: Option<u64>,
    /// The number of seeds of each point.
    pub seeds: Option<u64>,
    /// True if no two runs have the same seed.
    pub independent_seeds: bool,
    /// The number of steps of a run.
    pub steps: Option<u64>,
    /// The number of steps before measures count.
    pub warmup: Option<u64>,
    /// The measures and statistics.
    pub measure: Vec<String>,
    /// The condition whose first step is the last one of a run.
    pub until: Option<String>,
    /// The real time of a run, seconds.
    pub time_limit: Option<NonZeroU64>,
    /// The settings that all runs share: `GROUP.SCRIPT.PARAM=V`.
    pub set: Vec<String>,
    /// The table.
    pub out: Option<String>,
    /// The summary.
    pub summary: Option<String>,
}

impl ExperimentFile {
    /// Parses a file. `path` is its name in messages.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub fn parse(path: &str, text: &str) -> Result<Self, Fault> {
        let options = ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
        let file: Self = options.from_str(text).map_err(|error| fault(path, text, &error))?;
        if file.scene.trim().is_empty() {
            let fault = Fault::of_file(path, "the experiment has no `scene`");
            return Err(fault.help("add a line such as scene: \"flock\","));
        }
        Ok(file)
    }
}

fn fault(path: &str, text: &str, error: &SpannedError) -> Fault {
    let end = (error.span.end.line, error.span.end.col);
    match &error.code {
        Error::NoSuchStructField { expected, found, .. } => {
            // The span of the parser ends after the name.
            let at = text.lines().enumerate().find_map(|(line, content)| {
                let at = content.find(&format!("{found}:"))?;
                Some((line + 1, content[..at].chars().count() + 1))
            });
            let remedy = suggestion(found, expected.iter().copied());
            let remedy = remedy.unwrap_or_else(|| format!("an experiment has {}", expected.join(", ")));
            Fault::at(path, text, at.unwrap_or(end), format!("an experiment has no `{found}`")).help(remedy)
        }
        code => Fault::at(path, text, end, format!("this is no experiment: {code}"))
            .help("the form is ( scene: \"flock\", vary: [\"GROUP.SCRIPT.PARAM=0..1:11\"], steps: 1000, measure: [\"speed\"] )"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_options_of_the_command_line() {
        let text = "(scene: \"flock\", vary: [\"a.b.C=1,2\"], seeds: 3, until: \"time > 1\", independent_seeds: true)";
        let file = ExperimentFile::parse("x.ron", text).expect("it is valid");
        let expected = ExperimentFile {
            scene: "flock".to_owned(),
            vary: vec!["a.b.C=1,2".to_owned()],
            seeds: Some(3),
            until: Some("time > 1".to_owned()),
            independent_seeds: true,
            ..ExperimentFile::default()
        };
        assert_eq!(file, expected);
    }

    #[test]
    fn mistakes_have_a_place_and_a_remedy() {
        for (text, place, message, help) in [
            ("(\n    scene: \"a\",\n    step: 3,\n)", (3, 5), "no `step`", "did you mean `steps`?"),
            ("(scene: \"a\", zzz: 3)", (1, 14), "no `zzz`", "an experiment has scene, vary"),
            ("(scene: \"a\",\n seeds: \"x\")", (2, 9), "this is no experiment", "the form is"),
            ("(scene: \"a\",\n time_limit: 0)", (2, 14), "Expected a nonzero u64", "the form is"),
            ("(seeds: 3)", (0, 0), "no `scene`", "scene: \"flock\""),
            ("", (1, 1), "this is no experiment", "the form is"),
        ] {
            let fault = ExperimentFile::parse("x.ron", text).expect_err(text);
            assert_eq!(fault.line, place.0, "{text}: {fault:?}");
            assert!(fault.column.abs_diff(place.1) <= 1, "{text}: {fault:?}");
            assert!(fault.message.contains(message), "{fault:?}");
            assert!(fault.help.is_some_and(|found| found.contains(help)), "{text}");
        }
    }
}
