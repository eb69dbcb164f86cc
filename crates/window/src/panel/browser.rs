//! The browser of scenes, over the world: a picture, a title and a description of each.

use egui::{
    Align2, Button, FontId, Key, Rect, Response, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, pos2,
    vec2,
};
use steerbox_core::diagnostics::counted;
use steerbox_picture::render::theme;

use super::dialog::{self, Typed, pressed};
use super::hint::weak;
use super::page::{page, widest};
use crate::commands::action::{Action, SessionAction, ViewAction};
use crate::model::browser::{Entry, PICTURE_SIZE};
use crate::model::dialog::Dialog;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// Gap between cards, and height of a card below its picture, points.
const GAP: f32 = 14.0;
const TEXT_HEIGHT: f32 = 38.0;
/// Maximum number of cards per row.
const COLUMNS: f32 = 4.0;

pub(super) fn show(ui: &Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let column = PICTURE_SIZE.x + GAP;
    let columns = (widest(ui) / column).floor().clamp(1.0, COLUMNS);
    let mut typed = Typed::load(ui, Dialog::Scenes, String::new);
    let window = page(ui, "Scenes", columns * column).vscroll(false);
    dialog::show(window, ui, Dialog::Scenes, actions, |ui, actions| {
        ui.set_width(columns * column);
        let moved = moved(ui, columns as isize);
        let (_, enter) = typed.field(ui, |field| field.hint_text("Search").desired_width(f32::INFINITY));
        ui.add_space(GAP / 2.0);
        confirm(ui, session, view, actions);
        let found = view.browser.found(&typed.text);
        typed.chosen = typed.chosen.saturating_add_signed(moved).min(found.len().saturating_sub(1));
        if found.is_empty() {
            weak(ui, "No scene matches");
        }
        // The height does not depend on the number of matches.
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            // The frame of a card exceeds its rectangle.
            ui.add_space(2.0);
            for (row, entries) in found.chunks(columns as usize).enumerate() {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = GAP;
                    for (at, entry) in entries.iter().enumerate() {
                        let is_chosen = row * columns as usize + at == typed.chosen;
                        let card = card(ui, entry, session, is_chosen);
                        if is_chosen && moved != 0 {
                            card.scroll_to_me(None);
                        }
                        if card.clicked() || (enter && is_chosen) {
                            actions.push(ViewAction::OpenScene(entry.scene.clone(), false).into());
                        }
                    }
                });
                ui.add_space(GAP / 2.0);
            }
        });
    });
    typed.store(ui);
}

/// The number of cards by which the pressed arrow keys move the selection.
fn moved(ui: &Ui, columns: isize) -> isize {
    let arrows =
        [(Key::ArrowLeft, -1), (Key::ArrowRight, 1), (Key::ArrowUp, -columns), (Key::ArrowDown, columns)];
    arrows.into_iter().filter(|(key, _)| pressed(ui, *key)).map(|(_, cards)| cards).sum()
}

/// Shows a confirmation before tuned values are discarded.
fn confirm(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let Some(entry) = view.browser.unconfirmed.and_then(|at| view.browser.entries.get(at)) else {
        return;
    };
    let count = session.tuned();
    if count == 0 {
        // The values may have been saved in the meantime.
        return actions.push(ViewAction::OpenScene(entry.scene.clone(), true).into());
    }
    ui.horizontal_wrapped(|ui| {
        let values = counted(count, ["change is", "changes are"]);
        ui.label(RichText::new(format!("{values} not saved to the scene.")).color(theme::of(ui).warning));
        let them = if count == 1 { "it" } else { "them" };
        if ui.add(Button::new(format!("Open {} without {them}", entry.scene.name))).clicked() {
            actions.push(ViewAction::OpenScene(entry.scene.clone(), true).into());
        }
        if ui.add(Button::new("Save to scene first")).clicked() {
            actions.push(SessionAction::Save.into());
        }
    });
    ui.add_space(GAP / 2.0);
}

fn card(ui: &mut Ui, entry: &Entry, session: &LiveSession, is_chosen: bool) -> Response {
    let (rect, card) = ui.allocate_exact_size(PICTURE_SIZE + vec2(0.0, TEXT_HEIGHT), Sense::click());
    if !ui.is_rect_visible(rect) {
        return card;
    }
    let place = Rect::from_min_size(rect.min, PICTURE_SIZE);
    let painter = ui.painter();
    let weak_color = theme::of(ui).weak;
    if let Some(picture) = &entry.picture {
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(picture.id(), place, whole, theme::UNTINTED);
    } else {
        painter.rect_filled(place, 2.0, ui.visuals().extreme_bg_color);
        let words = if entry.scene.title.is_some() { "…" } else { "has errors" };
        painter.text(place.center(), Align2::CENTER_CENTER, words, FontId::proportional(13.0), weak_color);
    }
    let runs = entry.scene.name == session.scene_name();
    let (line, width) = match () {
        () if is_chosen || card.hovered() || card.has_focus() => (theme::of(ui).accent, 2.0),
        () if runs => (theme::of(ui).good, 1.5),
        () => (ui.visuals().window_stroke.color, 1.0),
    };
    painter.rect_stroke(place, 2.0, Stroke::new(width, line), StrokeKind::Outside);
    let title = entry.scene.title.as_deref().unwrap_or(&entry.scene.name);
    let under = place.left_bottom() + vec2(1.0, 5.0);
    painter.text(under, Align2::LEFT_TOP, title, FontId::proportional(13.5), ui.visuals().text_color());
    let file = if entry.scene.file.is_some() { "" } else { ", built in" };
    let running = if runs { ", open" } else { "" };
    let name = format!("{}{file}{running}", entry.scene.name);
    painter.text(under + vec2(0.0, 17.0), Align2::LEFT_TOP, name, FontId::proportional(11.5), weak_color);
    let card = card.on_hover_cursor(egui::CursorIcon::PointingHand);
    card.on_hover_ui(|ui| {
        ui.set_max_width(PICTURE_SIZE.x * 1.4);
        ui.label(title);
        if !entry.scene.about.is_empty() {
            weak(ui, &*entry.scene.about);
        }
    })
}
