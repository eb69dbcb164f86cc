//! Definition of the command line; doc comments are the help texts.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use steerbox_project::reload::{SCENE_TEMPLATES, Setting};
use steerbox_script::Execution;

use super::common_args::{Common, MAX_THREADS, Theme, execution};
use super::help;
use super::merge_args::MergeArgs;
use super::numbers::{size, whole, within};
use super::plot_args::PlotArgs;
use super::sensitivity::SensitivityArgs;
use super::setting::setting;
use super::sweep_args::SweepArgs;
use super::test_args::TestArgs;
use super::trace::TraceArgs;

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
    Run(Box<RunArgs>),
    /// Explain the motion of a unit in one step, with values beside the lines of its scripts
    #[command(after_help = help::EXPLAIN)]
    Explain(ExplainArgs),
    /// Run a scene twice, the second time with other values or scripts, and show the first difference
    #[command(after_help = help::COMPARE)]
    Compare(CompareArgs),
    /// Run a scene with many values and seeds, and write a table with a row per run
    #[command(after_help = help::SWEEP)]
    Sweep(Box<SweepArgs>),
    /// Join the tables of all parts of a sweep
    #[command(after_help = help::MERGE)]
    Merge(MergeArgs),
    /// Plot a table of results as SVG or PNG
    #[command(after_help = help::PLOT)]
    Plot(PlotArgs),
    /// Print the effect of each variable on each measure of a table: elementary effects or Sobol's indices
    #[command(after_help = help::SENSITIVITY)]
    Sensitivity(SensitivityArgs),
    /// Repeat a recorded run and compare it with the recording
    #[command(after_help = help::REPLAY)]
    Replay(ReplayArgs),
    /// Check scenes and scripts
    #[command(after_help = help::CHECK)]
    Check(CheckArgs),
    /// Test scenes and their scripts: same results on all threads, no failures, expectations over several seeds
    #[command(after_help = help::TEST)]
    Test(TestArgs),
    /// List the available scenes, experiments and measures
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
        /// Copy every built-in script, too
        #[arg(long)]
        all: bool,
        /// Start with another scene, whose rules come with steerbox
        #[arg(long, value_parser = SCENE_TEMPLATES.map(|template| template.name))]
        template: Option<String>,
    },
    /// Serve editors by the language server protocol, on standard input and output
    #[command(after_help = help::LSP)]
    Lsp {
        /// Accepted because editors pass it: there is no other transport
        #[arg(long, hide = true)]
        stdio: bool,
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

#[derive(Debug, ClapArgs)]
pub(super) struct OpenArgs {
    /// The scene to open: a file, or a name that `steerbox list` shows [default: flock]
    pub(super) scene: Option<PathBuf>,
    #[command(flatten)]
    pub(super) common: Common,
    /// Open the run of a row of a table of `sweep`, from 1
    #[arg(long, value_name = "N", requires = "scene", value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    pub(super) row: Option<u64>,
    /// The step at which the run of --row is opened [default: 0]
    #[arg(long, value_name = "S", requires = "row", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(super) step: Option<u64>,
    /// Write a JSON line for every reload event to a file, or to standard output with `-`
    #[arg(long, value_name = "FILE|-")]
    pub(super) events: Option<PathBuf>,
    /// Scale of the user interface, 0.5 to 4 [default: from the last window, else from the display]
    #[arg(long, value_parser = within("a number", 0.5..=4.0_f32), allow_negative_numbers = true)]
    pub(super) scale: Option<f32>,
    /// Memory limit of the recording, MiB; 0 records nothing
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = whole(0..=65_536_usize), allow_negative_numbers = true)]
    pub(super) history: usize,
    /// The scene and scripts of a state or picture, if those on disk differ [default: a choice in the window]
    #[arg(long, value_enum, requires = "scene")]
    pub(super) rules: Option<Rules>,
}

