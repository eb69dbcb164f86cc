//! Parts of whole and broken scenes.

use super::*;
use crate::parts::{Mention, SceneOutline};
use crate::ron_file::RonFile;
use crate::testing::shipped;

const TEXT: &str = r#"(
    world: Plane(size: (80, 60), edges: Bounce),
    bodies: {"fish": Mover(length: 2)},
    views: {"near": Around(radius: 9)},
    groups: [
        (name: "shoal", body: "fish", view: "near", enemies: ["pike"], behaviors: [
            (script: "wander", params: {"SPEED": 2}),
        ], look: (color: "red")),
        (name: "hunters", body: "fish", kinds: ["pike"]),
    ],
)"#;

fn names(outline: &SceneOutline) -> Vec<String> {
    let shown = |one: &Mention| {
        let mark = if one.is_declaration { "!" } else { "" };
        format!("{:?}{mark} {}", one.thing, one.name.as_deref().unwrap_or("?"))
    };
    outline.mentions.iter().map(shown).collect()
}

#[test]
fn names_items_choices_and_colors_have_their_places() {
    let outline = outline(TEXT);
    assert_eq!(
        names(&outline),
        [
            "Body! fish",
            "View! near",
            "Kind! shoal",
            "Group! shoal",
            "Body fish",
            "View near",
            "Kind pike",
            "Rule wander",
            "Param SPEED",
            "Group! hunters",
            "Body fish",
            "Kind! pike",
        ]
    );
    for mention in &outline.mentions {
        let name = mention.name.as_deref().expect("a name");
        assert_eq!(&TEXT[mention.range.clone()], format!("\"{name}\""));
    }
    let owners: Vec<_> = outline.items.iter().map(|item| item.owner).collect();
    assert_eq!(owners, ["a scene", "Plane", "Mover", "Around", "a group", "a behavior", "a look", "a group"]);
    let words: Vec<_> = outline.choices.iter().map(|choice| &TEXT[choice.range.clone()]).collect();
    assert_eq!(words, ["Plane", "Bounce", "Mover", "2", "Around"]);
    assert_eq!(&TEXT[outline.colors[0].0.clone()], "\"red\"");
    let at = TEXT.find("2}").expect("the value");
    assert_eq!(outline.item_at(at).map(|item| item.owner), Some("a behavior"));
    let behavior = &outline.items[5];
    assert_eq!(behavior.fields[1].known, Some("params"));
    assert_eq!(&TEXT[behavior.fields[1].value.clone()], "{\"SPEED\": 2}");
}

#[test]
fn a_text_that_ends_anywhere_has_the_parts_before_its_end() {
    let whole = outline(TEXT);
    for (end, _) in TEXT.char_indices() {
        let part = outline(&TEXT[..end]);
        // The name that is cut may differ.
        let before: Vec<_> = whole.mentions.iter().filter(|one| one.range.end < end).collect();
        for mention in before {
            let found = part.mentions.iter().filter(|one| one.range == mention.range);
            let found = found.filter(|one| one.thing == mention.thing && one.name == mention.name);
            assert_eq!(found.count(), 1, "{mention:?} of {}", &TEXT[..end]);
        }
    }
}

#[test]
fn a_place_without_a_name_or_value_expects_one() {
    let expected = |marked: &str| {
        let at = marked.find('|').expect("a mark");
        let text = marked.replacen('|', "", 1);
        let outline = outline_at((&text, RonFile::Scene), at, true);
        let mention = outline.mentions.iter().find(|one| one.range == (at..at));
        let mention = mention.map(|one| format!("{:?} {}", one.thing, one.script.as_deref().unwrap_or("")));
        let choice = outline.choices.iter().find(|one| one.range == (at..at)).map(|one| one.owner.to_owned());
        let stray = outline.items.iter().find(|item| item.strays.contains(&(at..at)));
        let stray = stray.map(|item| format!("field of {}", item.owner));
        let bare = outline.items.iter().find(|item| item.is_bare && item.range == (at..at));
        mention.or(choice).or(stray).or(bare.map(|item| item.owner.to_owned())).unwrap_or_default()
    };
    for (text, wanted) in [
        ("|", "a scene"),
        ("(|", "field of a scene"),
        ("(world: |", "a world"),
        ("(world: Plane(size: (1, 2), |), speed: 2)", "field of Plane"),
        ("(bodies: {\"x\": |", "a body"),
        ("(groups: [|])", "a group"),
        ("(groups: [(name: \"a\", body: |)])", "Body "),
        ("(groups: [(name: \"a\", body: |, count: 2)])", "Body "),
        ("(groups: [(name: \"a\", body: |\n count: 2)])", "Body "),
        ("(groups: [(behaviors: [(script: \"x\", params: {|", "Param x"),
        ("(groups: [(behaviors: [(script: \"x\", params: {\"A\": 1, |}), (script: \"y\")", "Param x"),
        ("(groups: [(behaviors: [(script: |", "Rule "),
        ("(groups: [(spawn: |", "a spawn"),
        ("(groups: [(spawn: At([(|", "field of a start"),
        ("(groups: [(spawn: Disc(speed: |", "a distribution"),
        ("(fields: {\"f\": Script(script: |", "FlowScript "),
        ("(obstacles: [Circle(center: (1, 2), |", "field of Circle"),
        ("(keys: {\"A\": View(|", "View "),
    ] {
        assert_eq!(expected(text), wanted, "{text}");
    }
}

#[test]
fn shipped_scenes_have_no_unknown_parts() {
    for (file, text) in shipped() {
        let outline = outline(text);
        assert!(outline.items.len() > 6, "{file}");
        for item in &outline.items {
            assert!(
                item.strays.is_empty() && item.fields.iter().all(|field| field.known.is_some()),
                "{file}"
            );
        }
        assert!(outline.mentions.iter().all(|mention| mention.name.is_some()), "{file}");
        assert!(outline.colors.iter().all(|(_, color)| color.is_some()), "{file}");
    }
}

#[test]
fn huge_texts_have_no_parts_and_broken_ones_any() {
    assert_eq!(outline(&"(a: 1,".repeat(200_000)), SceneOutline::default());
    for text in ["", "\u{feff}", "\"", "((((", "}", "a: b", "(,", "(:", "([{", "(a: \"\\", "é", "(world: \"é"]
    {
        let _ = (outline(text), outline_at((text, RonFile::Scene), text.len(), true));
    }
    let marked = outline(&format!("\u{feff}{TEXT}"));
    assert_eq!(marked.items[0].range.start, '\u{feff}'.len_utf8());
}
