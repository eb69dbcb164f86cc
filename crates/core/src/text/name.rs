//! Names that files declare and use, across files.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Returns a name in composed form (NFC), in which two names that look the same are equal.
pub fn composed(name: &str) -> Cow<'_, str> {
    match is_nfc_quick(name.chars()) {
        IsNormalized::Yes => name.into(),
        _ => name.nfc().collect::<String>().into(),
    }
}

/// The kind of thing that a name in a scene denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    /// A script with `steer`.
    Rule,
    /// A script with `flow`.
    FlowScript,
    /// A parameter of a script.
    Param,
    /// A body of units.
    Body,
    /// A view of units.
    View,
    /// A kind of units: a group, or a word of `kinds`.
    Kind,
    /// A path of points.
    Path,
    /// A flow field.
    FlowField,
    /// A zone of the world.
    Zone,
    /// An environment grid.
    Grid,
    /// A group of units.
    Group,
    /// A mark that scripts set.
    Mark,
    /// A signal that scripts send.
    Signal,
    /// A measure of groups or of a script.
    Measure,
    /// A scene, in an experiment.
    Scene,
    /// A variable of an experiment with its values.
    Variable,
}

impl Thing {
    /// Returns the noun for it in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Rule | Self::FlowScript => "script",
            Self::Param => "parameter",
            Self::Body => "body",
            Self::View => "view",
            Self::Kind => "kind",
            Self::Path => "path",
            Self::FlowField => "flow field",
            Self::Zone => "zone",
            Self::Grid => "grid",
            Self::Group => "group",
            Self::Mark => "mark",
            Self::Signal => "signal",
            Self::Measure => "measure",
            Self::Scene => "scene",
            Self::Variable => "variable",
        }
    }
}

/// A thing with a name. Two occurrences denote the same thing if their names are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// A script, by its file name without extension.
    Script(String),
    /// A tunable parameter of a script.
    Param {
        /// The script that declares it.
        script: String,
        /// Its name.
        name: String,
    },
    /// Another constant at the top of a script.
    Constant {
        /// The script that declares it.
        script: String,
        /// Its name.
        name: String,
    },
    /// A function of a script.
    Function {
        /// The script that declares it.
        script: String,
        /// Its name.
        name: String,
        /// Its number of parameters.
        arity: usize,
    },
    /// A field of a script's memory.
    Memory {
        /// The script that declares it.
        script: String,
        /// Its name.
        name: String,
    },
    /// A variable or parameter of a function, or the alias of an import.
    Local {
        /// The script that declares it.
        script: String,
        /// Its name.
        name: String,
        /// The byte at which it is declared.
        at: usize,
    },
    /// A property or function of the API.
    Api {
        /// The kind of the value before the dot, as editors show it; `None` for plain calls and constants.
        receiver: Option<&'static str>,
        /// Its name.
        name: String,
    },
    /// A mark, signal or kind of units, or a view, path, flow field, zone or grid of scenes. Those of equal names in several
    /// scenes count as one, since scripts refer to them by name.
    Shared(Thing, String),
    /// A body or a group of a scene.
    OfScene {
        /// A body or a group.
        thing: Thing,
        /// The file name of the scene.
        scene: String,
        /// Its name.
        name: String,
    },
    /// A field or a case of the scene format, such as `radius` of `Disc`.
    Schema {
        /// The item that has it, as in messages: `a group`, `Disc`.
        owner: &'static str,
        /// Its name.
        name: String,
    },
}

impl Name {
    /// Returns the name as users write it.
    pub fn text(&self) -> &str {
        match self {
            Self::Script(name)
            | Self::Param { name, .. }
            | Self::Constant { name, .. }
            | Self::Function { name, .. }
            | Self::Memory { name, .. }
            | Self::Local { name, .. }
            | Self::Api { name, .. }
            | Self::Shared(_, name)
            | Self::OfScene { name, .. }
            | Self::Schema { name, .. } => name,
        }
    }

    /// Returns true for names of the program, which users cannot rename.
    pub fn is_built_in(&self) -> bool {
        matches!(self, Self::Api { .. } | Self::Schema { .. })
    }
}

/// A place in a file at which a name is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The name without quotes, in bytes of the text.
    pub range: Range<usize>,
    /// The name.
    pub name: Name,
    /// True for the place that declares it.
    pub is_declaration: bool,
}
