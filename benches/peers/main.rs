//! The cost of scripts and `LuaJIT`: the tables `agree` and `ratios` of `benches/flock`, with the same rules in Lua.
#![allow(clippy::print_stdout, reason = "the program prints tables")]
#![allow(dead_code, reason = "other tables use the rest")]

#[path = "../flock/agree.rs"]
mod agree;
#[path = "../flock/context.rs"]
mod context;
#[path = "../flock/form.rs"]
mod form;
#[path = "../flock/limit.rs"]
mod limit;
mod lua;
#[path = "../flock/measure.rs"]
mod measure;
mod peers;
#[path = "../flock/ratios.rs"]
mod ratios;
#[path = "../flock/rules.rs"]
mod rules;
#[path = "../flock/scripts.rs"]
mod scripts;
#[path = "../flock/variant.rs"]
mod variant;
#[path = "../flock/workload.rs"]
mod workload;

fn main() -> anyhow::Result<()> {
    agree::check()?;
    ratios::print()
}
