//! An edit that waits for an answer.

use steerbox_core::sim::UnitState;
use steerbox_project::reload::{Place, Write};
use steerbox_project::session::{ChangedRules, Moment};

use crate::model::editor::file_changes::{FilesChange, Origin};

/// Maximum number of names of files in a question.
const LISTED: usize = 4;

/// An edit that waits for an answer.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The question, and the label of the button that confirms it.
    pub(crate) text: String,
    pub(crate) verb: &'static str,
    /// The label of the button that leaves everything as it is.
    pub(crate) otherwise: &'static str,
    /// The edit, executed on confirmation.
    pub(crate) edit: Waiting,
}

/// An edit that waits for an answer.
#[derive(Clone, Debug)]
pub(crate) enum Waiting {
    /// Units to add.
    Units(Vec<UnitState>),
    /// A text to write to its file.
    Text(Write),
    /// A scene that came with the program, to write to a file with all edits.
    Scene(Write),
    /// A change of several files.
    Files(FilesChange, Origin),
    /// A moment that continues under the scene and scripts on disk, or otherwise under its own.
    Rules(Box<Moment>, Place),
}

impl Question {
    /// Creates a question that can be canceled.
    pub(crate) fn new(text: String, verb: &'static str, edit: Waiting) -> Self {
        Self { text, verb, otherwise: "Cancel", edit }
    }

    /// The title of its window.
    pub(crate) fn title(&self) -> &'static str {
        if matches!(self.edit, Waiting::Rules(..)) { "Scene and scripts" } else { self.verb }
    }

    /// Returns true if a save requested the edit: the button that confirms it has the focus.
    pub(crate) fn is_requested(&self) -> bool {
        matches!(self.edit, Waiting::Text(_) | Waiting::Scene(_))
    }

    /// Creates the choice between the rules of a moment and those on disk.
    pub(crate) fn of_rules(moment: Box<Moment>, changed: ChangedRules) -> Self {
        let ChangedRules { place, names } = changed;
        let listed = names.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = names.len().saturating_sub(LISTED);
        let listed = if more > 0 { format!("{listed} and {more} more") } else { listed };
        let text = format!(
            "Not as they were when this moment was saved: {listed}. Continue with the scene and scripts as they were, or as \
             they are now?"
        );
        let edit = Waiting::Rules(moment, place);
        Self { text, verb: "As they are now", otherwise: "As they were", edit }
    }
}
