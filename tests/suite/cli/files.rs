//! Files that are read and written: no blocking reads, and no files of others are replaced.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::{SCENE, TURN, WATCH, project, run, save_turn};
use crate::common::project::{ProjectDir, contains, failed, json_lines, stderr, stdout};

#[test]
fn outputs_replace_no_input_and_no_link_and_are_distinct() {
    let project = project();
    symlink("scenes/s.ron", project.path("soft")).unwrap();
    fs::hard_link(project.path("scripts/turn.rhai"), project.path("hard.png")).unwrap();
    project.save("kept", "kept");
    for (args, status, message) in [
        (&["--trace", "scripts/turn.rhai"][..], 2, "would be a script"),
        (&["--metrics", "scenes/s.ron"], 2, "would be a scene"),
        (&["--trace", "soft"], 1, "is a link"),
        (&["--image", "hard.png"], 2, "is the same file as"),
        (&["--trace", "kept", "--events", "./kept"], 2, "is the same file as"),
    ] {
        failed(&run(&project, args), status, &[message]);
    }
    let stream = fs::File::options().append(true).open(project.path("kept"));
    let mut command = project.command(&["run", "scenes/s.ron", "--trace", "kept"]);
    let output = command.stdout(stream.unwrap()).output().unwrap();
    contains(&stderr(&output), &["the same file as standard output"]);
    let texts = ["scripts/turn.rhai", "scenes/s.ron", "kept"].map(|path| project.read(path));
    assert_eq!(texts, [TURN, SCENE, "kept"]);
}

#[test]
fn folders_that_cannot_be_read_are_not_replaced_by_built_in_files() {
    // A loop of links stands for a refused permission, which does not apply to the superuser.
    let commands = [
        &["run", "flock", "--steps", "1"][..],
        &["check", "flock"],
        &["compare", "flock", "--steps", "1", "--with", "starlings.cohesion.gain=2"],
        &["explain", "flock", "--unit", "0", "--step", "1"],
        &["sweep", "flock", "--steps", "1", "--measure", "polarization", "--out", "o.csv"],
        &["test", "flock"],
        &["list"],
    ];
    for (link, target) in [
        ("scripts", "scripts"),
        ("scripts", "unmounted"),
        ("scripts/measures", "measures"),
        ("scripts/measures", "unmounted"),
        ("scenes", "scenes"),
        ("scenes", "unmounted"),
        ("scenes/flock.ron", "unmounted"),
    ] {
        let project = ProjectDir::with(&[]);
        fs::create_dir_all(project.path(link).parent().unwrap()).unwrap();
        symlink(target, project.path(link)).unwrap();
        for args in commands {
            let is_listed = args == ["list"] && link == "scenes/flock.ron";
            let output = project.call(args);
            assert_eq!(output.status.code(), Some(i32::from(!is_listed)), "{link} {target} {args:?}");
        }
    }
    let project = ProjectDir::with(&[("experiments/flock.ron", "()")]);
    fs::remove_dir_all(project.path("experiments")).unwrap();
    symlink("experiments", project.path("experiments")).unwrap();
    project.refuses(
        &["sweep", "flock", "--steps", "1", "--measure", "polarization", "--out", "o.csv"],
        &["cannot read"],
    );
    assert!(
        ProjectDir::with(&[]).call(&["run", "flock", "--steps", "1"]).status.success(),
        "folders need not exist"
    );
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn check_does_not_wait_for_pipes_or_read_endless_files() {
    let project = project();
    pipe(&project.path("scripts/pipe.rhai"));
    pipe(&project.path("scenes/pipe.ron"));
    for (target, link) in [
        ("/dev/zero", "scripts/zero.rhai"),
        ("/proc/kmsg", "scripts/log.rhai"),
        ("/proc/kmsg", "scenes/log.ron"),
        ("../scenes/s.ron", "scripts/out.rhai"),
        ("gone", "scripts/.#turn.rhai"),
        ("turn.rhai", "scripts/near.rhai"),
    ] {
        symlink(target, project.path(link)).unwrap();
    }
    let sparse = fs::File::create(project.path("scripts/sparse.rhai")).unwrap();
    sparse.set_len(1 << 30).unwrap();
    for name in ["pipe", "zero", "sparse", "out"] {
        let text = format!("import \"{name}\" as h;\nfn steer(me, world) {{ h::f() }}");
        project.save(&format!("scripts/of_{name}.rhai"), &text);
    }
    let output = project.call(&["check", "--format", "json"]);
    let mut found = json_lines(&stdout(&output));
    found.retain(|fault| fault["severity"] == "error");
    let expected = [
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
    ];
    for (path, message) in expected {
        let fault = found.iter().find(|fault| fault["path"] == path);
        let fault = fault.unwrap_or_else(|| panic!("{path}"));
        contains(fault["message"].as_str().unwrap(), &[message]);
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn check_reads_each_folder_once_with_cyclic_links() {
    let project = project();
    for link in ["a", "b", "c"] {
        symlink("..", project.path(&format!("scripts/{link}"))).unwrap();
    }
    assert_eq!(stdout(&project.call(&["check", "."])), "3 files checked, no faults\n");
}

#[test]
fn a_pipe_and_a_link_to_a_device_do_not_delay_later_saves() {
    let project = project();
    let _running = project.spawn(&WATCH);
    project.event("events", |event| event["path"] == "turn.rhai");
    pipe(&project.path("scripts/pipe.rhai"));
    for (target, link) in [("/dev/zero", "a"), ("/proc/kmsg", "b")] {
        symlink(target, project.path(&format!("scripts/{link}.rhai"))).unwrap();
    }
    let rejected =
        |path: &str| project.event("events", |event| event["path"] == path && event["event"] == "rejected");
    rejected("b.rhai");
    save_turn(&project);
    project.event("events", |event| event["path"] == "turn.rhai" && event["generation"] == 2);
}
