//! Tooltips, placed so that they do not cover the widget that they describe.

use egui::{Color32, Id, Rect, RectAlign, Response, RichText, Tooltip, Ui};
use steerbox_core::sim::rounded;
use steerbox_picture::render::theme;

use crate::model::live_session::LiveSession;
use crate::model::log::Tone;

/// Widest tooltip, points.
const WIDTH: f32 = 380.0;

/// Stores the rectangle of the panel.
pub(super) fn begin(ui: &Ui) {
    let room = ui.max_rect();
    ui.data_mut(|data| data.insert_temp(panel(), room));
}

fn panel() -> Id {
    Id::unique("rectangle of the panel")
}

/// Shows `content` beside the panel while the pointer is over a widget in it.
pub(super) fn beside(response: &Response, content: impl FnOnce(&mut Ui)) {
    let panel: Option<Rect> = response.ctx.data(|data| data.get_temp(panel()));
    let mut place = response.rect;
    if let Some(panel) = panel.filter(|panel| panel.contains(place.center())) {
        (place.min.x, place.max.x) = (place.min.x.min(panel.min.x), place.max.x.max(panel.max.x));
    }
    let mut tooltip = Tooltip::for_enabled(response).width(WIDTH).gap(4.0);
    tooltip.popup = tooltip.popup.anchor(place).align(RectAlign::LEFT_START);
    tooltip.show(|ui| {
        ui.set_max_width(WIDTH);
        content(ui);
    });
}

/// A tooltip of plain text.
pub(super) fn text(response: &Response, words: &str) {
    beside(response, |ui| {
        ui.label(words);
    });
}

/// The text color for a tone.
pub(super) fn toned(ui: &Ui, tone: Tone) -> Color32 {
    let theme = theme::of(ui);
    match tone {
        Tone::Plain => theme.weak,
        Tone::Good => theme.good,
        Tone::Warning => theme.warning,
        Tone::Bad => theme.bad,
    }
}

/// Text of little importance.
pub(super) fn weak(ui: &mut Ui, words: impl Into<String>) {
    ui.label(RichText::new(words).color(theme::of(ui).weak));
}

/// The reason why the last file could not be opened in the editor, if it failed.
pub(super) fn cannot_edit(ui: &mut Ui, session: &LiveSession) {
    if let Some(why) = &session.cannot_edit {
        ui.label(RichText::new(why).color(theme::of(ui).warning));
    }
}

/// Description of simulated time per second at normal speed; `None` for real time.
pub(super) fn pace(session: &LiveSession) -> Option<String> {
    let speed = session.run.generation.scene.speed;
    (speed != 1.0).then(|| format!("1.00× is {} simulated seconds a second", rounded(speed)))
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::Place;
    use steerbox_project::session::Options;

    use super::*;

    #[test]
    fn a_scene_with_another_speed_states_it() {
        let pace = |scene: &'static str| {
            let options = Options { threads: Some(1), ..Options::new(Place::built_in(scene)) };
            pace(&LiveSession::start(options).unwrap())
        };
        assert_eq!(pace("flock.ron"), None);
        assert_eq!(pace("heading.ron").as_deref(), Some("1.00× is 60 simulated seconds a second"));
    }
}
