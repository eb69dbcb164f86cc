//! The three classic scenes against numbers worked out apart from their scripts.
//!
//! `reference` holds the rules in double precision, written from their formulas alone; `random` puts
//! the scenes into random states and compares every contribution and every next state; `edges` looks
//! at the states that chance never meets.

#[path = "../common/mod.rs"]
mod common;
mod dice;
mod edges;
mod random;
mod reference;
mod stage;
