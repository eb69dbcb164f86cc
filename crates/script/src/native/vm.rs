//! The state of compiled code, with fields at fixed offsets.

use steerbox_core::perception::MeansCache;
use steerbox_core::sim::{Arrays, NameIds};

use crate::api::HostCall;
use crate::api::values::Slots;

/// A call of a behavior: the frozen state as plain arrays, and the results.
///
/// Compiled code accesses it by the offsets of its fields. The arrays outlive the call, since the context holds the
/// state that owns them.
#[repr(C)]
pub(super) struct VmContext<'a> {
    /// The deciding unit.
    pub(super) me: usize,
    pub(super) arrays: *const Arrays,
    pub(super) memory: *mut u32,
    /// The arguments of the entry point, if it has any.
    pub(super) given: *const Slots,
    /// The means computed so far, and four times the unit's lane in them.
    pub(super) known: *const MeansCache,
    pub(super) lane: usize,
    /// The ids of the script's texts as names.
    pub(super) names: *const NameIds,
    /// True if drawings or watched values are recorded.
    pub(super) is_shown: bool,
    /// The tag of the returned contribution, see [`steerbox_core::sim::Contribution::of_tag`].
    pub(super) tag: u32,
    pub(super) returned: [f32; 3],
    /// The failure site, and the two integers of the failure.
    pub(super) site: u32,
    pub(super) details: [i64; 2],
    /// A second result of host functions other than those of the API.
    pub(super) count: i64,
    /// Work of scans of lists that machine code charged itself, to be attributed to lists.
    pub(super) looked: i64,
    /// The state that host functions operate on.
    pub(super) call: HostCall<'a>,
}
