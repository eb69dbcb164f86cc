//! The main loop.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, at, never, select, unbounded};
use gen_lsp_types::{
    DiagnosticSeverity, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, Message as Text,
    MessageType, PublishDiagnosticsParams,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use steerbox_project::link::{Command, News, Sockets};

use super::capabilities::initialize_result;
use super::checks::Checks;
use super::client::Client;
use super::commands::command;
use super::documents::Documents;
use super::live;
use super::requests::{Answer, error, is_display, parameters};
use super::uri::path_of;
use super::window::{Window, failing_paths};
use super::worker::{self, Done, Job, Ticket};

/// The end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The editor requested it, and then ended the connection.
    InOrder,
    /// The connection ended without a request.
    Abruptly,
}

/// A request that is not answered yet.
struct Pending {
    ticket: Ticket,
    /// The document whose changes make an answer useless.
    shows: Option<PathBuf>,
}

/// The state of the main loop.
struct Server {
    editor: Sender<Message>,
    documents: Documents,
    checks: Checks,
    pending: BTreeMap<RequestId, Pending>,
    answering: Sender<Job>,
    checking: Sender<Job>,
    window: Window,
    is_shut_down: bool,
}

/// Serves an editor until the connection ends, with live values of a window that has a socket among `sockets`.
///
/// # Errors
/// If the system provides no threads.
pub fn serve(connection: Connection, sockets: Option<Sockets>) -> anyhow::Result<Ended> {
    let Connection { sender, receiver } = connection;
    let Some(params) = initialize(&sender, &receiver) else {
        return Ok(Ended::Abruptly);
    };
    let (results, done) = unbounded();
    let (window, news) = Window::new(sockets)?;
    let mut server = Server {
        editor: sender,
        documents: Documents::new(Client::new(&params)),
        checks: Checks::default(),
        pending: BTreeMap::new(),
        answering: worker::start("lsp answers", results.clone())?,
        checking: worker::start("lsp checks", results)?,
        window,
        is_shut_down: false,
    };
    for root in roots(&params) {
        server.documents.add_root(&root);
    }
    Ok(server.run(&receiver, &done, &news))
}

