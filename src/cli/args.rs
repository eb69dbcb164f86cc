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
    /// Explain the motion of a unit in one step, with values beside the lines of its scripts
    #[command(after_help = help::EXPLAIN)]
    Explain(ExplainArgs),
    /// Run a scene twice, the second time with other values or scripts, and show the first difference
    #[command(after_help = help::COMPARE)]
    Compare(CompareArgs),
    /// Check scenes and scripts
    #[command(after_help = help::CHECK)]
    Check(CheckArgs),
    /// List the available scenes
    #[command(after_help = help::LIST)]
    List {
        /// The output format
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Write a starter project into a folder
    #[command(after_help = help::NEW)]
    New {
        /// The folder; nothing is written if it already has a file of the project
        dir: PathBuf,
    },
    /// Write a definition file of the script API for editors
    #[command(after_help = help::DEFINITIONS)]
    Definitions {
        /// The folder
        dir: PathBuf,
        /// Replace a file of the same name that this command did not write
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
    /// Threads that evaluate behaviors [default: one per processor]
    #[arg(long, value_parser = whole(1..=1024_u16), allow_negative_numbers = true)]
    pub(super) threads: Option<u16>,
    /// Set a parameter, `gain` or `enabled` of a behavior; SCRIPT#2 is the second use of a script
    #[arg(long, value_name = "GROUP.SCRIPT.PARAM=V", value_parser = setting)]
    pub(super) set: Vec<Setting>,
    /// Run all scripts in the interpreter, without compiling them to machine code
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
    /// Scale of the user interface, 0.5 to 4 [default: that of the last window, or of the display]
    #[arg(long, value_parser = within("a number", 0.5..=4.0_f32), allow_negative_numbers = true)]
    pub(super) scale: Option<f32>,
    /// Memory limit of the recording, MiB; 0 records nothing
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = whole(0..=65_536_usize), allow_negative_numbers = true)]
    pub(super) history: usize,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RunArgs {
    /// The scene to run: a file, or a name that `steerbox list` shows
    pub(super) scene: PathBuf,
    /// The number of steps [default: 1000; with --watch: until interrupted]
    #[arg(long, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(super) steps: Option<u64>,
    #[command(flatten)]
    pub(super) common: Common,
    /// Write a JSON line for every reload event to a file, or to standard output with `-`
    #[arg(long, value_name = "FILE|-")]
    pub(super) events: Option<PathBuf>,
    /// Write the state and contributions of every unit, one JSON object per line
    #[arg(long, value_name = "FILE|-")]
    pub(super) trace: Option<PathBuf>,
    /// Write measurements of every group, one row per step
    #[arg(long, value_name = "FILE.csv|-")]
    pub(super) metrics: Option<PathBuf>,
    /// Draw the final state
    #[arg(long, value_name = "FILE.png")]
    pub(super) image: Option<PathBuf>,
    /// Print the cost of each behavior: nanoseconds per unit and step, and its share of a step
    #[arg(long)]
    pub(super) profile: bool,
    /// Run in real time and reload files when they are saved
    #[arg(long)]
    pub(super) watch: bool,
    /// Print only the hash and errors
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ExplainArgs {
    /// The scene: a file, or a name that `steerbox list` shows
    pub(super) scene: PathBuf,
    /// The index of the unit, from 0, as in `run --trace`
    #[arg(long, value_parser = whole(0..=usize::MAX), allow_negative_numbers = true)]
    pub(super) unit: usize,
    /// The step, from 1
    #[arg(long, value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    pub(super) step: u64,
    #[command(flatten)]
    pub(super) common: Common,
    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CompareArgs {
    /// The scene: a file, or a name that `steerbox list` shows
    pub(super) scene: PathBuf,
    /// The maximum number of steps
    #[arg(long, default_value_t = 1000, value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    pub(super) steps: u64,
    /// A value of the second run; --set sets it for both runs
    #[arg(long, value_name = "GROUP.SCRIPT.PARAM=V", value_parser = setting, required_unless_present = "with_scripts")]
    pub(super) with: Vec<Setting>,
    /// A folder whose scripts replace the scene's in the second run
    #[arg(long, value_name = "DIR")]
    pub(super) with_scripts: Option<PathBuf>,
    #[command(flatten)]
    pub(super) common: Common,
    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct CheckArgs {
    /// Scenes by file or name, scripts, folders [default: scenes and scripts here, or those built in]
    pub(super) paths: Vec<PathBuf>,
    /// The output format of faults
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// List each loop over units of the scripts: any order or nearest first, and the reason
    #[arg(long)]
    pub(super) explain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs: one JSON object per line
    Json,
}
