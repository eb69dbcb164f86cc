//! Renaming in several files, and its undo.

use std::path::Path;

use egui::{Key, Modifiers};

use super::commands::text as text_of;
use super::compare_and_presets::until;
use super::editor::{NAME, RULE, open, press, shown, stage};
use super::{input, step};
use crate::App;
use crate::commands::action::{AssistStep, EditorAction, ViewAction};
use crate::model::log::FilePlace;

/// Starts a renaming at the first place of a word in the shown text.
fn rename(app: &mut App, word: &str, new: &str) {
    let at = shown(app).text().find(word).expect("the word is there");
    let steps = [AssistStep::StartRenaming(at), AssistStep::TypeName(new.to_owned()), AssistStep::Rename];
    for step in steps {
        app.view.act(&mut app.session, EditorAction::Assist(step));
    }
}

#[test]
fn a_script_is_renamed_with_its_file_in_all_scenes_after_a_question() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let (mut app, path) = stage(folder.path());
    let scene = folder.path().join("scenes/a.ron");
    let read = |path: &Path| std::fs::read_to_string(path).expect("the file exists");
    let text = read(&scene);
    let other = folder.path().join("scenes/other.ron");
    std::fs::copy(&scene, &other).expect("the folder is writable");
    // The rule has unsaved text, and the scene is shown.
    let name = NAME.to_owned();
    let unsaved = RULE.replace("9.0", "8.0");
    app.view.act(&mut app.session, EditorAction::replace(&name, unsaved.clone()));
    open(&mut app, "a.ron", 1);
    rename(&mut app, "mine", "yours");
    let question = app.view.question.as_ref().expect("other files are concerned");
    let words = "Rename mine to yours? 3 files are written. mine.rhai becomes yours.rhai.";
    assert_eq!(question.text, words);
    app.view.act(&mut app.session, ViewAction::Answer(false));
    assert!(path.exists() && read(&scene) == text);
    rename(&mut app, "mine", "yours");
    app.view.act(&mut app.session, ViewAction::Answer(true));
    until(&mut app, "the files are written", |app| shown(app).text().contains("yours"));
    for file in [&scene, &other] {
        assert_eq!(read(file), text.replace("mine", "yours"));
    }
    assert_eq!(read(&path.with_file_name("yours.rhai")), RULE);
    assert!(!path.exists() && !shown(&app).is_unsaved());
    let buffer = app.view.editor.get("yours.rhai").expect("its text remains");
    assert!(buffer.is_unsaved() && buffer.text() == unsaved && app.view.editor.get(NAME).is_none());
    until(&mut app, "the scene runs with it", |app| {
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
    app.view.act(&mut app.session, ViewAction::Answer(true));
    until(&mut app, "the scene is written", |_| read(&other).contains("{\"FAR\": 2}"));
    until(&mut app, "the text is edited", |app| shown(app).text().contains("way = FAR"));
    assert!(shown(&app).is_unsaved());
    assert_eq!(read(&path.with_file_name("yours.rhai")), RULE);
}

#[test]
fn undo_reverts_a_renaming_in_all_files_and_redo_repeats_it() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let (mut app, path) = stage(folder.path());
    let (scene, new) = (folder.path().join("scenes/a.ron"), path.with_file_name("yours.rhai"));
    let read = |path: &Path| std::fs::read_to_string(path).expect("the file exists");
    let before = read(&scene);
    let after = before.replace("mine", "yours");
    // The rule has unsaved text, which is open later.
    let unsaved = RULE.replace("9.0", "8.0");
    let name = NAME.to_owned();
    app.view.act(&mut app.session, EditorAction::replace(&name, unsaved.clone()));
    open(&mut app, "a.ron", 1);
    rename(&mut app, "mine", "yours");
    app.view.act(&mut app.session, ViewAction::Answer(true));
    until(&mut app, "the scene is renamed", |app| shown(app).text() == after);
    step(&mut app, &input());
    press(&mut app, Key::Z, Modifiers::COMMAND);
    assert_eq!(shown(&app).text(), before);
    let question = app.view.question.as_ref().expect("the other files remain");
    let words =
        "Undo the renaming of mine to yours in all files? 2 files are written. yours.rhai becomes mine.rhai.";
    assert_eq!(question.text, words);
    app.view.act(&mut app.session, ViewAction::Answer(true));
    until(&mut app, "the scene is as before", |app| !shown(app).is_unsaved());
    assert_eq!(
        (shown(&app).text(), read(&scene), read(&path), new.exists()),
        (&*before, before.clone(), RULE.to_owned(), false)
    );
    assert_eq!(app.view.editor.get(NAME).map(|buffer| buffer.text().to_owned()), Some(unsaved.clone()));
    step(&mut app, &input());
    press(&mut app, Key::Y, Modifiers::COMMAND);
    until(&mut app, "redo of the text", |app| app.view.question.is_some());
    app.view.act(&mut app.session, ViewAction::Answer(true));
    until(&mut app, "it is renamed again", |app| !shown(app).is_unsaved());
    let lines: Vec<_> = app.session.log.lines().map(|line| line.text.clone()).collect();
    assert!(shown(&app).text().contains("yours"), "{lines:?}");
    assert!(new.exists() && !path.exists(), "{lines:?}");
    assert_eq!(read(&scene), shown(&app).text());
    // Undo in the text alone; the files remain.
    step(&mut app, &input());
    press(&mut app, Key::Z, Modifiers::COMMAND);
    app.view.act(&mut app.session, ViewAction::Answer(false));
    assert!(shown(&app).text().contains("mine") && shown(&app).is_unsaved() && new.exists());
    // Unsaved changes of another file stop the undo of all.
    let name = "a.ron".to_owned();
    let text = format!("// new\n{before}");
    app.view.act(&mut app.session, EditorAction::replace(&name, text));
    assert!(app.view.question.is_none());
}

