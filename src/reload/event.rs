//! What became of a file, as one line for people or programs.

use serde::Serialize;
use serde_json::{Value, json};

use crate::diagnostics::Fault;

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// Its newest content runs.
    Live,
    /// Its newest content is faulty; what ran before runs on.
    Rejected,
    /// It is gone; what ran before runs on.
    Missing,
    /// The scene changed and the running world was adapted to it.
    Reconciled,
}

impl EventKind {
    /// Whether the newest content of the file runs.
    pub fn runs(self) -> bool {
        !matches!(self, Self::Rejected | Self::Missing)
    }

    /// The fate of the file: `loaded`, `rejected` or `deleted`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Live | Self::Reconciled => "loaded",
            Self::Rejected => "rejected",
            Self::Missing => "deleted",
        }
    }
}

/// One event of reloading.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The file: a script's name with its extension, or the scene's.
    pub path: String,
    /// The generation that runs after the event.
    pub generation: u64,
    /// Why, for a rejected file: its first fault.
    pub error: Option<Fault>,
    /// Its further faults, or the warnings about one that runs.
    pub others: Vec<Fault>,
}

impl Event {
    /// The event as one JSON object, for the step after which it took effect.
    pub fn to_json(&self, step: u64) -> String {
        let (path, generation) = (&self.path, self.generation);
        let mut event = json!({
            "event": self.kind, "path": path, "generation": generation, "step": step,
            "error": self.error.as_ref().map(fault_json),
        });
        if !self.others.is_empty() {
            event["others"] = self.others.iter().map(fault_json).collect();
        }
        event.to_string()
    }
}

/// A fault as it stands in events.
fn fault_json(fault: &Fault) -> Value {
    let message = match &fault.help {
        Some(help) => format!("{} ({help})", fault.message),
        None => fault.message.clone(),
    };
    let (line, column, severity) = (fault.line, fault.column, fault.severity.name());
    json!({ "line": line, "column": column, "message": message, "severity": severity })
}
