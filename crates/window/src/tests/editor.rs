//! The editor: typing, drafts, saves, conflicts and the recovery of unsaved texts.

use std::time::Duration;

use egui::{Key, Modifiers};
use steerbox_project::reload::Place;
use steerbox_project::session::Options;

use super::stage::{SMALL, Stage, text_input};
use super::{input, options, patient, typed};
use crate::App;
use crate::commands::action::{EditorAction, SessionAction, ViewAction};
use crate::model::dialog::Dialog;
use crate::model::editor::Request;
use crate::model::editor::buffer::Buffer;
use crate::model::editor::changes::Joins;
use crate::model::frame_input::FrameInput;
use crate::model::keyboard::Keyboard;
use crate::model::log::FilePlace;
use crate::model::templates::FLOW;
use crate::shell::config::ConfigFile;

pub(super) const RULE: &str =
    "const K = param(1.0, 0.0, 9.0);\n\nfn steer(me, world) {\n    let way = K;\n    way\n}\n";
pub(super) const NAME: &str = "mine.rhai";
pub(super) const RULE_FILE: &str = "scripts/mine.rhai";
pub(super) const SCENE_FILE: &str = "scenes/a.ron";
pub(super) const FILES: [(&str, &str); 2] = [(SCENE_FILE, SMALL), (RULE_FILE, RULE)];

/// A scene with one rule, in a folder, whose rule is open in the editor.
pub(super) fn stage() -> Stage {
    Stage::with(&FILES, window_of)
}

/// A window of a project whose scene has one rule, which is open in the editor.
pub(super) fn window_of(place: Place) -> App {
    let folder = place.scene.as_ref().and_then(|scene| scene.parent()?.parent()).expect("a folder");
    let config = ConfigFile::at(folder.join("config/window.ron"));
    let mut app = App::with_config(Options { place, ..options() }, config).expect("the scene works");
    app.session.frame_wait = Duration::MAX;
    app.idle(1);
    open(&mut app, NAME, 4);
    app
}

pub(super) fn open(app: &mut App, file: &str, line: usize) {
    let place = FilePlace { file: file.to_owned(), line, column: 99 };
    app.act(EditorAction::Open(place));
    app.idle(2);
    assert_eq!(app.view.receiver(&app.context), Keyboard::Editor);
}

pub(super) fn shown(app: &App) -> &Buffer {
    app.view.editor.shown().expect("a file is open")
}

pub(super) fn press(app: &mut App, key: Key, modifiers: Modifiers) {
    app.chord(modifiers, key);
    app.idle(1);
}

/// The first contribution of the rule, by the version that runs.
pub(super) fn runs(app: &App, value: &str) -> bool {
    let planned = &app.session.run.newest().behaviors[0][0];
    planned.script.as_ref().is_some_and(|script| script.text.contains(value))
}

fn draft(app: &App) -> Option<&str> {
    app.session.drafts.get(NAME).map(|text| &**text)
}

#[test]
fn keys_type_run_and_drop_a_draft_and_nothing_is_written() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    press(&mut app, Key::Backspace, Modifiers::NONE);
    app.type_text(" * 2.0;");
    assert!(shown(&app).text().contains("let way = K * 2.0;\n"), "{}", shown(&app).text());
    assert!(shown(&app).is_unsaved() && app.title().starts_with('•'));
    app.until(|app| shown(app).faults().is_some());
    assert!(runs(&app, "= K;"));
    press(&mut app, Key::Enter, Modifiers::COMMAND);
    app.until(|app| runs(app, "K * 2.0"));
    assert_eq!(draft(&app), Some(shown(&app).text()));
    // A faulty text is rejected, and the draft continues.
    app.type_text(" zork;");
    press(&mut app, Key::Enter, Modifiers::COMMAND);
    let is_rejected = |app: &App| !app.session.shown_faulty().is_empty();
    app.until(is_rejected);
    assert!(runs(&app, "K * 2.0"));
    assert_eq!(app.session.text_state(shown(&app)).words(), "• unsaved, rejected");
    // Undo outside of the text returns to the rules before each draft.
    app.act(SessionAction::Undo);
    app.until(|app| !is_rejected(app) && runs(app, "K * 2.0"));
    app.act(SessionAction::Undo);
    app.until(|app| runs(app, "= K;"));
    app.act(SessionAction::Redo);
    app.until(|app| runs(app, "K * 2.0"));
    press(&mut app, Key::Escape, Modifiers::NONE);
    app.until(|app| runs(app, "= K;"));
    assert!(draft(&app).is_none() && shown(&app).is_unsaved(), "the text remains");
    assert_eq!(app.view.receiver(&app.context), Keyboard::Editor);
    // Nothing is open: the next letters are text, too.
    press(&mut app, Key::Escape, Modifiers::NONE);
    app.type_text("rn");
    assert!(shown(&app).text().contains("rn") && app.view.receiver(&app.context) == Keyboard::Editor);
    press(&mut app, Key::Escape, Modifiers::SHIFT);
    assert_eq!(app.view.receiver(&app.context), Keyboard::Window);
    press(&mut app, Key::Escape, Modifiers::NONE);
    assert!(app.view.editor.shown().is_none());
    assert_eq!(std::fs::read_to_string(path).expect("the file exists"), RULE);
}

