//! Effects of clicks.

use std::time::Duration;

use egui::{Key, Modifiers, PointerButton};
use glam::Vec2;
use steerbox_core::world::ParamValue;
use steerbox_project::reload::KnobName;
use steerbox_script::probe::SiteKind;

use super::{SIZE, app, change, input, labels, pixel, pull, stage_of};
use crate::App;
use crate::commands::action::{SessionAction, ViewAction};
use crate::model::frame_input::{ButtonChange, FrameInput};
use crate::model::plots::Quantity;
use crate::model::switch::Switch;

/// A press and a release within one frame.
fn click(position: Vec2, button: PointerButton, modifiers: Modifiers) -> FrameInput {
    let mut input = input();
    input.pointer.position = Some(position);
    let changes =
        [true, false].map(|pressed| ButtonChange { modifiers, ..change(position, button, pressed) });
    input.pointer.changes = changes.to_vec();
    input
}

fn target(app: &App) -> Option<glam::Vec3> {
    app.world().target
}

#[test]
fn a_click_selects_alone_and_shift_or_the_right_button_sets_the_target() {
    let mut app = stage_of("targets.ron");
    app.press(Key::Space);
    let before = target(&app);
    let world = app.world();
    let unit = pixel(&app, world.units.position[0]);
    let primary = |place, modifiers| click(place, PointerButton::Primary, modifiers);
    app.step(&primary(unit, Modifiers::NONE));
    assert!(app.view.selection.inspected().is_some());
    assert_eq!(target(&app), before);
    app.step(&click(unit, PointerButton::Secondary, Modifiers::NONE));
    let at_unit = target(&app).unwrap();
    assert!(pixel(&app, at_unit).distance(unit) < 1.0);
    assert!(app.view.selection.inspected().is_some());
    let place = Vec2::new(320.0, 420.0);
    app.step(&primary(place, Modifiers::SHIFT));
    assert!(pixel(&app, target(&app).unwrap()).distance(place) < 1.0);
    // A click on the panel does not change the target.
    let panel = Vec2::new(SIZE.0 as f32 - 20.0, 300.0);
    app.step(&primary(panel, Modifiers::SHIFT));
    assert!(pixel(&app, target(&app).unwrap()).distance(place) < 1.0);
    // Its crosshair can be dragged.
    pull(&mut app, place, Vec2::new(200.0, 300.0));
    let there = pixel(&app, target(&app).unwrap());
    assert!(there.distance(Vec2::new(200.0, 300.0)) < 1.0, "{there}");
    app.press(Key::Escape);
    assert_eq!(app.view.selection.inspected(), None);
    assert!(target(&app).is_some());
}

#[test]
fn no_target_is_set_or_shown_if_no_behavior_reads_it() {
    let mut app = app();
    app.idle(1);
    let place = Vec2::new(200.0, 200.0);
    app.step(&click(place, PointerButton::Secondary, Modifiers::NONE));
    assert_eq!(target(&app), None);
    let logged = |line: &crate::model::log::Line| line.text.contains("`world.target`");
    assert!(app.session.log.lines().any(logged));
    let mut app = stage_of("targets.ron");
    assert_eq!(app.session.shown_target(), target(&app));
    assert!(target(&app).is_some());
    for planned in app.session.run.generation.behaviors.iter_mut().flatten() {
        planned.enabled = false;
    }
    assert_eq!(app.session.shown_target(), None);
}

#[test]
fn escape_closes_the_help_before_it_deselects() {
    let mut app = app();
    app.view.selection.replace([0]);
    app.press(Key::H);
    app.press(Key::Escape);
    assert_eq!((app.view.dialog, app.view.selection.inspected()), (None, Some(0)));
    app.press(Key::Escape);
    assert_eq!(app.view.selection.inspected(), None);
}

#[test]
fn selecting_a_unit_moves_nothing_in_the_panel() {
    let mut app = app();
    for _ in 0..3 {
        app.press(Key::Space);
    }
    let panel = |app: &App| -> Vec<(String, egui::Rect)> {
        let is_there = |(text, rect): &(String, egui::Rect)| {
            !text.is_empty() && rect.left() > app.view.layout.world.right()
        };
        labels(app).into_iter().filter(is_there).collect()
    };
    let before = panel(&app);
    app.view.selection.replace([0]);
    for _ in 0..3 {
        app.frame(&input(), Duration::ZERO);
    }
    assert!(before.len() > 20, "{before:?}");
    assert_eq!(before, panel(&app));
}

