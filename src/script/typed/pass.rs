//! The aim of a pass, versions of functions, and reasons to end early.

use super::form::{Expr, Place};
use super::kinds::Kinds;
use super::reach::Reach;
use crate::script::front::unsupported::Unsupported;
use crate::script::types::{Kind, Type};

/// The purpose of a pass.
pub(super) enum Aim {
    /// Code: the pass ends at a construct that the compiler does not support.
    Code,
    /// The kinds of all expressions, also of those that are never evaluated.
    Kinds(Kinds),
    /// The code that is reached: the pass follows calls and leaves out branches that are never taken.
    Reach(Reach),
}

/// Why a pass ends early.
pub(super) enum Stop {
    /// The compiler does not take something; what is known of its value.
    Refused(Unsupported, Kind),
    /// Something was learned that earlier parts need to know.
    Again,
}

pub(super) type Inferred<T = Expr> = Result<T, Stop>;

/// A function and the types of its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct VersionKey {
    /// The imported file that it stands in; none if it is the script itself.
    pub(super) file: Option<String>,
    pub(super) name: String,
    pub(super) arguments: Vec<Type>,
    /// Whether it is called from outside: then it has the memory, and returns a contribution. A script
    /// may call the same function itself, which is another version.
    pub(super) is_entry: bool,
}

pub(super) fn refuse<T>(construct: impl Into<String>, at: Place) -> Inferred<T> {
    refuse_as(Kind::Any, construct, at)
}

/// The same for something whose value is known to be of a kind.
pub(super) fn refuse_as<T>(kind: Kind, construct: impl Into<String>, (line, column): Place) -> Inferred<T> {
    let construct = construct.into();
    Err(Stop::Refused(Unsupported { file: None, construct, help: None, line, column }, kind))
}

/// The same with a remedy.
pub(super) fn refuse_help<T>(construct: String, help: Option<String>, (line, column): Place) -> Inferred<T> {
    Err(Stop::Refused(Unsupported { file: None, construct, help, line, column }, Kind::Any))
}
