//! Dialogs over the world. At most one is open, and every key goes to it.

/// A dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialog {
    /// All commands, with a search field.
    Commands,
    /// The scenes that can be opened, with a search field.
    Scenes,
    /// The condition to pause at.
    PauseWhen,
    /// The named sets of tuned values.
    Snapshots,
    /// The name of a new rule.
    NewRule,
    /// The keys and the mouse.
    Help,
    /// The question before an edit that makes steps slow.
    Question,
}

/// A new rule whose name is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewRule {
    /// Index of its template.
    pub(crate) template: usize,
    /// The proposed name.
    pub(crate) name: String,
}