/// Two units far from each other, covered neither by the panel nor by parts over the world.
fn two_units(app: &App) -> [usize; 2] {
    let units = &app.world().units;
    let clear = |unit: &usize| {
        let pixel = pixel(app, units.position[*unit]);
        let others = (0..units.len()).filter(|other| other != unit);
        let mut others = others.map(|other| self::pixel(app, units.position[other]).distance(pixel));
        (390.0..640.0).contains(&pixel.x) && (160.0..480.0).contains(&pixel.y) && others.all(|far| far > 16.0)
    };
    let mut found = (0..units.len()).filter(clear);
    [found.next().unwrap(), found.next().unwrap()]
}

#[test]
fn shift_adds_to_the_selection_by_click_and_by_box_and_nothing_else_changes() {
    let mut app = app();
    app.press(Key::Space);
    let hash = app.hash();
    let [a, b] = two_units(&app);
    let at = |app: &App, unit: usize| pixel(app, app.world().units.position[unit]);
    let shift = |place| click(place, PointerButton::Primary, Modifiers::SHIFT);
    let (first, second) = (at(&app, a), at(&app, b));
    app.step(&click(first, PointerButton::Primary, Modifiers::NONE));
    app.step(&shift(second));
    assert_eq!(app.view.selection.units(), [a, b]);
    app.step(&shift(second));
    assert_eq!(app.view.selection.units(), [a]);
    app.press(Key::P);
    app.press(Key::Escape);
    assert_eq!((app.view.selection.inspected(), app.view.selection.pinned()), (None, &[a][..]));
    let before = at(&app, a);
    let mut frame = |position: Vec2, held: bool, pressed: Option<bool>| {
        let mut input = input();
        input.pointer.position = Some(position);
        input.pointer.held.primary = held;
        let change = |pressed| ButtonChange {
            modifiers: Modifiers::SHIFT,
            ..change(position, PointerButton::Primary, pressed)
        };
        input.pointer.changes = pressed.map(change).into_iter().collect();
        app.step(&input);
    };
    let corner = Vec2::new(30.0, 130.0);
    frame(corner, true, Some(true));
    frame(first, true, None);
    frame(first + 4.0, true, None);
    frame(first + 4.0, false, Some(false));
    assert!(app.view.pointing.selection_box().is_none());
    let selected = app.view.selection.units().to_vec();
    assert!(selected.contains(&a) && selected.len() < app.world().units.len());
    let is_inside =
        |unit: &usize| at(&app, *unit).cmpge(corner).all() && at(&app, *unit).cmple(first + 4.0).all();
    assert!(selected.iter().all(is_inside), "{selected:?}");
    assert_eq!(at(&app, a), before, "the view stays where it is");
    assert_eq!(app.hash(), hash);
}

#[test]
fn the_pointer_names_a_unit_and_the_view_follows_it() {
    let mut app = app();
    app.press(Key::Space);
    let [unit, _] = two_units(&app);
    let place = pixel(&app, app.world().units.position[unit]);
    let mut over = input();
    over.pointer.position = Some(place);
    app.step(&over);
    assert_eq!(
        (app.view.pointing.hovered, app.view.pointing.cursor),
        (Some(unit), egui::CursorIcon::PointingHand)
    );
    app.idle(1);
    assert_eq!(app.view.pointing.hovered, None, "the pointer has left the window");
    // The whole world is in view: the view does not move.
    let before = pixel(&app, glam::Vec3::ZERO);
    app.act(ViewAction::Find(unit));
    assert_eq!(pixel(&app, glam::Vec3::ZERO), before);
    let world = app.world();
    let (middle, units) = (world.arena.center(), world.units.position.iter().enumerate());
    let nearest = units.min_by(|(_, a), (_, b)| a.distance(middle).total_cmp(&b.distance(middle)));
    let unit = nearest.unwrap().0;
    app.view.camera.zoom_at(place, 4.0);
    app.act(ViewAction::Find(unit));
    app.press(Key::L);
    app.press(Key::Period);
    app.idle(1);
    let (min, max) = app.view.camera.view();
    let seen = pixel(&app, app.world().units.position[unit]);
    assert!(seen.distance(min.midpoint(max)) < 1.0, "{seen}");
    app.act(ViewAction::Find(99_999));
    assert!(app.logs("there is no unit 99999"));
    assert_eq!(app.view.selection.inspected(), Some(unit));
}

