//! Scenes by name, and unknown names.

use serde_json::Value;

use super::{SCENE, project, run};
use crate::common::project::{contains, hash, json_lines, stderr, stdout};

#[test]
fn scenes_on_disk_and_built_in_are_listed() {
    let project = project();
    let titled = SCENE.replace("(world", "(title: \"Mine\", world");
    project.save("scenes/doorway.ron", &titled);
    project.save("scenes/broken.ron", "(world: ");
    let text = stdout(&project.call(&["list"]));
    for (name, parts) in [
        ("doorway", ["  Mine ", "scenes/doorway.ron"]),
        ("flock", ["Two flocks", "built in"]),
        ("broken", ["does not read", "scenes/broken.ron"]),
        ("s", ["", "scenes/s.ron"]),
    ] {
        let mut lines = text.lines();
        let line = lines.find(|line| line.split(' ').next() == Some(name));
        contains(line.unwrap_or_else(|| panic!("{name}: {text}")), &parts);
    }
    let scenes = json_lines(&stdout(&project.call(&["list", "--format", "json"])));
    assert_eq!(scenes.len(), text.lines().count());
    let find = |name: &str| scenes.iter().find(|scene| scene["name"] == name).unwrap();
    assert_eq!(find("flock")["path"], Value::Null);
    assert_eq!(find("doorway")["title"], "Mine");
    assert_eq!(find("broken")["title"], Value::Null);
}

#[test]
fn experiments_and_measures_are_listed_after_the_scenes() {
    let project = project();
    let before = stdout(&project.call(&["list", "--format", "json"]));
    project.save("experiments/density.ron", "// Order by density. More follows.\n(scene: \"s\")");
    project.save("experiments/broken.ron", "(scene: ");
    project.save("experiments/density.csv", "a.count\n1\n");
    project.save("scripts/measures/extent.rhai", "//! Mine.\nfn measure(group, world) { 1 }");
    let text = stdout(&project.call(&["list"]));
    for line in [
        "broken   experiment: (does not read)    experiments/broken.ron",
        "density  experiment: Order by density  experiments/density.ron",
        "extent    measure: Mine  ",
        "rotation  measure: Rotation of a group about its center",
    ] {
        let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.lines().any(|row| spaced(row).starts_with(&spaced(line))), "{line}: {text}");
    }
    let objects = json_lines(&stdout(&project.call(&["list", "--format", "json"])));
    assert_eq!(objects.len(), text.lines().count());
    let is_scene = |object: &&Value| object.get("kind").is_none();
    let scenes: Vec<_> = json_lines(&before).into_iter().filter(|object| is_scene(&object)).collect();
    assert_eq!(objects[..scenes.len()], scenes);
    assert!(!objects[scenes.len()..].iter().any(|object| is_scene(&object)));
    let mine = objects.iter().filter(|object| object["name"] == "extent").collect::<Vec<_>>();
    let [mine] = mine[..] else { panic!("{mine:?}") };
    assert_eq!([&mine["kind"], &mine["title"]], ["measure", "Mine"]);
    assert_eq!(mine["path"], "scripts/measures/extent.rhai");
}

#[test]
fn names_in_both_unicode_forms_are_equal() {
    const FORMS: [&str; 2] = ["gr\u{fc}n", "gru\u{308}n"];
    let scene = |name: &str| SCENE.replace("\"a\"", &format!("\"{name}\"")).replace("turn", name);
    let rule = |name: &str| format!("fn steer(me, world) {{ world.group(\"{name}\").count * 0.01 }}");
    let hashes = |[scene_form, file, literal, argument]: [&str; 4]| {
        let project = project();
        project.save("scenes/s.ron", &scene(scene_form));
        project.save(&format!("scripts/{file}.rhai"), &rule(literal));
        let (set, measure) = (format!("{argument}.{argument}.gain=2"), format!("{argument}.speed"));
        let run =
            ["run", "s", "--steps", "20", "--set", &set, "--metrics-of", &measure, "--metrics", "m.csv"];
        let hash = project.hash(&run);
        assert!(project.read("m.csv").starts_with(&format!("step,time,{}.speed\n", FORMS[0])));
        let vary = format!("{argument}.count=2,3");
        let swept = project.call(&[
            "sweep",
            "s",
            "--vary",
            &vary,
            "--steps",
            "2",
            "--measure",
            &measure,
            "--out",
            "t.csv",
        ]);
        assert!(swept.status.success(), "{}", stderr(&swept));
        hash
    };
    let [composed, separate] = FORMS;
    let expected = hashes([composed; 4]);
    for at in 0..4 {
        let mut forms = [composed; 4];
        forms[at] = separate;
        assert_eq!(hashes(forms), expected, "{at}");
    }
    assert_eq!(hashes([separate; 4]), expected);
}

