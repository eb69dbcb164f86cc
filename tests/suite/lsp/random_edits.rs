//! Random edits with requests in between: after each burst, the server has the text of the editor, and all positions in its
//! answers are places of the text that they are about. The text comes back as the draft of `steerbox.runBuffer`.
//!
//! `STEERBOX_EDITS=2000 cargo test --test suite random_edits -- --nocapture` makes more bursts, `STEERBOX_SEED=7` others. A
//! failure prints its seed.

use std::collections::BTreeMap;

use lsp_server::Message;
use serde_json::{Value, json};
use steerbox_project::link::{Command, Publisher, Sockets};

use super::{Editor, METHODS, all_capabilities};
use crate::common::dice::Dice;
use crate::common::number_of;
use crate::common::project::ProjectDir;

/// Default number of bursts, unless `STEERBOX_EDITS` is set.
const BURSTS: u64 = 40;
/// Bursts in a session with one server.
const BURSTS_OF_SESSION: u64 = 20;
/// Length of the longest texts, bytes.
const LONG: usize = 4 << 20;
const PATHS: [&str; 3] = ["scripts/a.rhai", "scripts/part.rhai", "scenes/s.ron"];
const SCRIPT: &str = "import \"part\" as part;\r\nconst A = param(1.0, 0.0, 2.0);\nfn steer(me, world) {\r\n\tlet a = \"🐟\"; part::twice(me.heading * A)\n}\r";
const PART: &str = "fn twice(x) { x * 2.0 }\n";
const SCENE: &str = "( // 🐟\n\tworld: Plane(size: (9, 9)),\r\n\tbodies: {\"b\": Mover()},\n\tgroups: [(name: \"é\", body: \"b\", look: (color: \"#f80\"), behaviors: [(script: \"a\", params: {\"A\": 1.0})])],\n)";
pub(crate) const PIECES: [&str; 30] = [
    "a",
    "é",
    "🐟",
    "👩‍🚀",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\r\r\n",
    "\u{feff}",
    "\u{2028}",
    "\0",
    "\"",
    "`${",
    "/*",
    "*/",
    "// ",
    "(",
    ")",
    "{",
    "}",
    "[",
    "me.",
    "::",
    "let x = ",
    "fn f(a) { a }\n",
    "const B = param(1.0, 0.0, 2.0);\r\n",
    "import \"part\" as p;\n",
    "(script: \"a\")",
    "#f80",
];

/// A text as an editor has it: UTF-16.
#[derive(Clone, Default)]
struct Text(Vec<u16>);

impl Text {
    fn new(text: &str) -> Self {
        Self(text.encode_utf16().collect())
    }

    /// Returns start and end of a line, without its end; `None` after the last one.
    fn line(&self, line: usize) -> Option<(usize, usize)> {
        let newline = |from: usize| self.0[from..].iter().position(|unit| *unit == 10).map(|at| from + at);
        let mut start = 0;
        for _ in 0..line {
            start = newline(start)? + 1;
        }
        let Some(end) = newline(start) else { return Some((start, self.0.len())) };
        Some((start, if end > start && self.0[end - 1] == 13 { end - 1 } else { end }))
    }

    /// Returns the place nearest to a position.
    fn place(&self, (line, character): (usize, usize)) -> usize {
        let Some((start, end)) = self.line(line) else { return self.0.len() };
        let at = end.min(start.saturating_add(character));
        let splits = at > start && at < end && (0xDC00..0xE000).contains(&self.0[at]);
        at - usize::from(splits)
    }

    fn has(&self, position: (usize, usize)) -> bool {
        let same = |(start, end)| start + position.1 <= end && self.place(position) == start + position.1;
        self.line(position.0).is_some_and(same)
    }

    fn replace(&mut self, from: (usize, usize), to: (usize, usize), text: &str) {
        let [a, b] = [from, to].map(|position| self.place(position));
        self.0.splice(a.min(b)..a.max(b), text.encode_utf16());
    }

    fn string(&self) -> String {
        String::from_utf16(&self.0).expect("no half of a surrogate pair remains")
    }
}

