//! `steerbox lsp`: the language server on standard input and output.

use std::process::ExitCode;

use anyhow::Context as _;
use steerbox_project::link::Sockets;

use crate::lsp::{self, Ended};

/// Serves an editor. The exit status is that of the protocol: 1 unless the editor requested the end.
pub(super) fn serve() -> anyhow::Result<ExitCode> {
    let (connection, finish) = lsp::stdio()?;
    let ended = lsp::serve(connection, Some(Sockets::of_user()))?;
    finish().context("the connection has ended")?;
    Ok(if ended == Ended::InOrder { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