#[test]
fn a_script_is_opened_with_its_values_and_one_is_plotted() {
    let mut app = app();
    app.act(ViewAction::Select(vec![3]));
    app.act(ViewAction::OpenScript(1));
    app.idle(4);
    let explained = app.session.run.simulation.explained().unwrap();
    assert_eq!((explained.facts.unit, explained.facts.rules[1].name.as_str()), (3, "alignment"));
    let values = explained.lines[1].as_ref().unwrap().values();
    let (site, _) = values.iter().find(|(site, _)| site.kind == SiteKind::Condition).unwrap();
    let plotted = crate::model::history::Plotted { rule: 1, file: site.file, line: site.span.start.0 };
    app.act(ViewAction::PlotLine(plotted));
    app.idle(4);
    assert!(app.view.history.of_plotted().count() >= 2);
    assert!(app.view.history.of_rule(1, "alignment").count() > app.view.history.of_plotted().count());
    app.act(ViewAction::CloseScript);
    app.press(Key::Escape);
    app.idle(1);
    assert!(app.session.run.simulation.explained().is_none(), "the recording has ended");
}

#[test]
fn figures_opened_while_paused_are_of_the_previous_step() {
    let mut app = app();
    app.idle(3);
    app.press(Key::Space);
    let (steps, hash) = (app.world().steps, app.hash());
    let inspected = |app: &App| {
        let explained = app.session.run.simulation.explained()?;
        let values = explained.lines.iter().filter(|lines| lines.is_ok()).count();
        Some((explained.facts.unit, explained.facts.step, values))
    };
    app.act(ViewAction::Select(vec![3]));
    app.idle(1);
    assert_eq!(inspected(&app), Some((3, steps, 0)));
    app.act(ViewAction::OpenScript(1));
    app.idle(1);
    let rules = app.session.run.simulation.slots(0).len();
    assert_eq!(inspected(&app), Some((3, steps, rules)));
    // A value that is tuned in the meantime applies from the next step on.
    let planned = &app.session.run.generation.behaviors[0][1];
    let knob = planned.knobs.iter().find(|knob| matches!(knob.name, KnobName::Param(_))).unwrap();
    let tuned = SessionAction::Tune(planned.handle.clone(), knob.name.clone(), ParamValue::Number(1.0));
    let before = app.session.run.generation.number;
    app.act(tuned);
    app.until(|app| app.session.run.generation.number != before);
    app.act(ViewAction::Select(vec![5]));
    app.idle(1);
    assert_eq!(inspected(&app), Some((5, steps, rules)));
    assert_eq!(app.hash(), hash);
}

#[test]
fn clicks_at_one_place_select_each_unit_there_in_turn() {
    let mut app = app();
    app.press(Key::Space);
    // Two units so close that a click cannot distinguish them, and another one.
    let units = &app.world().units;
    let spots: Vec<_> = units.position.iter().map(|at| pixel(&app, *at)).collect();
    let clear = |spot: &Vec2| (30.0..640.0).contains(&spot.x) && (160.0..480.0).contains(&spot.y);
    let near = |spot: Vec2| (0..spots.len()).filter(|at| spots[*at].distance(spot) < 13.9).count();
    let place = *spots.iter().filter(|spot| clear(spot)).find(|spot| (2..6).contains(&near(**spot))).unwrap();
    let mut selected = Vec::new();
    for _ in 0..near(place) {
        app.step(&click(place, PointerButton::Primary, Modifiers::NONE));
        assert_eq!(app.view.selection.units().len(), 1);
        selected.extend(app.view.selection.inspected());
    }
    let first = selected[0];
    let nearest = |a: &&usize, b: &&usize| spots[**a].distance(place).total_cmp(&spots[**b].distance(place));
    assert_eq!(selected.iter().min_by(nearest), Some(&first));
    assert!(selected.iter().all(|unit| spots[*unit].distance(place) < 14.0), "{selected:?}");
    app.step(&click(place, PointerButton::Primary, Modifiers::NONE));
    assert_eq!(app.view.selection.inspected(), Some(first), "the cycle starts again");
    selected.sort_unstable();
    selected.dedup();
    assert_eq!(selected.len(), near(place));
}

