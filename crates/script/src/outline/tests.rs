use steerbox_core::text::{Name, Thing};

use super::*;

const TEXT: &str = r#"//! About é.
import "steering" as s;

// Radius of it.
const REACH = param(20.0, 0.0, 40.0);
const FAR = REACH * 2.0;
const MEMORY = #{ angle: 0.0, "armed": false };

/// Helps.
fn near(unit, reach) {
    unit.distance_to(vec(0, 0)) < reach
}

fn steer(me, world) {
    let mates = me.neighbors.within(REACH);
    for (mate, i) in mates {
        let offset = mate.position - me.position;
        if near(mate, FAR) && mate.has_mark("leader") { this.angle += offset.length; }
    }
    let offset = s::off_course(me.heading, world.path("road").point(1.0));
    if me.see("wide").len > 3 { me.mark("leader"); }
    PI * offset
}
"#;

fn outline(text: &str) -> Outline {
    Outline::of("rule", text)
}

/// Formats the name at the `nth` occurrence of a word.
fn at(outline: &Outline, word: &str, nth: usize) -> String {
    let (at, _) = TEXT.match_indices(word).nth(nth).expect("the word");
    let name = outline.names.iter().find(|name| name.range == (at..at + word.len()));
    name.map_or_else(|| "none".to_owned(), |name| format!("{:?} {:?}", name.name, name.kind))
}

#[test]
fn names_denote_declarations_of_the_file_the_api_and_the_scene() {
    let outline = outline(TEXT);
    let local = |name: &str, nth: usize| {
        let (at, _) = TEXT.match_indices(name).nth(nth).expect("the name");
        format!("Local {{ script: \"rule\", name: \"{name}\", at: {at} }}")
    };
    for (word, nth, expected) in [
        ("steering", 0, "Script(\"steering\") None".to_owned()),
        ("REACH", 0, "Param { script: \"rule\", name: \"REACH\" } None".to_owned()),
        ("REACH", 2, "Param { script: \"rule\", name: \"REACH\" } Some(\"number\")".to_owned()),
        ("angle", 0, "Memory { script: \"rule\", name: \"angle\" } Some(\"number\")".to_owned()),
        ("armed", 0, "Memory { script: \"rule\", name: \"armed\" } Some(\"bool\")".to_owned()),
        ("angle", 1, "Memory { script: \"rule\", name: \"angle\" } None".to_owned()),
        ("near", 0, "Function { script: \"rule\", name: \"near\", arity: 2 } None".to_owned()),
        ("near", 1, "Function { script: \"rule\", name: \"near\", arity: 2 } None".to_owned()),
        ("neighbors", 0, "Api { receiver: Some(\"Me\"), name: \"neighbors\" } Some(\"List\")".to_owned()),
        ("within", 0, "Api { receiver: Some(\"List\"), name: \"within\" } None".to_owned()),
        ("position", 0, "Api { receiver: Some(\"Unit\"), name: \"position\" } Some(\"Vector\")".to_owned()),
        ("leader", 0, "Shared(Mark, \"leader\") None".to_owned()),
        ("road", 0, "Shared(Path, \"road\") None".to_owned()),
        ("wide", 0, "Shared(View, \"wide\") None".to_owned()),
        (
            "off_course",
            0,
            "Function { script: \"steering\", name: \"off_course\", arity: 2 } None".to_owned(),
        ),
        ("vec", 0, "Api { receiver: None, name: \"vec\" } None".to_owned()),
        ("PI", 0, "Api { receiver: None, name: \"PI\" } Some(\"number\")".to_owned()),
        ("offset", 1, format!("{} Some(\"Vector\")", local("offset", 0))),
        ("offset", 3, format!("{} None", local("offset", 2))),
        ("mates", 1, format!("{} Some(\"List\")", local("mates", 0))),
        ("reach", 1, format!("{} None", local("reach", 0))),
    ] {
        assert_eq!(at(&outline, word, nth), expected, "{word} {nth}");
    }
}

