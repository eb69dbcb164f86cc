//! Completion at marked places.

use steerbox_core::text::apply;

use super::*;
use crate::language::scene::testing::workspace;

const BODIES: &str =
    "bodies: {\"fish\": Mover(), \"pike\": Rigid()}, views: {\"near\": Around(radius: 9)},\n";

fn labels(marked: &str) -> Vec<String> {
    let (workspace, document, at) = workspace(marked);
    complete(&workspace, &document, at).into_iter().map(|one| one.label).collect()
}

/// Returns the text after the entry with a label is inserted.
fn inserted(marked: &str, label: &str) -> String {
    let (workspace, document, at) = workspace(marked);
    let all = complete(&workspace, &document, at);
    let one = all.iter().find(|one| one.label == label).unwrap_or_else(|| panic!("no {label}: {marked}"));
    apply(&document.text, std::slice::from_ref(&one.edit)).expect("the edit fits")
}

#[test]
fn fields_that_are_missing_are_offered_with_documentation() {
    let (workspace, document, at) = workspace("(groups: [(name: \"a\", |)])");
    let all = complete(&workspace, &document, at);
    assert_eq!(all[0].label, "body");
    assert!(all.iter().all(|one| one.label != "name" && !one.detail.is_empty()));
    let sense = all.iter().find(|one| one.label == "sense").expect("a field");
    assert_eq!(sense.detail, "not negative, default: the view's radius, or 100");
    assert!(sense.documentation.starts_with("radius within which"));
    assert_eq!(inserted("(groups: [(na|)])", "name"), "(groups: [(name: \"${1:flock}\")])");
    assert_eq!(inserted("(groups: [(na|: \"a\")])", "name"), "(groups: [(name: \"a\")])");
    assert_eq!(inserted("(wor|", "world"), "(world: $1");
    assert_eq!(inserted("(obstacles: [Circle(|", "radius"), "(obstacles: [Circle(radius: ${1:10}");
}

#[test]
fn cases_and_words_are_offered_for_the_world_at_hand() {
    assert_eq!(labels("(world: |)"), ["Plane", "Space"]);
    assert_eq!(labels("(world: Plane(edges: W|"), ["Wrap", "Bounce", "Open"]);
    assert_eq!(labels("(world: Space(radius: 1), obstacles: [|])"), ["Ball", "Capsule", "Box"]);
    assert_eq!(
        inserted("(groups: [(spawn: D|isk)])", "Disc"),
        "(groups: [(spawn: Disc(center: ${1:(0, 0)}, radius: ${2:10}))])"
    );
    assert_eq!(
        inserted("(groups: [(spawn: D|(radius: 1))])", "Disc"),
        "(groups: [(spawn: Disc(radius: 1))])"
    );
    assert_eq!(labels("(groups: [(behaviors: [(enabled: |"), ["true", "false"]);
    assert_eq!(labels("(player: (keys: |))"), ["Arrows"]);
    assert_eq!(labels("(keys: {\"A\": |})"), ["View", "NoView", "Switch", "Speed"]);
}

#[test]
fn names_are_offered_inside_quotes_and_without_them() {
    for (end, text) in [
        ("|)])", "body: \"fish\")])"),
        ("\"|\")])", "body: \"fish\")])"),
        ("\"fi|\")])", "body: \"fish\")])"),
        ("\"fi|)])", "body: \"fish\")])"),
        ("fi|, count: 2)])", "body: \"fish\", count: 2)])"),
        ("|\n count: 2)])", "body: \"fish\"\n count: 2)])"),
    ] {
        let marked = format!("({BODIES} groups: [(body: {end}");
        assert_eq!(inserted(&marked, "fish"), format!("({BODIES} groups: [({text}"), "{end}");
    }
    assert_eq!(labels(&format!("({BODIES} groups: [(view: \"|\")])")), ["near"]);
    assert_eq!(labels(&format!("({BODIES} keys: {{\"A\": View(|)}})")), ["near"]);
    let kinds =
        "(groups: [(name: \"a\"), (name: \"b\", kinds: [\"c\"], enemies: [\"|\"])], player: (body: \"x\"))";
    assert_eq!(labels(kinds), ["a", "c", "player"]);
    assert!(labels("(obstacle_color: \"|\")").contains(&"tomato".to_owned()));
    assert!(labels("(look: (background: (\"red\", \"|\")))").contains(&"tomato".to_owned()));
    assert_eq!(
        labels("(world: Plane(size: (9, 9)), look: (|))"),
        ["background", "frame", "grid", "ball", "floor", "water"]
    );
    assert!(labels("(bodies: {\"|\": Mover()})").is_empty());
}

