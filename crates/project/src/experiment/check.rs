//! Checks of an experiment file against its scene: all faults, each at the text that has it.

use steerbox_core::diagnostics::Fault;
use steerbox_core::sim::{MeasureNames, Measured};
use steerbox_scene::{ExperimentFile, Span, Written};
use steerbox_script::Condition;

use super::design::{Design, without_option};
use super::point_set::PointSet;
use super::request::Request;
use super::statistic::{Statistic, split_list};
use super::variable::{Variable, check_distinct};
use crate::reload::{Generation, Setting};
use crate::session::{check_settings, parse_setting};

/// The words before a remedy in messages.
const REMEDIES: [&str; 2] = ["did you mean ", "expected "];

/// Returns the faults of an experiment with a scene. `path` is its name in messages, `text` its text, and `design` the
/// text of its table, or the reason why that cannot be read.
pub fn check_experiment(
    (path, text): (&str, &str),
    file: &ExperimentFile,
    design: Option<Result<String, String>>,
    generation: &Generation,
) -> Vec<Fault> {
    let mut checks = Checks { path, text, generation, found: Vec::new() };
    let sample = file.sample.as_ref().and_then(|sample| checks.sample(sample));
    let settings = checks.settings(&file.set);
    if let Some((written, table)) = file.design.as_ref().zip(design) {
        let checked = table.and_then(|table| {
            let request = Request { design: Some(table), ..Request::default() };
            let design = Design::of(&request, file.seed.unwrap_or_default(), generation);
            let checked = design.and_then(|design| check_distinct(&design.variables, &settings));
            checked.map_err(|error| format!("{}: {}", written.text, without_option(&format!("{error:#}"))))
        });
        checks.note(&written.span, checked);
    } else {
        checks.variables(&file.vary, sample, &settings);
    }
    checks.statistics(file);
    checks.found
}

/// Checks of the texts of an experiment.
struct Checks<'a> {
    path: &'a str,
    text: &'a str,
    generation: &'a Generation,
    found: Vec<Fault>,
}

impl Checks<'_> {
    /// Reports an error at a place. The option of the command line at its start is left out; a remedy at its end is help.
    fn note<T>(&mut self, span: &Span, checked: Result<T, String>) -> Option<T> {
        let error = match checked {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        let message = without_option(&error);
        let split = |word| Some((word, message.rfind(&format!(": {word}"))?));
        let remedy = REMEDIES.into_iter().find_map(split);
        let (message, help) = match remedy {
            Some((_, at)) => (&message[..at], Some(message[at + ": ".len()..].to_owned())),
            None => (message, None),
        };
        let fault = Fault::at(self.path, self.text, (span.line, span.column), message);
        self.found.push(fault.wide(span.width).maybe_help(help));
        None
    }

    fn sample(&mut self, sample: &Written) -> Option<PointSet> {
        self.note(&sample.span, sample.text.parse())
    }

    fn settings(&mut self, texts: &[Written]) -> Vec<Setting> {
        let generation = self.generation;
        let checked = |text: &str| {
            let setting = parse_setting(text)?;
            let fits = check_settings(generation, std::slice::from_ref(&setting));
            fits.map(|()| setting).map_err(|error| format!("{error:#}"))
        };
        texts.iter().filter_map(|one| self.note(&one.span, checked(&one.text))).collect()
    }

    fn variables(&mut self, texts: &[Written], sample: Option<PointSet>, settings: &[Setting]) {
        let generation = self.generation;
        let mut variables = Vec::new();
        for one in texts {
            let variable = match sample {
                Some(_) => Variable::parse_bounds(&one.text, generation).map(|(variable, _)| variable),
                None => Variable::parse(&one.text, generation),
            };
            // The text of the variable may contain the separator of the message.
            let prefix = format!("--vary {}: ", one.text);
            let plain = |error: anyhow::Error| {
                let error = format!("{error:#}");
                error.strip_prefix(&prefix).map_or(error.clone(), str::to_owned)
            };
            variables.extend(self.note(&one.span, variable.map_err(plain)));
            if let Err(error) = check_distinct(&variables, settings) {
                variables.pop();
                self.note::<()>(&one.span, Err(error.to_string()));
            }
        }
    }

    fn statistics(&mut self, file: &ExperimentFile) {
        let start = self.generation.start(None);
        let measured = Measured::new(&start);
        let (names, steps) = (MeasureNames::of(&start), file.steps.unwrap_or(u64::MAX));
        let mut known: Vec<&str> = Vec::new();
        for one in &file.measure {
            for text in split_list(&one.text).into_iter().map(str::trim) {
                let statistic = Statistic::parse(text, &names, steps);
                let checked = statistic.and_then(|statistic| statistic.check(&measured));
                let is_new = !known.contains(&text);
                let distinct = is_new.then_some(()).ok_or_else(|| format!("`{text}` is listed twice"));
                self.note(&one.span, checked.and(distinct));
                known.push(text);
            }
        }
        if let Some(until) = &file.until {
            let condition = Condition::parse(until.text.trim(), &names);
            let checked = condition.and_then(|condition| condition.holds(&measured).map(drop));
            self.note(&until.span, checked);
        }
    }
}

