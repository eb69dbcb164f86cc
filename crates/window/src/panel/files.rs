//! Files and their states: the version that runs, and the result of loading the newest content.

use egui::{Align, CollapsingHeader, CursorIcon, Label, Layout, RichText, Sense, TextStyle, Ui, vec2};
use steerbox_core::diagnostics::Fault;
use steerbox_core::diagnostics::counted;
use steerbox_picture::render::theme;
use steerbox_project::reload::{FileState, Generation, Status, fate_of, unsaved_text};

use super::{hint, icons, menu};
use crate::commands::action::{Action, EditorAction};
use crate::model::editor::buffer::Buffer;
use crate::model::live_session::LiveSession;
use crate::model::log::{FilePlace, Tone};
use crate::model::view_state::ViewState;

/// Share of the width that paths occupy.
const PATH: f32 = 0.56;
/// The state of a version, in words.
const VERSION: &str = "Each swap of saved files increments the version. \
    The version of a file is the one that loaded its content. Events and `--events` call it \
    a generation.";

pub(super) fn show(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let generation = &session.run.newest();
    let title = RichText::new(format!("Files  (version {})", generation.number)).strong();
    let opens = view.files_requested.then_some(true);
    let header =
        CollapsingHeader::new(title).icon(icons::fold).id_salt("files").default_open(true).open(opens);
    let header = header.show(ui, |ui| {
        if let Some(trouble) = &generation.polling {
            let label = RichText::new("Polling: no file events").color(theme::of(ui).warning);
            hint::text(&ui.label(label), trouble);
        }
        for file in &generation.files {
            ui.horizontal(|ui| {
                name(ui, &file.path, actions);
                let is_suspended = session.run.suspends(&file.path);
                let origin = if session.place.texts.is_some() { "in the opened file" } else { "built in" };
                status(ui, file, view.editor.get(&file.path), (is_suspended, origin));
                warned(ui, &generation.warnings_of(&file.path));
            });
        }
        for file in unlisted(view.editor.buffers(), &session.experiments.names, generation) {
            ui.horizontal(|ui| {
                name(ui, file, actions);
                let buffer = view.editor.get(file);
                let words = RichText::new(buffer.map_or("", |buffer| session.text_state(buffer).words()));
                ui.add(Label::new(words.color(hint::toned(ui, Tone::Warning))).wrap());
            });
        }
    });
    if view.files_requested {
        header.header_response.scroll_to_me(Some(Align::TOP));
    }
    hint::text(&header.header_response, VERSION);
}

/// The name of a file; a click opens it.
fn name(ui: &mut Ui, file: &str, actions: &mut Vec<Action>) {
    let size = vec2(ui.available_width() * PATH, ui.text_style_height(&TextStyle::Body));
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(size.x);
        let name = ui.add(Label::new(RichText::new(file).monospace()).truncate().sense(Sense::click()));
        let place = FilePlace { file: file.to_owned(), line: 1, column: 1 };
        menu::show(&name, || menu::opening(&place), actions);
        if name.on_hover_cursor(CursorIcon::PointingHand).on_hover_text("Edit").clicked() {
            actions.push(EditorAction::Open(place).into());
        }
    });
}

/// The names of the texts in the editor that the scene does not use, and of the experiments.
fn unlisted<'a>(
    buffers: &'a [Buffer],
    experiments: &'a [String],
    generation: &Generation,
) -> impl Iterator<Item = &'a str> {
    let is_listed = |name: &str| generation.files.iter().any(|file| file.path == name);
    let texts = buffers.iter().map(|buffer| &*buffer.name);
    let texts = texts.filter(move |name| !is_listed(name) && !experiments.iter().any(|one| one == name));
    texts.chain(experiments.iter().map(String::as_str))
}

