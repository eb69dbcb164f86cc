//! Values in a text that are dragged with Ctrl.

use std::time::Duration;

use egui::{CursorIcon, Event, Key, Modifiers, PointerButton};
use glam::Vec2;

use super::editor::{NAME, open, press, runs, shown, stage};
use super::input;
use crate::App;
use crate::commands::action::EditorAction;
use crate::model::frame_input::FrameInput;

/// A frame with Ctrl held and the pointer at a place.
fn with_ctrl([x, y]: [f32; 2], pressed: Option<bool>) -> FrameInput {
    let modifiers = Modifiers::COMMAND | Modifiers::CTRL;
    let mut input = input();
    input.egui.events.push(Event::ModifiersChanged(modifiers));
    let pos = egui::pos2(x, y);
    input.egui.events.push(Event::PointerMoved(pos));
    input.pointer.position = Some(Vec2::new(x, y));
    let button = PointerButton::Primary;
    input.egui.events.extend(pressed.map(|pressed| Event::PointerButton { pos, button, pressed, modifiers }));
    input
}

/// The first place in the text whose value can be dragged, by the cursor's icon over it.
fn draggable(app: &mut App, icon: CursorIcon) -> [f32; 2] {
    let screen = app.view.layout.world.bottom();
    // Less than the height of a line, and than the width of the shortest value.
    for y in (screen as usize..690).step_by(12) {
        for x in (0..660).step_by(12) {
            let place = [x as f32, y as f32];
            app.step(&with_ctrl(place, None));
            if app.frame(&with_ctrl(place, None), Duration::ZERO).cursor_icon == icon {
                return place;
            }
        }
    }
    panic!("no such value is in the text");
}

/// Drags a value over points: rightwards and downwards.
fn drag_value(app: &mut App, [x, y]: [f32; 2], [right, down]: [f32; 2]) {
    app.step(&with_ctrl([x, y], Some(true)));
    for share in [0.2, 0.4, 1.0] {
        app.step(&with_ctrl([x + right * share, y + down * share], None));
    }
    app.step(&with_ctrl([x + right, y + down], Some(false)));
}

#[test]
fn a_number_is_dragged_like_a_slider() {
    let mut app = stage();
    open(&mut app, NAME, 1);
    // The number `1.0` is the first one that the pointer finds in the first line.
    let place = draggable(&mut app, CursorIcon::ResizeHorizontal);
    drag_value(&mut app, place, [30.0, 0.0]);
    assert!(shown(&app).text().starts_with("const K = param(2.0, 0.0"), "{}", shown(&app).text());
    app.until(|app| runs(app, "param(2.0"));
}

#[test]
fn a_vector_is_dragged_in_two_directions_and_undone_in_one_step() {
    let mut app = stage();
    open(&mut app, "a.ron", 1);
    app.type_text(" ");
    app.idle(1);
    let before = shown(&app).text().to_owned();
    let place = draggable(&mut app, CursorIcon::Move);
    // A drag that rests for seconds is one step, too.
    app.step(&with_ctrl(place, Some(true)));
    for at in 0..5 {
        let mut input = with_ctrl([place[0] + 15.0, place[1]], None);
        input.egui.time = Some(100.0 + 3.0 * f64::from(at));
        app.step(&input);
    }
    let [x, y] = [place[0] + 30.0, place[1] - 6.0];
    app.step(&with_ctrl([x, y], None));
    app.step(&with_ctrl([x, y], Some(false)));
    assert_eq!(shown(&app).text(), before.replace("(100, 100)", "(110, 102)"));
    let is_wide = |app: &App| app.session.run.newest().scene.world.arena.size().x == 110.0;
    app.until(is_wide);
    app.idle(1);
    press(&mut app, Key::Z, Modifiers::COMMAND);
    assert_eq!(shown(&app).text(), before);
}

#[test]
fn a_color_is_dragged_and_picked() {
    let mut app = stage();
    open(&mut app, "a.ron", 1);
    let text = shown(&app).text().replacen('(', "(obstacle_color: \"red\", ", 1);
    app.act(EditorAction::replace("a.ron", text));
    app.idle(1);
    let place = draggable(&mut app, CursorIcon::Move);
    drag_value(&mut app, place, [120.0, 0.0]);
    assert!(shown(&app).text().starts_with("(obstacle_color: \"#00ff00\","), "{}", shown(&app).text());
    // A click opens the picker, which stays open without Ctrl.
    (0..3).for_each(|_| {
        app.step(&with_ctrl(place, None));
    });
    app.step(&with_ctrl(place, Some(true)));
    app.step(&with_ctrl(place, Some(false)));
    app.idle(2);
    let id = egui::Id::unique("dragged value").with("a.ron").with("picker");
    assert!(egui::Popup::is_id_open(&app.context, id));
    let rect = app.context.memory(|memory| memory.area_rect(id)).expect("the picker is shown");
    let mut click = |at: (f32, f32), pressed| {
        let mut input = input();
        let pos = rect.lerp_inside(egui::vec2(at.0, at.1));
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        input.egui.events.push(Event::PointerMoved(pos));
        input.egui.events.push(Event::PointerButton { pos, button, pressed, modifiers });
        app.step(&input);
    };
    // One of these is in the field of colors.
    for at in [(0.4, 0.3), (0.5, 0.5), (0.6, 0.7), (0.5, 0.85)] {
        click(at, true);
        click(at, false);
    }
    app.idle(1);
    let text = shown(&app).text();
    assert!(text.starts_with("(obstacle_color: \"#") && !text.contains("00ff00"), "{text}");
}
