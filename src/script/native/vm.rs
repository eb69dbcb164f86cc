//! What compiled code works on, laid out so that it can reach it.

use crate::perception::MeansCache;
use crate::script::api::HostCall;
use crate::sim::{Arrays, NameIds};

/// One call of a behavior: the frozen state as plain arrays, and where results go.
///
/// Compiled code reads and writes it by the offsets of its fields. The arrays outlive the call, since
/// the context holds the state that they belong to.
#[repr(C)]
pub(super) struct VmContext<'a> {
    /// The unit that decides.
    pub(super) me: usize,
    pub(super) arrays: *const Arrays,
    pub(super) memory: *mut u32,
    /// The means computed so far, and four times the unit's lane in them.
    pub(super) known: *const MeansCache,
    pub(super) lane: usize,
    /// What the texts of the script stand for as names.
    pub(super) names: *const NameIds,
    /// Whether drawings or watched values are recorded.
    pub(super) is_shown: bool,
    /// Which contribution was returned, as [`crate::sim::Contribution::of_tag`] takes it.
    pub(super) tag: u32,
    pub(super) returned: [f32; 3],
    /// Where compiled code failed, and the two integers of the failure.
    pub(super) site: u32,
    pub(super) details: [i64; 2],
    /// What functions of the host other than those of the API return beside their result.
    pub(super) count: i64,
    /// Work of looks at lists that machine code charged for itself, to be attributed to lists.
    pub(super) looked: i64,
    /// What functions of the host work on.
    pub(super) call: HostCall<'a>,
}
