//! The list of all commands, and the receiver of the keys.

use egui::{Key, Modifiers};

use super::app;
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::commands::palette::found;
use crate::model::dialog::Dialog;
use crate::model::switch::Switch;

fn open_list(app: &mut App) {
    app.chord(Modifiers::COMMAND, Key::K);
    app.idle(1);
    assert!(app.view.dialog == Some(Dialog::Commands));
}

#[test]
fn a_command_is_found_by_typing_and_chosen_by_enter() {
    let mut app = app();
    app.idle(1);
    open_list(&mut app);
    app.type_text("restrt");
    assert!(!app.session.paused, "the letters are typed");
    let steps = app.idle(1);
    app.press(Key::Enter);
    assert!(app.view.dialog.is_none());
    assert!(app.world().steps < steps, "the scene restarted");
    // Down selects the second row, Escape only closes the list.
    app.view.selection.replace([0]);
    open_list(&mut app);
    let second = found("", &app.session, &app.view).swap_remove(1).action;
    assert_eq!(second, Ok(SessionAction::Step.into()));
    app.press(Key::ArrowDown);
    app.press(Key::Enter);
    assert!(app.session.paused && app.view.dialog.is_none());
    open_list(&mut app);
    app.press(Key::Escape);
    assert_eq!((app.view.dialog, app.view.selection.inspected()), (None, Some(0)));
    open_list(&mut app);
    app.chord(Modifiers::COMMAND, Key::K);
    assert!(app.view.dialog.is_none(), "the same key closes it");
}

#[test]
fn a_command_is_found_by_a_synonym_after_those_with_the_name() {
    let app = app();
    let names = |typed: &str| -> Vec<String> {
        let found = crate::commands::palette::found(typed, &app.session, &app.view).into_iter();
        found.map(|listed| listed.name.into_owned()).collect()
    };
    assert_eq!(names("theme")[0], "Switch between dark and light");
    assert_eq!(names("dark mode")[0], "Switch between dark and light");
    let colors = names("colors");
    assert!(colors.contains(&"Switch between dark and light".to_owned()), "{colors:?}");
    assert_eq!(names("restart")[0], "Restart");
}

#[test]
fn a_command_with_a_text_field_receives_the_text() {
    let mut app = app();
    app.idle(1);
    open_list(&mut app);
    app.type_text("find a unit");
    app.press(Key::Enter);
    app.idle(1);
    app.type_text("7");
    app.press(Key::Enter);
    assert_eq!(app.view.selection.inspected(), Some(7));
}

#[test]
fn a_command_without_effect_states_the_reason() {
    let mut app = app();
    app.idle(1);
    let follow = |app: &App| found("follow the selected", &app.session, &app.view).swap_remove(0).action;
    assert_eq!(follow(&app), Err("no unit is selected"));
    app.view.selection.replace([0]);
    assert_eq!(follow(&app), Ok(ViewAction::Toggle(Switch::Following).into()));
    // Commands that the scene and its groups add.
    let names: Vec<_> = found("", &app.session, &app.view).into_iter().map(|listed| listed.name).collect();
    for name in ["Switch off cohesion of starlings", "Open script cohesion", "Plot milling"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:#?}");
    }
}

#[test]
fn space_pauses_although_a_button_has_the_focus_and_enter_presses_it() {
    let mut app = app();
    app.idle(1);
    // The first control is the button that opens the scenes.
    app.press(Key::Tab);
    app.idle(1);
    assert!(app.context.memory(egui::Memory::focused).is_some());
    app.press(Key::Space);
    assert!(app.session.paused && app.view.dialog.is_none());
    app.press(Key::Enter);
    app.idle(1);
    assert!(app.view.dialog == Some(Dialog::Scenes));
    app.act(ViewAction::ToggleDialog(Dialog::Scenes));
    app.idle(1);
    // The first Escape clears the focus.
    app.press(Key::Tab);
    app.view.selection.replace([0]);
    app.press(Key::Escape);
    assert_eq!(app.view.selection.inspected(), Some(0));
    app.press(Key::Escape);
    assert_eq!(app.view.selection.inspected(), None);
    // A text field receives Space.
    app.chord(Modifiers::COMMAND, Key::F);
    app.idle(1);
    app.press(Key::Space);
    assert!(app.session.paused, "the scene was paused before");
}
