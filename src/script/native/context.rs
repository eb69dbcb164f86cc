//! What compiled code works on, laid out so that it can reach it.

use glam::Vec3;

use crate::sim::{GroupFacts, Senses};

/// One call of a behavior: the frozen state as plain arrays, and where results go.
///
/// Compiled code reads and writes it by the offsets of its fields. The arrays outlive the call, since
/// the senses hold the state that they belong to.
#[repr(C)]
pub(super) struct Context<'a> {
    /// What is left of rounds and calls.
    pub(super) fuel: i64,
    /// The unit that decides.
    pub(super) me: usize,
    pub(super) position: *const Vec3,
    pub(super) velocity: *const Vec3,
    pub(super) heading: *const Vec3,
    pub(super) up: *const Vec3,
    pub(super) angular_velocity: *const Vec3,
    pub(super) group: *const u16,
    pub(super) facts: *const GroupFacts,
    pub(super) memory: *mut u32,
    pub(super) time: f32,
    pub(super) step: f32,
    pub(super) center: [f32; 3],
    pub(super) size: [f32; 3],
    pub(super) radius: f32,
    /// Which kind of contribution was returned; see the constants below.
    pub(super) tag: u32,
    pub(super) returned: [f32; 3],
    /// Where compiled code failed, and the two integers of the failure.
    pub(super) site: u32,
    pub(super) details: [i64; 2],
    /// What the host returns beside its result.
    pub(super) floats: [f32; 4],
    pub(super) count: i64,
    // From here on only the host looks.
    pub(super) senses: &'a mut Senses,
    pub(super) texts: &'a [String],
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
