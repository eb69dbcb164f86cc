//! `steerbox lsp`, by the protocol.

mod checks;
mod process;
mod protocol;
#[cfg(unix)]
pub(crate) mod random_edits;
#[cfg(unix)]
mod window;

use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::{Value, json};
use steerbox::lsp::{Ended, serve};
use steerbox_project::link::Sockets;
use steerbox_window::App;
use steerbox_window::input::FrameInput;

use crate::common::project::{PATIENCE, ProjectDir};

/// The requests about a document, without `textDocument/`.
const METHODS: [&str; 16] = [
    "completion",
    "hover",
    "signatureHelp",
    "definition",
    "references",
    "prepareRename",
    "rename",
    "documentSymbol",
    "foldingRange",
    "semanticTokens/full",
    "semanticTokens/range",
    "documentColor",
    "formatting",
    "codeAction",
    "codeLens",
    "inlayHint",
];

/// An editor that is connected to a server of its own.
pub(crate) struct Editor {
    project: ProjectDir,
    connection: Option<Connection>,
    server: Option<JoinHandle<Ended>>,
    /// The number of requests, and of versions of documents.
    count: i32,
    /// Notifications and requests of the server that were not expected yet.
    received: Vec<Message>,
    /// A window of the project, which runs while a message is expected.
    window: Option<App>,
}

