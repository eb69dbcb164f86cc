//! The server with a window of the project: live values and commands.

use std::time::SystemTime;

use lsp_server::ResponseError;
use serde_json::{Value, json};
use steerbox_project::link::Sockets;
use steerbox_project::reload::Place;
use steerbox_project::session::{Options, parse_setting};
use steerbox_window::App;

use super::{Editor, all_capabilities};
use crate::common::project::ProjectDir;

const SCENE: &str = r#"(
    world: Plane(size: (80, 60)),
    bodies: {"fish": Mover()},
    groups: [
        (name: "fish", body: "fish", count: 3, behaviors: [(script: "roam", params: {"SPEED": 1.5})]),
        (name: "odd", body: "fish", count: 2, behaviors: [(script: "odd"), (script: "bad")]),
    ],
)"#;
const ROAM: &str = "\
const SPEED = param(1.0, 0.0, 2.0);
fn steer(me, world) {
    let ahead = me.position + me.heading * SPEED;
    ahead
}
";
const ODD: &str = "fn steer(me, world) { let a = [1, 2]; a[0] }\n";
const BAD: &str =
    "fn steer(me, world) {\n    let id = me.id;\n    if id == 3 { 5 / (id - 3) } else { 1 }\n}\n";
const OTHER: &str = r#"(
    world: Plane(size: (80, 60)),
    bodies: {"fish": Mover()},
    groups: [(name: "others", body: "fish", count: 7, behaviors: [(script: "roam")])],
)"#;
const FILES: [(&str, &str); 5] = [
    ("scenes/a.ron", SCENE),
    ("scenes/b.ron", OTHER),
    ("scripts/roam.rhai", ROAM),
    ("scripts/odd.rhai", ODD),
    ("scripts/bad.rhai", BAD),
];
const HINTS: &str = "workspace/inlayHint/refresh";
const LENSES: &str = "workspace/codeLens/refresh";

impl Editor {
    /// Opens a window of `scenes/a.ron` with settings, and an editor that is connected to it.
    fn with_window(settings: &[&str]) -> Self {
        let project = ProjectDir::with(&FILES);
        let sockets = Sockets::in_folder(&project.path("sockets"));
        let settings = settings.iter().map(|text| parse_setting(text).expect("a setting")).collect();
        let place = Place::of_scene(&project.path("scenes/a.ron"));
        let options = Options { threads: Some(1), settings, ..Options::new(place) };
        let mut window = App::new(options).expect("a scene");
        window.open_to_editors(sockets.clone());
        let mut editor = Self::in_project(project, Some(sockets));
        editor.window = Some(window);
        editor.initialize(&all_capabilities());
        editor.wait(LENSES, |_| true);
        editor
    }

    fn run(&mut self, command: &str, arguments: &[Value]) -> Result<Value, ResponseError> {
        let command = format!("steerbox.{command}");
        self.request("workspace/executeCommand", json!({"command": command, "arguments": arguments}))
    }

    /// Returns the hints of a document: line, label, tooltip.
    fn hints(&mut self, path: &str) -> Vec<(u64, String, String)> {
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
        let params = json!({"textDocument": {"uri": self.uri(path)}, "range": range});
        let hints = self.request("textDocument/inlayHint", params).expect("an answer");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let hint = |hint: &Value| {
            let line = hint["position"]["line"].as_u64().expect("a line");
            (line, text(&hint["label"]), text(&hint["tooltip"]["value"]))
        };
        hints.as_array().expect("a list, not null").iter().map(hint).collect()
    }

    /// Waits for hints that satisfy `fits`.
    fn wait_for_hints(
        &mut self,
        path: &str,
        fits: impl Fn(&[(u64, String, String)]) -> bool,
    ) -> Vec<(u64, String, String)> {
        loop {
            let hints = self.hints(path);
            if fits(&hints) {
                return hints;
            }
            self.wait(HINTS, |_| true);
        }
    }

    /// Waits for lenses whose titles satisfy `fits`; returns titles and commands.
    fn wait_for_lenses(&mut self, path: &str, fits: impl Fn(&[String]) -> bool) -> (Vec<String>, Vec<Value>) {
        loop {
            let lenses = self.of("textDocument/codeLens", path);
            let commands: Vec<_> =
                lenses.as_array().into_iter().flatten().map(|lens| lens["command"].clone()).collect();
            let title = |command: &Value| command["title"].as_str().expect("a title").to_owned();
            let titles: Vec<_> = commands.iter().map(title).collect();
            if fits(&titles) {
                return (titles, commands);
            }
            self.wait(LENSES, |_| true);
        }
    }

    /// Returns the step of the hints of `scripts/roam.rhai`.
    fn step(hints: &[(u64, String, String)]) -> Option<u64> {
        let words = hints.first()?.2.lines().next()?.rsplit_once(' ')?;
        words.1.parse().ok()
    }