#[test]
fn an_open_script_does_not_cover_the_center_and_escape_closes_it_first() {
    let mut app = app();
    app.press(Key::Space);
    let bottom = |app: &App| app.view.camera.view().1.y;
    let before = bottom(&app);
    app.inspect_script(3, Some(0));
    app.idle(2);
    assert!(bottom(&app) < before - 80.0, "{} {before}", bottom(&app));
    let center = pixel(&app, app.world().arena.center());
    let (min, max) = app.view.camera.view();
    assert!(center.distance(min.midpoint(max)) < 1.0, "{center}");
    app.press(Key::Escape);
    app.idle(1);
    assert_eq!((app.view.script, app.view.selection.inspected()), (None, Some(3)));
    assert_eq!(bottom(&app), before);
    app.press(Key::Escape);
    assert_eq!(app.view.selection.inspected(), None);
}

#[test]
fn plotted_and_measured_figures_are_recorded_only_while_visible() {
    let mut app = app();
    let recorded = |app: &App| {
        let simulation = &app.session.run.simulation;
        (simulation.watching, simulation.costing)
    };
    app.idle(1);
    assert_eq!(recorded(&app), (false, false));
    let toggles = [
        ViewAction::Toggle(Switch::Plots),
        ViewAction::TogglePlot(Quantity::Watched),
        ViewAction::Toggle(Switch::Costs),
    ];
    for action in toggles.clone() {
        app.act(action);
    }
    app.press(Key::R);
    app.idle(1);
    assert_eq!(recorded(&app), (true, true), "after a restart, too");
    app.idle(3);
    assert!(!app.session.run.simulation.costs().is_empty());
    for action in toggles {
        app.act(action);
    }
    app.idle(1);
    assert_eq!(recorded(&app), (false, false));
}

#[test]
fn a_drag_over_a_plot_marks_a_span_in_all_plots_and_a_double_click_clears_it() {
    let mut app = app();
    app.act(ViewAction::Toggle(Switch::Plots));
    for _ in 0..20 {
        app.frame(&input(), Duration::from_millis(100));
    }
    app.press(Key::Space);
    // The plots are at the top right of the world, left of the panel.
    let place = Vec2::new(app.view.camera.view().1.x - 200.0, 264.0);
    let frame = |app: &mut App, position: Vec2, pressed: Option<bool>| {
        let mut input = input();
        input.pointer.position = Some(position);
        let pos = egui::pos2(position.x, position.y);
        input.egui.events.push(egui::Event::PointerMoved(pos));
        input.egui.events.extend(pressed.map(|pressed| egui::Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }));
        app.step(&input);
    };
    frame(&mut app, place, None);
    frame(&mut app, place, Some(true));
    for x in [10.0, 30.0, 60.0] {
        frame(&mut app, place + Vec2::X * x, None);
    }
    frame(&mut app, place + Vec2::X * 60.0, Some(false));
    let [from, to] = app.view.plots.span.unwrap();
    assert!(to > from && from >= 0.0, "{from} {to}");
    assert_eq!(app.view.pointing.selection_box(), None);
    for pressed in [true, false, true, false] {
        frame(&mut app, place, Some(pressed));
    }
    app.idle(1);
    assert_eq!(app.view.plots.span, None);
}

#[test]
fn a_drag_that_returns_is_no_click_and_no_other_button_ends_it() {
    let mut app = app();
    app.press(Key::Space);
    app.act(ViewAction::Select(vec![0]));
    let place = |app: &App| pixel(app, app.world().obstacles[0].position());
    let (start, button) = (place(&app), PointerButton::Primary);
    let frame = |app: &mut App, position: Vec2, secondary: bool, changes: &[(PointerButton, bool)]| {
        let mut input = input();
        input.pointer.position = Some(position);
        (input.pointer.held.primary, input.pointer.held.secondary) =
            (!changes.contains(&(button, false)), secondary);
        let changes = changes.iter().map(|(button, pressed)| change(position, *button, *pressed));
        input.pointer.changes = changes.collect();
        app.step(&input);
    };
    let away = start + Vec2::splat(60.0);
    frame(&mut app, start, false, &[(button, true)]);
    frame(&mut app, away, false, &[]);
    assert!(place(&app).distance(away) < 2.0, "the obstacle follows the pointer");
    frame(&mut app, away, true, &[(PointerButton::Secondary, true)]);
    frame(&mut app, away, false, &[(PointerButton::Secondary, false)]);
    assert_eq!(target(&app), None);
    frame(&mut app, start, false, &[]);
    frame(&mut app, start, false, &[(button, false)]);
    assert!(place(&app).distance(start) < 2.0);
    assert_eq!(app.view.selection.units(), [0], "a click into the open would have deselected it");
}