#[test]
fn the_field_of_a_new_name_selects_the_old_one_and_explains_an_invalid_one() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let (mut app, _) = stage(folder.path());
    let place = FilePlace { file: NAME.to_owned(), line: 4, column: 9 };
    app.view.act(&mut app.session, EditorAction::Open(place));
    step(&mut app, &input());
    step(&mut app, &input());
    press(&mut app, Key::F2, Modifiers::NONE);
    step(&mut app, &input());
    step(&mut app, &text_of("2way"));
    press(&mut app, Key::Enter, Modifiers::NONE);
    let renaming = app.view.editor.assist.renaming.as_ref().expect("the field stays open");
    let why = "`2way` is not a valid name here: use letters, digits and _, with no digit first";
    assert_eq!((renaming.new.as_str(), renaming.refusal.as_deref()), ("2way", Some(why)));
    // All of it is selected again.
    step(&mut app, &input());
    step(&mut app, &text_of("course"));
    let renaming = app.view.editor.assist.renaming.as_ref().expect("the field is open");
    assert_eq!((renaming.new.as_str(), &renaming.refusal), ("course", &None));
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert_eq!(shown(&app).text(), RULE.replace("way", "course"));
    // One text alone is undone as typing is.
    step(&mut app, &input());
    press(&mut app, Key::Z, Modifiers::COMMAND);
    assert_eq!(shown(&app).text(), RULE);
}

#[test]
fn a_number_becomes_a_parameter_whose_name_is_typed_at_once() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let (mut app, _) = stage(folder.path());
    let text = RULE.replace("= K", "= K + 2.5 * 2.5");
    let at = text.find("2.5").expect("the number");
    app.view.act(&mut app.session, EditorAction::replace(NAME, text));
    let offer = AssistStep::Offer(at..at);
    app.view.act(&mut app.session, EditorAction::Assist(offer));
    let offer = app.view.editor.assist.offer.as_ref().expect("a list is open");
    let index = offer.entries.iter().position(|entry| entry.label.starts_with("Make 2.5 the parameter"));
    app.view.act(&mut app.session, EditorAction::Assist(AssistStep::Accept(index)));
    step(&mut app, &input());
    step(&mut app, &text_of("PULL"));
    press(&mut app, Key::Enter, Modifiers::NONE);
    let renamed = shown(&app).text();
    let (declared, used) = ("const PULL = param(2.5, 0.0, 10.0);", "let way = K + PULL * 2.5;");
    assert!(renamed.contains(declared) && renamed.contains(used), "{renamed}");
}