/// Waits for `initialize` and answers it. Returns its parameters, or `None` if the connection ends before.
fn initialize(sender: &Sender<Message>, receiver: &Receiver<Message>) -> Option<Value> {
    for message in receiver {
        match message {
            Message::Request(request) if request.method == "initialize" => {
                let response = Response::new_ok(request.id, initialize_result());
                sender.send(response.into()).ok()?;
                return Some(request.params);
            }
            Message::Request(request) => {
                let early = error(ErrorCode::ServerNotInitialized, "initialize comes first");
                sender.send(Response { id: request.id, response_result: Err(early) }.into()).ok()?;
            }
            Message::Notification(note) if note.method == "exit" => return None,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    None
}

/// Returns the folders of the editor.
fn roots(params: &Value) -> Vec<PathBuf> {
    let folders = params.pointer("/workspaceFolders").and_then(Value::as_array);
    let folders = folders.map(|all| all.iter().filter_map(|one| one.get("uri")).collect::<Vec<_>>());
    let uris = folders.unwrap_or_else(|| params.get("rootUri").into_iter().collect());
    uris.into_iter().filter_map(|uri| path_of(uri.as_str()?)).collect()
}

impl Server {
    fn run(mut self, editor: &Receiver<Message>, done: &Receiver<Done>, news: &Receiver<News>) -> Ended {
        loop {
            self.window.set_projects(self.documents.folders());
            self.window.set_shows_scripts(self.documents.shows_scripts());
            let due = self.checks.due().map_or_else(never, at);
            select! {
                recv(editor) -> message => match message {
                    Err(_) => return Ended::Abruptly,
                    Ok(Message::Notification(note)) if note.method == "exit" => {
                        return if self.is_shut_down { Ended::InOrder } else { Ended::Abruptly };
                    }
                    Ok(Message::Notification(note)) => self.note(note),
                    Ok(Message::Request(request)) => self.request(request),
                    Ok(Message::Response(response)) => {
                        self.window.refreshed(&response.id).into_iter().for_each(|again| self.send(again));
                    }
                },
                recv(done) -> done => match done {
                    Ok(done) => self.finish(done),
                    Err(_) => return Ended::Abruptly,
                },
                recv(news) -> one => match one {
                    Ok(one) => self.receive(one),
                    Err(_) => return Ended::Abruptly,
                },
                recv(due) -> _ => {}
            }
            self.check_next();
        }
    }

    /// Handles a notification; one with malformed parameters is ignored, as it has no answer.
    fn note(&mut self, note: Notification) {
        let Notification { method, params } = note;
        match &*method {
            "initialized" => self.register(),
            "$/cancelRequest" => self.cancel(&params),
            "textDocument/didOpen" => self.with(params, |server, params: DidOpenTextDocumentParams| {
                let item = params.text_document;
                let path = server.documents.open(item.uri, &item.language_id, item.version, &item.text);
                server.changed(path);
                server.read_all_again();
            }),
            "textDocument/didChange" => self.with(params, |server, params: DidChangeTextDocumentParams| {
                let id = params.text_document;
                let uri = &id.text_document_identifier.uri;
                let path = server.documents.change(uri, id.version, params.content_changes);
                server.changed(path);
            }),
            "textDocument/didClose" => self.with(params, |server, params: DidCloseTextDocumentParams| {
                let path = server.documents.close(&params.text_document.uri);
                server.changed(path);
            }),
            "textDocument/didSave" => self.read_all_again(),
            "workspace/didChangeWatchedFiles" => {
                self.with(params, |server, params: DidChangeWatchedFilesParams| {
                    for change in params.changes {
                        let path = server.documents.read_again(&change.uri);
                        server.changed(path);
                    }
                });
            }
            "workspace/didChangeWorkspaceFolders" => {
                self.with(params, |server, params: DidChangeWorkspaceFoldersParams| {
                    let paths = |all: Vec<gen_lsp_types::WorkspaceFolder>| {
                        all.into_iter().filter_map(|folder| path_of(&folder.uri.0))
                    };
                    paths(params.event.removed).for_each(|root| server.documents.remove_root(&root));
                    paths(params.event.added).for_each(|root| server.documents.add_root(&root));
                });
            }
            _ => {}
        }
    }

    fn with<P: DeserializeOwned>(&mut self, params: Value, handle: impl FnOnce(&mut Self, P)) {
        if let Ok(params) = serde_json::from_value(params) {
            handle(self, params);
        }
    }

    /// Requests notes of changed files.
    fn register(&mut self) {
        if self.documents.now.client.watches_files {
            let watchers =
                ["**/*.rhai", "**/*.ron", "**/*.csv"].map(|pattern| json!({"globPattern": pattern}));
            let registration = json!({
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {"watchers": watchers},
            });
            self.send(Request::new(
                RequestId::from("files".to_owned()),
                "client/registerCapability".to_owned(),
                json!({"registrations": [registration]}),
            ));
        }
    }

    fn cancel(&mut self, params: &Value) {
        let id = params.get("id").cloned().and_then(|id| serde_json::from_value(id).ok());
        if let Some(pending) = id.and_then(|id: RequestId| self.pending.get(&id)) {
            pending.ticket.cancel();
        }
    }

    /// Notes that a document changed.
    fn changed(&mut self, path: Option<PathBuf>) {
        let Some(path) = path else { return };
        for pending in self.pending.values().filter(|pending| pending.shows.as_ref() == Some(&path)) {
            pending.ticket.outdate();
        }
        self.checks.note(path);
    }

    /// Reads all files again if the editor does not report changes.
    fn read_all_again(&mut self) {
        if !self.documents.now.client.watches_files {
            for path in self.documents.read_all_again() {
                self.changed(Some(path));
            }
        }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if self.is_shut_down {
            return self.respond(id, Err(error(ErrorCode::InvalidRequest, "the server is shut down")));
        }
        match &*method {
            "shutdown" => {
                self.is_shut_down = true;
                self.respond(id, Ok(Value::Null));
            }
            "initialize" => self.respond(id, Err(error(ErrorCode::InvalidRequest, "already initialized"))),
            "workspace/executeCommand" => self.execute(id, params),
            _ => {
                let ticket = Ticket::default();
                let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
                let shows = uri.filter(|_| is_display(&method)).and_then(path_of);
                self.pending.insert(id.clone(), Pending { ticket: ticket.clone(), shows });
                let snapshot = self.documents.now.clone();
                let _ = self.answering.send(Job::Answer { id, method, params, ticket, snapshot });
            }
        }
    }

    fn finish(&mut self, done: Done) {
        match done {
            Done::Answered(id, answer) => {
                self.pending.remove(&id);
                self.respond(id, answer);
            }
            Done::Checked { path, checked, found } => {
                self.checks.is_busy = false;
                let document = self.documents.now.workspace.document(&path);
                let is_present = match (document, &checked) {
                    (Some(document), Some(checked)) => document.text == checked.text,
                    (document, checked) => document.is_none() && checked.is_none(),
                };
                // Faults of an earlier text have wrong places; the present text is checked soon.
                if is_present && self.checks.store(&path, found) {
                    self.publish(&path);
                }
            }
        }
    }

    /// Sends a command to the window, or an error to the editor.
    fn execute(&mut self, id: RequestId, params: Value) {
        let sent = parameters(params).and_then(|params| {
            let command = command(&self.documents.now, &params);
            if let Ok(Command::RunBuffer { path, .. }) = &command {
                self.warn_of_faults(Path::new(path));
            }
            let sent = command.and_then(|command| self.window.send(id.clone(), command));
            sent.map_err(|reason| error(ErrorCode::RequestFailed, reason))
        });
        if let Err(error) = sent {
            self.respond(id, Err(error));
        }
    }

    /// Shows in the editor why the window rejects a draft: editors do not show faults of their own accord.
    fn warn_of_faults(&mut self, path: &Path) {
        let mut faults = self.checks.of(path).iter();
        let fault = faults.find(|fault| fault.severity == Some(DiagnosticSeverity::Error));
        let Some((fault, Text::String(words))) = fault.map(|fault| (fault, &fault.message)) else {
            return;
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let message = format!("{name} does not run: line {}: {}", fault.range.start.line + 1, words);
        let params = json!({"type": MessageType::Warning, "message": message});
        self.send(Notification::new("window/showMessage".to_owned(), params));
    }

    /// Handles news of the window.
    fn receive(&mut self, news: News) {
        let before = self.documents.now.live.clone();
        match news {
            News::Done(number, result) => {
                if let Some(id) = self.window.take(number) {
                    let failed = |reason| error(ErrorCode::RequestFailed, reason);
                    self.respond(id, result.map(|()| Value::Null).map_err(failed));
                }
                return;
            }
            News::State(state) => self.documents.now.live = Some(Arc::from(state)),
            News::Lost => {
                self.documents.now.live = None;
                for id in self.window.take_all() {
                    self.respond(id, Err(error(ErrorCode::RequestFailed, "the window was closed")));
                }
            }
        }
        let now = self.documents.now.live.clone();
        for refresh in self.window.refreshes(self.documents.now.client, before.as_deref(), now.as_deref()) {
            self.send(refresh);
        }
        for path in failing_paths(before.as_deref(), now.as_deref()) {
            self.publish(&path);
        }
    }

    /// Sends the faults of a document, and its failures in the window.
    fn publish(&mut self, path: &Path) {
        let now = &self.documents.now;
        let failures = now.text_at(path).map(|text| live::failures(now, &text));
        let params = PublishDiagnosticsParams {
            uri: now.uri(path),
            version: now.open.get(path).map(|open| open.version),
            diagnostics: self.checks.of(path).iter().cloned().chain(failures.into_iter().flatten()).collect(),
        };
        self.send(Notification::new("textDocument/publishDiagnostics".to_owned(), params));
    }

    /// Starts the next check that is due.
    fn check_next(&mut self) {
        if let Some(path) = self.checks.next(&self.documents.now) {
            self.checks.is_busy = true;
            let snapshot = self.documents.now.clone();
            let _ = self.checking.send(Job::Check { path, snapshot });
        }
    }

    fn respond(&mut self, id: RequestId, answer: Answer) {
        self.send(Response { id, response_result: answer });
    }

    /// Sends a message; one to an editor that has ended is lost.
    fn send(&mut self, message: impl Into<Message>) {
        let _ = self.editor.send(message.into());
    }
}