#[test]
fn undo_of_a_draft_to_the_saved_text_runs_that() {
    let mut app = stage();
    let name = NAME.to_owned();
    let text = RULE.replace("= K", "= K + 6.0");
    app.act(EditorAction::Type { name, text, joins: Joins::Never, runs: true });
    let words = |app: &App| app.session.text_state(shown(app)).words();
    app.until(|app| runs(app, "K + 6.0") && words(app) == "• unsaved, runs");
    press(&mut app, Key::Z, Modifiers::COMMAND);
    assert_eq!(shown(&app).text(), RULE);
    app.until(|app| runs(app, "= K;") && draft(app).is_none());
    assert_eq!(words(&app), "");
}

#[test]
fn a_save_writes_the_text_and_its_draft_continues() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    press(&mut app, Key::Backspace, Modifiers::NONE);
    app.type_text(" + 3.0;");
    press(&mut app, Key::Enter, Modifiers::COMMAND);
    app.until(|app| runs(app, "K + 3.0"));
    press(&mut app, Key::S, Modifiers::COMMAND);
    app.until(|app| !shown(app).is_unsaved());
    let content = std::fs::read_to_string(&path).expect("the file exists");
    assert_eq!(content, RULE.replace("= K", "= K + 3.0"));
    assert!(draft(&app).is_none() && runs(&app, "K + 3.0"));
    let is_reported = |app: &App| {
        let mut files = app.session.run.newest().files.iter();
        files.any(|file| {
            file.path == NAME && file.unsaved.is_none() && file.saved == Some(Ok(content.as_str().into()))
        })
    };
    app.until(|app| {
        assert!(shown(app).text().contains("K + 3.0"), "the text before the save is not restored meanwhile");
        is_reported(app)
    });
    assert!(shown(&app).conflict.is_none());
}

#[test]
fn enter_indents_brackets_end_blocks_and_the_search_replaces() {
    let mut app = stage();
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.type_text("if way > 1 {");
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.type_text("way");
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.type_text("}");
    let expected = "= K;\n    if way > 1 {\n        way\n    }\n    way\n";
    assert!(shown(&app).text().contains(expected), "{}", shown(&app).text());
    press(&mut app, Key::H, Modifiers::COMMAND);
    app.type_text("WAY");
    app.idle(1);
    assert_eq!(app.view.editor.find.as_ref().map(|find| &*find.text), Some("WAY"));
    press(&mut app, Key::Escape, Modifiers::NONE);
    assert!(app.view.editor.find.is_none() && app.view.editor.shown().is_some());
    app.idle(1);
    press(&mut app, Key::Z, Modifiers::COMMAND);
    assert!(!shown(&app).text().contains(expected), "typing is undone");
    assert!(app.session.drafts.is_empty());
}

#[test]
fn movements_of_the_cursor_are_no_steps_of_undo() {
    let mut app = stage();
    let mut seconds = 0.0;
    let mut frame = |app: &mut App, mut input: FrameInput| {
        seconds += 2.0;
        input.egui.time = Some(seconds);
        app.step(&input);
    };
    let go = |app: &mut App, line| {
        let place = FilePlace { file: NAME.to_owned(), line, column: 1 };
        app.act(EditorAction::Open(place));
    };
    frame(&mut app, text_input(" // one"));
    let (one, two) = (RULE.replace("K;", "K; // one"), RULE.replace("K;", "K; // two"));
    for line in [1, 3, 5, 2] {
        go(&mut app, line);
        (0..3).for_each(|_| frame(&mut app, input()));
    }
    assert_eq!(shown(&app).text(), one);
    frame(&mut app, typed(Key::Z, Modifiers::COMMAND));
    assert_eq!(shown(&app).text(), RULE, "the first press undoes the text");
    frame(&mut app, typed(Key::Z, Modifiers::COMMAND));
    assert_eq!(shown(&app).text(), RULE);
    for redo in [typed(Key::Y, Modifiers::COMMAND), typed(Key::Z, Modifiers::COMMAND | Modifiers::SHIFT)] {
        frame(&mut app, redo);
        assert_eq!(shown(&app).text(), one);
        frame(&mut app, typed(Key::Z, Modifiers::COMMAND));
    }
    // The cursor is where the text changed.
    frame(&mut app, input());
    frame(&mut app, text_input(" // two"));
    assert_eq!(shown(&app).text(), two);
    // The changes are known when the file is shown again.
    app.act(EditorAction::Save);
    app.until(|app| !shown(app).is_unsaved());
    open(&mut app, "a.ron", 1);
    open(&mut app, NAME, 1);
    press(&mut app, Key::Z, Modifiers::COMMAND);
    assert_eq!(shown(&app).text(), RULE);
}

