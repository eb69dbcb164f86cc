//! Dialogs and text fields receive every key: no shortcut of the window or the scene reacts.

use egui::{Event, Key, Modifiers};
use minifb::Key as Raw;

use super::compare_and_presets::{on_disk, tune};
use super::{SIZE, app, input, stage_of, typed};
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::model::dialog::Dialog;
use crate::model::frame_input::FrameInput;
use crate::model::keyboard::Keyboard;
use crate::shell::input::{Collector, Sample};

const DIALOGS: [Dialog; 5] =
    [Dialog::Commands, Dialog::Scenes, Dialog::PauseWhen, Dialog::Snapshots, Dialog::Help];

/// Everything that a shortcut changes.
fn state(app: &App) -> String {
    let (session, view) = (&app.session, &app.view);
    let world = session.run.simulation.world();
    let switches = [
        view.window.trails,
        view.window.vectors,
        view.prefs.preview,
        view.plots.open,
        view.prefs.log_open,
        view.window.presenting,
    ];
    let of_view =
        (switches, view.window.grid, view.prefs.theme, view.window.scale, &view.color_by, view.camera.eye());
    let of_session =
        (session.paused, session.backwards, session.speed, session.requested_steps, session.tuned());
    let of_world = (world.units.len(), world.obstacles.len(), world.target, session.run.variant().is_some());
    let groups: Vec<_> = world.groups.iter().map(|group| group.view).collect();
    let units = view.selection.units();
    format!("{of_view:?} {of_session:?} {of_world:?} {groups:?} {units:?} {}", view.drawing.is_some())
}

/// A press of a key with the text that it types.
fn press(app: &mut App, key: Key, modifiers: Modifiers) {
    press_together(app, &[key], modifiers);
}

/// A press of keys in one frame, with the texts that they type.
fn press_together(app: &mut App, keys: &[Key], modifiers: Modifiers) {
    let mut input = input();
    for key in keys {
        let of_key = typed(*key, modifiers);
        input.keys.extend(of_key.keys);
        input.egui.events.extend(of_key.egui.events);
        if key.name().len() == 1 && !modifiers.ctrl {
            input.egui.events.push(Event::Text(key.name().to_lowercase()));
        }
    }
    // A small picture is drawn faster.
    input.size = (400, 300);
    app.step(&input);
}

/// Presses every key that does not leave the dialog or the field.
fn press_all(app: &mut App, owns: impl Fn(&App) -> bool) {
    /// Number of frames for all keys. Keys that undo each other, such as arrows, are adjacent in the list of keys, hence
    /// in different frames.
    const FRAMES: usize = 25;
    let leaves = |key: &Key| matches!(key, Key::Escape | Key::Enter | Key::Tab);
    for modifiers in [Modifiers::NONE, Modifiers::SHIFT, Modifiers::COMMAND] {
        for first in 0..FRAMES {
            let is_own = |key: &Key| {
                let own = [(Dialog::Commands, Key::K), (Dialog::Scenes, Key::O)];
                own.iter().any(|(dialog, own)| app.view.dialog == Some(*dialog) && own == key)
            };
            let helps = |key: &Key| app.view.dialog == Some(Dialog::Help) && matches!(key, Key::H | Key::F1);
            let keys = Key::ALL.iter().skip(first).step_by(FRAMES).copied();
            let is_pressed = |key: &Key| !(leaves(key) || helps(key) || is_own(key) && modifiers.command);
            let keys: Vec<_> = keys.filter(is_pressed).collect();
            press_together(app, &keys, modifiers);
            assert!(owns(app), "{keys:?} with {modifiers:?}");
        }
    }
}

#[test]
fn no_shortcut_acts_behind_a_dialog() {
    for dialog in DIALOGS {
        let mut app = stage_of("aidemo4.ron");
        app.session.paused = true;
        app.act(ViewAction::Select(vec![1]));
        app.idle(1);
        app.act(ViewAction::ToggleDialog(dialog));
        let before = state(&app);
        press_all(&mut app, |app| app.view.dialog == Some(dialog) && state(app) == before);
        // Escape closes the dialog alone.
        press(&mut app, Key::Escape, Modifiers::NONE);
        assert_eq!((app.view.dialog, state(&app)), (None, before), "{dialog:?}");
        press(&mut app, Key::T, Modifiers::NONE);
        assert!(!app.view.window.trails, "the window receives the keys again");
    }
}

#[test]
fn no_shortcut_acts_while_a_text_field_has_the_focus() {
    let mut app = stage_of("aidemo4.ron");
    app.session.paused = true;
    app.idle(1);
    app.act(ViewAction::PromptUnit);
    app.type_text("1");
    app.idle(1);
    let before = state(&app);
    press_all(&mut app, |app| app.view.dialog.is_none() && state(app) == before);
    assert_eq!(app.view.receiver(&app.context), Keyboard::Field);
}

#[test]
fn held_keys_do_not_steer_behind_a_dialog() {
    let held = FrameInput { held: vec![Key::ArrowRight, Key::W], ..input() };
    let controls = |keyboard| crate::commands::keyboard::controls(&held, keyboard, true);
    assert_ne!(controls(Keyboard::Window), controls(Keyboard::Field));
    assert_eq!(controls(Keyboard::Dialog(Dialog::Scenes)), controls(Keyboard::Field));
}

