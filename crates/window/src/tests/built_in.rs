//! Saving of a scene that came with the program: it is written into the project, and the run goes on.

use std::path::Path;
use std::time::Duration;

use egui::{Key, Modifiers};
use steerbox_project::reload::Place;
use steerbox_project::session::{Keep, Options};

use super::compare_and_presets::{tune, until};
use super::editor::{open, press, shown};
use super::{input, options, step};
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

fn log(app: &App) -> Vec<String> {
    app.session.log.lines().map(|line| line.text.clone()).collect()
}

#[test]
fn a_saved_text_becomes_the_file_of_the_scene_and_the_run_goes_on() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let mut app = stage(folder.path());
    while step(&mut app, &input()) < 20 {}
    tune(&mut app, 0, 0.25);
    until(&mut app, "the value runs", |app| app.session.tuned() == 1);
    open(&mut app, "flock.ron", 1);
    let text = format!("// mine\n{}", shown(&app).text());
    let name = "flock.ron".to_owned();
    app.view.act(&mut app.session, EditorAction::replace(&name, text.clone()));
    press(&mut app, Key::S, Modifiers::COMMAND);
    let path = folder.path().join("scenes/flock.ron");
    let question = app.view.question.as_ref().expect("there is no file yet");
    assert_eq!(question.text, format!("flock.ron came with the program. Write {}?", path.display()));
    let before = app.session.run.simulation.world().steps;
    app.view.act(&mut app.session, ViewAction::Answer(true));
    until(&mut app, "it is written", |app| !shown(app).is_unsaved());
    until(&mut app, "the value follows", |app| app.session.tuned() == 0);
    let written = std::fs::read_to_string(&path).expect("the file exists");
    assert!(written.starts_with("// mine") && written.contains("gain: 0.25"), "{written}");
    let is_live = |app: &App| app.session.run.newest().files.iter().any(|file| !file.embedded);
    until(&mut app, "the file runs", is_live);
    assert!(app.session.run.simulation.world().steps >= before, "{:?}", log(&app));
    assert_eq!(app.session.place.scene.as_ref(), Some(&path));
    assert_eq!(app.session.run.recorded().map(|steps| *steps.start()), Some(0), "the history remains");
    // Other programs change the file, and new scripts are found.
    std::fs::write(&path, text.replace("// mine", "// theirs")).expect("the file is writable");
    until(&mut app, "the file is watched", |app| shown(app).text().starts_with("// theirs"));
    std::fs::create_dir_all(folder.path().join("scripts")).expect("the folder is new");
    std::fs::write(folder.path().join("scripts/cohesion.rhai"), "fn steer(me, world) { () }")
        .expect("the folder is writable");
    let is_own = |app: &App| {
        let mut planned = app.session.run.newest().planned();
        planned.any(|planned| planned.script.as_ref().is_some_and(|script| script.text.contains("{ () }")))
    };
    until(&mut app, "scripts are watched", is_own);
    tune(&mut app, 0, 0.375);
    until(&mut app, "the value runs", |app| app.session.tuned() == 1);
    app.session.act(&SessionAction::Save);
    until(&mut app, "the value is saved", |app| app.session.tuned() == 0);
    assert!(std::fs::read_to_string(&path).expect("the file exists").contains("gain: 0.375"));
}

#[test]
fn tuned_values_are_saved_into_a_copy_in_the_project_after_a_question() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let mut app = stage(folder.path());
    let path = folder.path().join("scenes/flock.ron");
    while step(&mut app, &input()) < 20 {}
    assert_eq!(app.session.cannot_save(), Some("No tuned values to save"));
    tune(&mut app, 0, 0.25);
    until(&mut app, "the value runs", |app| app.session.tuned() == 1);
    // Another file of this name is not replaced.
    std::fs::create_dir_all(folder.path().join("scenes")).expect("the folder is new");
    std::fs::write(&path, "other").expect("the folder is writable");
    press(&mut app, Key::S, Modifiers::COMMAND);
    assert!(app.view.question.is_none() && log(&app).iter().any(|line| line.contains("flock.ron exists")));
    std::fs::remove_file(&path).expect("the file exists");
    app.view.act(&mut app.session, ViewAction::SaveScene);
    let question = app.view.question.as_ref().expect("there is no file yet");
    let words = format!("flock.ron came with the program. Write {} with 1 tuned value?", path.display());
    assert_eq!(question.text, words);
    // A save was requested: Enter confirms it.
    step(&mut app, &input());
    press(&mut app, Key::Enter, Modifiers::NONE);
    until(&mut app, "the value is saved", |app| app.session.tuned() == 0);
    assert!(std::fs::read_to_string(&path).expect("the file exists").contains("gain: 0.25"));
    assert!(app.session.run.simulation.world().steps >= 20, "the run goes on");
    assert_eq!(app.session.place.scene.as_ref(), Some(&path));
}
