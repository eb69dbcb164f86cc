//! Renaming in several files, and its undo.

use std::path::Path;

use egui::{Key, Modifiers};

use super::editor::{NAME, RULE, RULE_FILE, open, press, shown, stage};

use crate::App;
use crate::commands::action::{AssistStep, EditorAction, ViewAction};
use crate::model::log::FilePlace;

/// Starts a renaming at the first place of a word in the shown text.
fn rename(app: &mut App, word: &str, new: &str) {
    let at = shown(app).text().find(word).expect("the word is there");
    let steps = [AssistStep::StartRenaming(at), AssistStep::TypeName(new.to_owned()), AssistStep::Rename];
    for step in steps {
        app.act(EditorAction::Assist(step));
    }
}

#[test]
fn a_script_is_renamed_with_its_file_in_all_scenes_after_a_question() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    let scene = app.path("scenes/a.ron");
    let read = |path: &Path| std::fs::read_to_string(path).expect("the file exists");
    let text = read(&scene);
    let other = app.path("scenes/other.ron");
    std::fs::copy(&scene, &other).expect("the folder is writable");
    // The rule has unsaved text, and the scene is shown.
    let name = NAME.to_owned();
    let unsaved = RULE.replace("9.0", "8.0");
    app.act(EditorAction::replace(&name, unsaved.clone()));
    open(&mut app, "a.ron", 1);
    rename(&mut app, "mine", "yours");
    let question = app.view.question.as_ref().expect("other files are concerned");
    let words = "Rename mine to yours? 3 files are written. mine.rhai becomes yours.rhai.";
    assert_eq!(question.text, words);
    app.act(ViewAction::Answer(false));
    assert!(path.exists() && read(&scene) == text);
    rename(&mut app, "mine", "yours");
    app.act(ViewAction::Answer(true));
    app.until(|app| shown(app).text().contains("yours"));
    for file in [&scene, &other] {
        assert_eq!(read(file), text.replace("mine", "yours"));
    }
    assert_eq!(read(&path.with_file_name("yours.rhai")), RULE);
    assert!(!path.exists() && !shown(&app).is_unsaved());
    let buffer = app.view.editor.get("yours.rhai").expect("its text remains");
    assert!(buffer.is_unsaved() && buffer.text() == unsaved && app.view.editor.get(NAME).is_none());
    app.until(|app| {
        let planned = &app.session.run.newest().behaviors[0][0];
        planned.handle.script == "yours" && planned.script.is_some()
    });
    // A parameter of the unsaved rule is renamed in it, and in the scenes that set it.
    std::fs::write(&other, text.replace("\"mine\"", "\"yours\", params: {\"K\": 2}"))
        .expect("the file is writable");
    open(&mut app, "yours.rhai", 1);
    app.view.editor.assist.expire();
    rename(&mut app, "K", "FAR");
    let question = app.view.question.as_ref().expect("a scene is concerned");
    assert!(question.text.ends_with("The unsaved text of yours.rhai is edited, too, and stays unsaved."));
    app.act(ViewAction::Answer(true));
    app.until(|_| read(&other).contains("{\"FAR\": 2}"));
    app.until(|app| shown(app).text().contains("way = FAR"));
    assert!(shown(&app).is_unsaved());
    assert_eq!(read(&path.with_file_name("yours.rhai")), RULE);
}

