use std::path::Path;

use steerbox_core::text::apply;

use super::format::formatted;
use crate::language::{Action, Workspace};
use crate::reload::{embedded_helpers, embedded_scripts};

const PATH: &str = "/p/scripts/rule.rhai";

/// Returns a workspace with a script, and the place of `|` in it.
fn workspace(text: &str) -> (Workspace, usize) {
    let at = text.find('|').unwrap_or(0);
    let mut workspace = Workspace::default();
    workspace.set_buffer(Path::new(PATH), text.replacen('|', "", 1).into());
    (workspace, at)
}

fn in_steer(line: &str) -> String {
    format!(
        "import \"steering\" as s;\nconst FORM = param(\"a\", [\"a\", \"b\"]);\nconst MEMORY = #{{ angle: 0.0 }};\n\
         fn near(unit, reach) {{ 0.0 }}\nfn steer(me, world) {{\n    let mates = me.neighbors;\n    {line}\n    0.0\n}}\n"
    )
}

fn labels(line: &str) -> Vec<String> {
    let (workspace, at) = workspace(&in_steer(line));
    workspace.complete(Path::new(PATH), at).into_iter().map(|one| one.label).collect()
}

#[track_caller]
fn offers(line: &str, expected: &[&str], others: &[&str]) {
    let labels = labels(line);
    for label in expected {
        assert!(labels.iter().any(|found| found == label), "{line}: {label} is not in {labels:?}");
    }
    for label in others {
        assert!(labels.iter().all(|found| found != label), "{line}: {label} is in {labels:?}");
    }
}

#[test]
fn members_are_completed_by_the_kind_of_the_receiver() {
    offers("me.ne|", &["neighbors", "position"], &["mates", "len"]);
    offers("let a = mates.|", &["nearest", "within", "len"], &["neighbors"]);
    offers("if mates.nearest.|", &["position", "distance_to"], &["neighbors", "len"]);
    offers("near(me.position.|", &["length", "normalized", "dot"], &["neighbors"]);
    offers("let p = world.obstacles.nearest.|;", &["radius"], &["neighbors"]);
    offers("for mate in mates { mate.|\n }", &["velocity"], &["others"]);
    offers("this.|", &["angle"], &["position"]);
    offers("s::|", &["off_course"], &["position"]);
}

#[test]
fn names_of_zones_are_completed_in_comparisons() {
    let (mut workspace, at) =
        workspace("fn steer(me, world) { 1 }\nfn entered(zone) { if zone == \"|\" {} }");
    let scene = "(world: Plane(size: (9, 9)), zones: {\"door\": Circle(center: (1, 1), radius: 1)})";
    workspace.set_buffer(Path::new("/p/scenes/s.ron"), scene.into());
    let found = workspace.complete(Path::new(PATH), at).into_iter().map(|one| one.label);
    assert_eq!(found.collect::<Vec<_>>(), ["door"]);
}

#[test]
fn members_are_completed_in_an_unclosed_function_without_indentation() {
    for text in [
        "fn steer(me, world) {\nlet mates = me.ne|",
        "fn steer(me, world) {\nlet mates = me.ne|\n\nfn other() {\n}\n",
        "fn steer(me, world) {\n    let mates = me.ne|\n\nconst A = 1;\n",
    ] {
        let (workspace, at) = workspace(text);
        let labels: Vec<_> =
            workspace.complete(Path::new(PATH), at).into_iter().map(|one| one.label).collect();
        assert!(labels.iter().any(|label| label == "neighbors"), "{text}: {labels:?}");
        assert!(labels.iter().all(|label| label != "normalized"), "{text}: {labels:?}");
    }
}

#[test]
fn expressions_are_completed_with_names_in_scope() {
    offers(
        "let a = ma|;",
        &["mates", "me", "world", "near", "clamp", "FORM", "s", "vec", "PI"],
        &["later", "unit"],
    );
    offers("ma|\n    let later = 1;", &["mates"], &["later"]);
    offers("for mate in mates { let b = |; }", &["mate"], &[]);
}

#[test]
fn texts_are_completed_with_names_and_nothing_is_completed_in_comments() {
    offers("if FORM == \"|\" { }", &["a", "b"], &["mates"]);
    offers("// me.|", &[], &["position", "mates"]);
    offers("let ne|", &[], &["near"]);
    let (mut workspace, at) = workspace(&in_steer("me.has_mark(\"|\");"));
    let other = "fn steer(me, world) { me.mark(\"leader\"); 0.0 }";
    workspace.set_buffer(Path::new("/p/scripts/other.rhai"), other.into());
    let found = workspace.complete(Path::new(PATH), at);
    assert!(found.iter().any(|one| one.label == "leader" && one.detail == "other.rhai"), "{found:?}");
    let (workspace, at) = self::workspace("import \"st|\" as s;");
    assert!(workspace.complete(Path::new(PATH), at).iter().any(|one| one.label == "steering"));
}

