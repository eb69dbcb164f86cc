//! Definition of the command line; doc comments are the help texts.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use super::help;
use super::numbers::{whole, within};
use super::setting::setting;
use crate::reload::Setting;
use crate::script::Execution;

/// A live sandbox for steering and flocking: edit a rule and see the flock change.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, max_term_width = 100, after_help = help::OPEN)]
pub struct Args {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) open: OpenArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run a scene without a window
    #[command(after_help = help::RUN)]
    Run(RunArgs),
    /// Show why a unit moved as it did in one step, with the values beside the lines of its scripts
    #[command(after_help = help::EXPLAIN)]
    Explain(ExplainArgs),
    /// Run a scene twice, with other values or scripts, and show where the two differ
    #[command(after_help = help::COMPARE)]
    Compare(CompareArgs),
    /// Check scenes and scripts
    #[command(after_help = help::CHECK)]
    Check(CheckArgs),
    /// Name the scenes that can be opened
    #[command(after_help = help::LIST)]
    List {
        /// How they are written
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Write a starter project into a folder
    #[command(after_help = help::NEW)]
    New {
        /// The folder; where a file of the project is there already, nothing is written
        dir: PathBuf,
    },
    /// Write a definition file of the script API for editors
    #[command(after_help = help::DEFINITIONS)]
    Definitions {
        /// The folder
        dir: PathBuf,
        /// Replace a file of that name which was not written by this command
        #[arg(long)]
        force: bool,
    },
    /// Write a completion script for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual page
    #[command(after_help = help::MAN)]
    Man,
    /// Print the version
    Version,
}

/// Options of all commands that run a scene.
#[derive(Debug, ClapArgs)]
pub(super) struct Common {
    /// Seed in place of the scene's
    #[arg(long, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(super) seed: Option<u64>,
    /// Threads that units decide on [default: one a processor]
    #[arg(long, value_parser = whole(1..=1024_u16), allow_negative_numbers = true)]
    pub(super) threads: Option<u16>,
    /// Set a parameter, `gain` or `enabled` of a behavior; SCRIPT#2 is the second use of a script
    #[arg(long, value_name = "GROUP.SCRIPT.PARAM=V", value_parser = setting)]
    pub(super) set: Vec<Setting>,
    /// Run every script in the interpreter, none as machine code
    #[arg(long)]
    pub(super) interpret: bool,
}

impl Common {
    /// The execution mode of scripts.
    pub(super) fn execution(&self) -> Execution {
        if self.interpret { Execution::Interpreted } else { Execution::default() }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct OpenArgs {
    /// The scene to open: a file, or a name that `steerbox list` shows [default: flock]
    pub(super) scene: Option<PathBuf>,
    #[command(flatten)]
    pub(super) common: Common,
    /// Write a JSON line for every reload event to a file, or to standard output with `-`
    #[arg(long, value_name = "FILE|-")]
    pub(super) events: Option<PathBuf>,
    /// Size of everything in the window, 0.5 to 4 [default: as in the last window, or as the display asks]
    #[arg(long, value_parser = within("a number", 0.5..=4.0_f32), allow_negative_numbers = true)]
    pub(super) scale: Option<f32>,
    /// Memory that the recorded past may take, MiB; with 0, nothing is recorded
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = whole(0..=65_536_usize), allow_negative_numbers = true)]
    pub(super) history: usize,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RunArgs {
    /// The scene to run: a file, or a name that `steerbox list` shows
    pub(super) scene: PathBuf,
    /// Steps to make [default: 1000; with --watch: until interrupted]
    #[arg(long, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(super) steps: Option<u64>,
    #[command(flatten)]
    pub(super) common: Common,
    /// Write a JSON line for every reload event to a file, or to standard output with `-`
    #[arg(long, value_name = "FILE|-")]
    pub(super) events: Option<PathBuf>,
    /// Write every unit's state and decisions, a JSON object a line
    #[arg(long, value_name = "FILE|-")]
    pub(super) trace: Option<PathBuf>,
    /// Write figures of every group, a row a step
    #[arg(long, value_name = "FILE.csv|-")]
    pub(super) metrics: Option<PathBuf>,
    /// Draw the last state
    #[arg(long, value_name = "FILE.png")]
    pub(super) image: Option<PathBuf>,
    /// Print what each behavior costs: nanoseconds a unit and step, and its share of a step
    #[arg(long)]
    pub(super) profile: bool,
    /// Keep to real time and reload what is saved meanwhile
    #[arg(long)]
    pub(super) watch: bool,
    /// Print nothing but the hash and what went wrong
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ExplainArgs {
    /// The scene: a file, or a name that `steerbox list` shows
    pub(super) scene: PathBuf,
    /// The unit, by its number from 0 as in `run --trace`
    #[arg(long, value_parser = whole(0..=usize::MAX), allow_negative_numbers = true)]
    pub(super) unit: usize,
    /// The step, from 1
    #[arg(long, value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    pub(super) step: u64,
    #[command(flatten)]
    pub(super) common: Common,
    /// How it is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CompareArgs {
    /// The scene: a file, or a name that `steerbox list` shows
    pub(super) scene: PathBuf,
    /// Steps to make at the most
    #[arg(long, default_value_t = 1000, value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    pub(super) steps: u64,
    /// A value of the second run, as --set has it for both
    #[arg(long, value_name = "GROUP.SCRIPT.PARAM=V", value_parser = setting, required_unless_present = "with_scripts")]
    pub(super) with: Vec<Setting>,
    /// A folder whose scripts take the place of the scene's in the second run
    #[arg(long, value_name = "DIR")]
    pub(super) with_scripts: Option<PathBuf>,
    #[command(flatten)]
    pub(super) common: Common,
    /// How it is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CheckArgs {
    /// Scenes by file or name, scripts, folders [default: scenes and scripts here, or those built in]
    pub(super) paths: Vec<PathBuf>,
    /// How faults are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Name each loop over units of the scripts: whether it goes in any order or nearest first, and why
    #[arg(long)]
    pub(super) explain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs: a JSON object a line
    Json,
}