#[test]
fn shortcuts_delete_no_text() {
    let mut app = stage();
    let before = shown(&app).text().to_owned();
    for key in [Key::H, Key::Escape, Key::U, Key::W, Key::K, Key::Escape] {
        let is_escape = key == Key::Escape;
        let modifiers = if is_escape { Modifiers::NONE } else { Modifiers::COMMAND | Modifiers::CTRL };
        press(&mut app, key, modifiers);
        app.idle(1);
        assert_eq!(shown(&app).text(), before, "{key:?}");
    }
}

#[test]
fn a_live_text_runs_by_itself_and_a_faulty_one_waits() {
    let mut app = stage();
    press(&mut app, Key::Enter, Modifiers::COMMAND | Modifiers::SHIFT);
    assert!(app.view.editor.live);
    app.type_text(" let");
    app.until(|app| shown(app).faults().is_some_and(|faults| !faults.is_empty()));
    app.type_text(" b = 7;");
    app.until(|app| runs(app, "let b = 7;"));
    let lines = app.session.log.lines();
    assert!(lines.into_iter().all(|line| !line.text.contains("rejected")));
}

#[test]
fn the_saved_text_ends_the_live_mode() {
    let mut app = stage();
    press(&mut app, Key::Backspace, Modifiers::NONE);
    for (text_of, ends) in [(" * 2.0;", None), (" // more", Some(EditorAction::RunSaved))] {
        press(&mut app, Key::Enter, Modifiers::COMMAND | Modifiers::SHIFT);
        app.type_text(text_of);
        app.until(|app| runs(app, text_of));
        match ends {
            None => press(&mut app, Key::Escape, Modifiers::NONE),
            Some(action) => app.act(action),
        }
        assert!(!app.view.editor.live);
        app.until(|app| runs(app, "= K;"));
        assert!(draft(&app).is_none() && shown(&app).is_unsaved());
    }
}

#[test]
fn esc_closes_the_signature_first_and_a_typed_bracket_replaces_the_next_one() {
    let mut app = stage();
    press(&mut app, Key::Backspace, Modifiers::NONE);
    app.type_text(" + min()");
    press(&mut app, Key::ArrowLeft, Modifiers::NONE);
    app.idle(1);
    let is_closed = |app: &App| app.view.editor.assist.signature.as_ref().map(|shown| shown.is_closed);
    assert_eq!(is_closed(&app), Some(false));
    press(&mut app, Key::Escape, Modifiers::NONE);
    assert_eq!((is_closed(&app), app.view.receiver(&app.context)), (Some(true), Keyboard::Editor));
    app.type_text("2.0");
    app.type_text(")");
    app.type_text(";");
    assert!(shown(&app).text().contains("= K + min(2.0);\n"), "{}", shown(&app).text());
    app.idle(1);
    assert_eq!(is_closed(&app), None, "the cursor left the call");
}

#[test]
fn a_file_that_changes_meanwhile_is_a_choice_and_nothing_is_lost() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    app.type_text(" // mine");
    let theirs = RULE.replace("= K", "= K - 4.0");
    std::fs::write(&path, &theirs).expect("the folder is writable");
    app.until(|app| shown(app).conflict.is_some());
    assert!(shown(&app).text().contains("// mine"));
    press(&mut app, Key::S, Modifiers::COMMAND);
    assert!(app.view.editor.shows_difference);
    assert_eq!(std::fs::read_to_string(&path).expect("the file exists"), theirs);
    app.act(EditorAction::Resolve(false));
    app.idle(1);
    press(&mut app, Key::S, Modifiers::COMMAND);
    app.until(|app| !shown(app).is_unsaved());
    assert!(std::fs::read_to_string(&path).expect("the file exists").contains("// mine"));
}

