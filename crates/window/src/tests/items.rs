//! Edits of rules and groups in the panel: keys, drags, menus, undo.

use egui::{Key, Modifiers, PointerButton, Pos2, vec2};
use steerbox_core::world::ParamValue;

use super::stage::Stage;
use super::{labels, pointing, pointing_with};
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::model::editor::buffer::Buffer;

const SCENE: &str = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()}, groups: [
    // the only group
    (name: \"boids\", body: \"m\", count: 3, behaviors: [
        (script: \"cohesion\"), // first
        (script: \"separation\"),
        // above the last
        (script: \"wander\"),
    ]),
])
";

fn stage() -> Stage {
    let mut app = Stage::of(&[("a.ron", SCENE)]);
    // Room for the editor, which opens below the world.
    app.act(SessionAction::TogglePause);
    app.idle(1);
    app
}

/// The scripts of all groups of the newest generation.
fn rules(app: &App) -> Vec<Vec<String>> {
    let groups = app.session.run.newest().scene.groups.iter();
    groups.map(|plan| plan.behaviors.iter().map(|used| used.script.clone()).collect()).collect()
}

fn until_rules(app: &mut App, expected: &[&[&str]]) {
    app.until(|app| rules(app) == expected);
    app.idle(1);
}

fn scene_text(app: &App) -> &str {
    app.view.editor.get("a.ron").map_or("", Buffer::text)
}

fn press(app: &mut App, key: Key, modifiers: Modifiers) {
    app.chord(modifiers, key);
    app.idle(1);
}

/// The place left of the text of a label, in the title of its rule.
fn title(app: &App, name: &str) -> Pos2 {
    let found =
        labels(app).into_iter().find(|(text, _)| text == name || text.starts_with(&format!("{name}  (")));
    let (_, rect) = found.unwrap_or_else(|| panic!("{name} is in the panel"));
    rect.right_center() + vec2(12.0, 0.0)
}

fn click(app: &mut App, place: Pos2) {
    for pressed in [None, Some(true), Some(false)] {
        app.step(&pointing(place, pressed));
    }
}

#[test]
fn keys_edit_the_selected_rule_and_undo_restores_text_and_scene() {
    let mut app = stage();
    let place = title(&app, "separation");
    click(&mut app, place);
    assert!(app.view.selection.item().is_some(), "a click on its title selects a rule");
    press(&mut app, Key::ArrowUp, Modifiers::ALT);
    until_rules(&mut app, &[&["separation", "cohesion", "wander"]]);
    assert!(
        scene_text(&app).contains("(script: \"separation\"),\n        (script: \"cohesion\"), // first\n")
    );
    press(&mut app, Key::D, Modifiers::COMMAND);
    until_rules(&mut app, &[&["separation", "separation", "cohesion", "wander"]]);
    press(&mut app, Key::Delete, Modifiers::NONE);
    until_rules(&mut app, &[&["separation", "cohesion", "wander"]]);
    assert!(app.view.selection.is_empty());
    for expected in
        [&["separation", "separation", "cohesion", "wander"][..], &["separation", "cohesion", "wander"]]
    {
        app.undo();
        until_rules(&mut app, &[expected]);
    }
    app.undo();
    until_rules(&mut app, &[&["cohesion", "separation", "wander"]]);
    assert_eq!(scene_text(&app), SCENE);
    app.redo();
    until_rules(&mut app, &[&["separation", "cohesion", "wander"]]);
    assert_ne!(scene_text(&app), SCENE);
}

#[test]
fn a_group_is_duplicated_under_a_free_name_and_removed() {
    let mut app = stage();
    let place = title(&app, "boids") - vec2(20.0, 0.0);
    click(&mut app, place);
    press(&mut app, Key::D, Modifiers::COMMAND);
    let one = &["cohesion", "separation", "wander"][..];
    until_rules(&mut app, &[one, one]);
    assert_eq!(app.session.run.newest().scene.groups[1].common.name, "boids 2");
    press(&mut app, Key::Delete, Modifiers::NONE);
    until_rules(&mut app, &[one]);
    assert_eq!(scene_text(&app), SCENE);
    // The scene rejects the removal of its last group, which remains as unsaved text.
    click(&mut app, place);
    press(&mut app, Key::Delete, Modifiers::NONE);
    assert!(!scene_text(&app).contains("boids"));
    app.until(|app| app.logs("at least one group"));
    assert_eq!(rules(&app), [one]);
}

#[test]
fn a_drag_moves_a_rule_and_a_right_click_opens_its_menu() {
    let mut app = stage();
    let [from, to] = ["cohesion", "wander"].map(|name| title(&app, name));
    app.step(&pointing(from, None));
    app.step(&pointing(from, Some(true)));
    for share in [0.3, 0.6, 1.0] {
        app.step(&pointing(from.lerp(to, share), None));
    }
    app.step(&pointing(to, Some(false)));
    until_rules(&mut app, &[&["separation", "wander", "cohesion"]]);
    assert!(scene_text(&app).contains(
        "// above the last\n        (script: \"wander\"),\n        (script: \"cohesion\"), // first\n"
    ));
    let place = title(&app, "wander");
    for pressed in [None, Some(true), Some(false), None] {
        app.step(&pointing_with(PointerButton::Secondary, place, pressed));
    }
    assert!(app.context.any_popup_open());
    let listed = labels(&app);
    for words in ["Edit wander.rhai", "Remove the selection", "Delete", "Alt+Up"] {
        assert!(listed.iter().any(|(text, _)| text == words), "{words}: {listed:?}");
    }
}

#[test]
fn a_tuned_value_stays_at_its_rule() {
    let mut app = stage();
    let planned = app.session.run.newest().planned().nth(2).expect("wander").clone();
    let gain = planned.knobs.iter().find(|knob| knob.name.as_str() == "gain").expect("a gain").name.clone();
    let value = ParamValue::Number(2.5);
    app.act(SessionAction::Tune(planned.handle.clone(), gain, value));
    let item = steerbox_scene::ListItem::Behavior("boids".to_owned(), "cohesion".to_owned(), 0);
    app.act(ViewAction::SelectItem(item));
    app.act(ViewAction::RemoveSelected);
    until_rules(&mut app, &[&["separation", "wander"]]);
    let moved = app.session.run.newest().planned().nth(1).expect("wander").clone();
    let gain = moved.knobs.iter().find(|knob| knob.name.as_str() == "gain").expect("a gain");
    assert_eq!((moved.handle, gain.value.clone()), (planned.handle, ParamValue::Number(2.5)));
}