/// Frames of keys that all arrive within one, as a busy window receives them.
fn burst(keys: &[(Raw, Option<char>)], with_control: Raw) -> Vec<FrameInput> {
    let mut collector = Collector::new(1.0);
    collector.sample(Sample { size: SIZE, focused: true, ..Sample::default() });
    for (key, pressed) in
        [(Raw::LeftCtrl, true), (with_control, true), (with_control, false), (Raw::LeftCtrl, false)]
    {
        collector.key(key, pressed);
    }
    for (key, character) in keys {
        collector.key(*key, true);
        if let Some(character) = character {
            collector.character(*character);
        }
        collector.key(*key, false);
    }
    (0..=keys.len() + 1).map(|_| collector.take(0.0)).collect()
}

#[test]
fn text_that_arrives_with_the_opening_key_is_typed_into_the_dialog() {
    let mut app = stage_of("flock.ron");
    app.idle(1);
    let keys = [(Raw::W, 'w'), (Raw::A, 'a'), (Raw::L, 'l'), (Raw::L, 'l'), (Raw::S, 's')];
    let mut keys = keys.map(|(key, character)| (key, Some(character))).to_vec();
    keys.push((Raw::Enter, None));
    let before = state(&app);
    for input in burst(&keys, Raw::O) {
        app.step(&input);
    }
    app.idle(1);
    assert_eq!(app.session.scene_name(), "walls");
    assert!(app.view.dialog.is_none());
    assert_eq!(
        before.split_once(')').map(|(switches, _)| switches),
        state(&app).split_once(')').map(|(s, _)| s)
    );
    // A number after the shortcut of the field for units.
    let mut app = self::app();
    app.idle(1);
    for input in burst(&[(Raw::Key0, Some('0')), (Raw::Key7, Some('7')), (Raw::Enter, None)], Raw::F) {
        app.step(&input);
    }
    assert_eq!(app.view.selection.inspected(), Some(7));
    assert_eq!(app.session.speed, 1.0);
}

#[test]
fn arrows_choose_a_scene_and_enter_opens_it() {
    let mut app = stage_of("flock.ron");
    app.idle(1);
    press(&mut app, Key::O, Modifiers::COMMAND);
    let names: Vec<_> = app.view.browser.entries.iter().map(|entry| entry.scene.name.clone()).collect();
    for key in [Key::ArrowRight, Key::ArrowDown, Key::ArrowLeft, Key::ArrowLeft] {
        press(&mut app, key, Modifiers::NONE);
    }
    // The window shows three cards per row.
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.idle(1);
    assert_eq!(app.session.scene_name(), names[2]);
}

#[test]
fn the_name_of_a_snapshot_has_the_focus_and_errors_state_a_reason() {
    let mut app = on_disk();
    app.idle(1);
    let open = |app: &mut App| app.act(ViewAction::ToggleDialog(Dialog::Snapshots));
    // The reason adds a line to the dialog.
    let height = |app: &mut App| {
        app.idle(1);
        let place = app.context.memory(|memory| memory.area_rect(egui::Id::unique(Some("Snapshots"))));
        place.map_or(0.0, |place| place.height())
    };
    open(&mut app);
    app.type_text("tight");
    let before = height(&mut app);
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert!(height(&mut app) > before + 10.0, "no value is tuned");
    assert!(app.session.snapshot_names.is_empty());
    press(&mut app, Key::Escape, Modifiers::NONE);
    tune(&mut app, 0, 2.0);
    // The field is empty in each opening.
    open(&mut app);
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert!(app.session.snapshot_names.is_empty());
    app.type_text("wide");
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert_eq!(app.session.snapshot_names, ["wide"]);
}

#[test]
fn a_condition_with_a_syntax_error_stays_in_its_field_with_the_reason() {
    let mut app = stage_of("flock.ron");
    app.idle(1);
    app.act(SessionAction::PauseWhen("step > 99999".to_owned()));
    app.act(ViewAction::ToggleDialog(Dialog::PauseWhen));
    app.idle(1);
    // The field contains the current condition; `&&` requires a second operand.
    app.type_text(" &&");
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.idle(1);
    assert_eq!(app.view.dialog, Some(Dialog::PauseWhen));
    let set = app.session.pause_when.as_ref().map(|set| set.condition.text());
    assert_eq!(set, Some("step > 99999"), "the previous condition stays");
    for _ in 0.." &&".len() {
        press(&mut app, Key::Backspace, Modifiers::NONE);
    }
    app.type_text("9");
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert_eq!(app.view.dialog, None);
    let set = app.session.pause_when.as_ref().map(|set| set.condition.text());
    assert_eq!(set, Some("step > 999999"));
}

#[test]
fn the_shortcut_of_saving_saves_the_snapshot_while_its_dialog_is_open() {
    let mut app = on_disk();
    tune(&mut app, 0, 3.0);
    app.until(|app| app.session.run.newest().tuned().next().is_some());
    app.act(ViewAction::ToggleDialog(Dialog::Snapshots));
    app.idle(1);
    app.chord(Modifiers::COMMAND, Key::S);
    assert!(app.session.snapshot_names.is_empty(), "a snapshot needs a name");
    app.type_text("tight");
    app.chord(Modifiers::COMMAND, Key::S);
    app.idle(1);
    assert_eq!(app.session.snapshot_names, ["tight"]);
    assert!(!app.session.saving, "the scene is not written");
}
