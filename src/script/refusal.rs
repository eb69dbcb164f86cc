//! What the compiler does not take.

use std::fmt;

/// Why a behavior runs in the interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What the compiler does not take, in the user's words.
    pub construct: String,
    /// Line in the script, from 1; 0 where there is none.
    pub line: usize,
    /// Column in the script, from 1; 0 where there is none.
    pub column: usize,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        write!(f, "the compiler does not take {}", self.construct)
    }
}
