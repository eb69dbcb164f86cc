//! Messages.

use serde::{Deserialize, Serialize};

/// A message of a window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromWindow {
    /// Its state.
    State(Box<State>),
    /// The result of a command.
    Done {
        /// The number of the command.
        id: u64,
        /// The reason why it was not executed.
        error: Option<String>,
    },
}

/// A message of an editor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromEditor {
    /// True if it shows a script, and so the values of the selected unit and the costs of rules.
    ShowsScripts(bool),
    /// A command.
    Do {
        /// The number of the command.
        id: u64,
        /// The command.
        command: Command,
    },
}

/// A command to a window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Selects the unit of an index.
    SelectUnit(usize),
    /// Pauses.
    Pause,
    /// Resumes.
    Resume,
    /// Makes one step and pauses.
    Step,
    /// Restarts the scene.
    Restart,
    /// Opens the scene of a name.
    OpenScene(String),
    /// Runs a text in place of a file's, without writing it.
    RunBuffer {
        /// The path of the file.
        path: String,
        /// The text.
        text: String,
    },
    /// Runs the text of a file again.
    DiscardBuffer {
        /// The path of the file.
        path: String,
    },
}

/// The state of a window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The path of the scene; `None` for an embedded one.
    pub scene: Option<String>,
    /// The shown step.
    pub step: u64,
    /// True if it is paused.
    pub paused: bool,
    /// The selected unit.
    pub unit: Option<Unit>,
    /// The values of that unit in that step, by file.
    pub files: Vec<FileValues>,
    /// The uses of scripts, by the order of the groups.
    pub uses: Vec<ScriptUse>,
    /// Failures of running scripts.
    pub failing: Vec<Failing>,
}

/// A selected unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Its index.
    pub index: usize,
    /// The name of its group.
    pub group: String,
}

/// Values of the lines of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileValues {
    /// The path of the file.
    pub path: String,
    /// The number of lines of the text that runs.
    pub lines: usize,
    /// The values.
    pub values: Vec<Value>,
}

/// Values of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// The line, from 1.
    pub line: usize,
    /// The text of the line.
    pub text: String,
    /// The values of that line.
    pub values: Vec<String>,
}

/// The use of a script by a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScriptUse {
    /// The path of the script; `None` for an embedded one.
    pub path: Option<String>,
    /// The name of the group.
    pub group: String,
    /// The number of units, and the index of the first one.
    pub units: (usize, Option<usize>),
    /// True if it is switched on.
    pub enabled: bool,
    /// Nanoseconds of one thread per unit and step, to two digits; `None` before they are measured.
    pub nanoseconds: Option<f32>,
    /// True if it runs as machine code.
    pub is_native: bool,
    /// The reason why it runs in the interpreter, or does not run.
    pub reason: Option<String>,
    /// Its values: gain and parameters.
    pub params: Vec<Param>,
}

/// A value of a use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// True if it was tuned in the window.
    pub is_tuned: bool,
}

/// A cause of failure of a running script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failing {
    /// The path of the file.
    pub path: String,
    /// Line and column, from 1; 0 if unknown.
    pub place: (usize, usize),
    /// The text of the line.
    pub text: String,
    /// The number of lines of the text that runs.
    pub lines: usize,
    /// The message.
    pub message: String,
    /// The first unit that failed, its group, and the step.
    pub first: (usize, String, u64),
}
