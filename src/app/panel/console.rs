//! The console: what was reloaded, rejected or failed, with source line and caret.

use egui::{Color32, RichText, ScrollArea, Ui};

use crate::app::log::{Line, Tone};
use crate::app::session::Session;
use crate::app::theme;

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
    if !line.excerpt.is_empty() {
        mono(
            ui,
            &indented(&line.excerpt),
            Color32::from_rgb(203, 212, 230),
        );
    }
    if let Some(help) = &line.help {
        mono(ui, &format!("          {help}"), theme::ACCENT);
    }
}

fn mono(ui: &mut Ui, text: &str, color: Color32) {
    ui.label(RichText::new(text).monospace().color(color));
}

fn indented(text: &str) -> String {
    let lines: Vec<_> = text
        .replace('\t', "    ")
        .lines()
        .map(|line| format!("          {line}"))
        .collect();
    lines.join("\n")
}
