//! Files and how each stands: live, rejected or missing, and since which generation.

use egui::{CollapsingHeader, Grid, RichText, Ui};

use crate::app::session::Session;
use crate::app::theme;
use crate::reload::Status;

pub(super) fn show(ui: &mut Ui, session: &Session) {
    let generation = &session.generation;
    let title = RichText::new(format!("Files  (generation {})", generation.number)).strong();
    CollapsingHeader::new(title)
        .id_salt("files")
        .default_open(true)
        .show(ui, |ui| {
            if let Some(trouble) = &generation.polling {
                ui.label(RichText::new("polling: no file events").color(theme::WARNING))
                    .on_hover_text(trouble);
            }
            Grid::new("files")
                .num_columns(2)
                .spacing([14.0, 3.0])
                .show(ui, |ui| {
                    for file in &generation.files {
                        ui.label(&file.path);
                        let since = file.generation;
                        let (text, color, hint) = match &file.status {
                            Status::Live if file.embedded => {
                                ("live, built in".to_owned(), theme::WEAK, String::new())
                            }
                            Status::Live => {
                                (format!("live since {since}"), theme::GOOD, String::new())
                            }
                            Status::Missing => (
                                format!("missing, {since} runs on"),
                                theme::WARNING,
                                String::new(),
                            ),
                            Status::Rejected(faults) => {
                                let faults: Vec<_> = faults
                                    .iter()
                                    .map(crate::diagnostics::Fault::summary)
                                    .collect();
                                let text = if since == 0 {
                                    "rejected".to_owned()
                                } else {
                                    format!("rejected, {since} runs on")
                                };
                                (text, theme::BAD, faults.join("\n"))
                            }
                        };
                        let label = ui.label(RichText::new(text).color(color));
                        if !hint.is_empty() {
                            label.on_hover_text(hint);
                        }
                        ui.end_row();
                    }
                });
        });
}
