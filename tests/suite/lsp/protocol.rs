//! The order of a connection, and messages that are wrong.

use serde_json::{Value, json};
use steerbox::lsp::Ended;

use super::{Editor, METHODS};

const SCRIPT: &str = "fn steer(me, world) { me.heading }\n";

#[test]
fn a_connection_ends_in_the_order_of_the_protocol() {
    assert_eq!(Editor::new(&[]).shut_down(), Ended::InOrder);
    assert_eq!(Editor::new(&[]).drop_connection(), Ended::Abruptly);
    assert_eq!(Editor::unconnected(&[]).drop_connection(), Ended::Abruptly);
    let exiting = Editor::new(&[]);
    exiting.notify("exit", Value::Null);
    assert_eq!(exiting.drop_connection(), Ended::Abruptly);
}

#[test]
fn requests_before_the_start_and_after_the_end_are_refused() {
    let mut editor = Editor::unconnected(&[]);
    let early = editor.request("textDocument/hover", json!({})).expect_err("too early");
    assert_eq!(early.code, -32002);
    editor.request("initialize", json!({"capabilities": 7})).expect("an answer");
    let again = editor.request("initialize", json!({})).expect_err("initialized already");
    assert_eq!(again.code, -32600);
    editor.request("shutdown", Value::Null).expect("an answer");
    let late = editor.request("textDocument/hover", json!({})).expect_err("too late");
    assert_eq!(late.code, -32600);
}

#[test]
fn wrong_messages_are_answered_with_errors_and_wrong_notes_are_ignored() {
    let mut editor = Editor::new(&[]);
    for (method, params, code) in [
        ("textDocument/hover", json!({}), -32602),
        ("textDocument/hover", json!([1]), -32602),
        ("textDocument/rename", json!({"textDocument": {"uri": 3}}), -32602),
        ("textDocument/unknown", json!({}), -32601),
        ("workspace/executeCommand", json!({"command": "steerbox.pause"}), -32803),
    ] {
        let error = editor.request(method, params).expect_err("an error");
        assert_eq!(error.code, code, "{method}: {}", error.message);
    }
    for params in [Value::Null, json!({"textDocument": {}}), json!("text")] {
        for note in ["didOpen", "didChange", "didClose", "didSave"] {
            editor.notify(&format!("textDocument/{note}"), params.clone());
        }
        editor.notify("$/cancelRequest", params.clone());
        editor.notify("workspace/didChangeWatchedFiles", params);
    }
    assert_eq!(editor.at("textDocument/hover", "a.rhai", 0, 0), Value::Null);
    assert_eq!(editor.shut_down(), Ended::InOrder);
}

#[test]
fn unknown_documents_have_empty_answers() {
    let mut editor =
        Editor::new(&[("scripts/a.rhai", SCRIPT), ("notes.txt", "x"), ("scripts/.b.rhai", SCRIPT)]);
    editor.open("notes.txt", "x");
    for uri in
        ["untitled:Untitled-1", "file:///nowhere/a.rhai", "http://a/b.rhai", "", &editor.uri("notes.txt")]
    {
        let params = json!({"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}},
            "context": {"diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false}, "options": {"tabSize": 4, "insertSpaces": true},
            "newName": "x"});
        for method in METHODS {
            let answer = editor.request(&format!("textDocument/{method}"), params.clone());
            let is_list = ["codeLens", "inlayHint"].contains(&method);
            let empty = if is_list { json!([]) } else { Value::Null };
            assert_eq!(answer.expect("an answer"), empty, "{method} of {uri}");
        }
    }
}

#[test]
fn every_capability_has_an_answer_at_every_place_of_a_text() {
    let script = "const A = param(1.0, 0.0, 2.0);\r\nfn steer(me, world) {\r\n\tlet a = \"🐟\"; me.heading * A\r\n}\r\n";
    let scene =
        "( // 🐟\n\tworld: Plane(size: (9, 9)),\n\tgroups: [(name: \"é\", behaviors: [(script: \"a\")])],\n)";
    let mut editor = Editor::new(&[("scripts/a.rhai", script), ("scenes/s.ron", scene)]);
    for (path, text) in [
        ("scripts/a.rhai", script),
        ("scenes/s.ron", scene),
        ("scripts/bad.rhai", "fn ((🐟"),
        ("scripts/b.rhai", ""),
    ] {
        editor.open(path, text);
        for line in 0..5 {
            for character in (0..40).step_by(3) {
                for method in ["completion", "hover", "signatureHelp", "definition", "prepareRename"] {
                    editor.at(&format!("textDocument/{method}"), path, line, character);
                }
            }
        }
        for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "documentColor", "codeLens"] {
            editor.of(&format!("textDocument/{method}"), path);
        }
    }
    assert_eq!(editor.shut_down(), Ended::InOrder);
}

#[test]
fn a_canceled_request_and_one_about_an_earlier_text_are_refused() {
    let large = SCRIPT.repeat(400);
    let mut editor = Editor::new(&[]);
    editor.open("scripts/a.rhai", &large);
    let params = json!({"textDocument": {"uri": editor.uri("scripts/a.rhai")}});
    // The answers before these take longer than the messages.
    for _ in 0..20 {
        editor.start("textDocument/semanticTokens/full", params.clone());
    }
    let outdated = editor.start("textDocument/semanticTokens/full", params.clone());
    editor.replace("scripts/a.rhai", SCRIPT);
    let canceled = editor.start("textDocument/formatting", params);
    editor.notify("$/cancelRequest", json!({"id": canceled}));
    for (number, refusal) in [(outdated, -32801), (canceled, -32800)] {
        // A fast server may have answered before.
        if let Err(error) = editor.answer(number) {
            assert!([refusal, -32602].contains(&error.code), "{}", error.message);
        }
    }
}

#[test]
fn watched_files_are_registered_if_the_editor_reports_them() {
    let mut editor = Editor::new(&[]);
    let params = editor.wait("client/registerCapability", |_| true);
    assert_eq!(params["registrations"][0]["method"], "workspace/didChangeWatchedFiles");
}