#[test]
fn scripts_and_their_parameters_are_offered() {
    let (workspace, document, at) = workspace("(groups: [(behaviors: [(script: \"pen|\")])])");
    let all = complete(&workspace, &document, at);
    let own = all.iter().find(|one| one.label == "pendulum").expect("the script");
    assert_eq!((&*own.detail, &*own.documentation), ("Goes to and fro.", "Goes to and fro.\nSlowly."));
    assert!(all.iter().any(|one| one.label == "wander") && all.iter().all(|one| one.label != "swirl"));
    let unclosed = "(groups: [\n    (name: \"a\", behaviors: [\n        (script: \"|\n        (script: \"wander\"),\n    ]),\n])";
    assert!(labels(unclosed).contains(&"pendulum".to_owned()));
    assert!(labels("(groups: [(behaviors: [(script: \"|").contains(&"pendulum".to_owned()));
    assert!(labels("(fields: {\"f\": Script(script: |").contains(&"swirl".to_owned()));
    assert_eq!(
        inserted("(groups: [(behaviors: [|])])", "pendulum"),
        "(groups: [(behaviors: [(script: \"pendulum\"$0)])])"
    );
    let params = "(groups: [(behaviors: [(script: \"pendulum\", params: {";
    assert_eq!(labels(&format!("{params}|")), ["SPEED", "FORM"]);
    assert_eq!(labels(&format!("{params}\"SPEED\": 2, \"|\"}}), (script: \"wander\")])])")), ["FORM"]);
    assert_eq!(
        inserted(&format!("{params}|}})])])"), "SPEED"),
        format!("{params}\"SPEED\": ${{1:1}}}})])])")
    );
    assert_eq!(
        inserted(&format!("{params}\"S|\"}})])])"), "SPEED"),
        format!("{params}\"SPEED\": ${{1:1}}}})])])")
    );
    assert_eq!(
        inserted(&format!("{params}\"S|\": 3}})])])"), "SPEED"),
        format!("{params}\"SPEED\": 3}})])])")
    );
    assert_eq!(
        inserted(&format!("{params}\"|\"FORM\": \"push\"}})])])"), "SPEED"),
        format!("{params}\"SPEED\": ${{1:1}}, \"FORM\": \"push\"}})])])")
    );
    let marks = "(groups: [(behaviors: [(script: \"pendulum\")], look: (marks: {|";
    assert_eq!(labels(marks), ["tired"]);
}

#[test]
fn structures_are_offered_where_a_value_is_missing() {
    assert_eq!(inserted("(groups: |)", "[ … ]"), "(groups: [$0])");
    assert_eq!(inserted("(bodies: |)", "{ … }"), "(bodies: {\"$1\": $0})");
    assert_eq!(inserted("(groups: [|])", "( … )"), "(groups: [(name: \"${1:flock}\", body: \"$2\")])");
    assert_eq!(inserted("(target: |)", "(x, y)"), "(target: (${1:0}, ${2:0}))");
    assert!(labels("(step: |)").is_empty() && labels("(title: \"|\")").is_empty());
    assert!(labels("(step: 1 // |\n)").is_empty());
}

#[test]
fn every_place_of_every_broken_text_has_an_answer() {
    let text = "(world: Plane(size: (8, 6)), é: [(script: \"x\", params: {\"A\": 1})]) // \"";
    for (end, _) in text.char_indices() {
        let (workspace, document, _) = workspace(&text[..end]);
        for (at, _) in text[..end].char_indices() {
            for one in complete(&workspace, &document, at) {
                assert!(document.text.get(one.edit.range).is_some());
            }
        }
    }
}

/// Returns the labels of completions in an experiment with the scene of the other tests.
fn in_experiment(marked: &str) -> Vec<String> {
    const SCENE: &str = "(world: Plane(size: (8, 6)), bodies: {\"fish\": Mover()}, groups: [(name: \"shoal\", \
        body: \"fish\", behaviors: [(script: \"pendulum\")])])";
    let (mut workspace, ..) = workspace(SCENE);
    let path = std::path::PathBuf::from("/p/experiments/x.ron");
    assert!(workspace.set_buffer(&path, marked.replacen('|', "", 1).into()));
    let at = marked.find('|').expect("a mark");
    workspace.complete(&path, at).into_iter().map(|one| one.label).collect()
}

#[test]
fn fields_scenes_variables_and_measures_of_experiments_are_offered() {
    let fields = in_experiment("(scene: \"a\", |)");
    assert_eq!(fields[..3], ["vary", "design", "sample"]);
    assert!(!fields.contains(&"scene".to_owned()) && fields.contains(&"warmup".to_owned()));
    assert_eq!(in_experiment("(independent_seeds: |)"), ["true", "false"]);
    let scenes = in_experiment("(scene: \"|\")");
    assert!(scenes.contains(&"a".to_owned()) && scenes.contains(&"vicsek".to_owned()));
    assert_eq!(
        in_experiment("(scene: \"a\", vary: [\"sho|\"])"),
        ["shoal.count", "shoal.pendulum.gain", "shoal.pendulum.SPEED", "shoal.pendulum.FORM"]
    );
    assert!(in_experiment("(scene: \"a\", measure: [|])").contains(&"shoal.polarization".to_owned()));
    assert!(in_experiment("(scene: \"nothing\", vary: [\"|\"])").is_empty());
}
