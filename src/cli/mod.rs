//! Command line interface, one file per command.

mod about;
mod args;
mod check;
mod check_runs;
mod common_args;
mod compare;
mod compare_seeds;
mod events;
mod execution;
mod expectations;
mod explain;
mod failures;
mod help;
mod idle;
mod interrupt;
mod junit;
mod lines;
mod list;
mod loops;
mod lsp;
mod merge;
mod merge_args;
mod metrics;
mod new;
mod numbers;
mod open;
mod output;
mod page;
mod plot;
mod plot_args;
mod print;
mod profile;
mod record;
mod replay;
mod results;
mod run;
mod scene;
mod sensitivity;
mod setting;
mod startup;
mod stored;
mod stream;
mod summary;
mod sweep;
mod sweep_args;
mod table;
mod test;
mod test_args;
mod trace;
mod usage;
mod window;
#[cfg(not(feature = "window"))]
mod without_window;

use std::process::ExitCode;

use clap::Parser as _;

use args::Command;

pub use args::Args;
pub use print::print_error;

/// Parses the arguments of the program.
///
/// # Errors
/// The exit status if they are invalid or request help, after printing the error or the help.
pub fn arguments() -> Result<Args, ExitCode> {
    Args::try_parse().map_err(|result| {
        let status = ExitCode::from(u8::try_from(result.exit_code()).unwrap_or(2));
        print::of_parser(result).map_or_else(|error| print_error(&error.into()), |()| status)
    })
}

/// Runs the command given by the arguments.
///
/// # Errors
/// The error that stopped the command; faults of files in it are printed with their source lines.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    interrupt::survive_file_size_limit();
    startup::check_threads()?;
    match args.command {
        None => open::open(args.open),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Explain(args)) => explain::explain(&args),
        Some(Command::Compare(args)) => compare::compare(&args),
        Some(Command::Sweep(args)) => sweep::sweep(*args),
        Some(Command::Merge(args)) => merge::parts(&args),
        Some(Command::Plot(args)) => plot::plot(&args),
        Some(Command::Sensitivity(args)) => sensitivity::sensitivity(&args),
        Some(Command::Replay(args)) => replay::replay(&args),
        Some(Command::Check(args)) => check::check(&args),
        Some(Command::Test(args)) => test::test(&args),
        Some(Command::List { format }) => list::list(format),
        Some(Command::New { dir, all, template }) => new::new(&dir, all, template.as_deref()),
        Some(Command::Lsp { .. }) => lsp::serve(),
        Some(Command::Completions { shell }) => about::completions(shell),
        Some(Command::Man) => about::manual(),
        Some(Command::Version) => about::version(),
    }
}