    /// Pauses, and waits for the step that is shown then.
    fn pause(&mut self) -> u64 {
        self.run("pause", &[]).expect("a window");
        self.wait_for_lenses("scripts/roam.rhai", |titles| titles.iter().any(|title| title == "Resume"));
        let hints = self.wait_for_hints("scripts/roam.rhai", |hints| !hints.is_empty());
        Self::step(&hints).expect("a step")
    }
}

fn content(editor: &Editor) -> Vec<(Vec<u8>, SystemTime)> {
    let one = |(path, _): &(&str, &str)| {
        let path = editor.project.path(path);
        let changed = std::fs::metadata(&path).and_then(|data| data.modified()).expect("a file");
        (std::fs::read(path).expect("a file"), changed)
    };
    FILES.iter().map(one).collect()
}

#[test]
fn hints_are_the_values_of_the_selected_unit() {
    let mut editor = Editor::with_window(&[]);
    editor.open("scripts/roam.rhai", ROAM);
    assert_eq!(editor.hints("scripts/roam.rhai"), [], "no unit is selected");
    editor.run("selectUnit", &[json!(1)]).expect("a window");
    let hints = editor.wait_for_hints("scripts/roam.rhai", |hints| !hints.is_empty());
    let lines: Vec<_> = hints.iter().map(|(line, ..)| *line).collect();
    assert_eq!(lines, [2, 3], "{hints:?}");
    assert!(hints[0].1.starts_with("ahead = "), "{hints:?}");
    assert!(hints[0].2.starts_with("Unit 1 of fish in step "), "{hints:?}");
    let changed = ROAM.replace("    ahead\n", "    ahead * 1.0\n");
    editor.replace("scripts/roam.rhai", &format!("// new\n{changed}"));
    let lines: Vec<_> = editor.hints("scripts/roam.rhai").iter().map(|(line, ..)| *line).collect();
    assert_eq!(lines, [3], "a changed line has no values");
    let refused = editor.run("selectUnit", &[json!(5)]).expect_err("there are 5 units");
    assert!(refused.message.contains("there are 5"), "{}", refused.message);
    editor.run("selectUnit", &[json!("one")]).expect_err("no index");
}

#[test]
fn lenses_have_groups_costs_and_execution() {
    let mut editor = Editor::with_window(&[]);
    editor.open("scripts/roam.rhai", ROAM);
    let is_measured = |titles: &[String]| titles.iter().any(|title| title.contains("ns per unit"));
    let (titles, commands) = editor.wait_for_lenses("scripts/roam.rhai", is_measured);
    let end = if cfg!(feature = "native") { "machine code" } else { "interpreted" };
    assert!(titles[0].starts_with("fish: 3 units, ") && titles[0].ends_with(end), "{titles:?}");
    assert_eq!(
        (commands[0]["command"].as_str(), &commands[0]["arguments"]),
        (Some("steerbox.selectUnit"), &json!([0]))
    );
    assert_eq!((&*titles[1], commands[1]["command"].as_str()), ("Pause", Some("steerbox.pause")));
    let (titles, commands) = editor.wait_for_lenses("scripts/odd.rhai", |titles| !titles.is_empty());
    assert!(titles[0].starts_with("odd: 2 units"), "{titles:?}");
    let reason = "interpreted: line 1, column 31: the compiler does not support an array";
    assert!(!cfg!(feature = "native") || titles[0].contains(reason), "{titles:?}");
    assert_eq!(commands[0]["arguments"], json!([3]));
}

#[test]
fn hovers_have_the_values_that_run() {
    for (settings, value) in [(&[][..], "- fish: 1.5"), (&["fish.roam.SPEED=0.5"], "- fish: 0.5 (tuned)")] {
        let mut editor = Editor::with_window(settings);
        let hover = editor.at("textDocument/hover", "scripts/roam.rhai", 0, 7);
        let text = hover["contents"]["value"].as_str().expect("a text");
        assert!(text.lines().any(|line| line == value), "{text}");
    }
}

#[test]
fn failures_of_the_run_are_diagnostics_at_their_lines() {
    let mut editor = Editor::with_window(&[]);
    editor.open("scripts/bad.rhai", BAD);
    let uri = editor.uri("scripts/bad.rhai");
    let failure = |params: &Value| {
        let all = params["diagnostics"].as_array().expect("a list");
        all.iter().find(|one| one["source"] == "steerbox run").cloned()
    };
    let is_of = |params: &Value| params["uri"] == *uri;
    let published =
        editor.wait("textDocument/publishDiagnostics", |params| is_of(params) && failure(params).is_some());
    let found = failure(&published).expect("a failure");
    assert_eq!((&found["severity"], &found["range"]["start"]["line"]), (&json!(1), &json!(2)), "{found}");
    let message = found["message"].as_str().expect("a text");
    assert!(
        message.contains("ivision by zero") && message.contains("(first: unit 3 of odd in step "),
        "{message}"
    );
    editor.replace("scripts/bad.rhai", &format!("\n\n{BAD}"));
    let published = editor.wait("textDocument/publishDiagnostics", |params| {
        is_of(params) && failure(params).is_some_and(|found| found["range"]["start"]["line"] == 4)
    });
    assert_eq!(failure(&published).expect("a failure")["message"], found["message"]);
    editor.replace("scripts/bad.rhai", &BAD.replace("id - 3", "id - 2"));
    editor.run("runBuffer", &[json!(uri)]).expect("a window");
    editor.wait("textDocument/publishDiagnostics", |params| is_of(params) && failure(params).is_none());
}