/// An editor that makes random edits, and a window that receives its drafts.
struct Driver {
    seed: u64,
    // Dropped before the project, whose folder has its socket.
    window: Publisher,
    editor: Editor,
    dice: Dice,
    texts: BTreeMap<&'static str, Text>,
    /// The texts of recent versions, by URI.
    versions: BTreeMap<(String, i64), Text>,
    /// Requests without an answer: method, and the document that the answer is about.
    asked: Vec<(i32, &'static str, String, Text)>,
}

impl Drop for Driver {
    fn drop(&mut self) {
        if std::thread::panicking() {
            #[allow(clippy::print_stdout, reason = "the seed repeats the failure")]
            {
                println!("seed {}", self.seed);
            }
        }
    }
}

impl Driver {
    fn new(seed: u64) -> Self {
        let project = ProjectDir::with(&[(PATHS[0], SCRIPT), (PATHS[1], PART), (PATHS[2], SCENE)]);
        std::fs::write(project.path("scripts/broken.rhai"), b"fn steer(me, world) { \xff\xed\xa0\x80 }")
            .expect("a file");
        let sockets = Sockets::in_folder(&project.path("sockets"));
        let window = Publisher::open(&sockets, &project.path("scenes")).expect("a socket");
        let mut editor = Editor::in_project(project, Some(sockets));
        editor.initialize(&all_capabilities());
        let (dice, texts) = (Dice::new(seed), BTreeMap::new());
        Self { seed, editor, window, dice, texts, versions: BTreeMap::new(), asked: Vec::new() }
    }

    fn run(&mut self, bursts: u64) {
        for _ in 0..bursts {
            for _ in 0..=self.dice.below(12) {
                self.act();
            }
            self.compare();
        }
    }

    fn act(&mut self) {
        let path = self.dice.pick(&PATHS);
        match (self.texts.contains_key(path), self.dice.below(30)) {
            (false, _) => self.open(path),
            (true, 0) => {
                self.texts.remove(path);
                let id = json!({"uri": self.editor.uri(path)});
                self.editor.notify("textDocument/didClose", json!({"textDocument": id}));
            }
            (true, 1) => self.write(path),
            (true, 2..18) => self.edit(path),
            (true, _) => self.request(path),
        }
    }

    fn open(&mut self, path: &'static str) {
        let start = match path {
            "scripts/a.rhai" => SCRIPT,
            "scripts/part.rhai" => PART,
            _ => SCENE,
        };
        let text = if self.dice.once_in(3) { self.insertion() } else { start.to_owned() };
        self.editor.open(path, &text);
        self.store(path, Text::new(&text));
    }

    /// Writes bytes to the file, which an open buffer hides.
    fn write(&mut self, path: &str) {
        let bytes =
            self.dice.pick(&[&b"\xff\xfe"[..], b"", b"fn steer(me, world) { \xf0\x9f }", SCRIPT.as_bytes()]);
        std::fs::write(self.editor.project.path(path), bytes).expect("a file");
        let changes = json!([{"uri": self.editor.uri(path), "type": 2}]);
        self.editor.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    }

    fn insertion(&mut self) -> String {
        if self.dice.once_in(400) {
            let line = format!("// {}\r\n", self.dice.pick(&PIECES).replace('\n', " ")).repeat(4);
            return line.repeat(LONG / line.len());
        }
        (0..self.dice.below(6)).map(|_| self.dice.pick(&PIECES)).collect()
    }

    /// Returns a position, often one that does not exist.
    fn position(&mut self, text: &Text) -> (usize, usize) {
        let lines = text.0.iter().filter(|unit| **unit == 10).count() + 1;
        let line = self.dice.below(lines + 1);
        let length = text.line(line).map_or(0, |(start, end)| end - start);
        let inside = self.dice.below(length + 2);
        (line, self.dice.pick(&[inside, inside, inside, length, u32::MAX as usize]))
    }

    fn edit(&mut self, path: &'static str) {
        let mut text = self.texts[path].clone();
        let mut changes = Vec::new();
        for _ in 0..=self.dice.below(3) {
            let new = self.insertion();
            if self.dice.once_in(12) || text.0.len() > LONG / 2 {
                text = Text::new(&new);
                changes.push(json!({"text": new}));
                continue;
            }
            let (from, to) = (self.position(&text), self.position(&text));
            let to = if self.dice.once_in(2) { from } else { to };
            text.replace(from, to, &new);
            let at = |(line, character)| json!({"line": line, "character": character});
            changes.push(json!({"range": {"start": at(from), "end": at(to)}, "text": new}));
        }
        self.editor.count += 1;
        let id = json!({"uri": self.editor.uri(path), "version": self.editor.count});
        self.editor.notify("textDocument/didChange", json!({"textDocument": id, "contentChanges": changes}));
        self.store(path, text);
    }

    fn store(&mut self, path: &'static str, text: Text) {
        self.versions.insert((self.editor.uri(path), i64::from(self.editor.count)), text.clone());
        self.texts.insert(path, text);
    }

