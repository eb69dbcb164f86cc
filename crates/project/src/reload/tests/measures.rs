//! Measures that scripts compute.

use steerbox_core::sim::{Measure, MeasureNames};

use super::*;

/// Returns the value of a measure, or the reason why there is none.
fn value(case: &Case, name: &str) -> Result<Option<f64>, String> {
    let measure = Measure::parse(name, &MeasureNames::of(&case.simulation));
    measure.map(|measure| measure.value(&case.simulation)).map_err(|unknown| unknown.to_string())
}

fn measure(body: &str) -> String {
    format!("fn measure(group, world) {{ {body} }}")
}

#[test]
fn a_saved_measure_is_live_and_a_faulty_one_leaves_the_last_version() {
    let mut case = Case::new();
    case.accepts("measures/size", &measure("group.count"));
    assert_eq!(value(&case, "a.size"), Ok(Some(3.0)));
    case.accepts("measures/size", &measure("[1, group.count]"));
    assert_eq!(value(&case, "a.size.1"), Ok(Some(3.0)));
    for faulty in ["group.cuont", "\"many\"", "loop { }", "0.0 / 0.0", "group[3].speed"] {
        case.rejects("measures/size", &measure(faulty));
        assert_eq!(value(&case, "a.size.0"), Ok(Some(1.0)), "{faulty}");
    }
    let hash = case.simulation.hash();
    case.accepts("measures/size", &measure("2"));
    assert_eq!((value(&case, "size"), case.simulation.hash()), (Ok(Some(2.0)), hash));
}

#[test]
fn built_in_measures_need_no_file() {
    let case = Case::new();
    for name in ["a.rotation", "a.extent.x", "a.speeds.9"] {
        assert!(matches!(value(&case, name), Ok(Some(_))), "{name}: {:?}", value(&case, name));
    }
}

#[test]
fn names_of_measures_are_unique_and_words() {
    let mut case = Case::new();
    for (name, message) in [
        ("measures/speed", "`speed` is a built-in measure"),
        ("measures/a-b", "`a-b` is not the name of a measure: a name has letters, digits and `_`"),
    ] {
        case.rejects(name, &measure("1"));
        assert_eq!(case.error().message, message);
    }
}

#[test]
fn a_watched_value_with_the_name_of_a_measure_causes_a_warning() {
    let mut case = Case::new();
    case.accepts("measures/size", &measure("group.count"));
    let watching = |name: &str| format!("fn steer(me, world) {{ me.watch(\"{name}\", 7); vec(1, 0) }}");
    for (name, expected) in [
        ("other", None),
        ("size", Some("this value hides the measure of measures/size.rhai in groups with this rule")),
        ("speed", Some("the measure `speed` hides this value, which is watched by the same name")),
    ] {
        case.accepts("one", &watching(name));
        let warned = case.generation.warnings.iter().map(|fault| fault.message.as_str());
        let warned: Vec<_> = warned.filter(|message| !message.contains("no parameter")).collect();
        assert_eq!(warned, Vec::from_iter(expected), "{name}");
    }
}

#[test]
fn a_measure_that_does_not_work_is_the_reason_why_its_name_is_unknown() {
    let mut case = Case::new();
    case.save("measures/size", "fn measure(group, world) { group.cuont }");
    let error = value(&case, "a.size").expect_err("it does not work");
    assert!(error.starts_with("the measure `size` does not work: measures/size.rhai:1:34: "), "{error}");
    assert!(value(&case, "a.sized").expect_err("unknown").contains("has no measure `sized`"));
}

#[test]
fn an_expected_measure_is_part_of_the_texts() {
    let mut case = Case::new();
    case.save("measures/size", &measure("group.count"));
    assert!(!case.generation.texts().unwrap().scripts.contains_key("measures/size"));
    let expecting = SCENE.strip_suffix(')').unwrap().to_owned()
        + ", expect: [(measure: \"size\", group: \"a\", above: 2, by: 1), (measure: \"siz\", group: \"a\", above: 2, by: 1)])";
    case.save_scene(&expecting);
    assert_eq!(case.error().message, "`a` has no measure `siz`");
    case.save_scene(&expecting.replace("\"siz\"", "\"extent.x\""));
    let texts = case.generation.texts().unwrap();
    texts.check().unwrap();
    assert_eq!(texts.scripts["measures/size"], measure("group.count"));
    assert!(texts.scripts.contains_key("measures/extent"));
    let (_, other) = Loader::load(Place::of_texts(texts), Vec::new()).unwrap();
    let moved = Case { simulation: other.start(None), generation: other, project: case.project };
    assert_eq!(value(&moved, "a.size"), Ok(Some(3.0)));
}

#[test]
fn a_broken_import_fails_a_repeated_run_only_if_a_rule_uses_it() {
    let broken = "fn size(group) { group.count";
    let composed = |case: &mut Case, rule: &str| {
        let mut project = Project::new(Place::of_scene(Path::new("/p/scenes/s.ron")));
        project.set_scene(text(SCENE));
        project.set_script("one", 0, text(rule));
        project.set_script("two", 0, text(TWO));
        project.set_script("sizes", 0, text(broken));
        project.set_script(
            "measures/size",
            0,
            text(&format!("import \"sizes\" as s;\n{}", measure("s::size(group)"))),
        );
        let generation = project.compose_accepted()?;
        case.simulation = generation.start(None);
        Ok::<_, LoadError>(())
    };
    let mut case = Case::new();
    composed(&mut case, ONE).expect("only a measure imports it");
    let error = value(&case, "a.size").expect_err("it does not work");
    assert!(error.contains("sizes.rhai"), "{error}");
    let importing = "import \"sizes\" as s;\nfn steer(me, world) { s::size(me.neighbors) * 0 }";
    assert!(composed(&mut case, importing).is_err(), "a rule imports it");
}
