//! The list of all commands, and the receiver of the keys.

use egui::{Event, Key, Modifiers};

use super::{app, input, step};
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::commands::palette::found;
use crate::model::dialog::Dialog;
use crate::model::frame_input::{FrameInput, KeyChange};
use crate::model::switch::Switch;

/// A press of a key as the window reports it: to the panel and to the world.
pub(super) fn typed(key: Key, modifiers: Modifiers) -> FrameInput {
    let mut input = input();
    input.keys = vec![KeyChange { key, pressed: true, repeat: false, modifiers }];
    for pressed in [true, false] {
        input.egui.events.push(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
    }
    input
}

pub(super) fn text(text: &str) -> FrameInput {
    let mut input = input();
    input.egui.events.push(Event::Text(text.to_owned()));
    input
}

fn press(app: &mut App, key: Key) {
    step(app, &typed(key, Modifiers::NONE));
}

fn open_list(app: &mut App) {
    step(app, &typed(Key::K, Modifiers::COMMAND));
    step(app, &input());
    assert!(app.view.dialog == Some(Dialog::Commands));
}

#[test]
fn a_command_is_found_by_typing_and_chosen_by_enter() {
    let mut app = app();
    step(&mut app, &input());
    open_list(&mut app);
    step(&mut app, &text("restrt"));
    assert!(!app.session.paused, "the letters are typed");
    let steps = step(&mut app, &input());
    press(&mut app, Key::Enter);
    assert!(app.view.dialog.is_none());
    assert!(app.session.run.simulation.world().steps < steps, "the scene restarted");
    // Down selects the second row, Escape only closes the list.
    app.view.selection.replace([0]);
    open_list(&mut app);
    let second = found("", &app.session, &app.view).swap_remove(1).action;
    assert_eq!(second, Ok(SessionAction::Step.into()));
    press(&mut app, Key::ArrowDown);
    press(&mut app, Key::Enter);
    assert!(app.session.paused && app.view.dialog.is_none());
    open_list(&mut app);
    press(&mut app, Key::Escape);
    assert_eq!((app.view.dialog, app.view.selection.inspected()), (None, Some(0)));
    open_list(&mut app);
    step(&mut app, &typed(Key::K, Modifiers::COMMAND));
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
    step(&mut app, &input());
    open_list(&mut app);
    step(&mut app, &text("find a unit"));
    press(&mut app, Key::Enter);
    step(&mut app, &input());
    step(&mut app, &text("7"));
    press(&mut app, Key::Enter);
    assert_eq!(app.view.selection.inspected(), Some(7));
}

#[test]
fn a_command_without_effect_states_the_reason() {
    let mut app = app();
    step(&mut app, &input());
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
    step(&mut app, &input());
    // The first control is the button that opens the scenes.
    press(&mut app, Key::Tab);
    step(&mut app, &input());
    assert!(app.context.memory(egui::Memory::focused).is_some());
    press(&mut app, Key::Space);
    assert!(app.session.paused && app.view.dialog.is_none());
    press(&mut app, Key::Enter);
    step(&mut app, &input());
    assert!(app.view.dialog == Some(Dialog::Scenes));
    app.view.act(&mut app.session, ViewAction::ToggleDialog(Dialog::Scenes));
    step(&mut app, &input());
    // The first Escape clears the focus.
    press(&mut app, Key::Tab);
    app.view.selection.replace([0]);
    press(&mut app, Key::Escape);
    assert_eq!(app.view.selection.inspected(), Some(0));
    press(&mut app, Key::Escape);
    assert_eq!(app.view.selection.inspected(), None);
    // A text field receives Space.
    step(&mut app, &typed(Key::F, Modifiers::COMMAND));
    step(&mut app, &input());
    press(&mut app, Key::Space);
    assert!(app.session.paused, "the scene was paused before");
}
