//! Files and how each stands: which version of it runs, and whether its newest content does.

use egui::{CollapsingHeader, Color32, Grid, Label, RichText, Ui};

use super::hint;
use crate::app::live_session::LiveSession;
use crate::app::news::fate_of;
use crate::app::theme;
use crate::diagnostics::Fault;
use crate::reload::{FileState, Status};

/// What a version is.
const VERSION: &str = "Whenever saved files are taken over, the version of what runs rises by one. \
    The version of a file is the one in which its content was taken over. Events and `--events` call it \
    a generation.";

pub(super) fn show(ui: &mut Ui, session: &LiveSession) {
    let generation = &session.run.generation;
    let title = RichText::new(format!("Files  (version {})", generation.number)).strong();
    let header = CollapsingHeader::new(title).id_salt("files").default_open(true).show(ui, |ui| {
        if let Some(trouble) = &generation.polling {
            let label = RichText::new("polling: no file events").color(theme::WARNING);
            hint::text(&ui.label(label), trouble);
        }
        Grid::new("files").num_columns(2).spacing([14.0, 3.0]).show(ui, |ui| {
            for file in &generation.files {
                ui.label(&file.path);
                stand(ui, file);
                ui.end_row();
            }
        });
    });
    hint::text(&header.header_response, VERSION);
}

fn stand(ui: &mut Ui, file: &FileState) {
    let (text, color) = words(file);
    let label = ui.add(Label::new(RichText::new(text).color(color)).wrap());
    if let Status::Rejected(faults) = &file.status {
        let faults: Vec<_> = faults.iter().map(Fault::summary).collect();
        hint::text(&label, &faults.join("\n\n"));
    }
}

fn words(file: &FileState) -> (String, Color32) {
    let color = match file.status {
        Status::Live if file.embedded => return ("built in".to_owned(), theme::WEAK),
        Status::Rejected(_) if file.generation == 0 => theme::BAD,
        _ => theme::WARNING,
    };
    match fate_of(file) {
        Some(fate) => (fate, color),
        None => (format!("version {}", file.generation), theme::GOOD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_file_that_never_worked_has_no_version_that_runs() {
        let fault = Fault::of_file("a.rhai", "faulty");
        let mut file = FileState {
            path: "a.rhai".to_owned(),
            status: Status::Rejected(vec![fault]),
            generation: 0,
            embedded: false,
            used: true,
        };
        let bad = ("not loaded; no version runs yet".to_owned(), theme::BAD);
        assert_eq!(words(&file), bad);
        file.generation = 3;
        assert_eq!(words(&file).0, "not loaded; version 3 keeps running");
        file.status = Status::Live;
        assert_eq!(words(&file), ("version 3".to_owned(), theme::GOOD));
    }
}