#[test]
fn a_text_that_is_compared_with_a_zone_is_its_name() {
    let text = "fn entered(zone) { if zone == \"door\" || \"pen\" != zone { 1 } }\nfn steer(me, world) { \"door\" == FORM }";
    let outline = outline(text);
    let zones = outline.names.iter().filter(|it| matches!(it.name, Name::Shared(Thing::Zone, _)));
    let zones: Vec<_> = zones.map(|it| (it.range.start, it.name.text())).collect();
    assert_eq!(zones, [(text.find("door").unwrap(), "door"), (text.find("pen").unwrap(), "pen")]);
}

#[test]
fn locals_are_visible_in_their_blocks() {
    let outline = outline(TEXT);
    let visible = |word: &str| {
        let at = TEXT.find(word).expect("the word");
        let mut names: Vec<_> = outline.visible_at(at).map(|local| local.name.as_str()).collect();
        names.sort_unstable();
        names.join(" ")
    };
    assert_eq!(visible("unit.distance_to"), "reach s unit");
    assert_eq!(visible("if near"), "i mate mates me offset s world");
    assert_eq!(visible("if me.see"), "mates me offset s world");
    let last = TEXT.find("if me.see").expect("the line");
    let offsets: Vec<_> = outline.visible_at(last).filter(|local| local.name == "offset").collect();
    assert!(matches!(offsets[..], [local] if local.at > TEXT.find("s::off").expect("the call") - 20));
}

#[test]
fn items_have_comments_and_ranges() {
    let items = outline(TEXT).items;
    let shown: Vec<_> =
        items.iter().map(|item| format!("{:?} {} {}", item.kind, item.name, item.detail)).collect();
    assert_eq!(
        shown,
        [
            "Import s ",
            "Param REACH 20.0, from 0 to 40",
            "Constant FAR ",
            "Constant MEMORY ",
            "Memory angle number",
            "Memory armed bool",
            "Function near (unit, reach)",
            "Function steer (me, world)",
        ]
    );
    assert_eq!((items[1].about.as_str(), items[6].about.as_str()), ("Radius of it.", "Helps."));
    assert_eq!(&TEXT[items[1].range.clone()], "const REACH = param(20.0, 0.0, 40.0);");
    assert!(TEXT[items[6].range.clone()].ends_with("< reach\n}"));
}

#[test]
fn an_unfinished_name_has_the_kind_of_its_receiver() {
    for (line, receiver) in [
        ("me.neighbors.?", "List"),
        ("let a = me.neighbors.nearest.?\n    let b = 1;", "Unit"),
        ("let p = world.obstacles; p.?;\n", "Obstacles"),
        ("for m in me.others { m.?\n }", "Unit"),
        ("if me.? { }", "Me"),
        ("return me.position.?", "Vector"),
    ] {
        let text = format!("fn steer(me, world) {{\n    {}\n}}\n", line.replace('?', UNFINISHED));
        let found = outline(&text).names;
        let found = found.iter().find(|one| one.name.text() == UNFINISHED);
        let name = found.map(|one| &one.name);
        let receiver = if receiver == "Obstacles" { "ObstacleList" } else { receiver };
        assert!(
            matches!(name, Some(Name::Api { receiver: Some(kind), .. }) if *kind == receiver),
            "{line}: {name:?}"
        );
    }
}

#[test]
fn a_script_beyond_the_limit_has_only_the_heads_of_its_functions() {
    let long = format!("{TEXT}// {}", "x".repeat(crate::MAX_SOURCE));
    let outline = outline(&long);
    assert_eq!((outline.names.len(), outline.items.len()), (0, 2));
}

#[test]
fn every_text_has_an_outline() {
    let mut cut = 0;
    while cut < TEXT.len() {
        if let Some(head) = TEXT.get(..cut) {
            let found = outline(head);
            assert!(found.names.iter().all(|name| head.get(name.range.clone()).is_some()));
        }
        cut += 7;
    }
    let broken = TEXT.replace("if near(mate, FAR) &&", "if near(mate, FAR &&");
    assert!(outline(&broken).items.len() == 8);
    // The parser counts other columns.
    outline("//#f80👩\u{200d}🚀}\t\rfn f(a) { a }\nimport \"part\" as p;\nme.\r\n \u{feff}🐟\0`\n");
}
