//! Motion of bodies: loads, integration, contacts, edges. Independent of behaviors.

mod breakdown;
mod contacts;
mod diffusion;
mod edges;
mod motion;
mod mover;
mod mover_block;
mod rigid;

pub use breakdown::{Breakdown, breakdown, in_world};
pub use contacts::ContactSolver;
pub use diffusion::{GridBuffers, deposit, max_diffusion};
pub use edges::confine;
pub(crate) use motion::GRAIN;
pub use motion::{Motion, Steering};
pub(crate) use mover::is_still;
pub(crate) use mover_block::{BLOCK, MoverBlock};
pub use rigid::{Load, loads};

use crate::world::{Arena, Body, Controls};

/// Advances a body by one step of `step` seconds, without edges or contacts. `controls` are the keyboard's, for the
/// player only.
#[allow(clippy::inline_always, reason = "a few nanoseconds of every unit")]
#[inline(always)]
pub fn advance(
    body: &Body,
    motion: &mut Motion,
    steering: &Steering,
    controls: Option<&Controls>,
    arena: &Arena,
    step: f32,
) {
    match body {
        Body::Rigid(body) => rigid::advance(body, motion, steering, controls, arena, step),
        Body::Mover(body) => mover::advance(body, motion, steering, controls, arena, step),
    }
}
