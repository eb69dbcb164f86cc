//! `run --record`: pictures and animations of a run.

use std::fs;
use std::io::Cursor;
use std::process::{Command, Stdio};

use super::{ENDLESS, SCENE, project, run};
use crate::common::project::{ProjectDir, contains, failed, hash, stderr};

/// The names of the files beside the project's folders.
fn names(project: &ProjectDir) -> Vec<String> {
    let paths = steerbox_project::reload::read_dir_sorted(&project.path(".")).expect("the folder");
    let files = paths.iter().filter(|path| path.is_file());
    files.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

fn gif_frames(bytes: &[u8]) -> (usize, (u16, u16)) {
    let mut decoder = gif::DecodeOptions::new().read_info(bytes).expect("a GIF");
    let size = (decoder.width(), decoder.height());
    let mut frames = 0;
    while decoder.read_next_frame().expect("a frame").is_some() {
        frames += 1;
    }
    (frames, size)
}

/// Width, height and number of frames of a PNG.
fn png_frames(bytes: &[u8]) -> (u32, u32, Option<u32>) {
    let reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
    let info = reader.info();
    (info.width, info.height, info.animation_control.map(|control| control.num_frames))
}

#[test]
fn a_run_is_recorded_in_the_format_of_the_extension() {
    let project = project();
    let plain = hash(&run(&project, &[]));
    for name in ["a.png", "a.gif", "a.apng", "a.svg"] {
        let output = run(&project, &["--record", name, "--size", "160x100", "--trails", "--bar"]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        assert_eq!(hash(&output), plain, "a recording has no effect on the run");
    }
    assert_eq!(names(&project), ["a.apng", "a.gif", "a.png", "a.svg"]);
    let read = |name: &str| fs::read(project.path(name)).expect(name);
    assert_eq!(png_frames(&read("a.png")), (160, 100, None));
    // 20 steps of a 60th second, and the start.
    assert_eq!(png_frames(&read("a.apng")), (160, 100, Some(11)));
    assert_eq!(gif_frames(&read("a.gif")), (7, (160, 100)));
    contains(&project.read("a.svg"), &["viewBox=\"0 0 160 100\"", "<polygon", "t = 0.33 s", "</svg>"]);
    let again = run(&project, &["--record", "a.gif", "--fps", "50", "--theme", "light", "--scale", "2"]);
    assert!(again.status.success());
    assert_eq!(gif_frames(&read("a.gif")), (17, (640, 400)), "the old file is replaced");
    let same = run(&project, &["--record", "b.gif", "--fps", "50", "--theme", "paper", "--scale", "2"]);
    assert!(same.status.success());
    assert_eq!(read("a.gif"), read("b.gif"), "a recording is a function of the scene");
}

#[test]
fn recordings_that_are_not_possible_are_refused_before_the_run() {
    let project = project();
    for (args, part) in [
        (&["--record", "a.bmp"][..], "ends in .png, .svg, .gif, .apng, .mp4, .webm or .html"),
        (&["--record", "a"], "ends in .png"),
        (&["--record", "a.png", "--size", "9"], "expected WxH"),
        (&["--record", "a.png", "--size", "9x9"], "expected sides from 16 to 8192"),
        (&["--record", "a.png", "--size", "100000x100000"], "expected sides from 16 to 8192"),
        (&["--record", "a.png", "--fps", "30"], "no frames per second"),
        (&["--record", "a.gif", "--fps", "60"], "1 to 50 frames per second"),
        (&["--record", "a.mp4", "--transparent"], "cannot be transparent"),
        (&["--record", "a.png", "--scale", "0"], "--scale"),
        (&["--record", "a.png", "--theme", "red"], "--theme"),
        (&["--trails"], "--record"),
        (&["--record", "a.png", "--image", "a.png"], "is the same file as"),
    ] {
        let output = run(&project, args);
        failed(&output, 2, &[part]);
    }
    failed(&run(&project, &["--record", "none/a.png"]), 1, &["cannot write to none/a.png"]);
    assert!(names(&project).is_empty(), "{:?}", names(&project));
}

#[test]
fn a_failed_recording_or_picture_leaves_the_old_file_and_the_run_reports_it() {
    let project = project();
    let outputs = [("--record", "old.apng"), ("--image", "old.png")];
    for (_, name) in outputs {
        project.save(name, "old");
    }
    let missing = project.command(&["run", "scenes/s.ron", "--steps", "20", "--record", "a.mp4"]);
    let output = { missing }.env("PATH", "/nonexistent").output().expect("a run");
    failed(&output, 1, &["ffmpeg is not installed", "a.mp4"]);
    #[cfg(unix)]
    {
        // A limit on the size of files has the effect of a full disk.
        let program = env!("CARGO_BIN_EXE_steerbox");
        for (option, name) in outputs {
            let mut limited = Command::new("sh");
            limited.args(["-c", "ulimit -f 8; exec \"$0\" \"$@\"", program, "run", "scenes/s.ron"]);
            let limited = limited.args(["--steps", "200", option, name]).current_dir(project.path("."));
            failed(&limited.output().expect("a run"), 1, &[&format!("cannot write to {name}")]);
        }
    }
    assert_eq!(names(&project), ["old.apng", "old.png"]);
    for (_, name) in outputs {
        assert_eq!(project.read(name), "old");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_recording_is_complete() {
    let project = project();
    project.save("scenes/s.ron", &SCENE.replace("seed: 3", "seed: 3, step: 0.01"));
    let mut command = project.command(&ENDLESS);
    command.args(["--record", "a.apng", "--size", "64x40", "--trace", "t"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
    project.event("t", |_| true);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    let output = child.wait_with_output().expect("a run");
    failed(&output, 130, &["interrupted after "]);
    let (_, _, frames) = png_frames(&fs::read(project.path("a.apng")).expect("a file"));
    let trace = project.read("t");
    let steps = trace.lines().count() as u32 / 20 - 1;
    assert_eq!(frames, Some(steps * 30 / 100 + 1));
}
