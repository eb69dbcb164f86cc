//! The three classic scenes against reference implementations that do not use their scripts.
//!
//! `reference` contains the rules in double precision, written from their formulas only; `random` sets the scenes to
//! random states and compares every contribution and every next state; `edges` tests the states that random ones do not
//! reach.

#[path = "../common/mod.rs"]
mod common;
mod dice;
mod edges;
mod random;
mod reference;
mod stage;
