//! The help page over the world: keys and mouse.

use egui::{Color32, Key, Label, RichText, Ui, vec2};
use steerbox_picture::render::theme;

use super::dialog::{self, pressed};
use super::page::{page, widest};
use crate::commands::action::Action;
use crate::commands::keys::{self, GESTURES, GROUPS};
use crate::model::dialog::Dialog;
use crate::model::live_session::LiveSession;

/// Width of the keys and of a column, points.
const KEY: f32 = 104.0;
const COLUMN: f32 = 390.0;
/// Points that a key scrolls by.
const ROW: f32 = 40.0;
const PAGE: f32 = 300.0;

pub(super) fn show(ui: &Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let scene = &session.run.generation.scene;
    let theme = theme::of(ui);
    let mut sections = vec![Section::new("Mouse", GESTURES.iter().map(|(keys, words)| (*keys, *words)))];
    let own = scene.keys.iter().map(|plan| (plan.key.to_string(), keys::meaning(&plan.action, scene)));
    sections.extend(Some(Section::new("Scene", own)).filter(|section| !section.rows.is_empty()));
    sections.extend(GROUPS.iter().map(|group| {
        let commands = group.commands.iter().filter(|command| !command.keys().is_empty());
        Section::new(group.name, commands.map(|command| (command.keys(), command.words())))
    }));
    // In a narrow window, the columns are stacked.
    let columns = if widest(ui) < COLUMN * 2.0 { 1 } else { 2 };
    let window = page(ui, "Keys and mouse", COLUMN * columns as f32);
    dialog::show(window, ui, Dialog::Help, actions, |ui, _| {
        scroll(ui);
        ui.horizontal_top(|ui| {
            for part in halves(&sections, columns) {
                ui.vertical(|ui| {
                    ui.set_width(COLUMN);
                    for section in part {
                        ui.label(RichText::new(section.name).heading().color(theme.bright));
                        section.rows.iter().for_each(|(keys, words)| row(ui, keys, theme.accent, words));
                        ui.add_space(6.0);
                    }
                });
            }
        });
    });
}

/// The rows below a heading: keys and their effects.
struct Section {
    name: &'static str,
    rows: Vec<(String, String)>,
}

impl Section {
    fn new<A: Into<String>, B: Into<String>>(name: &'static str, rows: impl Iterator<Item = (A, B)>) -> Self {
        Self { name, rows: rows.map(|(keys, words)| (keys.into(), words.into())).collect() }
    }
}

/// The sections of each column, balanced by number of rows.
fn halves(sections: &[Section], columns: usize) -> Vec<&[Section]> {
    let all: usize = sections.iter().map(|section| section.rows.len()).sum();
    let mut rows = 0;
    let first = sections.iter().position(|section| {
        rows += section.rows.len();
        rows * 2 >= all
    });
    match first {
        Some(last) if columns > 1 => vec![&sections[..=last], &sections[last + 1..]],
        _ => vec![sections],
    }
}

/// Scrolls by keys: the page has no control that could receive the focus.
fn scroll(ui: &mut Ui) {
    let keys = [(Key::ArrowDown, -ROW), (Key::ArrowUp, ROW), (Key::PageDown, -PAGE), (Key::PageUp, PAGE)];
    for (_, points) in keys.into_iter().filter(|(key, _)| pressed(ui, *key)) {
        ui.scroll_with_delta(vec2(0.0, points));
    }
}

/// A key and, beside it, its wrapped description.
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
