//! The difference between the text and the file.

use egui::{Id, RichText, ScrollArea, TextStyle, Ui};
use steerbox_picture::render::theme;

use crate::model::editor::buffer::{Buffer, Conflict};
use crate::model::editor::diff::{Change, difference};

/// Number of lines that are shown above the first change.
const ABOVE: usize = 2;

/// The line that is at the top when the difference opens: the first change is visible.
fn top(changes: &[Change<'_>]) -> usize {
    let first = changes.iter().position(|change| !matches!(change, Change::Same(_)));
    first.unwrap_or(0).saturating_sub(ABOVE)
}

/// True in the first frame that shows the difference.
fn opens(ui: &Ui) -> bool {
    let (id, now) = (Id::unique("difference of the editor"), ui.ctx().cumulative_pass_nr());
    let last = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<u64>(id), now));
    last + 1 < now
}

/// Shows the lines of both: lines of the file alone with `-`, lines of the text alone with `+`.
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
    let mut area = ScrollArea::both().id_salt("changes").auto_shrink(false);
    if opens(ui) {
        area = area.vertical_scroll_offset(top(&changes) as f32 * height);
    }
    area.show_rows(ui, height, changes.len(), |ui, shown| {
        for change in &changes[shown] {
            let theme = theme::of(ui);
            let (sign, line, color) = match change {
                Change::Same(line) => (' ', line, theme.weak),
                Change::Removed(line) => ('−', line, theme.bad),
                Change::Added(line) => ('+', line, theme.good),
            };
            ui.label(RichText::new(format!("{sign} {line}")).monospace().color(color));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_change_is_visible() {
        let text = |last: &str| format!("{}{last}", "a\n".repeat(50));
        assert_eq!(top(&difference(&text("b"), &text("c"))), 50 - ABOVE);
        assert_eq!(top(&difference("a", "b")), 0);
        assert_eq!(top(&difference("a", "a")), 0);
    }
}
