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
    /// A mark of units.
    Mark(String),
    /// A signal of units.
    Signal(String),
    /// A kind of units.
    Kind(String),
    /// A view of scenes. Views of equal names in several scenes count as one, since scripts refer to them by name; this
    /// also holds for paths, flow fields, zones and grids.
    View(String),
    /// A path of scenes.
    Path(String),
    /// A flow field of scenes.
    FlowField(String),
    /// A zone of scenes.
    Zone(String),
    /// An environment grid of scenes.
    Grid(String),
    /// A body of a scene.
    Body {
        /// The file name of the scene.
        scene: String,
        /// Its name.
        name: String,
    },
    /// A group of a scene.
    Group {
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
            | Self::Mark(name)
            | Self::Signal(name)
            | Self::Kind(name)
            | Self::View(name)
            | Self::Path(name)
            | Self::FlowField(name)
            | Self::Zone(name)
            | Self::Grid(name)
            | Self::Body { name, .. }
            | Self::Group { name, .. }
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
