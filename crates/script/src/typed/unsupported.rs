//! Constructs that the compiler does not support.

use std::fmt;

/// The reason why a behavior runs in the interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The path of the imported file with the construct; `None` for the script itself.
    pub file: Option<String>,
    /// The unsupported construct, as shown to the user.
    pub construct: String,
    /// A remedy, if one is known.
    pub help: Option<String>,
    /// Line in the script, from 1; 0 without a position.
    pub line: usize,
    /// Column in the script, from 1; 0 without a position.
    pub column: usize,
}

impl Unsupported {
    /// Builds a reason that concerns the whole script.
    pub(crate) fn whole(construct: &str) -> Self {
        let construct = construct.to_owned();
        Self { file: None, construct, help: None, line: 0, column: 0 }
    }

    /// Formats the reason without a position: the construct and its remedy.
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
