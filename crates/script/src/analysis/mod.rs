//! Properties of a script that follow from its code alone: static cost, queries, requirements, parameters without
//! effect.

pub(super) mod cost;
pub(super) mod idle;
pub(super) mod not_finite;
pub(super) mod queries;
pub(super) mod requirement;
pub(super) mod unit_loops;
