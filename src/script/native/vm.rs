//! What compiled code works on, laid out so that it can reach it.

use rhai::ImmutableString;

use crate::perception::MeansCache;
use crate::script::api::values::Slots;
use crate::sim::{Arrays, UnitContext};

/// One call of a behavior: the frozen state as plain arrays, and where results go.
///
/// Compiled code reads and writes it by the offsets of its fields. The arrays outlive the call, since
/// the context hold the state that they belong to.
#[repr(C)]
pub(super) struct VmContext<'a> {
    /// What is left of the work that the call may take.
    pub(super) fuel: i64,
    /// The unit that decides.
    pub(super) me: usize,
    pub(super) arrays: *const Arrays,
    pub(super) memory: *mut u32,
    /// The means computed so far, and four times the unit's lane in them.
    pub(super) known: *const MeansCache,
    pub(super) lane: usize,
    /// Which kind of contribution was returned; see the constants below.
    pub(super) tag: u32,
    pub(super) returned: [f32; 3],
    /// Where compiled code failed, and the two integers of the failure.
    pub(super) site: u32,
    pub(super) details: [i64; 2],
    /// Arguments and results of functions of the API.
    pub(super) slots: Slots,
    /// What other functions of the host return beside their result.
    pub(super) count: i64,
    // From here on only the host looks.
    pub(super) context: &'a mut UnitContext,
    pub(super) texts: &'a [ImmutableString],
    /// What the host has to say about a failure.
    pub(super) words: Option<String>,
    pub(super) has_panicked: bool,
}

/// Nothing was returned.
pub(super) const NOTHING: u32 = 0;
/// A turn was returned.
pub(super) const TURN: u32 = 1;
/// A push was returned.
pub(super) const PUSH: u32 = 2;
