//! Reading of an experiment. What depends on its scene is checked with that.

use crate::{
    experiment::{ExperimentFile, Written},
    fields::Fields,
    node::Node,
    parts::Thing,
    reader::Reader,
    ron_file::RonFile,
};

/// Maximum number of variables, measures or settings.
const MAX_ITEMS: usize = 1000;

/// Reads the experiment in `node`.
pub(crate) fn experiment<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> ExperimentFile {
    let mut fields = Fields::of(reader, node, RonFile::Experiment.owner());
    let scene = fields.need("scene");
    let scene = scene.and_then(|node| named(fields.reader, node, "scene", Thing::Scene));
    let vary = fields.read("vary", |reader, node| list(reader, node, "vary", Some(Thing::Variable)));
    let design_key = fields.key("design");
    let design = text(&mut fields, "design");
    let sample_key = fields.key("sample");
    let sample = text(&mut fields, "sample");
    let seed = fields.whole("seed");
    let seeds = fields.whole("seeds");
    let independent_seeds = fields.switch("independent_seeds");
    let steps = fields.whole("steps");
    let warmup_node = fields.take("warmup");
    let warmup = warmup_node.and_then(|node| fields.reader.whole(node, "warmup"));
    let measure = fields.read("measure", |reader, node| list(reader, node, "measure", Some(Thing::Measure)));
    let until = text(&mut fields, "until");
    let time_limit = fields.whole("time_limit");
    let set = fields.read("set", |reader, node| list(reader, node, "set", None));
    let (out, summary) = (text(&mut fields, "out"), text(&mut fields, "summary"));
    let has_variables = vary.as_ref().is_some_and(|vary| !vary.is_empty());
    if let (Some(node), Some(warmup), Some(steps)) = (warmup_node, warmup, steps)
        && warmup >= steps
    {
        let message = format!("`warmup` must be below `steps`, which is {steps}: no step would be measured");
        fields.reader.fault(node, message);
    }
    if let Some(key) = design_key.filter(|_| has_variables) {
        fields.reader.fault_help(key, "a table has its own variables", "leave out `vary` or `design`");
    }
    if let Some(key) = sample_key {
        let (message, help) = match (design_key, has_variables) {
            (Some(_), _) => ("a table has its own points", "leave out `sample` or `design`"),
            (None, false) => ("a sample needs variables", "add vary: [\"GROUP.SCRIPT.PARAM=0..1\"]"),
            (None, true) => ("", ""),
        };
        if !message.is_empty() && !fields.is_lost("vary") {
            fields.reader.fault_help(key, message, help);
        }
    }
    fields.finish();
    ExperimentFile {
        scene: scene.unwrap_or_default(),
        vary: vary.unwrap_or_default(),
        design,
        sample,
        seed,
        seeds,
        independent_seeds,
        steps,
        warmup,
        measure: measure.unwrap_or_default(),
        until,
        time_limit,
        set: set.unwrap_or_default(),
        out,
        summary,
    }
}

/// Reads a text that is not empty, if present.
fn text(fields: &mut Fields<'_, '_>, name: &'static str) -> Option<Written> {
    fields.read(name, |reader, node| written(reader, node, name)).flatten()
}

fn written<'a>(reader: &mut Reader<'a>, node: Node<'a>, name: &str) -> Option<Written> {
    let text = reader.name(node, name)?;
    Some(Written { text, span: reader.span(node) })
}

/// Reads a text that names a thing.
fn named<'a>(reader: &mut Reader<'a>, node: Node<'a>, name: &str, thing: Thing) -> Option<Written> {
    reader.record_use(node, thing);
    written(reader, node, name)
}

/// Reads a list of texts.
fn list<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    name: &'static str,
    thing: Option<Thing>,
) -> Vec<Written> {
    let items = reader.list(node, name);
    if let Some(first) = items.get(MAX_ITEMS) {
        let message = format!("`{name}` has at most {MAX_ITEMS} texts, not {}", items.len());
        reader.fault(first.head(), message);
    }
    let items = items.into_iter().take(MAX_ITEMS);
    let read = items.filter_map(|item| match thing {
        Some(thing) => named(reader, item, name, thing),
        None => written(reader, item, name),
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use crate::read_experiment;

    fn summaries(text: &str) -> Vec<String> {
        let (_, faults) = read_experiment("x.ron", text);
        faults
            .into_iter()
            .map(|one| format!("{} | {}", one.summary(), one.help.unwrap_or_default()))
            .collect()
    }

    #[test]
    fn a_file_has_the_options_of_the_command_line() {
        let text = "(scene: \"flock\", vary: [\"a.b.C=1,2\"], seeds: 3, until: \"time > 1\", independent_seeds: true)";
        let (file, faults) = read_experiment("x.ron", text);
        let file = file.expect("it is valid");
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!((file.scene.text.as_str(), file.vary[0].text.as_str()), ("flock", "a.b.C=1,2"));
        assert_eq!((file.seeds, file.independent_seeds, file.steps), (Some(3), true, None));
        assert_eq!(file.until.expect("a condition").span.column, 56);
    }

    #[test]
    fn all_faults_have_places_and_remedies() {
        let text = "(\n  step: 3,\n  seeds: \"x\",\n  time_limit: 0,\n  measure: \"speed\",\n  vary: [2],\n  zzz: 1,\n)";
        let found = summaries(text);
        let expected = [
            "x.ron:1:1: an experiment needs the field `scene` | add it, for example scene: \"flock\"",
            "x.ron:2:3: an experiment has no field `step` | did you mean `steps`?",
            "x.ron:3:10: `seeds` must be a whole number from 0 up, not \"x\"",
            "x.ron:4:15: `time_limit` must be above 0",
            "x.ron:5:12: `measure` must be a list, not \"speed\" | write measure: [\"speed\"]",
            "x.ron:6:10: `vary` must be a text in quotes, not `2` | write \"2\"",
            "x.ron:7:3: an experiment has no field `zzz`",
        ];
        assert_eq!(found.len(), expected.len(), "{found:#?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.starts_with(expected), "{found} is not {expected}");
        }
    }

    #[test]
    fn options_that_exclude_each_other_are_faults() {
        for (text, part) in [
            ("(scene: \"a\", design: \"x.csv\", vary: [\"a.b.C=1\"])", "a table has its own variables"),
            ("(scene: \"a\", design: \"x.csv\", sample: \"latin:3\")", "a table has its own points"),
            ("(scene: \"a\", sample: \"latin:3\")", "a sample needs variables"),
            ("(scene: \"a\", steps: 5, warmup: 5)", "`warmup` must be below `steps`"),
            ("", "the experiment is empty | an experiment is written ( scene: …"),
            ("#![enable(x)] (scene: \"a\")", "begins no comment"),
            ("(scene: \"a\") (", "the experiment has ended"),
        ] {
            let found = summaries(text);
            assert!(matches!(&found[..], [one] if one.contains(part)), "{text}: {found:?}");
        }
    }

    #[test]
    fn faults_of_syntax_and_contents_are_reported_together() {
        let found = summaries("(\n  scene: \"a\"\n  steps: ?,\n  sedes: 3,\n)");
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(found[2].contains("did you mean `seeds`?"));
    }
}
