//! The iterations of a script's loops, beside its lines.

use egui::{Id, Panel, RichText, ScrollArea, TextStyle, Ui, vec2};
use steerbox_picture::render::theme;
use steerbox_script::probe::{LoopTable, ProbedValue, Recording, loop_tables};

/// Widest column, characters.
const WIDEST: usize = 20;
/// Default width, points.
const WIDTH: f32 = 300.0;

/// Width of the text below which they are below it, points.
const NARROW: f32 = 460.0;

/// Shows the loops of all files of a script beside or below its lines, one at a time, if it has any; `below`
/// points stay free.
pub(super) fn show(ui: &mut Ui, recording: &Recording, below: f32) {
    let tables: Vec<_> =
        (0..recording.code.files.len()).flat_map(|file| loop_tables(recording, file)).collect();
    if tables.is_empty() {
        return;
    }
    let height = (ui.available_height() - below).max(40.0);
    let width = ui.available_width();
    let (panel, room) = if width < NARROW {
        (Panel::bottom("rounds below").default_size(height * 0.3), height)
    } else {
        (Panel::right("rounds").default_size(WIDTH.min(width * 0.4)), width)
    };
    panel.resizable(true).size_range(super::parts::at_most(room * super::parts::HALF, 100.0, 900.0)).show(
        ui,
        |ui| {
            ui.set_max_height(height);
            ui.set_min_size(ui.available_size().min(vec2(f32::INFINITY, height)));
            let id = Id::unique("open loop");
            let open: usize = ui.data(|data| data.get_temp(id)).unwrap_or_default();
            let open = open.min(tables.len() - 1);
            ui.horizontal_wrapped(|ui| {
                for (at, table) in tables.iter().enumerate() {
                    let words = format!("loop of line {}: {} rounds", table.line, table.count);
                    if ui.selectable_label(at == open, RichText::new(words).small()).clicked() {
                        ui.data_mut(|data| data.insert_temp(id, at));
                    }
                }
            });
            show_table(ui, &tables[open]);
        },
    );
}

fn show_table(ui: &mut Ui, table: &LoopTable<'_>) {
    let head = std::iter::once("round".to_owned()).chain(table.columns.iter().map(|name| cut(name)));
    let mut rows: Vec<Vec<String>> = vec![head.collect()];
    let shown = |value: Option<&ProbedValue>| value.map_or(String::new(), |value| cut(&value.to_string()));
    for round in &table.rows {
        rows.push(
            std::iter::once(round.number.clone()).chain(round.values.iter().copied().map(shown)).collect(),
        );
    }
    let letters = |row: &Vec<String>, at: usize| row[at].chars().count();
    let width = |at: usize| rows.iter().map(|row| letters(row, at)).max().unwrap_or(0);
    let widths: Vec<_> = (0..=table.columns.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ")
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    let height = ui.text_style_height(&TextStyle::Monospace);
    let area = ScrollArea::both().id_salt("rounds").auto_shrink([false, false]);
    area.show_rows(ui, height, rows.len(), |ui, shown| {
        for at in shown {
            let color = if at == 0 { theme::of(ui).weak } else { theme::of(ui).accent };
            let text = RichText::new(line(&rows[at])).monospace().color(color);
            ui.add(egui::Label::new(text).extend());
        }
    });
}

/// Text truncated to the width of a column.
fn cut(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_owned();
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}