#[test]
fn a_file_of_named_values_is_not_listed_as_a_scene() {
    let project = project();
    let checked = stdout(&project.call(&["check", "scenes"]));
    project.save("scenes/s.values.ron", "{\"tight\": [\"a.turn.gain=2.0\"]}");
    assert_eq!(stdout(&project.call(&["check", "scenes"])), checked);
    assert!(!stdout(&project.call(&["list"])).contains("values"));
    let output = project.call(&["check", "scenes/s.values.ron"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn a_scene_is_opened_by_its_name_from_any_folder() {
    let project = project();
    let by_file = hash(&run(&project, &[]));
    let by_name = |scene: &str| project.hash(&["run", scene, "--steps", "20"]);
    assert_eq!([by_name("s"), by_name("s.ron")], [by_file.clone(), by_file.clone()]);
    let built_in = by_name("targets");
    project.save("scenes/targets.ron", SCENE);
    assert_eq!(by_name("targets"), by_file, "the one on disk comes first");
    std::fs::remove_file(project.path("scenes/targets.ron")).unwrap();
    assert_eq!(by_name("targets"), built_in);
    for name in ["targets", "s"] {
        let output = project.call(&["check", name]);
        let checked = "1 file checked, no faults\n";
        assert_eq!(stdout(&output), checked, "{}", stderr(&output));
        let headless = format!("run {name} ");
        contains(&stderr(&project.call(&[name])), &["there is no display", &headless]);
    }
}

#[test]
fn an_unknown_word_has_the_most_similar_scene_or_command_as_suggestion() {
    let project = project();
    for (args, message) in [
        (&["chekc"][..], "chekc: there is no such scene or command; did you mean `check`?"),
        (&["dorway"], "dorway: there is no such scene or command; did you mean `doorway`?"),
        (&["xyzzyx"], "xyzzyx: there is no such scene or command; `steerbox list` names the scenes"),
        (&["nope/flokc.ron"], "nope/flokc.ron: there is no such scene; did you mean `flock`?"),
        (&["run", "chekc"], "chekc: there is no such scene; `steerbox list` names the scenes"),
        (&["run", "nope/xyzzyx.ron"], "nope/xyzzyx.ron: there is no such scene; `steerbox list`"),
        (&["check", "dorway"], "dorway: there is no such scene; did you mean `doorway`?"),
        (&["check", "nope.rhai"], "nope.rhai: there is no such file or folder"),
        (&["scenes"], "scenes is a folder, not a scene; `steerbox list`"),
        (
            &["run", "scripts/flee.rhai"],
            "scripts/flee.rhai is a script, not a scene: a group of a scene uses it, `behaviors: [(script: \"flee\")]`",
        ),
    ] {
        let text = project.refuses(args, &[message]);
        assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    }
}

#[test]
fn check_prints_the_number_of_files_and_only_interpreted_scripts() {
    let project = project();
    let empty = project.path("empty");
    std::fs::create_dir(&empty).unwrap();
    let mut command = project.command(&["check"]);
    let text = stdout(&command.current_dir(empty).output().unwrap());
    contains(&text, &[" built-in files checked, as there is no scenes or scripts folder"]);
    assert!(!text.contains("native"), "{text}");
    assert_eq!(stdout(&project.call(&["check"])), "3 files checked, no faults\n");
    assert!(!stdout(&run(&project, &[])).contains("native"));
    project.save("scripts/turn.rhai", "fn steer(me, world) { let a = [1, 2]; a[0] / 2.0 }");
    for output in [project.call(&["check", "scripts"]), run(&project, &[])] {
        let text = stdout(&output);
        contains(&text, &["interpreted: turn\n  turn.rhai: line 1, column "]);
        assert!(!text.contains("native") && !text.contains("gather"), "{text}");
    }
    let text = "fn steer(me, world) { let speed = me.speed; if speed > 3.0 { speed = 0; } speed }";
    project.save("scripts/turn.rhai", text);
    let remedy = "write `speed = 0.0`";
    contains(&stdout(&project.call(&["check", "scripts"])), &[remedy]);
    contains(&stdout(&project.call(&["check", "--explain", "scripts"])), &[remedy]);
    contains(
        &stdout(&project.call(&["check", "--format", "json", "scripts"])),
        &[&format!("\"help\":\"{remedy}\"")],
    );
}
