//! What the compiler does not take.

use std::fmt;

/// Why a behavior runs in the interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The imported file that it stands in; none if it is the script itself.
    pub file: Option<String>,
    /// What the compiler does not take, in the user's words.
    pub construct: String,
    /// A likely remedy, if one is known.
    pub help: Option<String>,
    /// Line in the script, from 1; 0 where there is none.
    pub line: usize,
    /// Column in the script, from 1; 0 where there is none.
    pub column: usize,
}

impl Unsupported {
    /// A script that is not compiled for no construct in particular.
    pub(in crate::script) fn whole(construct: &str) -> Self {
        let construct = construct.to_owned();
        Self { file: None, construct, help: None, line: 0, column: 0 }
    }

    /// The reason as a sentence without a place: the construct and its remedy.
    pub fn reason(&self) -> String {
        let help = self.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        format!("the compiler does not support {}{help}", self.construct)
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}, ")?;
        }
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        f.write_str(&self.reason())
    }
}
