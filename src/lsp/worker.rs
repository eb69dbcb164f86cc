//! Threads that answer requests and check documents.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

use crossbeam_channel::{Sender, unbounded};
use lsp_server::{ErrorCode, RequestId};
use serde_json::Value;
use steerbox_core::diagnostics::caught;
use steerbox_project::language::Document;
use steerbox_project::reload::SCRIPT_STACK;

use super::checks;
use super::requests::{Answer, answer, error};
use super::snapshot::Snapshot;

/// The reason why a request need not be answered.
#[derive(Clone, Default)]
pub(super) struct Ticket(Arc<AtomicU8>);

impl Ticket {
    const CANCELED: u8 = 1;
    const OUTDATED: u8 = 2;

    /// Notes that the editor canceled the request.
    pub(super) fn cancel(&self) {
        self.0.store(Self::CANCELED, Ordering::Relaxed);
    }

    /// Notes that the text has changed since.
    pub(super) fn outdate(&self) {
        self.0.store(Self::OUTDATED, Ordering::Relaxed);
    }

    fn refusal(&self) -> Option<Answer> {
        match self.0.load(Ordering::Relaxed) {
            Self::CANCELED => Some(Err(error(ErrorCode::RequestCanceled, "the request was canceled"))),
            Self::OUTDATED => Some(Err(error(ErrorCode::ContentModified, "the text has changed since"))),
            _ => None,
        }
    }
}

/// Work for a thread.
pub(super) enum Job {
    /// A request.
    Answer { id: RequestId, method: String, params: Value, ticket: Ticket, snapshot: Snapshot },
    /// A check of the document at a path.
    Check { path: PathBuf, snapshot: Snapshot },
}

/// The result of a job.
pub(super) enum Done {
    /// The answer to a request.
    Answered(RequestId, Answer),
    /// The faults of a document; `None` if it does not exist.
    Checked { path: PathBuf, checked: Option<Arc<Document>>, found: Vec<gen_lsp_types::Diagnostic> },
}

/// Starts a thread that works on jobs in their order until the sender is dropped.
///
/// # Errors
/// If the system provides no thread.
pub(super) fn start(name: &str, done: Sender<Done>) -> io::Result<Sender<Job>> {
    let (sender, jobs) = unbounded::<Job>();
    // Deep expressions need the stack of the loader's thread.
    let builder = thread::Builder::new().name(name.to_owned()).stack_size(SCRIPT_STACK);
    builder.spawn(move || {
        for job in jobs {
            if done.send(work(job)).is_err() {
                return;
            }
        }
    })?;
    Ok(sender)
}

fn work(job: Job) -> Done {
    match job {
        Job::Answer { id, method, params, ticket, snapshot } => {
            let result = ticket.refusal().or_else(|| caught(|| answer(&snapshot, &method, params)));
            let failed =
                || Err(error(ErrorCode::InternalError, format!("{method} failed: a bug in steerbox")));
            Done::Answered(id, result.unwrap_or_else(failed))
        }
        Job::Check { path, snapshot } => {
            let checked = snapshot.workspace.document(&path).cloned();
            let found = caught(|| checks::diagnostics(&snapshot, &path)).unwrap_or_default();
            Done::Checked { path, checked, found }
        }
    }
}
