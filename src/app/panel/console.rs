//! The console: what was reloaded, rejected or failed, with source line and caret.

use std::ops::Range;

use egui::text::CCursor;
use egui::{Color32, RichText, ScrollArea, Sense, TextStyle, Ui, vec2};

use crate::app::log::{Line, Tone};
use crate::app::session::Session;
use crate::app::theme;

/// What stands below a line of the log is indented by this.
const INDENT: &str = "          ";
/// The color of source lines.
const SOURCE: Color32 = Color32::from_rgb(203, 212, 230);

pub(super) fn show(ui: &mut Ui, session: &Session) {
    ScrollArea::vertical()
        .auto_shrink(false)
        .stick_to_bottom(true)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            if session.log.lines().len() == 0 {
                ui.label(
                    RichText::new("save a script or the scene: what happens is told here")
                        .color(theme::WEAK),
                );
            }
            for line in session.log.lines() {
                one(ui, line);
            }
        });
}

fn one(ui: &mut Ui, line: &Line) {
    let color = match line.tone {
        Tone::Plain => theme::WEAK,
        Tone::Good => theme::GOOD,
        Tone::Warning => theme::WARNING,
        Tone::Bad => theme::BAD,
    };
    let count = if line.count > 1 {
        format!("  ×{}", line.count)
    } else {
        String::new()
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(
            RichText::new(format!("{:>7}", line.step))
                .monospace()
                .color(theme::WEAK),
        );
        mono(ui, &format!("{}{count}", line.text), color);
    });
    if !line.source.is_empty() {
        excerpt(ui, &line.source, &line.under);
    }
    if let Some(help) = &line.help {
        mono(ui, &format!("{INDENT}{help}"), theme::ACCENT);
    }
}

fn mono(ui: &mut Ui, text: &str, color: Color32) {
    ui.label(RichText::new(text).monospace().color(color));
}

/// A source line, and carets exactly below what is at fault: how wide a letter is drawn is the
/// font's to say, and one that it does not have is drawn as a box.
fn excerpt(ui: &mut Ui, source: &str, under: &Range<usize>) {
    let font = TextStyle::Monospace.resolve(ui.style());
    let (text, under) = without_tabs(source, under);
    let lay = |text: String| ui.painter().layout_no_wrap(text, font.clone(), SOURCE);
    let (line, caret) = (lay(text), lay("^".to_owned()));
    let place = |at: usize| line.pos_from_cursor(CCursor::new(at)).min.x;
    let (left, right) = (place(under.start), place(under.end));
    let carets = ((right - left) / caret.size().x).round().max(1.0) as usize;
    let below = lay("^".repeat(if under.is_empty() { 0 } else { carets }));
    // Carets are drawn in the upper half of their row.
    let height = line.size().y + 0.6 * caret.size().y;
    let (space, _) = ui.allocate_exact_size(vec2(line.size().x, height), Sense::hover());
    let under = space.min + vec2(left, line.size().y);
    ui.painter().galley(space.min, line, SOURCE);
    ui.painter().galley(under, below, SOURCE);
}

/// The line with its indent, four places for a tab, and where its characters at fault are then.
fn without_tabs(source: &str, under: &Range<usize>) -> (String, Range<usize>) {
    let shown = |count: usize| -> String {
        let head: String = source.chars().take(count).collect();
        format!("{INDENT}{}", head.replace('\t', "    "))
    };
    let place = |count: usize| shown(count).chars().count();
    (shown(usize::MAX), place(under.start)..place(under.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_move_with_tabs() {
        let (line, under) = without_tabs("\tlet\ta = oops;", &(9..13));
        let found: String = line.chars().skip(under.start).take(under.len()).collect();
        assert_eq!(found, "oops");
    }
}
