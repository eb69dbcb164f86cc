//! Properties of a script that follow from its code alone: queries, requirements, parameters without effect.

pub(super) mod idle;
pub(super) mod queries;
pub(super) mod requirement;
pub(super) mod unit_loops;
