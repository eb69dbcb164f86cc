//! Texts, plots and hints over the world, and the colors of buttons.

use std::time::Duration;

use egui::{Id, Rect, Shape};

use super::layout::{self, act, frames};
use super::stage::Stage;
use super::{app, input, labels, stage_of};
use crate::App;
use crate::commands::action::{EditorAction, ViewAction};
use crate::model::log::FilePlace;
use crate::model::panes::{Dock, Pane};
use crate::model::switch::Switch;

/// The rectangle of the first visible text that `is` accepts.
fn text(app: &App, is: impl Fn(&str) -> bool) -> Rect {
    let found = labels(app).into_iter().find(|(text, _)| is(text));
    found.unwrap_or_else(|| panic!("{:?}", labels(app))).1
}

#[test]
fn counts_of_zones_at_the_border_are_whole() {
    let scene = "(world: Plane(size: (400, 300)), bodies: {\"m\": Mover()},
        zones: {\"a long name at the right border\": Circle(center: (398, 150), radius: 9)},
        groups: [(name: \"a\", body: \"m\", count: 3)])";
    let mut app = Stage::of(&[("a.ron", scene)]);
    app.idle(3);
    let (label, world) = (text(&app, |text| text.starts_with("a long name")), app.view.layout.world);
    assert!(world.contains_rect(label), "{label} in {world}");
    assert!(text(&app, |text| text.ends_with(": 0")) == label, "the count");
}

#[test]
fn a_hint_has_no_marks_of_code() {
    let mut app = stage_of("wolf_sheep.ron");
    app.idle(2);
    text(&app, |text| text.starts_with("Plot count of both groups"));
}

#[test]
fn floating_plots_cover_the_world_alone_and_their_switches_are_buttons() {
    for size in layout::SIZES {
        let mut app = app();
        frames(&mut app, size, 2);
        let place = FilePlace { file: "cohesion.rhai".to_owned(), line: 1, column: 1 };
        act(&mut app, size, EditorAction::Open(place), "editor");
        act(&mut app, size, ViewAction::DockPane(Pane::Plots, Dock::World), "plots and editor");
        let plots = app.context.memory(|memory| memory.area_rect(Id::unique("plots"))).expect("the plots");
        let world = app.view.layout.world.expand(0.5);
        assert!(world.contains_rect(plots), "{size:?}: {plots} in {world}");
    }
    let mut app = app();
    app.idle(1);
    app.act(ViewAction::Toggle(Switch::Plots));
    (0..2).for_each(|_| _ = app.frame(&input(), Duration::from_millis(17)));
    let name = text(&app, |text| text == "touching");
    let output = app.context.run_ui(input().egui, |ui| {
        crate::panel::show(ui, &app.session, &app.view, &mut Vec::new());
    });
    let is_frame = |shape: &Shape| {
        matches!(shape, Shape::Rect(rect) if rect.fill.a() > 0 && rect.rect.contains_rect(name)
            && rect.rect.height() < 3.0 * name.height())
    };
    assert!(output.shapes.iter().any(|clipped| is_frame(&clipped.shape)), "touching has no frame");
}