/// The status of a file; `origin` describes a content that is not in a file of its own.
fn status(ui: &mut Ui, file: &FileState, buffer: Option<&Buffer>, (is_suspended, origin): (bool, &str)) {
    let (mut text, mut tone) = words(file, is_suspended, origin);
    if file.unsaved.is_none() && buffer.is_some_and(Buffer::is_unsaved) {
        text.push_str("; unsaved text");
        tone = if tone == Tone::Bad { tone } else { Tone::Warning };
    }
    let text = RichText::new(text).color(hint::toned(ui, tone));
    let label = ui.add(Label::new(text).wrap());
    if let Status::Rejected(faults) = &file.status {
        let faults: Vec<_> = faults.iter().map(Fault::summary).collect();
        hint::text(&label, &faults.join("\n\n"));
    }
}

/// The number of warnings about a file, with all of them in the tooltip.
fn warned(ui: &mut Ui, warnings: &[&Fault]) {
    if warnings.is_empty() {
        return;
    }
    let words = counted(warnings.len(), ["warning", "warnings"]);
    let label = ui.add(Label::new(RichText::new(words).color(theme::of(ui).warning)).truncate());
    let all = warnings.iter().map(|fault| match &fault.help {
        Some(help) => format!("{}\n{help}", fault.summary()),
        None => fault.summary(),
    });
    hint::text(&label, &all.collect::<Vec<_>>().join("\n\n"));
}

fn words(file: &FileState, is_suspended: bool, origin: &str) -> (String, Tone) {
    if is_suspended {
        let (text, _) = words(file, false, origin);
        return (format!("{text}; suspended"), Tone::Bad);
    }
    let tone = match file.status {
        Status::Live if file.embedded && file.unsaved.is_none() => {
            return (origin.to_owned(), Tone::Plain);
        }
        Status::Rejected(_) if file.generation == 0 => Tone::Bad,
        _ => Tone::Warning,
    };
    match fate_of(file) {
        None if file.unsaved.is_some() => (unsaved_text(file).to_owned(), Tone::Warning),
        Some(fate) => (fate, tone),
        None => (format!("version {}", file.generation), Tone::Good),
    }
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::{Place, Project};

    use super::*;

    #[test]
    fn texts_that_the_scene_does_not_use_are_listed_after_its_files() {
        let mut project = Project::new(Place::built_in("flock.ron"));
        let generation = project.compose().expect("the scene works");
        let texts = ["flock.ron", "seven.rhai", "experiments/flock.ron"];
        let buffers = texts.map(|name| Buffer::new(name, Some("".into())));
        let experiments = ["experiments/flock.ron", "experiments/noise.ron"].map(str::to_owned);
        let unlisted: Vec<_> = unlisted(&buffers, &experiments, &generation).collect();
        assert_eq!(unlisted, ["seven.rhai", "experiments/flock.ron", "experiments/noise.ron"]);
    }

    #[test]
    fn a_file_that_never_worked_has_no_version_that_runs() {
        let fault = Fault::of_file("a.rhai", "faulty");
        let mut file = FileState {
            path: "a.rhai".to_owned(),
            status: Status::Rejected(vec![fault]),
            generation: 0,
            embedded: false,
            used: true,
            unsaved: None,
            saved: None,
        };
        let bad = ("rejected; no version runs yet".to_owned(), Tone::Bad);
        assert_eq!(words(&file, false, "built in"), bad);
        file.generation = 3;
        assert_eq!(words(&file, false, "built in").0, "rejected; version 3 keeps running");
        file.status = Status::Live;
        assert_eq!(words(&file, true, "built in"), ("version 3; suspended".to_owned(), Tone::Bad));
        assert_eq!(words(&file, false, "built in"), ("version 3".to_owned(), Tone::Good));
        file.unsaved = Some("".into());
        assert_eq!(words(&file, false, "built in"), ("unsaved text runs".to_owned(), Tone::Warning));
        file.used = false;
        assert_eq!(
            words(&file, false, "built in"),
            ("unsaved text; used by no group".to_owned(), Tone::Warning)
        );
    }
}
