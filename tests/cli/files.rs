//! What is read, and what is written: never what would wait, never what somebody else put there.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::Command;

use super::*;

#[test]
fn definitions_are_no_scripts_and_replace_nothing_but_themselves() {
    let desk = Desk::new();
    assert!(desk.call(&["new", "fresh"]).status.success());
    for dir in ["fresh", "fresh/scripts"] {
        for _ in 0..2 {
            let output = desk.call(&["definitions", dir]);
            assert!(output.status.success(), "{}", stderr(&output));
        }
    }
    let path = "fresh/scripts/steerbox.d.rhai";
    let definitions = fs::read_to_string(desk.path(path)).unwrap();
    assert!(definitions.contains("neighbors") && definitions.contains("distance_to"));
    for args in [&["check", "fresh"][..], &["check", path]] {
        let output = desk.call(args);
        let text = stderr(&output);
        assert!(
            output.status.success() && stdout(&output).contains("no faults"),
            "{text}"
        );
    }
    let scene = ["run", "fresh/scenes/flock.ron", "--steps", "1"];
    hash(&desk.call(&scene));

    desk.save(path, "fn mine();");
    let output = desk.call(&["definitions", "fresh/scripts"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--force"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(desk.path(path)).unwrap(), "fn mine();");
    let output = desk.call(&["definitions", "fresh/scripts", "--force"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(desk.path(path)).unwrap(), definitions);
}

#[test]
fn outputs_replace_no_input_no_link_and_not_each_other() {
    let desk = Desk::new();
    fs::create_dir(desk.path("defs")).unwrap();
    symlink("../scripts/turn.rhai", desk.path("defs/steerbox.d.rhai")).unwrap();
    symlink("scenes/s.ron", desk.path("soft")).unwrap();
    fs::hard_link(desk.path("scripts/turn.rhai"), desk.path("hard.png")).unwrap();
    desk.save("kept", "kept");
    for (args, said) in [
        (&["--trace", "scripts/turn.rhai"][..], "would be a script"),
        (&["--metrics", "scenes/s.ron"], "would be a scene"),
        (&["--trace", "soft"], "is a link"),
        (&["--image", "hard.png"], "is the same file as"),
        (
            &["--trace", "kept", "--events", "./kept"],
            "is the same file as",
        ),
    ] {
        let output = desk.run(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
    for more in [&[][..], &["--force"]] {
        let output = desk.call(&[&["definitions", "defs"], more].concat());
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    }
    let stream = fs::File::options().append(true).open(desk.path("kept"));
    let mut command = desk.command(&["run", "scenes/s.ron", "--trace", "kept"]);
    let output = command.stdout(stream.unwrap()).output().unwrap();
    let text = stderr(&output);
    assert!(text.contains("the same file as standard output"), "{text}");
    let texts = ["scripts/turn.rhai", "scenes/s.ron", "kept"];
    let texts = texts.map(|path| fs::read_to_string(desk.path(path)).unwrap());
    assert_eq!(texts, [TURN, SCENE, "kept"]);
}

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

#[test]
fn check_waits_for_no_pipe_and_reads_nothing_endless() {
    let desk = Desk::new();
    pipe(&desk.path("scripts/pipe.rhai"));
    pipe(&desk.path("scenes/pipe.ron"));
    symlink("/dev/zero", desk.path("scripts/zero.rhai")).unwrap();
    symlink("/proc/kmsg", desk.path("scripts/log.rhai")).unwrap();
    symlink("/proc/kmsg", desk.path("scenes/log.ron")).unwrap();
    symlink("../scenes/s.ron", desk.path("scripts/out.rhai")).unwrap();
    symlink("gone", desk.path("scripts/.#turn.rhai")).unwrap();
    symlink("turn.rhai", desk.path("scripts/near.rhai")).unwrap();
    let sparse = fs::File::create(desk.path("scripts/sparse.rhai")).unwrap();
    sparse.set_len(1 << 30).unwrap();
    for name in ["pipe", "zero", "sparse", "out"] {
        let text = format!("import \"{name}\" as h;\nfn steer(me, world) {{ h::f() }}");
        desk.save(&format!("scripts/of_{name}.rhai"), &text);
    }
    let output = desk.call(&["check", "--format", "json"]);
    let found: Vec<Value> = (stdout(&output).lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|found: &Value| found["severity"] == "error")
        .collect();
    let said = |path: &str| {
        let mut found = found.iter().filter(|found| found["path"] == path);
        let first = found.next().unwrap_or_else(|| panic!("{path}"));
        first["message"].as_str().unwrap().to_owned()
    };
    for (path, message) in [
        ("scripts/pipe.rhai", "not a plain file"),
        ("scripts/zero.rhai", "not a plain file"),
        ("scripts/log.rhai", "leads out of its folder"),
        ("scripts/out.rhai", "leads out of its folder"),
        ("scripts/sparse.rhai", "longer than 65536 bytes"),
        ("scenes/pipe.ron", "not a plain file"),
        ("scenes/log.ron", "not a plain file"),
        ("scripts/of_pipe.rhai", "not a plain file"),
        ("scripts/of_zero.rhai", "not a plain file"),
        ("scripts/of_sparse.rhai", "longer than"),
        ("scripts/of_out.rhai", "leads out of its folder"),
    ] {
        assert!(said(path).contains(message), "{path}: {}", said(path));
    }
    assert_eq!(found.len(), 11, "{found:#?}");
}

#[test]
fn a_pipe_and_a_link_to_a_device_hold_up_no_later_save() {
    let desk = Desk::new();
    let args = ["run", "scenes/s.ron", "--watch", "--events", "events"];
    let mut command = desk.command(&args);
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let _watching = Watching(command.spawn().unwrap());
    let events = desk.path("events");
    event(&events, |event| event["path"] == "turn.rhai");
    pipe(&desk.path("scripts/pipe.rhai"));
    for (name, target) in [("a", "/dev/zero"), ("b", "/proc/kmsg")] {
        let link = desk.path(&format!("scripts/{name}.rhai"));
        symlink(target, link).unwrap();
    }
    event(&events, |event| {
        event["path"] == "b.rhai" && event["event"] == "rejected"
    });
    desk.save("scripts/turn.rhai", &TURN.replace("-1, 1", "-2, 2"));
    event(&events, |event| {
        event["path"] == "turn.rhai" && event["generation"] == 2
    });
}
