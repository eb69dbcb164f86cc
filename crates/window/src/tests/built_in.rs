//! Saving of a scene that came with the program: it is written into the project, and the run goes on.

use std::path::Path;
use std::time::Duration;

use egui::{Key, Modifiers};
use steerbox_project::reload::Place;
use steerbox_project::session::{Keep, Options};

use super::compare_and_presets::tune;
use super::editor::{open, press, shown};
use super::{input, options};
use crate::App;
use crate::commands::action::{EditorAction, SessionAction, ViewAction};
use crate::shell::config::ConfigFile;

/// The default scene without a file, in a folder.
fn stage(folder: &Path) -> App {
    let place = Place { folders: vec![folder.join("scripts")], ..Place::built_in("flock.ron") };
    let options = Options { place, keep: Keep::USUAL, ..options() };
    let config = ConfigFile::at(folder.join("config/window.ron"));
    let mut app = App::with_config(options, config).expect("the scene works");
    app.session.frame_wait = Duration::MAX;
    app
}

#[test]
fn a_saved_text_becomes_the_file_of_the_scene_and_the_run_goes_on() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let mut app = stage(folder.path());
    while app.step(&input()) < 20 {}
    tune(&mut app, 0, 0.25);
    app.until(|app| app.session.tuned() == 1);
    open(&mut app, "flock.ron", 1);
    let text = format!("// mine\n{}", shown(&app).text());
    let name = "flock.ron".to_owned();
    app.act(EditorAction::replace(&name, text.clone()));
    press(&mut app, Key::S, Modifiers::COMMAND);
    let path = folder.path().join("scenes/flock.ron");
    let question = app.view.question.as_ref().expect("there is no file yet");
    assert_eq!(question.text, format!("flock.ron came with the program. Write {}?", path.display()));
    let before = app.world().steps;
    app.act(ViewAction::Answer(true));
    app.until(|app| !shown(app).is_unsaved());
    app.until(|app| app.session.tuned() == 0);
    let written = std::fs::read_to_string(&path).expect("the file exists");
    assert!(written.starts_with("// mine") && written.contains("gain: 0.25"), "{written}");
    let is_live = |app: &App| app.session.run.newest().files.iter().any(|file| !file.embedded);
    app.until(is_live);
    assert!(app.world().steps >= before, "{:?}", app.log());
    assert_eq!(app.session.place.scene.as_ref(), Some(&path));
    assert_eq!(app.session.run.recorded().map(|steps| *steps.start()), Some(0), "the history remains");
    // Other programs change the file, and new scripts are found.
    std::fs::write(&path, text.replace("// mine", "// theirs")).expect("the file is writable");
    app.until(|app| shown(app).text().starts_with("// theirs"));
    std::fs::create_dir_all(folder.path().join("scripts")).expect("the folder is new");
    std::fs::write(folder.path().join("scripts/cohesion.rhai"), "fn steer(me, world) { () }")
        .expect("the folder is writable");
    let is_own = |app: &App| {
        let mut planned = app.session.run.newest().planned();
        planned.any(|planned| planned.script.as_ref().is_some_and(|script| script.text.contains("{ () }")))
    };
    app.until(is_own);
    tune(&mut app, 0, 0.375);
    app.until(|app| app.session.tuned() == 1);
    app.session.act(&SessionAction::Save);
    app.until(|app| app.session.tuned() == 0);
    assert!(std::fs::read_to_string(&path).expect("the file exists").contains("gain: 0.375"));
}

#[test]
fn tuned_values_are_saved_into_a_copy_in_the_project_after_a_question() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let mut app = stage(folder.path());
    let path = folder.path().join("scenes/flock.ron");
    while app.step(&input()) < 20 {}
    assert_eq!(app.session.cannot_save(), Some("No tuned values to save"));
    tune(&mut app, 0, 0.25);
    app.until(|app| app.session.tuned() == 1);
    // Another file of this name is not replaced.
    std::fs::create_dir_all(folder.path().join("scenes")).expect("the folder is new");
    std::fs::write(&path, "other").expect("the folder is writable");
    press(&mut app, Key::S, Modifiers::COMMAND);
    assert!(app.view.question.is_none() && app.log().iter().any(|line| line.contains("flock.ron exists")));
    std::fs::remove_file(&path).expect("the file exists");
    app.act(ViewAction::SaveScene);
    let question = app.view.question.as_ref().expect("there is no file yet");
    let words = format!("flock.ron came with the program. Write {} with 1 tuned value?", path.display());
    assert_eq!(question.text, words);
    // A save was requested: Enter confirms it.
    app.idle(1);
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.until(|app| app.session.tuned() == 0);
    assert!(std::fs::read_to_string(&path).expect("the file exists").contains("gain: 0.25"));
    assert!(app.world().steps >= 20, "the run goes on");
    assert_eq!(app.session.place.scene.as_ref(), Some(&path));
}
