//! The editor with files that cannot be read, and with texts that are too long to be saved.

use std::path::Path;

use egui::{Key, Modifiers};
use steerbox_script::MAX_SOURCE;

use super::editor::{NAME, RULE_FILE, SCENE_FILE, open, press, shown, stage, window_of};
use super::{input, labels};
use crate::App;
use crate::commands::action::EditorAction;
use crate::model::editor::buffer::Conflict;
use crate::model::log::FilePlace;
use steerbox_project::reload::Place;

/// Contents that are not the text of a script, and a part of the reason.
fn unreadable() -> [(Vec<u8>, &'static str); 3] {
    [
        (b"// k\xe4se\nfn steer(me, world) { 1.0 }\n".to_vec(), "UTF-8"),
        ((0..=255).collect(), "UTF-8"),
        (vec![b' '; MAX_SOURCE + 1], "longer than 65536 bytes"),
    ]
}

fn save(path: &Path, content: &[u8]) {
    std::fs::write(path, content).expect("the folder is writable");
}

fn open_unreadable(app: &mut App, file: &str) {
    let place = FilePlace { file: file.to_owned(), line: 1, column: 1 };
    app.act(EditorAction::Open(place));
    app.idle(2);
}

#[test]
fn a_file_that_cannot_be_read_shows_the_reason_and_is_never_written() {
    for (content, reason) in unreadable() {
        let mut app = stage();
        let path = app.path(RULE_FILE);
        let other = path.with_file_name("other.rhai");
        for (path, name) in [(&path, NAME), (&other, "other.rhai")] {
            save(path, &content);
            let is_known = |app: &App| {
                let mut files = app.session.run.newest().files.iter();
                files.any(|file| file.path == name && matches!(file.saved, Some(Err(_))))
            };
            if name == NAME {
                app.until(is_known);
            }
            app.view.editor.close();
            open_unreadable(&mut app, name);
            let fault = app.view.editor.unreadable().expect("it has no text");
            assert!(fault.message.contains(reason), "{fault:?}");
            assert!(app.view.editor.shown().is_none());
            app.type_text("x");
            app.act(EditorAction::Save);
            press(&mut app, Key::S, Modifiers::COMMAND);
            app.idle(1);
            assert_eq!(app.view.editor.unsaved(), []);
            assert_eq!(std::fs::read(path).expect("the file exists"), content);
            // A good file is shown as soon as it is there.
            let good = "fn steer(me, world) { 7.0 }\n";
            save(path, good.as_bytes());
            app.until(|app| app.view.editor.shown().is_some());
            assert_eq!((shown(&app).text(), shown(&app).is_unsaved()), (good, false));
        }
        app.finish();
        let app = window_of(Place::of_scene(&app.path(SCENE_FILE)));
        assert!(app.view.editor.offered.is_empty());
    }
}

#[test]
fn a_text_remains_while_its_file_cannot_be_read_and_the_reason_goes_with_it() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    let other = path.with_file_name("other.rhai");
    std::fs::copy(&path, &other).expect("the folder is writable");
    for (path, name) in [(&path, NAME), (&other, "other.rhai")] {
        let good = std::fs::read_to_string(path).expect("the file exists");
        open(&mut app, name, 4);
        for (content, reason) in unreadable() {
            save(path, &content);
            app.until(|app| matches!(&shown(app).conflict, Some(Conflict::Unreadable(fault)) if fault.message.contains(reason)));
            assert_eq!(shown(&app).text(), good);
            app.act(EditorAction::Save);
            app.idle(1);
            assert_eq!(std::fs::read(path).expect("the file exists"), content);
        }
        std::fs::remove_file(path).expect("the file exists");
        app.until(|app| shown(app).conflict == Some(Conflict::Deleted));
        let better = good.replace("way = K", "way = K + 1.0");
        save(path, better.as_bytes());
        app.until(|app| shown(app).conflict.is_none());
        assert_eq!((shown(&app).text(), shown(&app).is_unsaved()), (&*better, false));
    }
}

#[test]
fn a_text_that_is_too_long_to_be_read_again_is_not_written_and_remains() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    let before = std::fs::read_to_string(&path).expect("the file exists");
    let paste = |app: &mut App, length: usize| {
        let mut input = input();
        input.egui.events.push(egui::Event::Paste(" ".repeat(length)));
        app.step(&input);
        app.step(&super::input());
    };
    paste(&mut app, MAX_SOURCE);
    press(&mut app, Key::S, Modifiers::COMMAND);
    let bytes = MAX_SOURCE + before.len();
    let words =
        format!("the text has {bytes} bytes, and a file with more than {MAX_SOURCE} bytes is not read");
    app.until(|app| app.logs(&words));
    assert_eq!((shown(&app).text().len(), &shown(&app).conflict), (bytes, &None));
    assert!(shown(&app).is_unsaved());
    let is_shown = |app: &App| labels(app).iter().any(|(text, _)| text.starts_with("nothing was written: "));
    assert!(is_shown(&app), "the editor shows the reason");
    assert_eq!(std::fs::read_to_string(&path).expect("the file exists"), before);
    // A shorter one is saved afterwards.
    app.act(EditorAction::Revert);
    app.type_text(" // short");
    press(&mut app, Key::S, Modifiers::COMMAND);
    app.until(|app| !shown(app).is_unsaved());
    assert!(!is_shown(&app));
    assert!(std::fs::read_to_string(&path).expect("the file exists").contains("// short"));
}
