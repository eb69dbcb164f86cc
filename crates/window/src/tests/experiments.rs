//! Experiments in the editor: the list of files, checks, help, saves.

use egui::{Key, Modifiers};

use super::editor::{FILES, open, press, shown, window_of};
use super::stage::Stage;
use crate::App;
use crate::commands::action::{AssistStep, EditorAction, ViewAction};
use crate::commands::palette;
use crate::model::switch::Switch;

const EXPERIMENT: &str =
    "(\n    scene: \"a\", steps: 9,\n    vary: [\"a.mine.K=1..5:3\"],\n    measure: [\"speed\"],\n)\n";
const NAME: &str = "experiments/noise.ron";

/// A scene with an experiment of the name of another file, which is open.
fn laboratory() -> Stage {
    let [scene, rule] = FILES;
    let mut app = Stage::with(&[scene, rule, (NAME, EXPERIMENT)], window_of);
    open(&mut app, NAME, 3);
    app
}

fn faults(app: &App) -> Vec<String> {
    let faults = shown(app).faults().unwrap_or_default().iter();
    faults.map(|fault| format!("{}:{} {}", fault.line, fault.column, fault.message)).collect()
}

#[test]
fn an_experiment_is_listed_checked_and_saved() {
    let mut app = laboratory();
    let names: Vec<_> =
        palette::found("edit", &app.session, &app.view).into_iter().map(|one| one.name).collect();
    assert!(names.contains(&format!("Edit {NAME}").into()), "{names:?}");
    app.until(|app| app.session.experiments.names == [NAME]);
    app.until(|app| shown(app).faults().is_some_and(<[_]>::is_empty));
    assert_eq!(app.session.text_state(shown(&app)).words(), "");
    app.type_text(" set: [\"a.mine.J=1\"],");
    app.until(|app| shown(app).faults().is_some());
    let found = faults(&app);
    assert!(
        matches!(&found[..], [one] if one.starts_with("3:38 behavior mine has no parameter")),
        "{found:?}"
    );
    assert_eq!(app.session.text_state(shown(&app)).words(), "• unsaved");
    // It does not run in the window, also in live mode.
    let generation = app.session.run.newest().number;
    app.act(ViewAction::Toggle(Switch::Live));
    press(&mut app, Key::Enter, Modifiers::COMMAND);
    assert!(app.session.drafts.is_empty() && app.session.run.newest().number == generation);
    press(&mut app, Key::S, Modifiers::COMMAND);
    app.until(|app| !shown(app).is_unsaved());
    let content = std::fs::read_to_string(app.path(NAME)).expect("the file exists");
    assert_eq!(content, shown(&app).text());
    assert!(content.contains("J=1"), "{content}");
    assert!(!app.path("scripts/experiments").exists());
}

#[test]
fn an_experiment_is_checked_again_with_a_new_script() {
    let mut app = laboratory();
    app.until(|app| shown(app).faults().is_some_and(<[_]>::is_empty));
    let script = super::editor::RULE.replace('K', "STRENGTH");
    std::fs::write(app.path("scripts/mine.rhai"), script).expect("the folder is writable");
    app.until(|app| faults(app).len() == 1);
    assert!(
        faults(&app)[0].starts_with("3:12 behavior mine has no parameter called \"K\""),
        "{:?}",
        faults(&app)
    );
}

#[test]
fn an_experiment_that_changes_meanwhile_is_not_replaced() {
    let mut app = laboratory();
    app.type_text(" // mine");
    let other = EXPERIMENT.replace('9', "7");
    std::fs::write(app.path(NAME), &other).expect("the folder is writable");
    press(&mut app, Key::S, Modifiers::COMMAND);
    app.until(|app| shown(app).conflict.is_some());
    assert!(shown(&app).is_unsaved() && shown(&app).text().contains("// mine"));
    assert_eq!(std::fs::read_to_string(app.path(NAME)).expect("the file exists"), other);
    app.act(EditorAction::Resolve(false));
    press(&mut app, Key::S, Modifiers::COMMAND);
    app.until(|app| !shown(app).is_unsaved());
    let saved = std::fs::read_to_string(app.path(NAME)).expect("the file exists");
    assert!(saved.contains("// mine") && saved.contains("steps: 9"), "{saved}");
}

#[test]
fn fields_variables_and_measures_of_an_experiment_are_completed_and_described() {
    let mut app = laboratory();
    let labels = |app: &mut App, place: &str| -> Vec<String> {
        let at = shown(app).text().find(place).expect("the place") + place.len();
        app.act(EditorAction::Assist(AssistStep::Complete(at)));
        let offer = app.view.editor.assist.offer.take();
        offer.map_or_else(Vec::new, |offer| offer.entries.into_iter().map(|entry| entry.label).collect())
    };
    assert!(labels(&mut app, "vary: [\"a.m").contains(&"a.mine.K".to_owned()));
    assert!(labels(&mut app, "measure: [\"").contains(&"a.polarization".to_owned()));
    assert!(labels(&mut app, "9,").contains(&"warmup".to_owned()));
    let path = app.view.editor.assist.path_of(NAME);
    let at = shown(&app).text().find("steps").expect("the field");
    let hover = app.view.editor.assist.workspace.hover(&path, at).expect("a description");
    assert!(hover.markdown.contains("steps"), "{}", hover.markdown);
}