#[cfg(test)]
mod tests {
    use steerbox_scene::read_experiment;

    use super::*;
    use crate::reload::{Loader, Place};

    fn found(text: &str, design: Option<Result<&str, &str>>) -> Vec<String> {
        let (file, faults) = read_experiment("x.ron", text);
        assert!(faults.is_empty(), "{faults:?}");
        let (_, generation) =
            Loader::load(Place::built_in("vicsek.ron"), Vec::new()).expect("the scene loads");
        let design = design.map(|read| read.map(str::to_owned).map_err(str::to_owned));
        let faults = check_experiment(("x.ron", text), &file.expect("a file"), design, &generation);
        let shown = |fault: Fault| {
            let help = fault.help.unwrap_or_default();
            format!("{}:{} {} | {help}", fault.line, fault.column, fault.message)
        };
        faults.into_iter().map(shown).collect()
    }

    #[test]
    fn every_fault_is_at_its_text() {
        let text = r#"(
    scene: "vicsek",
    vary: [
        "particles.vicsek.NOISE=0..5:3",
        "particles.vicsek.NOSE=0..5:3",
        "particle.count=1,2",
        "particles.vicsek.NOISE=1,2",
        "particles.vicsek.SCALE=1,,2",
    ],
    steps: 9,
    measure: ["polarisation", "speed, sped", "maxx(speed)", "mean(speed, 4..10)", "speed"],
    until: "particles.polarizaton > 0.9",
    set: ["particles.vicsec.SCALE=2", "x"],
)"#;
        let expected = [
            "13:11 group particles has no behavior called \"vicsec\" | did you mean",
            "13:39 expected GROUP.SCRIPT.PARAM=V",
            "5:9 behavior vicsek has no parameter called \"NOSE\" | did you mean",
            "6:9 the scene has no group called \"particle\" | did you mean",
            "7:9 it is varied twice | ",
            "8:9 a value is missing | expected a..b:n",
            "11:15 there is no measure `polarisation` | did you mean `polarization`?",
            "11:31 there is no measure `sped` | did you mean `speed`?",
            "11:46 there is no `maxx` | did you mean `max`?",
            "11:61 `4..10` is not an interval of steps from 1 to 9 | expected from..to",
            "11:83 `speed` is listed twice | ",
            "12:12 ",
        ];
        let found = found(text, None);
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{found} is not {expected}");
        }
    }

    #[test]
    fn samples_and_tables_are_checked() {
        let sampled = r#"(scene: "vicsek", sample: "sobel:8", vary: ["particles.vicsek.NOISE=0..5:3"])"#;
        assert!(found(sampled, None)[0].contains("expected latin:N"), "{:?}", found(sampled, None));
        let sampled = sampled.replace("sobel", "sobol");
        assert!(found(&sampled, None)[0].contains("bounds"), "{:?}", found(&sampled, None));
        assert!(found(&sampled.replace(":3", ""), None).is_empty());
        let table = r#"(scene: "vicsek", design: "x.csv")"#;
        assert!(found(table, Some(Ok("particles.vicsek.NOISE\n1\n"))).is_empty());
        for (read, expected) in [
            (
                Ok("particles.count,particles.vicsek.NOSE\n1,1\n"),
                "x.csv: line 1, column 17: behavior vicsek has no parameter called \"NOSE\" | did you mean",
            ),
            (
                Ok("particle.count\n1\n"),
                "x.csv: line 1, column 1: the scene has no group called \"particle\" | did",
            ),
            (
                Ok("particles.vicsek.NOISE,particles.count\n1,2\n\n1, two\n"),
                "x.csv: line 4, column 3: `two` is not a number of units | ",
            ),
            (Ok("particles.vicsek.NOISE\nmuch\n"), "x.csv: line 2, column 1: "),
            (Ok("particles.count,particles.count\n1,2\n"), "x.csv: it is varied twice | "),
            (Ok(""), "x.csv: the table is empty | "),
            (Err("cannot read x.csv: it is a folder"), "cannot read x.csv: it is a folder | "),
        ] {
            let found = found(table, Some(read));
            let expected = format!("1:27 {expected}");
            assert!(matches!(&found[..], [one] if one.starts_with(&expected)), "{found:?} is not {expected}");
        }
    }
}
