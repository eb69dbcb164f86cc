//! Rules that no group uses, and values of rules whose texts change.

use std::sync::Arc;

use egui::{Key, Modifiers};
use steerbox_core::world::ParamValue;
use steerbox_project::reload::KnobName;

use super::editor::{NAME, RULE, RULE_FILE, runs, shown, stage};
use super::{labels, pointing};
use crate::App;
use crate::commands::action::{EditorAction, SessionAction, ViewAction};
use crate::commands::palette::found;

/// Runs a text as a draft.
fn run(app: &mut App, text: &str) {
    app.session.act(&SessionAction::RunText(NAME.to_owned(), Some(Arc::from(text))));
    app.until(|app| runs(app, text));
}

/// Tunes a parameter of the only rule.
fn tune(app: &mut App, param: &str, value: f32) {
    let handle = app.session.run.newest().behaviors[0][0].handle.clone();
    let (name, value) = (KnobName::Param(param.to_owned()), ParamValue::Number(value));
    app.act(SessionAction::Tune(handle, name, value));
    app.until(|app| {
        let planned = &app.session.run.newest().behaviors[0][0];
        planned.knobs.iter().any(|knob| knob.tuned && knob.name.as_str() == param)
    });
}

fn is_logged(app: &App, words: &str) -> bool {
    app.logs(words)
}

#[test]
fn a_measure_is_opened_by_its_name_with_its_folder() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    let text = "fn measure(group, world) { 1.0 }\n";
    let measures = path.with_file_name("measures");
    std::fs::create_dir(&measures).expect("the folder is new");
    std::fs::write(measures.join("own.rhai"), text).expect("the folder is writable");
    let listed = found("Edit measures/own", &app.session, &app.view);
    let listed = listed.into_iter().find(|listed| listed.name == "Edit measures/own.rhai").expect("an entry");
    app.act(listed.action.expect("it can be opened"));
    app.idle(1);
    assert_eq!(shown(&app).text(), text);
    assert!(!app.view.known_rules(&app.session).contains(&"measures/own".to_owned()));
}

#[test]
fn a_rule_that_no_group_uses_can_be_opened_and_added() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    let name = "seven".to_owned();
    app.act(EditorAction::CreateRule { template: 0, name });
    app.idle(1);
    let is_listed = |app: &App| {
        let listed = found("Edit seven", &app.session, &app.view);
        let rules = app.view.known_rules(&app.session);
        let is_found = listed.iter().any(|listed| listed.name == "Edit seven.rhai");
        (is_found, rules.contains(&"seven".to_owned()))
    };
    app.type_text("// unsaved");
    app.act(ViewAction::CloseScript);
    app.idle(1);
    assert_eq!(is_listed(&app), (true, true));
    super::editor::open(&mut app, "seven.rhai", 1);
    app.act(EditorAction::Save);
    app.until(|app| !shown(app).is_unsaved());
    app.act(ViewAction::CloseScript);
    app.idle(1);
    assert!(path.with_file_name("seven.rhai").exists());
    assert_eq!(is_listed(&app), (true, true));
    let rules = app.view.known_rules(&app.session);
    let is_known = |name: &str| rules.iter().any(|known| known == name);
    assert!(is_known("mine") && is_known("seek") && !is_known("swirl"), "{rules:?}");
}

#[test]
fn a_new_value_of_the_text_that_replaces_a_tuned_one_is_logged() {
    let mut app = stage();
    tune(&mut app, "K", 5.0);
    run(&mut app, &RULE.replace("(1.0, 0.0", "(1.0, 0.5"));
    assert_eq!((app.session.tuned(), is_logged(&app, "tuned 5")), (1, false));
    run(&mut app, &RULE.replace("(1.0, 0.0", "(2.0, 0.0"));
    assert_eq!(app.session.tuned(), 0);
    assert!(is_logged(&app, "a.mine K: the new value 2 replaces the tuned 5"));
}

#[test]
fn a_parameter_of_an_unsaved_text_is_not_written_to_the_scene() {
    let mut app = stage();
    let scene = app.path("scenes/a.ron");
    let read = || std::fs::read_to_string(&scene).expect("the file exists");
    let before = read();
    let draft =
        RULE.replace("fn steer", "const L = param(1.0, 0.0, 9.0);\nfn steer").replace("= K", "= K + L");
    run(&mut app, &draft);
    tune(&mut app, "L", 3.0);
    app.session.act(&SessionAction::Save);
    app.until(|app| is_logged(app, "nothing was written: only the unsaved text of mine.rhai has L"));
    assert_eq!((read(), app.session.tuned()), (before, 1));
    // A parameter that the saved text has is written.
    run(&mut app, &RULE.replace("= K", "= K + K"));
    tune(&mut app, "K", 3.0);
    app.session.act(&SessionAction::Save);
    app.until(|_| read().contains("\"K\": 3"));
}

#[test]
fn one_save_writes_the_text_of_the_scene_and_then_the_tuned_values() {
    for is_typing in [true, false] {
        let mut app = stage();
        let scene = app.path("scenes/a.ron");
        super::editor::open(&mut app, "a.ron", 1);
        app.type_text("// more\n");
        tune(&mut app, "K", 3.0);
        if is_typing {
            super::editor::press(&mut app, Key::S, Modifiers::COMMAND);
        } else {
            app.act(ViewAction::SaveScene);
        }
        app.until(|_| {
            let text = std::fs::read_to_string(&scene).expect("the file exists");
            text.contains("// more") && text.contains("\"K\": 3")
        });
        app.until(|app| !shown(app).is_unsaved() && app.session.tuned() == 0);
    }
}

#[test]
fn an_unused_rule_is_added_to_a_group_from_the_editor_and_by_a_search() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    std::fs::write(path.with_file_name("orbit.rhai"), RULE).expect("the folder is writable");
    super::editor::open(&mut app, "orbit.rhai", 1);
    let is_used = |app: &App, script: &str| {
        app.session.run.newest().planned().any(|planned| planned.handle.script == script)
    };
    assert!(!is_used(&app, "orbit"));
    click_on(&mut app, "Use in a");
    app.until(|app| is_used(app, "orbit"));
    app.act(ViewAction::CloseScript);
    app.idle(1);
    click_on(&mut app, "Add rule");
    app.type_text("keep dist");
    super::editor::press(&mut app, Key::Enter, Modifiers::NONE);
    app.until(|app| is_used(app, "keep_distance"));
}

/// Clicks on the first button with a label.
fn click_on(app: &mut App, label: &str) {
    let place = labels(app).into_iter().find(|(text, _)| text == label);
    let (_, rect) = place.unwrap_or_else(|| panic!("there is no {label}"));
    for is_pressed in [None, Some(true), Some(false), None] {
        app.step(&pointing(rect.center(), is_pressed));
    }
}
