//! Options of all commands that run a scene.

use clap::{Args as ClapArgs, ValueEnum};
use steerbox_picture::render::theme::ThemeName;
use steerbox_project::reload::Setting;
use steerbox_project::session::{Options, Start};
use steerbox_script::Execution;

use super::numbers::whole;
use super::setting::setting;
use super::usage::{UsageError, require};

/// Maximum number of threads.
pub(super) const MAX_THREADS: u16 = 1024;

/// Options of all commands that run a scene.
#[derive(Debug, ClapArgs)]
pub(super) struct Common {
    /// Seed in place of the scene's
    #[arg(long, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(super) seed: Option<u64>,
    /// Threads that evaluate behaviors [default: one per processor]
    #[arg(long, value_parser = whole(1..=MAX_THREADS), allow_negative_numbers = true)]
    pub(super) threads: Option<u16>,
    /// Set a parameter, `gain` or `enabled` of a behavior; SCRIPT#2 is the second use of a script
    #[arg(long, value_name = "GROUP.SCRIPT.PARAM=V", value_parser = setting)]
    pub(super) set: Vec<Setting>,
    /// Run all scripts in the interpreter, without compiling them to machine code
    #[arg(long)]
    pub(super) interpret: bool,
}

impl Common {
    /// Overrides the options of a scene or of a moment.
    ///
    /// # Errors
    /// If the seed of a moment would change.
    pub(super) fn apply_to(&self, options: &mut Options) -> Result<(), UsageError> {
        require(self.seed.is_none() || matches!(options.start, Start::Scene), || {
            "--seed: the state has the seed of its run".to_owned()
        })?;
        options.settings.extend(self.set.iter().cloned());
        options.seed = self.seed.or(options.seed);
        options.threads = self.threads.map(usize::from);
        options.execution = self.execution();
        Ok(())
    }

    /// The execution mode of scripts.
    pub(super) fn execution(&self) -> Execution {
        execution(self.interpret)
    }
}

/// The execution mode of scripts.
pub(super) fn execution(interpret: bool) -> Execution {
    if interpret { Execution::Interpreted } else { Execution::default() }
}

/// The colors of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Theme {
    /// Light on dark
    Dark,
    /// Dark on a light background, as for print
    #[value(alias = "paper")]
    Light,
}

impl Theme {
    /// The theme of the window with these colors.
    pub(super) fn name(self) -> ThemeName {
        match self {
            Self::Dark => ThemeName::Dark,
            Self::Light => ThemeName::Paper,
        }
    }
}
