//! How code for eight units hands arguments to a function of the API and gets its results: word by word, a lane a
//! unit.
#![cfg_attr(not(feature = "native"), allow(dead_code, reason = "machine code makes these calls"))]

use super::super::types::{Kind, Type};
use crate::sim::BATCH as LANES;

/// Arguments and results for some units of a batch.
#[repr(C, align(32))]
pub(in crate::script) struct LaneCall {
    /// All bits set for the units that ask.
    pub(in crate::script) asking: [u32; LANES],
    /// What the call charges each for, beside the work of its row.
    pub(in crate::script) work: [u32; LANES],
    /// The lower halves of slots: first of the arguments, then of the result.
    pub(in crate::script) words: [[u32; LANES]; Self::MOST],
}

impl LaneCall {
    /// Most words of arguments and of a result.
    pub(in crate::script) const MOST: usize = 8;

    /// The lanes that ask.
    pub(super) fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        let asking = self.asking;
        (0..LANES).filter(move |lane| asking[*lane] != 0)
    }

    /// The first word, if there are units that ask and it is the same for all of them.
    pub(super) fn same(&self) -> Option<u32> {
        let first = self.words[0][self.lanes().next()?];
        self.lanes().all(|lane| self.words[0][lane] == first).then_some(first)
    }

    /// Charges each unit that asks for as much.
    pub(super) fn charge(&mut self, work: u64) {
        self.work = self.asking.map(|asks| if asks == 0 { 0 } else { work as u32 });
    }

    /// How many words a value takes, if it can be handed over: all of it is in the lower halves of its slots.
    pub(in crate::script) const fn words_of(of: Type) -> Option<usize> {
        let words = match of.kind {
            Kind::Me | Kind::World => 0,
            Kind::Number | Kind::Switch | Kind::Obstacle | Kind::Obstacles | Kind::Path | Kind::Field => 1,
            Kind::Turn => 2,
            Kind::Vector => 3,
            Kind::Unit => 4,
            _ => return None,
        };
        Some(if of.maybe { words + 1 } else { words })
    }
}
