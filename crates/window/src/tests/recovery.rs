//! Unsaved texts of windows that ended.

use super::commands::text;
use super::compare_and_presets::until;
use super::editor::{RULE, shown, stage};
use super::{input, step};
use crate::App;
use crate::commands::action::EditorAction;

#[test]
fn unsaved_texts_are_offered_to_the_next_window() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let (mut app, _) = stage(folder.path());
    step(&mut app, &text(" // mine"));
    step(&mut app, &input());
    // As after a crash: the window is not finished, only the thread that writes.
    let stored = || {
        steerbox_project::reload::read_dir_sorted(&folder.path().join("config/unsaved")).unwrap_or_default()
    };
    until(&mut app, "it is stored", |_| !stored().is_empty());
    let text = app.view.editor.unsaved();
    drop(app);
    let (mut app, path) = stage(folder.path());
    assert_eq!(app.view.editor.offered, text);
    assert!(!shown(&app).is_unsaved());
    step(&mut app, &input());
    app.view.act(&mut app.session, EditorAction::Restore(0));
    step(&mut app, &input());
    assert!(shown(&app).text().contains("// mine") && app.view.editor.offered.is_empty());
    app.view.act(&mut app.session, EditorAction::Revert);
    app.finish();
    let (app, _) = stage(folder.path());
    assert!(app.view.editor.offered.is_empty());
    assert_eq!(std::fs::read_to_string(path).expect("the file exists"), RULE);
}

#[test]
fn texts_of_two_windows_that_crash_are_both_offered_and_that_of_a_running_one_is_not() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let windows = ["one", "two", "three"].map(|word| {
        let (mut app, _) = stage(folder.path());
        assert!(app.view.editor.offered.is_empty(), "the others run");
        step(&mut app, &text(&format!(" // {word}")));
        app
    });
    let stored = || {
        let files = steerbox_project::reload::read_dir_sorted(&folder.path().join("config/unsaved"))
            .unwrap_or_default();
        files.iter().filter(|path| path.extension().is_some_and(|it| it == "ron")).count()
    };
    let [mut one, mut two, mut three] = windows;
    for (number, app) in [&mut one, &mut two, &mut three].into_iter().enumerate() {
        until(app, "it is stored", |_| stored() == number + 1);
    }
    drop((one, two));
    let (mut app, _) = stage(folder.path());
    let offered = |app: &App| -> Vec<String> {
        let lines = app.view.editor.offered.iter().map(|offered| offered.first_change().1.trim().to_owned());
        lines.collect()
    };
    let line = |word: &str| format!("let way = K; // {word}");
    assert_eq!(offered(&app), [line("one"), line("two")]);
    until(&mut app, "the files are taken over", |_| stored() == 2);
    app.view.act(&mut app.session, EditorAction::Restore(1));
    assert!(shown(&app).text().contains("// two"));
    app.view.act(&mut app.session, EditorAction::Discard(0));
    app.view.act(&mut app.session, EditorAction::Revert);
    until(&mut app, "the file is removed", |_| stored() == 1);
    drop(three);
    let (app, _) = stage(folder.path());
    assert_eq!(offered(&app), [line("three")]);
}