#[test]
fn commands_act_as_the_buttons_of_the_window() {
    let mut editor = Editor::with_window(&[]);
    editor.open("scripts/roam.rhai", ROAM);
    editor.run("selectUnit", &[json!(0)]).expect("a window");
    let paused = editor.pause();
    editor.run("pause", &[]).expect("no second change");
    for made in 1..=2 {
        editor.run("step", &[]).expect("a window");
        let hints =
            editor.wait_for_hints("scripts/roam.rhai", |hints| Editor::step(hints) == Some(paused + made));
        assert!(hints[0].1.starts_with("ahead = "), "{hints:?}");
    }
    editor.run("resume", &[]).expect("a window");
    editor.wait_for_lenses("scripts/roam.rhai", |titles| titles.iter().any(|title| title == "Pause"));
    editor.wait_for_hints("scripts/roam.rhai", |hints| Editor::step(hints) > Some(paused + 2));
    let before = editor.pause();
    editor.run("restart", &[]).expect("a window");
    editor.run("step", &[]).expect("a window");
    editor.wait_for_hints("scripts/roam.rhai", |hints| Editor::step(hints).is_some_and(|step| step < before));
    editor.run("explode", &[]).expect_err("no such command");
}

#[test]
fn a_draft_runs_and_no_file_changes() {
    let mut editor = Editor::with_window(&[]);
    let before = content(&editor);
    let uri = json!(editor.uri("scripts/roam.rhai"));
    let draft = ROAM.replace("    ahead\n", "    let draft = ahead * 0.5;\n    draft\n");
    editor.open("scripts/roam.rhai", &draft);
    editor.run("selectUnit", &[json!(0)]).expect("a window");
    let shows_draft = |hints: &[(u64, String, String)]| {
        hints.iter().any(|(line, label, _)| *line == 3 && label.starts_with("draft = "))
    };
    let saved = editor.wait_for_hints("scripts/roam.rhai", |hints| !hints.is_empty());
    assert!(!shows_draft(&saved), "{saved:?}");
    editor.run("runBuffer", std::slice::from_ref(&uri)).expect("a window");
    editor.wait_for_hints("scripts/roam.rhai", shows_draft);
    assert_eq!(content(&editor), before);
    editor.run("discardBuffer", std::slice::from_ref(&uri)).expect("a window");
    editor.wait_for_hints("scripts/roam.rhai", |hints| !hints.is_empty() && !shows_draft(hints));
    assert_eq!(content(&editor), before);
    editor.open("scripts/roam.rhai", &draft.replace("heading", "headng"));
    editor.wait("textDocument/publishDiagnostics", |params| params["diagnostics"][0]["severity"] == 1);
    editor.run("runBuffer", std::slice::from_ref(&uri)).expect("a window");
    let is_why = |params: &Value| params["message"].as_str().is_some_and(|why| why.contains("headng"));
    editor.wait("window/showMessage", is_why);
    editor.run("discardBuffer", std::slice::from_ref(&uri)).expect("a window");
    editor.open("scripts/new.rhai", ROAM);
    let new = json!(editor.uri("scripts/new.rhai"));
    let refused = editor.run("runBuffer", &[new]).expect_err("no scene uses it");
    assert!(refused.message.contains("the window does not run"), "{}", refused.message);
    editor.run("discardBuffer", &[json!("nothing")]).expect_err("no document");
}

#[test]
fn another_scene_opens() {
    let mut editor = Editor::with_window(&[]);
    editor.run("openScene", &[json!("none")]).expect_err("no such scene");
    editor.run("openScene", &[json!("b.ron")]).expect("a window");
    editor.wait_for_lenses("scripts/roam.rhai", |titles| {
        titles.iter().any(|title| title.starts_with("others: 7 units"))
    });
    let mut tuned = Editor::with_window(&["fish.roam.SPEED=0.5"]);
    let refused = tuned.run("openScene", &[json!("b")]).expect_err("unsaved values");
    assert!(refused.message.contains("unsaved values"), "{}", refused.message);
}

#[test]
fn a_closed_window_ends_its_values() {
    let mut editor = Editor::with_window(&[]);
    editor.wait_for_lenses("scripts/roam.rhai", |titles| !titles.is_empty());
    editor.window = None;
    editor.wait(LENSES, |_| true);
    assert_eq!(editor.of("textDocument/codeLens", "scripts/roam.rhai"), json!([]));
    editor.run("pause", &[]).expect_err("no window");
}