    fn request(&mut self, path: &'static str) {
        let text = self.texts[path].clone();
        let method = self.dice.pick(&METHODS);
        let [from, to] = [0; 2].map(|_| self.position(&text));
        let at = |(line, character)| json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": self.editor.uri(path)}, "position": at(from),
            "range": {"start": at(from.min(to)), "end": at(from.max(to))}, "newName": "renamed",
            "context": {"diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false},
            "options": {"tabSize": 4, "insertSpaces": true}});
        let number = self.editor.start(&format!("textDocument/{method}"), params);
        self.asked.push((number, method, self.editor.uri(path), text));
    }

    /// Compares the server's texts with those of the editor, and checks all answers.
    fn compare(&mut self) {
        for (path, text) in self.texts.clone() {
            let sent = self.draft(path);
            let expected = text.string();
            let differs = sent.bytes().zip(expected.bytes()).position(|(a, b)| a != b);
            assert!(
                sent == expected,
                "{path}: {} and {} bytes, which differ at {differs:?}",
                sent.len(),
                expected.len()
            );
        }
        for (number, method, uri, text) in std::mem::take(&mut self.asked) {
            match self.editor.answer(number) {
                Ok(answer) => check_positions(method, &answer, &uri, &text),
                // The text changed, or the name cannot be renamed.
                Err(error) => assert!([-32801, -32803].contains(&error.code), "{method}: {error:?}"),
            }
        }
        for message in std::mem::take(&mut self.editor.received) {
            let Message::Notification(note) = message else { continue };
            let uri = note.params["uri"].as_str().unwrap_or_default();
            if let Some(text) = note.params["version"]
                .as_i64()
                .and_then(|version| self.versions.get(&(uri.to_owned(), version)))
            {
                check_positions(&note.method, &note.params, uri, text);
            }
        }
        while self.versions.len() > 60 {
            self.versions.pop_first();
        }
    }

    /// Returns the text of a document that the server sends to the window.
    fn draft(&mut self, path: &str) -> String {
        let params = json!({"command": "steerbox.runBuffer", "arguments": [self.editor.uri(path)]});
        loop {
            let number = self.editor.start("workspace/executeCommand", params.clone());
            loop {
                if let Some(requested) = self.window.request() {
                    self.window.answer(&requested, Ok(()));
                    self.editor.answer(number).expect("the window accepts it");
                    let Command::RunBuffer { text, .. } = requested.command else { panic!("a draft") };
                    return text;
                }
                // Before the server has found the window, it refuses.
                let connection = self.editor.connection.as_ref().expect("a connection");
                match connection.receiver.try_recv() {
                    Ok(Message::Response(response)) if response.id == number.into() => break,
                    Ok(other) => self.editor.received.push(other),
                    Err(_) => std::thread::yield_now(),
                }
            }
        }
    }
}

/// Asserts that all positions of an answer in a document are in its text; those in other documents are skipped.
fn check_positions(method: &str, answer: &Value, uri: &str, text: &Text) {
    match answer {
        Value::Array(all) => all.iter().for_each(|one| check_positions(method, one, uri, text)),
        Value::Object(fields) => {
            let number = |name: &str| fields.get(name).and_then(Value::as_u64).map(|number| number as usize);
            if let (Some(line), Some(character)) = (number("line"), number("character")) {
                assert!(text.has((line, character)), "{method}: {line}:{character} of {:?}", text.string());
            }
            let of = fields.get("uri").or_else(|| fields.get("textDocument")?.get("uri"));
            if of.is_none_or(|of| of == uri) {
                fields.values().for_each(|one| check_positions(method, one, uri, text));
            }
        }
        _ => {}
    }
}

/// Returns the memory of this process in KiB; 0 if the system does not report it.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

#[test]
fn the_server_has_the_text_of_the_editor_after_random_edits() {
    let (first, bursts) = (number_of("STEERBOX_SEED", 1), number_of("STEERBOX_EDITS", BURSTS));
    for (session, seed) in (0..bursts.div_ceil(BURSTS_OF_SESSION)).zip(first..) {
        if session % 50 == 0 {
            println!("seed {seed}, {} KiB", resident());
        }
        let mut driver = Driver::new(seed);
        driver.run(BURSTS_OF_SESSION.min(bursts - session * BURSTS_OF_SESSION));
    }
    println!("{} KiB", resident());
}

#[test]
fn the_longest_comment_is_formatted() {
    let mut editor = Editor::new(&[]);
    let line = "  // a comment\r\n";
    editor.open("scripts/a.rhai", &line.repeat(LONG / line.len()));
    let params = json!({"textDocument": {"uri": editor.uri("scripts/a.rhai")},
        "options": {"tabSize": 4, "insertSpaces": true}});
    let edits = editor.request("textDocument/formatting", params).expect("an answer");
    // It answers within the patience of a request; a text beyond the limit of scripts is left as it is.
    assert!(edits.is_null() || edits.is_array(), "{edits}");
}
