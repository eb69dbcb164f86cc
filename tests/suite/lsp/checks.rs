//! Diagnostics: places, dependents, files on disk.

use serde_json::json;

use super::Editor;

const SCENE: &str = r#"(
    world: Plane(size: (80, 60)),
    bodies: {"fish": Mover()},
    groups: [(name: "fish", body: "fish", count: 3, behaviors: [(script: "roam", params: {"SPEED": 1})])],
)"#;
const SCRIPT: &str = "const SPEED = param(1.0, 0.0, 2.0);\nfn steer(me, world) { me.heading * SPEED }\n";

#[test]
fn faults_have_columns_in_utf_16() {
    let mut editor = Editor::new(&[]);
    editor.open("scripts/a.rhai", "fn steer(me, world) {\r\n\tlet a = \"🐟\"; me.headin\r\n}\r\n");
    let faults = editor.faults("scripts/a.rhai");
    let [(line, columns, message)] = &faults[..] else { panic!("{faults:?}") };
    assert_eq!((*line, columns), (1, &[18, 24]));
    assert!(message.contains("heading"), "{message}");
    let start = json!({"line": 1, "character": 18});
    let range = json!({"start": start, "end": {"line": 1, "character": 24}});
    editor.change("scripts/a.rhai", json!({"range": range, "text": "heading"}));
    let faults = editor.faults("scripts/a.rhai");
    assert!(faults.iter().all(|(_, _, message)| !message.contains("headin:")), "{faults:?}");
}

#[test]
fn a_buffer_that_was_never_saved_is_served_as_a_script_of_the_project() {
    let mut editor = Editor::new(&[("scripts/part.rhai", "fn double(x) { x * 2.0 }\n")]);
    let (buffer, text) =
        ("untitled:Untitled-1", "import \"part\" as part;\nfn steer(me, world) { part::dubl(1) }\n");
    editor.open(buffer, text);
    let faults = editor.faults(buffer);
    assert!(matches!(&faults[..], [(1, _, message)] if message.contains("double")), "{faults:?}");
    editor.replace(buffer, &text.replace("dubl", "double"));
    assert_eq!(editor.faults(buffer), []);
    let hover = editor.at("textDocument/hover", buffer, 1, 30);
    assert!(hover.to_string().contains("double"), "{hover}");
}

#[test]
fn a_changed_script_is_checked_with_the_scenes_that_use_it() {
    let mut editor = Editor::new(&[("scenes/a.ron", SCENE), ("scripts/roam.rhai", SCRIPT)]);
    editor.open("scripts/roam.rhai", &SCRIPT.replace("SPEED", "PACE"));
    let faults = editor.faults("scenes/a.ron");
    assert!(matches!(&faults[..], [(3, _, message)] if message.contains("SPEED")), "{faults:?}");
    editor.replace("scripts/roam.rhai", SCRIPT);
    assert_eq!(editor.faults("scenes/a.ron"), []);
}

#[test]
fn an_imported_script_is_checked_with_its_importers() {
    let importer = "import \"part\" as part;\nfn steer(me, world) { part::double(1.0) }\n";
    let mut editor =
        Editor::new(&[("scripts/a.rhai", importer), ("scripts/part.rhai", "fn double(x) { x * 2.0 }\n")]);
    editor.open("scripts/part.rhai", "fn twice(x) { x * 2.0 }\n");
    let faults = editor.faults("scripts/a.rhai");
    assert!(faults.iter().any(|(line, _, message)| *line == 1 && message.contains("double")), "{faults:?}");
}

#[test]
fn changes_on_disk_count_until_a_buffer_hides_them() {
    let mut editor = Editor::new(&[("scenes/a.ron", SCENE), ("scripts/roam.rhai", SCRIPT)]);
    let note = |editor: &Editor| {
        let change = json!({"uri": editor.uri("scripts/roam.rhai"), "type": 2});
        editor.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
    };
    editor.project.save("scripts/roam.rhai", &SCRIPT.replace("SPEED", "PACE"));
    note(&editor);
    assert_eq!(editor.faults("scenes/a.ron").len(), 1);
    editor.open("scripts/roam.rhai", SCRIPT);
    assert_eq!(editor.faults("scenes/a.ron"), []);
    let id = json!({"uri": editor.uri("scripts/roam.rhai")});
    editor.notify("textDocument/didClose", json!({"textDocument": id}));
    assert_eq!(editor.faults("scenes/a.ron").len(), 1);
    std::fs::write(editor.project.path("scripts/roam.rhai"), b"fn steer(me, world) { \xff }")
        .expect("a file");
    note(&editor);
    let missing = editor.faults("scenes/a.ron");
    assert!(missing.iter().all(|(_, _, message)| !message.contains("SPEED")), "{missing:?}");
}

#[test]
fn an_editor_without_notes_of_files_has_them_read_again() {
    let mut editor = Editor::with(&json!({}), &[("scenes/a.ron", SCENE), ("scripts/roam.rhai", SCRIPT)]);
    // The server reads the folder after it has answered `initialize`, and before any other request.
    let scene = json!({"textDocument": {"uri": editor.uri("scenes/a.ron")}});
    editor.request("textDocument/documentSymbol", scene).expect("an answer");
    editor.project.save("scripts/roam.rhai", &SCRIPT.replace("SPEED", "PACE"));
    let id = json!({"uri": editor.uri("scenes/b.ron")});
    editor.notify("textDocument/didSave", json!({"textDocument": id}));
    assert_eq!(editor.faults("scenes/a.ron").len(), 1);
}

#[test]
fn a_changed_table_is_checked_with_its_experiment() {
    let experiment = r#"(scene: "a", design: "points.csv", measure: ["speed"], steps: 9)"#;
    let files = [("scenes/a.ron", SCENE), ("scripts/roam.rhai", SCRIPT), ("experiments/e.ron", experiment)];
    let mut editor = Editor::new(&files);
    editor.open("experiments/e.ron", experiment);
    let faults = editor.faults("experiments/e.ron");
    assert!(matches!(&faults[..], [(0, _, message)] if message.contains("cannot read")), "{faults:?}");
    for (table, columns, part) in [
        ("fish.roam.SPEED\n1\n3\n", Some([21, 33]), "points.csv: line 3, column 1: SPEED is 3, but"),
        ("fish.roam.SPEED\n1\n2\n", None, ""),
    ] {
        editor.project.save("points.csv", table);
        let change = json!({"uri": editor.uri("points.csv"), "type": 2});
        editor.notify("workspace/didChangeWatchedFiles", json!({"changes": [change]}));
        let faults = editor.faults("experiments/e.ron");
        assert_eq!(faults.first().map(|fault| fault.1), columns, "{faults:?}");
        assert!(faults.iter().all(|(_, _, message)| message.contains(part)), "{faults:?}");
    }
}
