//! Files that do not work, over the world until they do.

use egui::{
    Align2, Area, Color32, CursorIcon, Frame, Id, Label, Margin, Order, Rect, RichText, Sense, Stroke, Ui,
    vec2,
};

use super::console::excerpt;
use crate::app::action::Action;
use crate::app::editor::FilePlace;
use crate::app::live_session::LiveSession;
use crate::app::theme;
use crate::diagnostics::Fault;
use crate::reload::{FileState, Status, fate_of};

/// Widest banner, points.
const WIDTH: f32 = 720.0;
/// Room between the banner and the border of the world, points.
const GAP: f32 = 12.0;
/// Files that are told of.
const FILES: usize = 2;
/// Faults of a file whose lines are shown.
const FAULTS: usize = 2;

pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, actions: &mut Vec<Action>) {
    let files = session.run.newest().files.iter();
    let faulty: Vec<_> = files.filter_map(|file| Some((file, faults(file)?))).collect();
    if faulty.is_empty() && !session.run.waits() {
        return;
    }
    let (place, pivot) = if session.run.waits() {
        (free.center(), Align2::CENTER_CENTER)
    } else {
        (free.center_bottom() - vec2(0.0, GAP), Align2::CENTER_BOTTOM)
    };
    let area = Area::new(Id::unique("banner"))
        .order(Order::Foreground)
        .fixed_pos(place)
        .pivot(pivot)
        .constrain_to(free);
    let width = (free.width() - 2.0 * GAP).clamp(60.0, WIDTH);
    let frame = Frame::new()
        .fill(theme::of(ui).alarm)
        .stroke(Stroke::new(1.0, theme::of(ui).bad))
        .corner_radius(8.0)
        .inner_margin(Margin::symmetric(14, 10));
    area.show(ui.ctx(), |ui| {
        ui.set_clip_rect(free);
        frame.show(ui, |ui| {
            ui.set_max_width(width - 28.0);
            for (file, faults) in faulty.iter().take(FILES) {
                one(ui, file, faults, session.run.waits(), actions);
            }
            let more = faulty.len().saturating_sub(FILES);
            if more > 0 {
                line(ui, format!("and {more} more files, under Files"), theme::of(ui).weak);
            }
            if session.run.waits() {
                let words = "It runs as soon as the file is saved without errors.";
                ui.label(RichText::new(words).size(15.0));
            }
        });
    });
}

/// What is wrong with a file of the scene.
fn faults(file: &FileState) -> Option<&[Fault]> {
    match &file.status {
        Status::Live => None,
        Status::Missing => file.used.then_some(&[]),
        Status::Rejected(faults) => Some(faults),
    }
}

fn one(ui: &mut Ui, file: &FileState, faults: &[Fault], large: bool, actions: &mut Vec<Action>) {
    let fate = fate_of(file).unwrap_or_default();
    let title = RichText::new(format!("{} {fate}", file.path)).strong();
    let title = if large { title.size(20.0) } else { title };
    ui.add(Label::new(title.color(theme::of(ui).bad)).wrap());
    for fault in faults.iter().take(FAULTS) {
        let words = RichText::new(fault.summary()).monospace().color(theme::of(ui).bad);
        let words = ui.add(Label::new(words).wrap().sense(Sense::click()));
        let words = words.on_hover_cursor(CursorIcon::PointingHand).on_hover_text("open it in your editor");
        if words.clicked() {
            let (file, line, column) = (fault.path.clone(), fault.line, fault.column);
            actions.push(Action::Edit(FilePlace { file, line, column }));
        }
        if !fault.source.is_empty() {
            excerpt(ui, "  ", &fault.source, &fault.underlined());
        }
        if let Some(help) = &fault.help {
            line(ui, format!("  {help}"), theme::of(ui).accent);
        }
    }
    let more = faults.len().saturating_sub(FAULTS);
    if more > 0 {
        line(ui, format!("and {more} more, in the log"), theme::of(ui).weak);
    }
}

fn line(ui: &mut Ui, text: String, color: Color32) {
    let text = RichText::new(text).monospace().color(color);
    ui.add(Label::new(text).wrap());
}
