//! The difference between the text and the file.

use egui::{RichText, ScrollArea, TextStyle, Ui};

use crate::app::model::editor::buffer::{Buffer, Conflict};
use crate::app::model::editor::diff::{Change, difference};
use crate::app::render::theme;

/// Shows the lines of both: those of the file alone with `-`, those of the text alone with `+`.
pub(super) fn show(ui: &mut Ui, buffer: &Buffer) {
    let saved = match &buffer.conflict {
        Some(Conflict::Changed(saved)) => saved,
        Some(Conflict::Deleted) => "",
        Some(Conflict::Unreadable(_)) | None => buffer.base.as_deref().unwrap_or_default(),
    };
    let changes = difference(saved, buffer.text());
    let height = ui.text_style_height(&TextStyle::Monospace);
    ui.spacing_mut().item_spacing.y = 0.0;
    super::super::hint::weak(ui, "− in the file   + in the editor");
    ScrollArea::both().id_salt("changes").auto_shrink(false).show_rows(
        ui,
        height,
        changes.len(),
        |ui, shown| {
            for change in &changes[shown] {
                let theme = theme::of(ui);
                let (sign, line, color) = match change {
                    Change::Same(line) => (' ', line, theme.weak),
                    Change::Removed(line) => ('−', line, theme.bad),
                    Change::Added(line) => ('+', line, theme.good),
                };
                ui.label(RichText::new(format!("{sign} {line}")).monospace().color(color));
            }
        },
    );
}
