//! Passes arguments and results between code for eight units and functions of the API: one word per lane and slot.
#![cfg_attr(not(feature = "native"), allow(dead_code, reason = "only machine code uses them"))]

use steerbox_core::sim::BATCH as LANES;

use super::super::types::{Kind, Type};

/// Arguments and results for the units of a batch.
#[repr(C, align(32))]
pub(crate) struct LaneCall {
    /// All bits set in the active lanes. The call deactivates those in which it fails.
    pub(crate) active: [u32; LANES],
    /// The charge of each lane, besides the constant work of the row.
    pub(crate) work: [u32; LANES],
    /// The lower halves of the slots: of the arguments before, of the result after the call. Integers have 32 bits.
    pub(crate) words: [[u32; LANES]; Self::MAX_WORDS],
}

impl LaneCall {
    /// The maximum number of words of arguments or of a result.
    pub(crate) const MAX_WORDS: usize = 8;

    /// Returns the active lanes.
    pub(super) fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        let active = self.active;
        (0..LANES).filter(move |lane| active[*lane] != 0)
    }

    /// Returns the first word, if there is an active lane and all of them have the same.
    pub(super) fn same(&self) -> Option<u32> {
        let first = self.words[0][self.lanes().next()?];
        self.lanes().all(|lane| self.words[0][lane] == first).then_some(first)
    }

    /// Charges each active lane.
    pub(super) fn charge(&mut self, work: u64) {
        self.work = self.active.map(|asks| if asks == 0 { 0 } else { work as u32 });
    }

    /// Returns the number of words of a value; `None` if it needs the upper halves of its slots. An integer that needs
    /// them fails.
    pub(crate) const fn words_of(of: Type) -> Option<usize> {
        let words = match of.kind {
            Kind::Me | Kind::World => 0,
            Kind::Number
            | Kind::Integer
            | Kind::Bool
            | Kind::Obstacle
            | Kind::Obstacles
            | Kind::Path
            | Kind::Field
            | Kind::Grid
            | Kind::Text => 1,
            Kind::Turn => 2,
            Kind::Vector => 3,
            Kind::Unit | Kind::Members => 4,
            _ => return None,
        };
        Some(if of.maybe { words + 1 } else { words })
    }
}
