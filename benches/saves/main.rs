//! Saves by every pattern of editors and tools against the running loader, with the real parsers.
//!
//! ```sh
//! cargo bench --bench saves                          # 2,000 saves
//! cargo bench --bench saves -- --saves 20000         # half of them while all cores are busy
//! cargo bench --bench saves -- soak --minutes 30     # a save a second
//! ```
//!
//! Every content has a token at its start and end. The program fails if a content is torn, reported as faulty, reported
//! twice or not at all, or if in the end the running content differs from that on disk.
#![allow(clippy::print_stdout, reason = "the program prints tables")]

mod content;
mod folders;
mod patterns;
mod shadow;
mod soak;
mod stage;
mod stress;
mod tally;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Number of saves.
    #[arg(long, default_value_t = 2000)]
    saves: u32,
    /// Number of files that are saved in parallel; one of them is the scene.
    #[arg(long, default_value_t = 6)]
    files: u32,
    /// Threads that keep the processor busy in the second half [default: two for each core].
    #[arg(long)]
    busy: Option<usize>,
    /// Seed of random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Passed by cargo.
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Command {
    /// A save every second; checks that memory, threads, descriptors and watches are constant.
    Soak {
        /// Duration.
        #[arg(long, default_value_t = 30.0)]
        minutes: f64,
        /// Passed by cargo.
        #[arg(long, hide = true)]
        bench: bool,
    },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match arguments.command {
        Some(Command::Soak { minutes, .. }) => soak::run(minutes, arguments.seed),
        None => stress::run(&arguments),
    }
}
