//! The command line, as its help shows it.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::script::Execution;

/// A live sandbox for steering and flocking: edit a rule and see the flock change.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) open: OpenArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run a scene without a window
    Run(RunArgs),
    /// Check scenes and scripts
    Check(CheckArgs),
    /// Write a starter project into a folder
    New {
        /// The folder; what is there already stays as it is
        dir: PathBuf,
    },
    /// Write a definition file of the script API for editors
    Definitions {
        /// The folder
        dir: PathBuf,
        /// Replace a file of that name which was not written by this command
        #[arg(long)]
        force: bool,
    },
}

/// What every running scene takes.
#[derive(Debug, ClapArgs)]
pub(super) struct Common {
    /// Seed in place of the scene's
    #[arg(long)]
    pub(super) seed: Option<u64>,
    /// Threads that units decide on [default: one a processor]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Set a parameter, `gain` or `enabled` of a behavior
    #[arg(long, value_name = "GROUP.SCRIPT.PARAM=V")]
    pub(super) set: Vec<String>,
    /// Write a JSON line for every reload event to a file, or to standard output with `-`
    #[arg(long, value_name = "FILE|-")]
    pub(super) events: Option<PathBuf>,
    /// Run every script in the interpreter, none as machine code
    #[arg(long)]
    pub(super) interpret: bool,
}

impl Common {
    /// How scripts are to run.
    pub(super) fn execution(&self) -> Execution {
        if self.interpret {
            Execution::Interpreted
        } else {
            Execution::default()
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct OpenArgs {
    /// The scene to open [default: scenes/flock.ron, or the one built in]
    pub(super) scene: Option<PathBuf>,
    #[command(flatten)]
    pub(super) common: Common,
    /// Size of the panel's text and widgets
    #[arg(long, default_value_t = 1.0)]
    pub(super) scale: f32,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RunArgs {
    /// The scene to run
    pub(super) scene: PathBuf,
    /// Steps to make [default: 1000; with --watch: until interrupted]
    #[arg(long)]
    pub(super) steps: Option<u64>,
    #[command(flatten)]
    pub(super) common: Common,
    /// Write every unit's state and decisions, a JSON object a line
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    /// Write figures of every group, a row a step
    #[arg(long, value_name = "FILE.csv")]
    pub(super) metrics: Option<PathBuf>,
    /// Draw the last state
    #[arg(long, value_name = "FILE.png")]
    pub(super) image: Option<PathBuf>,
    /// Keep to real time and reload what is saved meanwhile
    #[arg(long)]
    pub(super) watch: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CheckArgs {
    /// Scenes, scripts or folders [default: scenes and scripts here, or those built in]
    pub(super) paths: Vec<PathBuf>,
    /// How faults are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people: source line and caret
    Text,
    /// For editors: a JSON object a line
    Json,
}
