//! Commands about the program: completions, manual page, version.

use std::io::Write as _;
use std::process::ExitCode;

use clap::CommandFactory as _;

use super::args::Args;
use super::print::{out, raw};

pub(super) fn completions(shell: clap_complete::Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "steerbox", &mut script);
    raw(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn manual() -> anyhow::Result<ExitCode> {
    let mut program = Args::command();
    program.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(program.clone()).render(&mut page)?;
    for command in program.get_subcommands() {
        let man = clap_mangen::Man::new(command.clone());
        writeln!(page, ".SH \"{}\"", command.get_name().to_uppercase())?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    raw(&page)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn version() -> anyhow::Result<ExitCode> {
    out(format!("steerbox {}", env!("CARGO_PKG_VERSION")))?;
    Ok(ExitCode::SUCCESS)
}
