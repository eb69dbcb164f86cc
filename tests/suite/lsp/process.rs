//! The server as a process.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::common::project::ProjectDir;

fn framed(text: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

fn message(method: &str, id: Option<i32>) -> String {
    let mut message = json!({"jsonrpc": "2.0", "method": method, "params": {"capabilities": {}}});
    if let Some(id) = id {
        message["id"] = id.into();
    }
    framed(&message.to_string())
}

/// Returns all messages of the server, and its status.
fn messages(mut server: Child, input: &str) -> (Vec<Value>, Option<i32>) {
    // A server that ends early closes its input.
    let _ = server.stdin.take().expect("an input").write_all(input.as_bytes());
    let mut output = BufReader::new(server.stdout.take().expect("an output"));
    let mut messages = Vec::new();
    let mut head = String::new();
    while output.read_line(&mut head).expect("UTF-8") > 0 {
        let length =
            head.trim().strip_prefix("Content-Length: ").expect("a length").parse().expect("a number");
        output.read_line(&mut head).expect("an empty line");
        let mut bytes = vec![0; length];
        output.read_exact(&mut bytes).expect("a message");
        messages.push(serde_json::from_slice(&bytes).expect("JSON"));
        head.clear();
    }
    (messages, server.wait().expect("its end").code())
}

#[test]
fn a_session_over_standard_input_and_output() {
    let project = ProjectDir::with(&[]);
    let spawn = |args: &[&str]| {
        let mut command = project.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program")
    };
    let start = message("initialize", Some(1));
    let end = [message("shutdown", Some(2)), message("exit", None)].concat();
    let (answers, status) = messages(spawn(&["lsp", "--stdio"]), &[&*start, &end].concat());
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "steerbox");
    assert_eq!((&answers[1]["result"], answers.len(), status), (&Value::Null, 2, Some(0)));

    let wrong = [framed("{\"jsonrpc\":"), framed("7"), end.clone()].concat();
    let (answers, status) = messages(spawn(&["lsp"]), &[&*start, &wrong].concat());
    let mut codes: Vec<_> = answers.iter().filter_map(|answer| answer["error"]["code"].as_i64()).collect();
    codes.sort_unstable();
    assert_eq!((&codes[..], status), (&[-32700, -32600][..], Some(0)));

    assert_eq!(messages(spawn(&["lsp"]), &start).1, Some(1), "no request to end");
    assert_eq!(messages(spawn(&["lsp"]), "Content-Length: 99999999999999999999\r\n\r\n").1, Some(1));
}
