//! Unsaved texts of windows that ended.

use super::editor::{FILES, RULE, RULE_FILE, SCENE_FILE, shown, window_of};

use super::stage::folder_of;
use crate::App;
use crate::commands::action::EditorAction;
use steerbox_project::reload::Place;

#[test]
fn unsaved_texts_are_offered_to_the_next_window() {
    let folder = folder_of(&FILES);
    let place = || Place::of_scene(&folder.path().join(SCENE_FILE));
    let mut app = window_of(place());
    app.type_text(" // mine");
    app.idle(1);
    // As after a crash: the window is not finished, only the thread that writes.
    let stored = || {
        steerbox_project::reload::read_dir_sorted(&folder.path().join("config/unsaved")).unwrap_or_default()
    };
    app.until(|_| !stored().is_empty());
    let text = app.view.editor.unsaved();
    drop(app);
    let mut app = window_of(place());
    assert_eq!(app.view.editor.offered, text);
    assert!(!shown(&app).is_unsaved());
    app.idle(1);
    app.act(EditorAction::Restore(0));
    app.idle(1);
    assert!(shown(&app).text().contains("// mine") && app.view.editor.offered.is_empty());
    app.act(EditorAction::Revert);
    app.finish();
    let app = window_of(place());
    assert!(app.view.editor.offered.is_empty());
    assert_eq!(std::fs::read_to_string(folder.path().join(RULE_FILE)).expect("the file exists"), RULE);
}

#[test]
fn texts_of_two_windows_that_crash_are_both_offered_and_that_of_a_running_one_is_not() {
    let folder = folder_of(&FILES);
    let place = || Place::of_scene(&folder.path().join(SCENE_FILE));
    let windows = ["one", "two", "three"].map(|word| {
        let mut app = window_of(place());
        assert!(app.view.editor.offered.is_empty(), "the others run");
        app.type_text(&format!(" // {word}"));
        app
    });
    let stored = || {
        let files = steerbox_project::reload::read_dir_sorted(&folder.path().join("config/unsaved"))
            .unwrap_or_default();
        files.iter().filter(|path| path.extension().is_some_and(|it| it == "ron")).count()
    };
    let [mut one, mut two, mut three] = windows;
    for (number, app) in [&mut one, &mut two, &mut three].into_iter().enumerate() {
        app.until(|_| stored() == number + 1);
    }
    drop((one, two));
    let mut app = window_of(place());
    let offered = |app: &App| -> Vec<String> {
        let lines = app.view.editor.offered.iter().map(|offered| offered.first_change().1.trim().to_owned());
        lines.collect()
    };
    let line = |word: &str| format!("let way = K; // {word}");
    assert_eq!(offered(&app), [line("one"), line("two")]);
    app.until(|_| stored() == 2);
    app.act(EditorAction::Restore(1));
    assert!(shown(&app).text().contains("// two"));
    app.act(EditorAction::Discard(0));
    app.act(EditorAction::Revert);
    app.until(|_| stored() == 1);
    drop(three);
    let app = window_of(place());
    assert_eq!(offered(&app), [line("three")]);
}