#[test]
fn a_completion_replaces_the_typed_word() {
    let (workspace, at) = workspace(&in_steer("let a = me.neig|h;"));
    let found = workspace.complete(Path::new(PATH), at);
    let one = found.iter().find(|one| one.label == "neighbors").expect("a completion");
    let text = &workspace.document(Path::new(PATH)).expect("the script").text;
    let edited = apply(text, std::slice::from_ref(&one.edit)).expect("the edit fits");
    assert!(edited.contains("let a = me.neighbors;"));
    assert!(one.detail.contains("List") && !one.documentation.is_empty(), "{one:?}");
}

#[test]
fn hovers_describe_names_with_types_and_comments() {
    let shown = |line: &str| {
        let (workspace, at) = workspace(&in_steer(line));
        workspace.hover(Path::new(PATH), at).map(|hover| hover.markdown).unwrap_or_default()
    };
    for (line, expected) in [
        ("ma|tes", "let mates: List"),
        ("me.neigh|bors", "me.neighbors: List"),
        ("mates.with|in(2.0)", "list.within("),
        ("this.an|gle", "this.angle: number"),
        ("s::off_c|ourse(me.heading, me.heading)", "fn off_course("),
        ("ne|ar(me, 1.0)", "fn near(unit, reach)"),
        ("FO|RM", "default \"a\", one of a, b"),
        ("clam|p(1.0, 2.0, 3.0)", "clamp(x: number"),
    ] {
        assert!(shown(line).contains(expected), "{line}: {}", shown(line));
    }
    assert_eq!(shown("1.|5"), "");
}

#[test]
fn signatures_mark_the_parameter_at_the_place() {
    let shown = |line: &str| {
        let (workspace, at) = workspace(&in_steer(line));
        let found = workspace.signature(Path::new(PATH), at);
        found.map(|one| (one.label.clone(), one.label[one.parameters[one.active].clone()].to_owned()))
    };
    assert_eq!(shown("near(me, |)"), Some(("near(unit, reach)".to_owned(), "reach".to_owned())));
    let (label, active) = shown("let a = clamp(mates.first(2).len, |").expect("a signature");
    assert!(label.starts_with("clamp(x: ") && active.starts_with("least: "), "{label} {active}");
    assert_eq!(shown("mates.within(|)").expect("a signature").1, "r: number");
    assert_eq!(shown("if (|) { }"), None);
    // The overload with all arguments, those after the place included.
    let (workspace, at) = workspace("const K = param(|1.0, 0.0, vec(4.0, 1.0).x);");
    let label = workspace.signature(Path::new(PATH), at).map(|found| found.label);
    assert_eq!(label.as_deref(), Some("param(default: value, least: value, most: value)"));
}

#[test]
fn a_function_that_the_program_calls_is_completed_at_its_name() {
    let at_name = |text: &str| {
        let (workspace, at) = workspace(text);
        let found = workspace.complete(Path::new(PATH), at);
        found.into_iter().map(|one| (one.label, one.edit.range)).collect::<Vec<_>>()
    };
    let found = at_name("//! A.\nfn st|");
    assert!(found.contains(&("fn steer".to_owned(), 7..12)) && found.len() == 7, "{found:?}");
    assert_eq!(at_name("fn\nst|"), []);
    assert_eq!(at_name("fn steer(me, world) { fn st| }"), []);
}

#[test]
fn symbols_folds_and_tokens_describe_the_text() {
    let text = "// a\n// b\nconst MEMORY = #{ angle: 0.0 };\nfn steer(me, world) {\n    // c\n    this.angle = \"é\".len;\n}\n";
    let (workspace, _) = workspace(text);
    let path = Path::new(PATH);
    let symbols = workspace.symbols(path);
    let names: Vec<_> = symbols.iter().map(|one| (one.name.as_str(), one.children.len())).collect();
    assert_eq!(names, [("MEMORY", 1), ("steer", 0)]);
    let folds: Vec<_> =
        workspace.folds(path).iter().map(|fold| (fold.start, fold.end, fold.is_comment)).collect();
    assert_eq!(folds, [(0, 1, true), (3, 5, false)]);
    let tokens = workspace.tokens(path);
    let shown: Vec<_> =
        tokens.iter().map(|one| format!("{:?} {}", one.kind, &text[one.range.clone()])).collect();
    for expected in
        ["Comment // b", "Keyword fn", "Function steer", "Field angle", "Text \"é\"", "Property len"]
    {
        assert!(shown.iter().any(|one| one == expected), "{expected}: {shown:?}");
    }
}

