//! Reload events of files, as text or JSON.

use serde::Serialize;
use serde_json::{Value, json};
use steerbox_core::diagnostics::Fault;

/// Effect of a change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// Its newest content runs.
    Live,
    /// Its newest content is faulty; the previous version continues to run.
    Rejected,
    /// It was deleted; the previous version continues to run.
    Missing,
    /// The scene changed, and the running world was adapted to it.
    Reconciled,
}

impl EventKind {
    /// Returns true if the newest content of the file runs.
    pub fn runs(self) -> bool {
        !matches!(self, Self::Rejected | Self::Missing)
    }

    /// Returns the effect as a word: `loaded`, `rejected` or `deleted`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Live | Self::Reconciled => "loaded",
            Self::Rejected => "rejected",
            Self::Missing => "deleted",
        }
    }
}

/// A reload event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Effect of the change.
    pub kind: EventKind,
    /// Name of the file: that of a script with its extension, or of the scene.
    pub path: String,
    /// Generation that runs after the event.
    pub generation: u64,
    /// First fault of a rejected file.
    pub error: Option<Fault>,
    /// Further faults, or the warnings about a file that runs.
    pub others: Vec<Fault>,
    /// True if the content is unsaved text.
    pub is_unsaved: bool,
}

impl Event {
    /// Returns the event as a JSON object, for the step after which it took effect.
    /// `notes` are the changes of the world and of tuned values, as text.
    pub fn to_json(&self, step: u64, notes: &[String]) -> String {
        let (path, generation) = (&self.path, self.generation);
        let mut event = json!({
            "event": self.kind, "path": path, "generation": generation, "step": step,
            "error": self.error.as_ref().map(fault_json),
        });
        if !self.others.is_empty() {
            event["others"] = self.others.iter().map(fault_json).collect();
        }
        if self.is_unsaved {
            event["unsaved"] = Value::Bool(true);
        }
        if !notes.is_empty() {
            event["notes"] = notes.into();
        }
        event.to_string()
    }
}

/// Returns the JSON form of a fault.
pub(crate) fn fault_json(fault: &Fault) -> Value {
    let message = match &fault.help {
        Some(help) => format!("{} ({help})", fault.message),
        None => fault.message.clone(),
    };
    let (line, column, severity) = (fault.line, fault.column, fault.severity.name());
    json!({ "line": line, "column": column, "message": message, "severity": severity })
}
