//! The keys and the mouse, over the world.

use egui::{Color32, Label, RichText, Ui, vec2};

use super::dialog;
use super::page::{page, widest};
use crate::app::action::Action;
use crate::app::dialog::Dialog;
use crate::app::keys::{self, COMMANDS, GESTURES};
use crate::app::live_session::LiveSession;
use crate::app::theme;

/// Width of the keys and of a column, points.
const KEY: f32 = 104.0;
const COLUMN: f32 = 390.0;

pub(super) fn show(ui: &Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let scene = &session.run.generation.scene;
    let theme = theme::of(ui);
    let own = scene
        .keys
        .iter()
        .map(|plan| (plan.key.to_string(), keys::meaning(&plan.action, scene), theme.warning));
    let commands = COMMANDS.iter().map(|command| (command.keys(), command.words(), theme.accent));
    let gestures =
        GESTURES.iter().map(|(keys, words)| ((*keys).to_owned(), (*words).to_owned(), theme.accent));
    let rows: Vec<_> = own.chain(gestures).chain(commands).filter(|(keys, ..)| !keys.is_empty()).collect();
    // In a narrow window, one below the other.
    let columns = if widest(ui) < COLUMN * 2.0 { 1 } else { 2 };
    let window = page(ui, "Keys and mouse", COLUMN * columns as f32);
    dialog::show(window, ui, Dialog::Help, actions, |ui, _| {
        ui.horizontal_top(|ui| {
            for part in rows.chunks(rows.len().div_ceil(columns)) {
                ui.vertical(|ui| {
                    ui.set_width(COLUMN);
                    for (keys, words, color) in part {
                        row(ui, keys, *color, words);
                    }
                });
            }
        });
    });
}

/// A key and, beside it, what it does in as many lines as it takes.
fn row(ui: &mut Ui, key: &str, color: Color32, meaning: &str) {
    ui.horizontal_top(|ui| {
        let height = ui.spacing().interact_size.y;
        ui.allocate_ui(vec2(KEY, height), |ui| {
            ui.set_min_width(KEY);
            ui.set_max_width(KEY);
            ui.add(Label::new(RichText::new(key).monospace().color(color)).wrap());
        });
        ui.add(Label::new(meaning).wrap());
    });
}
