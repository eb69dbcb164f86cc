//! Names, messages and arguments with terminal control characters: they are printed as visible characters.

use serde_json::Value;

use super::{GATHER, project, run};
use crate::common::project::{ProjectDir, json_lines, stderr, stdout};

/// A name that forges a line, moves the cursor and reverses the following text, in scene notation.
const HOSTILE: &str = "a\\rerror: all is lost\\n\\u{202e}\\u{2066}\\u{9b}31m\\u{2028}b";
/// The same name after parsing.
const READ: &str = "a\rerror: all is lost\n\u{202e}\u{2066}\u{9b}31m\u{2028}b";

fn hostile() -> ProjectDir {
    let fail = "fn steer(me, world) { me.mark(\"hot\\rerror: all is lost\"); \
        me.watch(\"w\\nerror: all is lost\", 1); throw \"bad\\nerror: all is lost\u{202e}\" }";
    let project = ProjectDir::with(&[("scripts/gather.rhai", GATHER), ("scripts/fail.rhai", fail)]);
    project.save(
        "scenes/s.ron",
        &format!(
            "(title: \"x {HOSTILE}\", world: Plane(size: (200, 100)), bodies: {{ \"m\": Mover(max_speed: 20) }},
    views: {{ \"around\": Around(radius: 50) }},
    groups: [(name: \"{HOSTILE}\", body: \"m\", count: 20, view: \"around\",
        behaviors: [(script: \"gather\", gain: 0.5), (script: \"fail\")])])"
        ),
    );
    project
}

fn is_hostile(letter: char) -> bool {
    matches!(letter, '\0'..='\u{9}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn no_name_or_message_can_forge_a_line() {
    let project = hostile();
    project.save("scripts/odd\nerror: all is lost\r\u{202e}.rhai", "fn steer(me, world) { zork\u{202e} }");
    project.save("scenes/new\nerror: all is lost\r.ron", "(world: ");
    let commands: [&[&str]; 12] = [
        &["list"],
        &["check"],
        &["check", "--explain", "scripts"],
        &["run", "scenes/s.ron", "--steps", "3", "--profile"],
        &["run", "scenes/s.ron", "--steps", "3", "--set", "b\nerror: all is lost.gather.gain=1"],
        &["explain", "scenes/s.ron", "--unit", "0", "--step", "2"],
        &["explain", "scenes/s.ron", "--unit", "99", "--step", "2"],
        &["compare", "scenes/s.ron", "--steps", "3", "--with-scripts", "none\nerror: all is lost"],
        &["run", "nothing\nerror: all is lost\u{202e}"],
        &["run", "s", "--steps", "x\nerror: all is lost\u{202e}\u{1b}[31m"],
        &["run", "s", "--zork\nerror: all is lost\u{1b}[2J"],
        &["new", "scenes/s.ron/\nerror: all is lost\r"],
    ];
    for args in commands {
        let output = project.call(args);
        let shown = format!("{}{}", stdout(&output), stderr(&output));
        assert!(shown.contains("all is lost"), "{args:?}: the text is not printed: {shown}");
        for text in [stdout(&output), stderr(&output)] {
            assert!(!text.contains(is_hostile), "{args:?}: {text:?}");
            let forged = text.lines().filter(|line| line.starts_with("error: all is lost")).count();
            assert_eq!(forged, 0, "{args:?}: {text}");
        }
    }
    let page = stdout(&project.call(&["list"]));
    assert_eq!(page.lines().filter(|line| line.contains("all is lost")).count(), 2, "{page}");
    project.save("other/gather.rhai", &GATHER.replace("40.0", "20.0"));
    let compared = project.call(&["compare", "scenes/s.ron", "--steps", "3", "--with-scripts", "other"]);
    assert!(stdout(&compared).starts_with("first difference: ") && !stdout(&compared).contains(is_hostile));
}

#[test]
fn data_contains_names_unchanged() {
    let project = hostile();
    let scenes = json_lines(&stdout(&project.call(&["list", "--format", "json"])));
    let title = |scene: &&Value| scene["name"] == "s" && scene["title"] == format!("x {READ}");
    assert!(scenes.iter().any(|scene| title(&scene)), "{scenes:?}");
    let explain = ["explain", "scenes/s.ron", "--unit", "0", "--step", "2", "--format", "json"];
    let object = json_lines(&stdout(&project.call(&explain))).remove(0);
    assert_eq!(object["group"], READ);
    run(&project, &["--trace", "t", "--metrics", "m"]);
    assert_eq!(json_lines(&project.read("t"))[0]["group"], READ);
    assert!(project.read("m").contains(READ));
}

#[test]
fn plain_names_are_printed_unchanged() {
    let project = project();
    let text = super::SCENE.replace("(world", "(title: \"Zug ½ 日本 עברית\", world");
    project.save("scenes/s.ron", &text);
    assert!(stdout(&project.call(&["list"])).contains("  Zug ½ 日本 עברית"));
}