#[test]
fn formatting_changes_spaces_only_and_accepts_the_shipped_scripts() {
    let messy = "const A=param( 1.0,0.0 ,2.0 ) ;\nfn  steer( me,world ){\nlet a=-A*2.0 ;\n  if a>1.0{return -a ;}\n\n\n\nlet b = me.position\n.normalized;\n  foo( #{\n a:1,\n  b:[1,\n2]\n} );\n0.0 // end\n}";
    let expected = "const A = param(1.0, 0.0, 2.0);\nfn steer(me, world) {\n    let a = -A * 2.0;\n    if a > 1.0 { return -a; }\n\n    let b = me.position\n        .normalized;\n    foo(#{\n        a: 1,\n        b: [1,\n            2]\n    });\n    0.0 // end\n}\n";
    assert_eq!(formatted(messy), expected);
    assert_eq!(formatted(expected), expected);
    for (name, text) in embedded_scripts().chain(embedded_helpers()) {
        assert_eq!(formatted(text), text, "{name}");
    }
}

#[track_caller]
fn applied(text: &str, selected: &str, title: &str) -> String {
    let (workspace, _) = workspace(text);
    let start = text.find(selected).expect("the selection");
    let found = workspace.actions(Path::new(PATH), start..start + selected.len());
    let action: &Action = found.iter().find(|one| one.title.starts_with(title)).expect("the action");
    apply(text, &action.edit.edits[0].1).expect("the edits fit")
}

#[test]
fn a_number_becomes_a_parameter_with_a_range() {
    let text = "//! About.\n\n// Steers.\nfn steer(me, world) {\n    let reach = 2.5;\n    me.neighbors.first(7).len\n}\n";
    let once = applied(text, "2.5", "Make");
    assert_eq!(
        once,
        "//! About.\n\nconst REACH = param(2.5, 0.0, 10.0);\n\n// Steers.\nfn steer(me, world) {\n    let reach = REACH;\n    me.neighbors.first(7).len\n}\n"
    );
    let twice = applied(&once, "7", "Make");
    assert!(
        twice.contains("10.0);\nconst VALUE = param(7, 0, 28);\n") && twice.contains("first(VALUE)"),
        "{twice}"
    );
}

#[test]
fn a_selection_becomes_a_function_with_its_variables() {
    let text = "fn steer(me, world) {\n    let mates = me.neighbors;\n    let way = mates.mean_position - me.position;\n    way * 2.0\n}\n";
    let of_expression = applied(text, "mates.mean_position - me.position", "Extract");
    assert_eq!(
        of_expression,
        "fn extracted(mates, me) {\n    mates.mean_position - me.position\n}\n\nfn steer(me, world) {\n    let mates = me.neighbors;\n    let way = extracted(mates, me);\n    way * 2.0\n}\n"
    );
    let of_statement = applied(text, "let way = mates.mean_position - me.position;", "Extract");
    assert!(of_statement.contains("    let way = extracted(mates, me);\n    way * 2.0"), "{of_statement}");
    assert!(of_statement.contains("me.position;\n    way\n}\n"), "{of_statement}");
    // Code that returns, or changes a variable from outside, has another meaning in a function.
    for (text, selected) in [
        ("fn steer(me, world) { return 1.0; }", "return 1.0;"),
        ("fn steer(me, world) { let n = 0; n += 1; n }", "n += 1;"),
    ] {
        let (workspace, _) = workspace(text);
        let start = text.find(selected).expect("the selection");
        let found = workspace.actions(Path::new(PATH), start..start + selected.len());
        assert!(found.iter().all(|one| !one.title.starts_with("Extract")), "{text}");
    }
}

#[test]
fn every_place_of_a_broken_text_has_answers() {
    let text = in_steer("if mates.len > 3 { near(me, \"é; }").replace('0', "ö");
    let (workspace, _) = workspace(&text);
    let path = Path::new(PATH);
    for at in 0..=text.len() {
        let _ = (workspace.complete(path, at), workspace.hover(path, at), workspace.signature(path, at));
        let _ = workspace.actions(path, at.saturating_sub(5)..at);
    }
}

#[test]
fn measures_have_completions_descriptions_and_faults() {
    const PATH: &str = "/p/scripts/measures/spread.rhai";
    let marked =
        "//! Spread.\n\nfn measure(group, world) {\n    let far = group.mean_po|;\n    far.lenght\n}\n";
    let mut workspace = Workspace::default();
    assert!(workspace.set_buffer(Path::new(PATH), marked.replacen('|', "", 1).into()));
    let at = marked.find('|').expect("a mark");
    let labels: Vec<_> = workspace.complete(Path::new(PATH), at).into_iter().map(|one| one.label).collect();
    assert!(labels.contains(&"mean_position".to_owned()), "{labels:?}");
    assert!(labels.iter().all(|label| label != "neighbors"), "{labels:?}");
    let text = marked.replacen("mean_po|", "mean_position", 1);
    workspace.set_buffer(Path::new(PATH), text.as_str().into());
    let place = |part: &str| text.find(part).expect("the part");
    let hover = |part: &str| workspace.hover(Path::new(PATH), place(part)).map(|hover| hover.markdown);
    assert!(hover("mean_position").is_some_and(|shown| shown.contains("mean_position")));
    assert!(hover("group.").is_some(), "the parameter has no description");
    let found = workspace.diagnostics(Path::new(PATH));
    assert!(matches!(&found[..], [one] if one.range.start == place("lenght")), "{found:?}");
}