#[test]
fn a_new_rule_has_a_chosen_name_and_a_flow_field_is_added_to_the_scene() {
    let mut app = stage();
    app.act(EditorAction::NewRule(FLOW));
    app.idle(1);
    app.type_text("mine");
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert_eq!(app.view.dialog, Some(Dialog::NewRule), "the name is taken");
    app.type_text("../x");
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert_eq!(app.view.dialog, Some(Dialog::NewRule), "it is not a name");
    for _ in 0..9 {
        press(&mut app, Key::Backspace, Modifiers::NONE);
    }
    app.type_text("waves");
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.idle(1);
    assert_eq!((app.view.dialog, shown(&app).name.as_str()), (None, "waves.rhai"));
    app.until(|app| app.session.run.newest().scene.flows.len() == 1);
    assert_eq!(app.session.shown_faulty().len(), 0);
    // The scene is shown where it changed, until the rule is.
    app.act(EditorAction::AddRule { group: "a".to_owned(), script: "seek".to_owned() });
    let Some(Request::Show(line)) = app.view.editor.request else { panic!("the place is shown") };
    let added = shown(&app).text().lines().position(|line| line.contains("seek")).expect("the rule");
    assert!((1..=3).contains(&(added + 1 - line)), "{line} {added}");
    let scene = app.view.editor.get("a.ron").expect("it is unsaved").text();
    assert!(scene.contains("\"waves\": Script(script: \"waves\")"), "{scene}");
    // Two groups that are added before the first one runs have two names.
    app.act(EditorAction::AddGroup);
    app.act(EditorAction::AddGroup);
    app.until(|app| app.session.run.newest().scene.groups.len() == 3);
}

#[test]
fn a_scene_is_edited_in_the_same_way() {
    let mut app = stage();
    app.act(ViewAction::CloseScript);
    open(&mut app, "a.ron", 1);
    let text = shown(&app).text().replace("count: 3", "count: 8");
    app.act(EditorAction::replace("a.ron", text));
    press(&mut app, Key::Enter, Modifiers::COMMAND);
    app.until(|app| app.world().units.len() == 8);
    press(&mut app, Key::Escape, Modifiers::NONE);
    app.until(|app| app.world().units.len() == 3);
}

#[test]
fn a_draft_in_the_past_runs_from_there_beside_the_run_before() {
    let keep = steerbox_project::session::Keep::USUAL;
    let mut app = Stage::with(&FILES, |place| patient(Options { place, keep, ..options() }));
    while app.step(&input()) < 40 {}
    app.session.paused = true;
    app.act(SessionAction::GoToStep(10));
    app.until(|app| app.world().steps == 10);
    let text = RULE.replace("= K", "= K + 5.0");
    app.act(SessionAction::RunText(NAME.to_owned(), Some(text.into())));
    app.until(|app| app.session.run.run_pair().is_some());
    assert!(app.session.run.ghosts().is_some() || app.session.run.past_step() == Some(10));
}

#[test]
fn completions_fixes_definitions_and_renaming_are_at_the_cursor() {
    let mut app = stage();
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.type_text("let mates = me.nei");
    app.idle(1);
    let offer = app.view.editor.assist.offer.as_ref().expect("a list is open");
    assert_eq!(offer.entries[0].label, "neighbors");
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.type_text(";");
    assert!(shown(&app).text().contains("    let mates = me.neighbors;\n"), "{}", shown(&app).text());
    assert_eq!(app.view.editor.assist.offer, None);
    // A list that is closed by Esc returns the keys to the text, and stays closed.
    app.type_text(" m");
    app.idle(1);
    assert!(app.view.editor.assist.offer.is_some());
    press(&mut app, Key::Escape, Modifiers::NONE);
    assert_eq!((app.view.receiver(&app.context), &app.view.editor.assist.offer), (Keyboard::Editor, &None));
    press(&mut app, Key::Backspace, Modifiers::NONE);
    // The parameter is renamed everywhere from one of its places.
    let place = FilePlace { file: NAME.to_owned(), line: 4, column: 16 };
    app.act(EditorAction::Open(place));
    app.idle(2);
    press(&mut app, Key::F12, Modifiers::NONE);
    press(&mut app, Key::F2, Modifiers::NONE);
    assert_eq!(app.view.editor.assist.renaming.as_ref().map(|renaming| &*renaming.new), Some("K"));
    app.idle(1);
    app.type_text("KINGDOM");
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.idle(1);
    let renamed = shown(&app).text();
    assert!(renamed.contains("const KINGDOM = param") && renamed.contains("let way = KINGDOM;"), "{renamed}");
}
