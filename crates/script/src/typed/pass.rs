//! The aim of a pass, versions of functions, and reasons to end early.

use steerbox_core::sim::EventKind;

use super::ir::{Expr, Place};
use super::kinds::Kinds;
use super::reach::Reach;
use crate::typed::unsupported::Unsupported;
use crate::types::{Kind, Type};

/// The purpose of a pass.
pub(super) enum Aim {
    /// Code: the pass ends at a construct that the compiler does not support.
    Code,
    /// The kinds of all expressions, also of those that are never evaluated.
    Kinds(Kinds),
    /// The reached code: the pass follows calls and skips branches that are never usage.
    Reach(Reach),
}

/// The reason why a pass ends early.
pub(super) enum Stop {
    /// An unsupported construct, and the kind of its value.
    Refused(Unsupported, Kind),
    /// A learned type affects code that is already typed.
    Again,
}

pub(super) type Inferred<T = Expr> = Result<T, Stop>;

/// A function and the types of its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct VersionKey {
    /// The path of the imported file that declares it; `None` for the script itself.
    pub(super) file: Option<String>,
    pub(super) name: String,
    pub(super) arguments: Vec<Type>,
    /// True for the entry point, which has the memory and returns a contribution. Calls of the same function by the
    /// script are another version.
    pub(super) is_entry: bool,
}

impl VersionKey {
    /// Returns true for a function that handles events, whose result is unused.
    pub(super) fn is_handler(&self) -> bool {
        self.is_entry && EventKind::named(&self.name).is_some()
    }
}

pub(super) fn refuse<T>(construct: impl Into<String>, at: Place) -> Inferred<T> {
    refuse_as(Kind::Any, construct, at)
}

/// As [`refuse`], for a construct whose value has a known kind.
pub(super) fn refuse_as<T>(kind: Kind, construct: impl Into<String>, (line, column): Place) -> Inferred<T> {
    let construct = construct.into();
    Err(Stop::Refused(Unsupported { file: None, construct, help: None, line, column }, kind))
}

/// As [`refuse_as`], with a remedy.
pub(super) fn refuse_help<T>(construct: String, help: Option<String>, (line, column): Place) -> Inferred<T> {
    Err(Stop::Refused(Unsupported { file: None, construct, help, line, column }, Kind::Any))
}
