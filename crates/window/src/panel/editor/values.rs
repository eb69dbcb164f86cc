//! The values of the inspected unit for the lines of the text in the editor.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use steerbox_project::reload::is_script;
use steerbox_project::session::Explained;
use steerbox_script::probe::{self, Line, Recording};

use crate::model::editor::buffer::Buffer;
use crate::model::editor::lines::mapped;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// The values of a step, by the lines of the text.
#[derive(Default)]
pub(super) struct Values<'a> {
    pub(super) explained: Option<&'a Explained>,
    pub(super) recording: Option<&'a Recording>,
    /// The file of the recording that is shown.
    pub(super) file: usize,
    /// Lines by their number in the text, from 0.
    pub(super) lines: BTreeMap<usize, Line<'a>>,
}

impl<'a> Values<'a> {
    /// The values for a text. Lines that were changed since it was run have none.
    pub(super) fn new(session: &'a LiveSession, view: &ViewState, buffer: &Buffer) -> Self {
        let none = Self::default;
        let explained = session.run.simulation.explained().map(|explained| &**explained);
        let (Some(explained), Some(rule)) = (explained, view.script) else {
            return none();
        };
        let Some(Ok(recording)) = explained.lines.get(rule) else {
            return Self { explained: Some(explained), ..none() };
        };
        let Some(file) = recording.code.files.iter().position(|file| file.path == buffer.name) else {
            return Self { explained: Some(explained), ..none() };
        };
        let shown = mapped(&recording.code.files[file].text, buffer.text());
        let lines = probe::lines(recording, file).into_iter();
        let lines = lines.filter_map(|line| Some((shown(line.number - 1)?, line))).collect();
        Self { explained: Some(explained), recording: Some(recording), file, lines }
    }

    /// The reason why there are no values, if there could be some.
    pub(super) fn missing(&self, session: &LiveSession, view: &ViewState) -> Option<String> {
        let name = view.editor.open_name().filter(|name| is_script(Path::new(name)))?;
        if view.selection.inspected().is_none() {
            return Some("Select a unit: the values of its last step are shown beside the lines.".to_owned());
        }
        let Some(rule) = view.script else {
            return Some(format!("The selected unit does not run {name}: its lines have no values."));
        };
        match self.explained {
            None if session.paused => {
                Some("Values appear with the next step: resume, or step forward (.).".to_owned())
            }
            None => None,
            Some(explained) => match explained.lines.get(rule)? {
                Ok(_) => None,
                Err(why) => Some(format!("No values beside the lines: {why}.")),
            },
        }
    }

    /// The byte ranges of the text that the call did not reach, in order; `starts` are the offsets of its lines.
    pub(super) fn unreached(&self, starts: &[usize]) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        for (number, line) in &self.lines {
            let Some(mut at) = starts.get(*number).copied() else {
                continue;
            };
            for piece in &line.pieces {
                let end = at + piece.text.len();
                ranges.extend(piece.is_unreached.then_some(at..end));
                at = end;
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::Place;
    use steerbox_project::session::Options;

    use super::*;
    use crate::model::config::Config;

    #[test]
    fn a_note_states_how_values_appear_beside_the_lines_of_a_script() {
        let options = Options { threads: Some(1), ..Options::new(Place::built_in("flock.ron")) };
        let session = LiveSession::start(options).expect("a built-in scene");
        let mut view = ViewState::new(Config::default());
        let note = |view: &ViewState| Values::default().missing(&session, view).unwrap_or_default();
        view.open_text("flock.ron", &session);
        assert_eq!(note(&view), "");
        view.open_text("chase.rhai", &session);
        assert!(note(&view).starts_with("Select a unit: "), "{}", note(&view));
        view.selection.replace([0]);
        assert!(note(&view).starts_with("The selected unit does not run chase.rhai"), "{}", note(&view));
    }
}
