//! The decide phase: every behavior of every unit fills its own place, in parallel.

use std::sync::Arc;

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use super::crew::{CHUNK, Chunk, Crew};
use super::{Contribution, Failure, Frozen, MemoryLayout, Slot};

/// Lets all behaviors of group `group` decide on the frozen state.
pub(super) fn decide(
    frozen: &Arc<Frozen>,
    nothing: &Arc<Frozen>,
    group: usize,
    crew: &mut Crew,
    recording: bool,
) {
    let first = frozen.world.groups[group].units.start;
    let stride = crew.stride();
    let slots = &crew.slots;
    if crew.marks.is_empty() {
        return;
    }
    let width = crew.width();
    (crew.chunks.par_iter_mut())
        .zip(crew.memory.par_chunks_mut(CHUNK * stride))
        .zip(crew.decisions.par_chunks_mut(CHUNK * width))
        .zip(crew.marks.par_chunks_mut(CHUNK))
        .enumerate()
        .for_each(|(index, (((chunk, memory), decisions), marks))| {
            chunk.senses.attach(frozen, recording);
            chunk.senses.drawings.clear();
            chunk.failures.clear();
            let mut rows = Rows {
                width,
                stride,
                slots,
                memory,
                decisions,
                marks,
            };
            decide_chunk(chunk, first + index * CHUNK, &mut rows);
            chunk.senses.attach(nothing, false);
        });
}

/// The rows of a chunk's units.
struct Rows<'a> {
    width: usize,
    stride: usize,
    slots: &'a [Slot],
    memory: &'a mut [u32],
    decisions: &'a mut [Contribution],
    marks: &'a mut [u64],
}

fn decide_chunk(chunk: &mut Chunk, first: usize, rows: &mut Rows<'_>) {
    let Chunk { senses, failures } = chunk;
    for (index, marks) in rows.marks.iter_mut().enumerate() {
        senses.turn_to(first + index);
        let mut at = index * rows.stride;
        for (place, slot) in rows.slots.iter().enumerate() {
            let words = slot
                .behavior
                .as_ref()
                .map_or(0, |b| MemoryLayout::words(b.memory()));
            let memory = &mut rows.memory[at..at + words];
            at += words;
            let decision = &mut rows.decisions[index * rows.width + place];
            *decision = Contribution::None;
            let Some(behavior) = slot.active() else {
                continue;
            };
            senses.begin(place, slot.key);
            match behavior.decide(senses, memory) {
                Ok(contribution) if contribution.is_finite() => *decision = contribution,
                Ok(_) => failures.push((place, first + index, not_finite())),
                Err(failure) => failures.push((place, first + index, failure)),
            }
        }
        *marks = senses.marks();
    }
}

fn not_finite() -> Failure {
    let message = "the contribution is not a finite number".to_owned();
    Failure {
        line: 0,
        column: 0,
        message,
        help: None,
        exhausted: false,
    }
}
