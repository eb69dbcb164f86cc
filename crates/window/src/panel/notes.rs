//! The notes of a scene: a lesson or a description, with links to scenes and scripts of the project.

use egui::{Frame, Margin, RichText, ScrollArea, Ui};
use steerbox_picture::render::theme;

use super::grip;
use super::parts::CORNERS;
use crate::commands::action::{Action, NotesAction, ViewAction};
use crate::model::live_session::LiveSession;
use crate::model::notes::{Block, Piece, Sign, blocks, plain};
use crate::model::panes::Pane;
use crate::model::view_state::ViewState;

/// Indentation of each depth of lists, and distance of two blocks, points.
const INDENT: f32 = 14.0;
const GAP: f32 = 8.0;
/// Sizes of text and of headings by level, points.
const TEXT: f32 = 14.0;
const HEADINGS: [f32; 3] = [20.0, 17.0, 15.0];

pub(super) fn show(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let Some(notes) = &session.run.generation.scene.notes else { return };
    grip::grip(ui, Pane::Notes, view, actions);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = GAP;
        for (depth, block) in blocks(notes) {
            ui.horizontal_top(|ui| {
                ui.add_space(INDENT * depth.saturating_sub(1) as f32);
                show_block(ui, depth, &block, view, actions);
            });
        }
    });
}

fn show_block(ui: &mut Ui, depth: usize, block: &Block, view: &ViewState, actions: &mut Vec<Action>) {
    let theme = theme::of(ui);
    match block {
        Block::Text { level, sign, pieces } => {
            match sign {
                Some(Sign::Box(ticked)) => {
                    let item = plain(pieces);
                    let mut ticked = *ticked != view.notes.changed.contains(&item);
                    if ui.checkbox(&mut ticked, "").changed() {
                        actions.push(ViewAction::Notes(NotesAction::Tick(item)).into());
                    }
                }
                Some(Sign::Bullet) => _ = ui.label(RichText::new("•").size(TEXT)),
                Some(Sign::Number(number)) => _ = ui.label(RichText::new(format!("{number}.")).size(TEXT)),
                None if depth > 0 => ui.add_space(INDENT),
                None => {}
            }
            let size = level.map_or(TEXT, |level| HEADINGS[level.clamp(1, HEADINGS.len()) - 1]);
            ui.vertical(|ui| show_text(ui, pieces, (size, level.is_some()), actions));
        }
        Block::Code(text) => {
            let frame = Frame::new().fill(theme.sunk).corner_radius(CORNERS).inner_margin(Margin::same(6));
            frame.show(ui, |ui| ui.label(RichText::new(text).monospace().color(theme.text)));
        }
        Block::Rule => _ = ui.vertical(egui::Ui::separator),
    }
}

/// Shows styled text and its links, wrapped.
fn show_text(ui: &mut Ui, pieces: &[Piece], (size, is_heading): (f32, bool), actions: &mut Vec<Action>) {
    let theme = theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for Piece { text, style } in pieces {
            let rich = RichText::new(text).size(size);
            let rich = if style.strong || is_heading {
                rich.color(theme.bright).strong()
            } else {
                rich.color(theme.text)
            };
            let rich = if style.emphasized { rich.italics() } else { rich };
            let rich = if style.code { rich.monospace().background_color(theme.sunk) } else { rich };
            match &style.link {
                None => _ = ui.label(rich),
                Some(target) => {
                    if ui.link(rich.color(theme.accent)).on_hover_text(target).clicked() {
                        actions.push(ViewAction::Notes(NotesAction::Open(target.clone())).into());
                    }
                }
            }
        }
    });
}