#[derive(Debug, ClapArgs)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct RunArgs {
    /// The scene to run: a file, or a name that `steerbox list` shows
    pub(super) scene: PathBuf,
    /// The number of steps [default: 1000; with --watch: until interrupted]
    #[arg(long, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(super) steps: Option<u64>,
    #[command(flatten)]
    pub(super) common: Common,
    /// Repeat the run of a row of a table of `sweep`, from 1
    #[arg(long, value_name = "N", conflicts_with = "from", value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    pub(super) row: Option<u64>,
    /// Write a JSON line for every reload event to a file, or to standard output with `-`
    #[arg(long, value_name = "FILE|-")]
    pub(super) events: Option<PathBuf>,
    #[command(flatten)]
    pub(super) trace: TraceArgs,
    /// Write measures of groups, one row per step and one column per measure
    #[arg(long, value_name = "FILE.csv|-")]
    pub(super) metrics: Option<PathBuf>,
    /// The columns of --metrics: groups, figures of all groups, or measures such as starlings.speed
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', requires = "metrics")]
    pub(super) metrics_of: Vec<String>,
    /// Write the rows of --trace and --metrics for every N-th step only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    pub(super) every: u64,
    /// Draw the final state
    #[arg(long, value_name = "FILE.png")]
    pub(super) image: Option<PathBuf>,
    /// Record the run: a picture of its end (.png, .svg), an animation (.gif, .apng), a video (.mp4, .webm) or a page (.html)
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    #[command(flatten)]
    pub(super) look: LookArgs,
    /// Write the final state, with the scene and its scripts, from which `run FILE` or `--from FILE` continues
    #[arg(long, value_name = "FILE")]
    pub(super) save_state: Option<PathBuf>,
    /// Continue from a state or a picture that steerbox wrote
    #[arg(long, value_name = "FILE")]
    pub(super) from: Option<PathBuf>,
    /// The scene and scripts to continue with, if they are not as in the state of --from
    #[arg(long, value_enum, requires = "from")]
    pub(super) rules: Option<Rules>,
    /// Write the run as a replay, which `steerbox replay FILE` repeats
    #[arg(long, value_name = "FILE")]
    pub(super) replay: Option<PathBuf>,
    /// Print the cost of each behavior: nanoseconds per unit and step, and its share of a step
    #[arg(long)]
    pub(super) profile: bool,
    /// Run in real time and reload files when they are saved
    #[arg(long)]
    pub(super) watch: bool,
    /// With --watch, print after each reload which units and memories continue, start anew and are gone
    #[arg(long, requires = "watch", conflicts_with = "quiet")]
    pub(super) verbose: bool,
    /// Print only the hash and errors
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// The look of a recording.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Options of --record")]
pub(super) struct LookArgs {
    /// Width and height in pixels [default: 1280x800; 640x400 for .gif]
    #[arg(long, value_name = "WxH", value_parser = size, requires = "record")]
    pub(super) size: Option<(usize, usize)>,
    /// Pixels per point, the unit of line widths and least sizes
    #[arg(long, default_value_t = 1.0, value_parser = within("a number", 0.25..=8.0_f32), allow_negative_numbers = true, requires = "record")]
    pub(super) scale: f32,
    /// The colors
    #[arg(long, value_enum, default_value_t = Theme::Dark, requires = "record")]
    pub(super) theme: Theme,
    /// Leave the background transparent
    #[arg(long, requires = "record")]
    pub(super) transparent: bool,
    /// Show trails
    #[arg(long, requires = "record")]
    pub(super) trails: bool,
    /// Show a scale bar and the simulated time
    #[arg(long, requires = "record")]
    pub(super) bar: bool,
    /// Frames per second of real time at the scene's speed [default: 60 for videos, 30 for .apng, 20 for .gif]
    #[arg(long, value_parser = whole(1..=120_u32), allow_negative_numbers = true, requires = "record")]
    pub(super) fps: Option<u32>,
}

impl ReplayArgs {
    /// The execution mode of scripts.
    pub(super) fn execution(&self) -> Execution {
        execution(self.interpret)
    }
}

/// The scene and scripts of a continued run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Rules {
    /// As they are on disk now
    Now,
    /// As they were when the state was saved
    Then,
}

#[derive(Debug, ClapArgs)]
pub(super) struct ReplayArgs {
    /// The replay, written by `run --replay` or the window
    pub(super) file: PathBuf,
    /// Repeat it without a window, compare every state, and print the hash
    #[arg(long)]
    pub(super) headless: bool,
    /// Threads that evaluate behaviors [default: one per processor]
    #[arg(long, value_parser = whole(1..=MAX_THREADS), allow_negative_numbers = true)]
    pub(super) threads: Option<u16>,
    /// Run all scripts in the interpreter, without compiling them to machine code
    #[arg(long)]
    pub(super) interpret: bool,
    /// Print only the hash and errors
    #[arg(long, short, requires = "headless")]
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
    /// Compare the figures after the last step over N seeds, that of --seed or of the scene and those that follow: mean differences and effect sizes with 95 % intervals
    #[arg(long, value_name = "N", value_parser = whole(2..=1_000_000_u64), allow_negative_numbers = true)]
    pub(super) seeds: Option<u64>,
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
    /// Run each scene that has expectations until they are judged
    #[arg(long)]
    pub(super) run: bool,
    /// The output format of faults
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(super) format: CheckFormat,
    /// List each loop over units of the scripts: any order or nearest first, and the reason
    #[arg(long)]
    pub(super) explain: bool,
}

/// The format of the faults of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// For people
    Text,
    /// For programs: one JSON object per line
    Json,
    /// For reports of tests: XML with a case for each fault and expectation
    Junit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs: one JSON object per line
    Json,
}