/// Returns all capabilities that change answers.
fn all_capabilities() -> Value {
    json!({
        "workspace": {
            "workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]},
            "didChangeWatchedFiles": {"dynamicRegistration": true},
            "inlayHint": {"refreshSupport": true},
            "codeLens": {"refreshSupport": true},
        },
        "textDocument": {
            "completion": {"completionItem": {"snippetSupport": true}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        },
    })
}

impl Editor {
    /// Starts an editor with all capabilities in a project with these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::with(&all_capabilities(), files)
    }

    /// Starts an editor with some capabilities.
    pub(crate) fn with(capabilities: &Value, files: &[(&str, &str)]) -> Self {
        let mut editor = Self::unconnected(files);
        editor.initialize(capabilities);
        editor
    }

    fn initialize(&mut self, capabilities: &Value) {
        let folder = json!({"uri": self.uri(""), "name": "project"});
        let params = json!({"processId": null, "capabilities": capabilities, "workspaceFolders": [folder]});
        self.request("initialize", params).expect("an answer to initialize");
        self.notify("initialized", json!({}));
    }

    /// Starts a server that is not initialized.
    pub(crate) fn unconnected(files: &[(&str, &str)]) -> Self {
        Self::in_project(ProjectDir::with(files), None)
    }

    /// Starts a server that is not initialized and searches for a window among `sockets`.
    fn in_project(project: ProjectDir, sockets: Option<Sockets>) -> Self {
        let (connection, server) = Connection::memory();
        let server = std::thread::spawn(move || serve(server, sockets).expect("threads"));
        let (connection, server) = (Some(connection), Some(server));
        Self { project, connection, server, count: 0, received: Vec::new(), window: None }
    }

    /// Returns the URI of a file of the project; of its folder for an empty path; of a buffer without a file as it is.
    pub(crate) fn uri(&self, path: &str) -> String {
        if path.starts_with("untitled:") {
            return path.to_owned();
        }
        format!("file://{}", self.project.path(path).display()).trim_end_matches('/').to_owned()
    }

    pub(crate) fn send(&self, message: impl Into<Message>) {
        let connection = self.connection.as_ref().expect("a connection");
        connection.sender.send(message.into()).expect("a server");
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Sends a request without waiting for the answer; returns its number.
    pub(crate) fn start(&mut self, method: &str, params: Value) -> i32 {
        self.count += 1;
        self.send(Request { id: RequestId::from(self.count), method: method.to_owned(), params });
        self.count
    }

    /// Returns the answer to the request of a number.
    pub(crate) fn answer(&mut self, number: i32) -> Result<Value, ResponseError> {
        let is_it = |message: &Message| match message {
            Message::Response(response) => response.id == RequestId::from(number),
            _ => false,
        };
        if let Some(at) = self.received.iter().position(is_it)
            && let Message::Response(response) = self.received.remove(at)
        {
            return response.response_result;
        }
        loop {
            match self.receive() {
                Message::Response(response) if response.id == RequestId::from(number) => {
                    return response.response_result;
                }
                other => self.received.push(other),
            }
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        let number = self.start(method, params);
        self.answer(number)
    }

    /// Waits for a message; answers it if it is a request. The window makes frames meanwhile.
    fn receive(&mut self) -> Message {
        let receiver = &self.connection.as_ref().expect("a connection").receiver;
        let message = match &mut self.window {
            None => receiver.recv_timeout(PATIENCE).expect("a message of the server"),
            Some(window) => {
                let give_up = Instant::now() + PATIENCE;
                loop {
                    window.frame_if_new(&FrameInput::default(), Duration::from_millis(17), false);
                    if let Ok(message) = receiver.try_recv() {
                        break message;
                    }
                    assert!(Instant::now() < give_up, "no message of the server");
                }
            }
        };
        if let Message::Request(request) = &message {
            self.send(Response::new_ok(request.id.clone(), Value::Null));
        }
        message
    }

    /// Waits for a notification or request of the server that satisfies `fits`; returns its parameters.
    pub(crate) fn wait(&mut self, method: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let mut before = std::mem::take(&mut self.received).into_iter();
        loop {
            let (name, params) = match before.next().unwrap_or_else(|| self.receive()) {
                Message::Notification(note) => (note.method, note.params),
                Message::Request(request) => (request.method, request.params),
                Message::Response(_) => continue,
            };
            if name == method && fits(&params) {
                self.received.extend(before);
                return params;
            }
        }
    }

    /// Opens a document with a text.
    pub(crate) fn open(&mut self, path: &str, text: &str) {
        self.count += 1;
        let item = json!({"uri": self.uri(path), "languageId": "rhai", "version": self.count, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Replaces the text of a document.
    pub(crate) fn replace(&mut self, path: &str, text: &str) {
        self.change(path, json!({"text": text}));
    }

    /// Changes the text of a document.
    #[allow(clippy::needless_pass_by_value, reason = "calls pass a literal")]
    pub(crate) fn change(&mut self, path: &str, change: Value) {
        self.count += 1;
        let id = json!({"uri": self.uri(path), "version": self.count});
        self.notify("textDocument/didChange", json!({"textDocument": id, "contentChanges": [change]}));
    }

    /// Waits for the faults of the newest version of a document: line, columns, message.
    pub(crate) fn faults(&mut self, path: &str) -> Vec<(u64, [u64; 2], String)> {
        let uri = self.uri(path);
        let published = self.wait("textDocument/publishDiagnostics", |params| params["uri"] == *uri);
        let faults = published["diagnostics"].as_array().expect("a list");
        let number = |value: &Value| value.as_u64().expect("a number");
        let fault = |fault: &Value| {
            let [start, end] = [&fault["range"]["start"], &fault["range"]["end"]];
            let columns = [start, end].map(|at| number(&at["character"]));
            (number(&start["line"]), columns, fault["message"].as_str().expect("a text").to_owned())
        };
        faults.iter().map(fault).collect()
    }

    /// Requests an answer about a place of a document.
    pub(crate) fn at(&mut self, method: &str, path: &str, line: u32, character: u32) -> Value {
        let (id, position) = (json!({"uri": self.uri(path)}), json!({"line": line, "character": character}));
        self.request(method, json!({"textDocument": id, "position": position})).expect("an answer")
    }

    /// Requests an answer about a document.
    pub(crate) fn of(&mut self, method: &str, path: &str) -> Value {
        let id = json!({"uri": self.uri(path)});
        self.request(method, json!({"textDocument": id})).expect("an answer")
    }

    /// Ends the connection without a request; returns the end that the server noticed.
    pub(crate) fn drop_connection(mut self) -> Ended {
        self.connection = None;
        let server = self.server.take().expect("a server");
        server.join().expect("the end of the server")
    }

    /// Ends the connection in order.
    pub(crate) fn shut_down(mut self) -> Ended {
        assert_eq!(self.request("shutdown", Value::Null).expect("an answer"), Value::Null);
        self.notify("exit", Value::Null);
        let server = self.server.take().expect("a server");
        server.join().expect("the end of the server")
    }
}
