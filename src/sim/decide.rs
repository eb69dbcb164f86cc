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
    // Empty rows still need one word a chunk to be handed out.
    let (mut no_memory, mut no_decisions) = (Vec::new(), Vec::new());
    let memory = sized(&mut crew.memory, &mut no_memory, stride, crew.chunks.len());
    let decisions = sized(
        &mut crew.decisions,
        &mut no_decisions,
        slots.len(),
        crew.chunks.len(),
    );
    (crew.chunks.par_iter_mut())
        .zip(memory)
        .zip(decisions)
        .zip(crew.marks.par_chunks_mut(CHUNK))
        .enumerate()
        .for_each(|(index, (((chunk, memory), decisions), marks))| {
            chunk.senses.attach(frozen, recording);
            chunk.senses.drawings.clear();
            chunk.failures.clear();
            let rows = Rows {
                stride,
                slots,
                memory,
                decisions,
                marks,
            };
            decide_chunk(chunk, first + index * CHUNK, rows);
            chunk.senses.attach(nothing, false);
        });
}

/// The rows of a chunk's units.
struct Rows<'a> {
    stride: usize,
    slots: &'a [Slot],
    memory: &'a mut [u32],
    decisions: &'a mut [Contribution],
    marks: &'a mut [u64],
}

fn decide_chunk(chunk: &mut Chunk, first: usize, rows: Rows<'_>) {
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
            let decision = &mut rows.decisions[index * rows.slots.len() + place];
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

/// Splits rows of `width` into chunks of units; rows of no width become chunks of nothing much.
fn sized<'a, T: Clone + Default + Send>(
    rows: &'a mut Vec<T>,
    spare: &'a mut Vec<T>,
    width: usize,
    chunks: usize,
) -> rayon::slice::ChunksMut<'a, T> {
    if width == 0 {
        spare.resize(chunks, T::default());
        return spare.par_chunks_mut(1);
    }
    rows.par_chunks_mut(CHUNK * width)
}
