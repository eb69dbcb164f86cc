//! The card of the first start: three lines that lead to the first change of a rule.

use egui::{Align, Align2, Area, Id, Layout, Order, Rect, RichText, Ui, vec2};
use steerbox_picture::render::theme;

use super::hint;
use super::icons::{self, Icon};
use super::page::card;
use crate::commands::action::{Action, EditorAction, ViewAction};
use crate::model::live_session::LiveSession;
use crate::model::log::FilePlace;
use crate::model::view_state::ViewState;
use crate::model::welcome::{self, SCRIPT};

/// Widest card, and its distance from the top of the world, below the scene's hint, points.
const WIDTH: f32 = 520.0;
const TOP: f32 = 52.0;

/// Shows the card if it is still open and the scene contains the script that it refers to.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let lines = if view.prefs.welcome { welcome::lines(session) } else { None };
    let Some(lines) = lines else {
        return;
    };
    let theme = theme::of(ui);
    let frame = card(theme.panel, theme.accent);
    let area = Area::new(Id::unique("welcome")).order(Order::Middle).pivot(Align2::CENTER_TOP);
    let place = free.center_top() + vec2(0.0, TOP);
    area.fixed_pos(place).constrain_to(free).show(ui.ctx(), |ui| {
        ui.set_clip_rect(free);
        frame.show(ui, |ui| {
            ui.set_width(WIDTH.min(free.width() - 60.0).max(60.0));
            ui.horizontal(|ui| {
                ui.label(RichText::new("Change a rule while it runs").strong());
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if icons::plain(ui, Icon::Close).on_hover_text("Close for good (Esc)").clicked() {
                        actions.push(ViewAction::CloseWelcome.into());
                    }
                });
            });
            for (at, words) in (1..).zip(lines) {
                ui.horizontal_wrapped(|ui| {
                    ui.label(format!("{at}  {words}"));
                    if at == 1 && ui.button("Open").on_hover_text("Edit the rule here").clicked() {
                        let file = SCRIPT.to_owned();
                        actions.push(EditorAction::Open(FilePlace { file, line: 21, column: 1 }).into());
                    }
                });
            }
            hint::cannot_edit(ui, session);
        });
    });
}
