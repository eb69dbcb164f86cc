//! The cost of scripts: one flock run by scripts, by Rust, and by a stand-alone program.
//!
//! Custom harness: runs of all variants are interleaved, and compared by medians. Without arguments all tables are
//! printed, else the named ones.
#![allow(clippy::print_stdout, reason = "the program prints tables")]

mod agree;
mod compile;
mod context;
mod form;
mod interpreted;
mod limit;
mod measure;
mod peers;
mod ratio;
mod ratios;
mod realtime;
mod rules;
mod scripts;
mod sizes;
mod start;
mod threads;
mod variant;
mod workload;

use anyhow::{Result, bail};

type Table = (&'static str, fn() -> Result<()>);

const TABLES: [Table; 8] = [
    ("agree", agree::check),
    ("ratios", ratios::print),
    ("interpreted", interpreted::print),
    ("sizes", sizes::print),
    ("threads", threads::print),
    ("realtime", realtime::print),
    ("compile", compile::print),
    ("start", start::print),
];

fn main() -> Result<()> {
    // Cargo adds `--bench`.
    let asked: Vec<_> = std::env::args().skip(1).filter(|name| name != "--bench").collect();
    for name in &asked {
        if !TABLES.iter().any(|(known, _)| known == name) {
            bail!("there is no table `{name}`, but {:?}", TABLES.map(|(name, _)| name));
        }
    }
    for (name, print) in TABLES {
        if asked.is_empty() || asked.iter().any(|asked| asked == name) {
            println!("### {name}\n");
            print()?;
        }
    }
    Ok(())
}
