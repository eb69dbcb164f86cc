//! Controls, sizes and frames that the parts of the panel share.

use egui::{Button, Color32, CornerRadius, Rect, Response, RichText, Sense, Ui, UiBuilder, WidgetText};
use steerbox_picture::render::theme;

pub(super) use super::icons::HEIGHT;
use super::icons::{self, Icon};
use crate::commands::action::Action;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// The state that controls show, and the actions that they return.
pub(super) struct Kit<'a> {
    pub(super) session: &'a LiveSession,
    pub(super) view: &'a ViewState,
    pub(super) actions: &'a mut Vec<Action>,
}

impl Kit<'_> {
    /// A button with a text.
    pub(super) fn button(
        &mut self,
        ui: &mut Ui,
        words: impl Into<WidgetText>,
        hint: &str,
        action: impl Into<Action>,
    ) {
        let button = ui.button(words.into());
        self.act(&button.on_hover_text(hint), action);
    }

    /// A button with an icon.
    pub(super) fn icon(&mut self, ui: &mut Ui, icon: Icon, hint: &str, action: impl Into<Action>) {
        let button = icons::button(ui, icon, true);
        self.act(&button.on_hover_text(hint), action);
    }

    /// Returns the action of a control if it was clicked.
    pub(super) fn act(&mut self, control: &Response, action: impl Into<Action>) {
        if control.clicked() {
            self.actions.push(action.into());
        }
    }
}

/// The most useful button of its surroundings: the only one that is filled with the accent.
pub(super) fn main_button<'a>(ui: &Ui, words: &str) -> Button<'a> {
    let theme = theme::of(ui);
    Button::new(RichText::new(words).color(theme.panel)).fill(theme.accent)
}

/// Words in sentence case.
pub(super) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Maximum share of the window that a part occupies.
pub(super) const HALF: f32 = 0.5;
/// Corner radius of the background of text over the world.
pub(super) const CORNERS: CornerRadius = CornerRadius::same(8);

/// The range from `least` to `most`, limited to `room`.
pub(super) fn at_most(room: f32, least: f32, most: f32) -> std::ops::RangeInclusive<f32> {
    let most = room.clamp(1.0, most);
    least.min(most)..=most
}

/// Margin around content for outlines, points.
const MARGIN: f32 = 4.0;

/// Lays out content in the full width. Wider content is clipped: it would move the edge of the pane, and with it the
/// world.
pub(super) fn within(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let room = ui.available_rect_before_wrap();
    let mut inner = ui.new_child(UiBuilder::new().max_rect(room));
    inner.shrink_clip_rect(room.expand(MARGIN));
    content(&mut inner);
    let used = Rect::from_x_y_ranges(room.x_range(), inner.min_rect().y_range());
    ui.allocate_rect(used, Sense::hover());
}

/// The frame of everything over the world.
pub(super) fn fill(ui: &Ui) -> Color32 {
    theme::of(ui).panel.gamma_multiply(0.82)
}

/// The frame of text over the world.
pub(super) fn chip(ui: &Ui, free: Rect, rect: Rect) {
    ui.painter_at(free).rect_filled(rect, CORNERS, fill(ui));
}
