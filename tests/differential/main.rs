//! Scripts as machine code against scripts in the interpreter: the same bits, failures included.
//!
//! `compare` runs a world both ways and finds the first difference. It is used on shipped scenes and
//! scripts, on a table of hand-picked texts (`cases`), on integers at their edges (`grid`), on random programs
//! (`program`, `random`), on such that get nowhere (`degenerate`), on such that come close to a limit (`limits`,
//! `near_limits`), and on a crowd whose units take different paths (`lanes`).
//! `rewritten` compares machine code of two texts that mean the same, so it sees faults that both ways share.
//! `probed` compares scripts with probes in their text with the same scripts without.
//! `mutation` shows that differences are found at all, `coverage` that programs use everything there is.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod coverage;
mod degenerate;
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
