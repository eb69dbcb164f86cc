//! Scripts as machine code against scripts in the interpreter: bit-identical, including failures.
//!
//! `compare` runs a world in both modes and finds the first difference. It is applied to shipped scenes and scripts, to a
//! table of hand-picked texts (`cases`), to integers at their limits (`grid`), to random programs (`program`, `random`),
//! to degenerate ones (`degenerate`), to programs close to a work limit (`limits`, `near_limits`), and to a crowd with
//! divergent control flow (`lanes`). `rewritten` compares machine code of two equivalent texts, which detects faults that
//! both modes share. `drawn` runs programs and shipped scripts with parameters that differ by unit. `probed` compares
//! scripts with and without probes in their text. `mutation` verifies that differences are detected, `coverage` that
//! programs cover the language.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod coverage;
mod degenerate;
mod drawn;
mod grid;
mod lanes;
mod limits;
mod mutation;
mod near_limits;
mod probed;
mod program;
mod random;
mod reductions;
mod rewritten;
mod scenes;
mod scripts;
mod setting;
mod stage;
mod watch;