#[test]
fn undo_reverts_a_renaming_in_all_files_and_redo_repeats_it() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    let (scene, new) = (app.path("scenes/a.ron"), path.with_file_name("yours.rhai"));
    let read = |path: &Path| std::fs::read_to_string(path).expect("the file exists");
    let before = read(&scene);
    let after = before.replace("mine", "yours");
    // The rule has unsaved text, which is open later.
    let unsaved = RULE.replace("9.0", "8.0");
    let name = NAME.to_owned();
    app.act(EditorAction::replace(&name, unsaved.clone()));
    open(&mut app, "a.ron", 1);
    rename(&mut app, "mine", "yours");
    app.act(ViewAction::Answer(true));
    app.until(|app| shown(app).text() == after);
    app.idle(1);
    press(&mut app, Key::Z, Modifiers::COMMAND);
    assert_eq!(shown(&app).text(), before);
    let question = app.view.question.as_ref().expect("the other files remain");
    let words =
        "Undo the renaming of mine to yours in all files? 2 files are written. yours.rhai becomes mine.rhai.";
    assert_eq!(question.text, words);
    app.act(ViewAction::Answer(true));
    app.until(|app| !shown(app).is_unsaved());
    assert_eq!(
        (shown(&app).text(), read(&scene), read(&path), new.exists()),
        (&*before, before.clone(), RULE.to_owned(), false)
    );
    assert_eq!(app.view.editor.get(NAME).map(|buffer| buffer.text().to_owned()), Some(unsaved.clone()));
    app.idle(1);
    press(&mut app, Key::Y, Modifiers::COMMAND);
    app.until(|app| app.view.question.is_some());
    app.act(ViewAction::Answer(true));
    app.until(|app| !shown(app).is_unsaved());
    let lines = app.log();
    assert!(shown(&app).text().contains("yours"), "{lines:?}");
    assert!(new.exists() && !path.exists(), "{lines:?}");
    assert_eq!(read(&scene), shown(&app).text());
    // Undo in the text alone; the files remain.
    app.idle(1);
    press(&mut app, Key::Z, Modifiers::COMMAND);
    app.act(ViewAction::Answer(false));
    assert!(shown(&app).text().contains("mine") && shown(&app).is_unsaved() && new.exists());
    // Unsaved changes of another file stop the undo of all.
    let name = "a.ron".to_owned();
    let text = format!("// new\n{before}");
    app.act(EditorAction::replace(&name, text));
    assert!(app.view.question.is_none());
}

#[test]
fn the_field_of_a_new_name_selects_the_old_one_and_explains_an_invalid_one() {
    let mut app = stage();
    let place = FilePlace { file: NAME.to_owned(), line: 4, column: 9 };
    app.act(EditorAction::Open(place));
    app.idle(2);
    press(&mut app, Key::F2, Modifiers::NONE);
    app.idle(1);
    app.type_text("2way");
    press(&mut app, Key::Enter, Modifiers::NONE);
    let renaming = app.view.editor.assist.renaming.as_ref().expect("the field stays open");
    let why = "`2way` is not a valid name here: use letters, digits and _, with no digit first";
    assert_eq!((renaming.new.as_str(), renaming.refusal.as_deref()), ("2way", Some(why)));
    // All of it is selected again.
    app.idle(1);
    app.type_text("course");
    let renaming = app.view.editor.assist.renaming.as_ref().expect("the field is open");
    assert_eq!((renaming.new.as_str(), &renaming.refusal), ("course", &None));
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert_eq!(shown(&app).text(), RULE.replace("way", "course"));
    // One text alone is undone as typing is.
    app.idle(1);
    press(&mut app, Key::Z, Modifiers::COMMAND);
    assert_eq!(shown(&app).text(), RULE);
}

#[test]
fn a_number_becomes_a_parameter_whose_name_is_typed_at_once() {
    let mut app = stage();
    let text = RULE.replace("= K", "= K + 2.5 * 2.5");
    let at = text.find("2.5").expect("the number");
    app.act(EditorAction::replace(NAME, text));
    let offer = AssistStep::Offer(at..at);
    app.act(EditorAction::Assist(offer));
    let offer = app.view.editor.assist.offer.as_ref().expect("a list is open");
    let index = offer.entries.iter().position(|entry| entry.label.starts_with("Make 2.5 the parameter"));
    app.act(EditorAction::Assist(AssistStep::Accept(index)));
    app.idle(1);
    app.type_text("PULL");
    press(&mut app, Key::Enter, Modifiers::NONE);
    let renamed = shown(&app).text();
    let (declared, used) = ("const PULL = param(2.5, 0.0, 10.0);", "let way = K + PULL * 2.5;");
    assert!(renamed.contains(declared) && renamed.contains(used), "{renamed}");
}
