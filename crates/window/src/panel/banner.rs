//! Errors of faulty files, shown over the world until the files work.

use egui::{Align2, Area, Button, Color32, CursorIcon, Id, Label, Order, Rect, RichText, Sense, Ui, vec2};
use steerbox_core::diagnostics::Fault;
use steerbox_core::diagnostics::counted;
use steerbox_picture::render::theme;
use steerbox_project::reload::{FileState, Status, fate_of};

use super::console::excerpt;
use super::hint;
use super::page::card;
use crate::commands::action::{Action, EditorAction, SessionAction, ViewAction};
use crate::model::live_session::LiveSession;
use crate::model::log::FilePlace;
use crate::model::view_state::ViewState;

/// Widest banner, points.
const WIDTH: f32 = 720.0;
/// Margin between the banner and the border of the world, points.
const GAP: f32 = 12.0;
/// Maximum number of files that are shown.
const FILES: usize = 2;
/// Maximum number of faults per file that are shown.
const FAULTS: usize = 2;

/// Shows the files that the scene needs, the last fault first, unless they are dismissed. While the scene runs, the file in the
/// editor shows its faults there.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let (mut shown, waits) = (session.shown_faulty(), session.run.waits());
    let open = view.editor.open_name().filter(|_| !waits && !view.window.presenting);
    shown.retain(|file| open != Some(&*file.path));
    if shown.is_empty() && !waits {
        return;
    }
    let (place, pivot) = if waits {
        (free.center(), Align2::CENTER_CENTER)
    } else {
        (free.center_bottom() - vec2(0.0, GAP), Align2::CENTER_BOTTOM)
    };
    let area =
        Area::new(Id::unique("banner")).order(Order::Middle).fixed_pos(place).pivot(pivot).constrain_to(free);
    let width = (free.width() - 2.0 * GAP).clamp(60.0, WIDTH);
    let frame = card(theme::of(ui).alarm, theme::of(ui).bad);
    let all = session.run.newest().files.iter();
    let all = all.filter(|file| file.status != Status::Live && open != Some(&*file.path)).count();
    let others = all - shown.len().min(FILES);
    area.show(ui.ctx(), |ui| {
        ui.set_clip_rect(free);
        let frame = frame.show(ui, |ui| {
            ui.set_max_width(width - 28.0);
            for file in shown.iter().take(FILES) {
                one(ui, file, waits, actions);
            }
            if others > 0 {
                let words = counted(others, ["other file has errors", "other files have errors"]);
                if ui.link(words).on_hover_text("Show all files in the panel").clicked() {
                    actions.push(ViewAction::ShowFiles.into());
                }
            }
            hint::cannot_edit(ui, session);
            if waits {
                let words = "The scene runs as soon as the file is saved without errors.";
                ui.label(RichText::new(words).size(15.0));
            }
        });
        if session.can_dismiss() {
            let corner =
                Rect::from_min_size(frame.response.rect.right_top() + vec2(-26.0, 4.0), vec2(22.0, 22.0));
            let close = ui.put(corner, Button::new("×").frame(false));
            if close.on_hover_text("Dismiss until the next error (Esc)").clicked() {
                actions.push(SessionAction::DismissErrors.into());
            }
        }
    });
}

fn one(ui: &mut Ui, file: &FileState, large: bool, actions: &mut Vec<Action>) {
    let faults: &[Fault] = if let Status::Rejected(faults) = &file.status { faults } else { &[] };
    let fate = fate_of(file).unwrap_or_default();
    let title = RichText::new(format!("{} {fate}", file.path)).strong();
    let title = if large { title.size(20.0) } else { title };
    ui.add(Label::new(title.color(theme::of(ui).bad)).wrap());
    for fault in faults.iter().take(FAULTS) {
        let words = RichText::new(fault.summary()).monospace().color(theme::of(ui).bad);
        let words = ui.add(Label::new(words).wrap().sense(Sense::click()));
        let words = words.on_hover_cursor(CursorIcon::PointingHand).on_hover_text("Edit the file here");
        if words.clicked() {
            let (file, line, column) = (fault.path.clone(), fault.line, fault.column);
            actions.push(EditorAction::Open(FilePlace { file, line, column }).into());
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
        line(ui, format!("{more} more in the log"), theme::of(ui).weak);
    }
}

fn line(ui: &mut Ui, text: String, color: Color32) {
    let text = RichText::new(text).monospace().color(color);
    ui.add(Label::new(text).wrap());
}
