//! The card of the first start.

use std::path::Path;

use egui::Key;
use steerbox_project::reload::Place;
use steerbox_project::session::Options;

use super::{file, options};
use crate::App;
use crate::model::welcome::lines;
use crate::shell::config::ConfigFile;

/// A window over the default scene in a folder, with the configuration stored there.
fn open(folder: &Path) -> App {
    let place = Place::of_scene(&folder.join("scenes/flock.ron"));
    let config = ConfigFile::at(folder.join("config/window.ron"));
    App::with_config(Options { place, ..options() }, config).unwrap()
}

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["scenes", "scripts"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    std::fs::copy(file("scenes/flock.ron"), folder.path().join("scenes/flock.ron")).unwrap();
    let scripts = steerbox_project::reload::read_dir_sorted(&file("scripts")).unwrap();
    for path in scripts.into_iter().filter(|path| path.is_file()) {
        std::fs::copy(&path, folder.path().join("scripts").join(path.file_name().unwrap())).unwrap();
    }
    folder
}

#[test]
fn the_card_of_the_first_start_is_closed_by_the_first_reload_and_never_returns() {
    let folder = project();
    let mut app = open(folder.path());
    app.idle(1);
    assert!(app.view.prefs.welcome && lines(&app.session).is_some());
    // Closed before the card is, the next window shows it again.
    app.finish();
    let mut app = open(folder.path());
    app.idle(1);
    assert!(app.view.prefs.welcome);
    let script = folder.path().join("scripts/cohesion.rhai");
    let text = std::fs::read_to_string(&script).unwrap();
    let line = text.lines().nth(20).unwrap();
    assert!(line.contains("let way = (middle - me.position)"), "the card names line 21: {line}");
    std::fs::write(&script, text.replace("let way = (", "let way = -(")).unwrap();
    app.until(|app| !app.view.prefs.welcome);
    assert!(app.logs("cohesion.rhai loaded"));
    app.finish();
    assert!(!open(folder.path()).view.prefs.welcome);
}

#[test]
fn a_key_closes_the_card_permanently_and_only_the_default_scene_has_it() {
    let folder = project();
    let mut app = open(folder.path());
    app.press(Key::Escape);
    assert!(!app.view.prefs.welcome);
    app.finish();
    assert!(!open(folder.path()).view.prefs.welcome);
    let path = folder.path().join("other/window.ron");
    let app = App::with_config(options(), ConfigFile::at(path)).unwrap();
    assert!(app.view.prefs.welcome);
    assert!(lines(&app.session).is_some(), "the scene of the binary");
    let other = Options { place: Place::built_in("walls.ron"), ..options() };
    let path = folder.path().join("third/window.ron");
    assert_eq!(lines(&App::with_config(other, ConfigFile::at(path)).unwrap().session), None);
    // A configuration from before the card existed belongs to an experienced user.
    let path = folder.path().join("old.ron");
    std::fs::write(&path, "(theme: Dark)").unwrap();
    assert!(!App::with_config(options(), ConfigFile::at(path)).unwrap().view.prefs.welcome);
}
