//! One file a command: what the words on the command line do.

mod args;
mod check;
mod definitions;
mod events;
mod execution;
mod failures;
mod metrics;
mod new;
mod open;
mod output;
mod print;
mod run;
mod set;
mod trace;

pub use args::Args;
pub use print::print_error;

use std::process::ExitCode;

use args::Command;

/// Carries out what the arguments ask for.
///
/// # Errors
/// With what stopped the command; faults of files among it are printed with their source lines.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        None => open::open(args.open),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Check(args)) => check::check(&args),
        Some(Command::New { dir }) => new::new(&dir),
        Some(Command::Definitions { dir, force }) => definitions::write(&dir, force),
    }
}
