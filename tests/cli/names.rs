//! Scenes by name, and words that are none.

use serde_json::Value;

use crate::desk::{Desk, SCENE, hash, stderr, stdout};

#[test]
fn scenes_are_listed_from_disk_and_built_in() {
    let desk = Desk::new();
    desk.save(
        "scenes/doorway.ron",
        &SCENE.replace("(world", "(title: \"Mine\", world"),
    );
    desk.save("scenes/broken.ron", "(world: ");
    let text = stdout(&desk.call(&["list"]));
    let line = |name: &str| {
        let line = text
            .lines()
            .find(|line| line.split(' ').next() == Some(name));
        line.unwrap_or_else(|| panic!("{name}: {text}")).to_owned()
    };
    assert!(line("doorway").contains("  Mine ") && line("doorway").contains("scenes/doorway.ron"));
    assert!(line("flock").contains("Two flocks") && line("flock").contains("built in"));
    assert!(line("broken").contains("does not read"));
    assert!(line("s").ends_with("scenes/s.ron"));
    let json = stdout(&desk.call(&["list", "--format", "json"]));
    let scenes: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(scenes.len(), text.lines().count());
    let find = |name: &str| scenes.iter().find(|scene| scene["name"] == name).unwrap();
    assert_eq!(find("flock")["path"], Value::Null);
    assert_eq!(find("doorway")["title"], "Mine");
    assert_eq!(find("broken")["title"], Value::Null);
}

#[test]
fn a_scene_is_opened_by_its_name_from_anywhere() {
    let desk = Desk::new();
    let by_file = hash(&desk.run(&[]));
    let run = |scene: &str| desk.call(&["run", scene, "--steps", "20"]);
    assert_eq!(by_file, hash(&run("s")));
    assert_eq!(by_file, hash(&run("s.ron")));
    let built_in = hash(&run("targets"));
    desk.save("scenes/targets.ron", SCENE);
    assert_eq!(
        by_file,
        hash(&run("targets")),
        "the one on disk comes first"
    );
    std::fs::remove_file(desk.path("scenes/targets.ron")).unwrap();
    assert_eq!(built_in, hash(&run("targets")));
    for name in ["targets", "s"] {
        let output = desk.call(&["check", name]);
        assert_eq!(
            stdout(&output),
            "1 file checked, no faults\n",
            "{}",
            stderr(&output)
        );
        let text = stderr(&desk.call(&[name]));
        assert!(
            text.contains("no display") && text.contains(&format!("run {name} ")),
            "{text}"
        );
    }
}

#[test]
fn a_word_that_is_nothing_gets_the_nearest_scene_or_command() {
    let desk = Desk::new();
    for (args, message) in [
        (
            &["chekc"][..],
            "chekc: there is no such scene or command; did you mean `check`?",
        ),
        (
            &["dorway"],
            "dorway: there is no such scene or command; did you mean `doorway`?",
        ),
        (
            &["xyzzyx"],
            "xyzzyx: there is no such scene or command; `steerbox list` names the scenes",
        ),
        (
            &["nope/flokc.ron"],
            "nope/flokc.ron: there is no such scene; did you mean `flock`?",
        ),
        (
            &["run", "chekc"],
            "chekc: there is no such scene; `steerbox list` names the scenes",
        ),
        (
            &["run", "nope/xyzzyx.ron"],
            "nope/xyzzyx.ron: there is no such scene; `steerbox list`",
        ),
        (
            &["check", "dorway"],
            "dorway: there is no such scene; did you mean `doorway`?",
        ),
        (
            &["check", "nope.rhai"],
            "nope.rhai: there is no such file or folder",
        ),
        (
            &["scenes"],
            "scenes is a folder, not a scene; `steerbox list`",
        ),
    ] {
        let output = desk.call(args);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {text}");
        assert!(text.contains(message), "{args:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    }
}

#[test]
fn check_says_what_was_checked_and_only_what_is_interpreted() {
    let desk = Desk::new();
    let empty = desk.path("empty");
    std::fs::create_dir(&empty).unwrap();
    let output = desk
        .command(&["check"])
        .current_dir(empty)
        .output()
        .unwrap();
    let text = stdout(&output);
    assert!(
        text.contains(" built-in files checked, as there is no scenes or scripts folder"),
        "{text}"
    );
    assert!(!text.contains("native"), "{text}");
    assert_eq!(
        stdout(&desk.call(&["check"])),
        "3 files checked, no faults\n"
    );
    assert!(!stdout(&desk.run(&[])).contains("native"));
    desk.save(
        "scripts/turn.rhai",
        "fn steer(me, world) { let a = [1, 2]; a[0] / 2.0 }",
    );
    for output in [desk.call(&["check", "scripts"]), desk.run(&[])] {
        let text = stdout(&output);
        assert!(
            text.contains("interpreted: turn\n  turn.rhai: line 1, column "),
            "{text}"
        );
        assert!(
            !text.contains("native") && !text.contains("gather"),
            "{text}"
        );
    }
}
