//! Pictures and recordings of the window.

use std::path::{Path, PathBuf};

use egui::Key;
use steerbox_project::reload::Place;
use steerbox_project::session::{Input, Keep, Moment, Options, ReplayFile};

use super::time_travel::{recording, shown};
use super::{input, options, patient};
use crate::App;
use crate::commands::action::{FilmStep, SessionAction, ViewAction};
use crate::model::switch::Switch;

/// An application that writes into a folder.
pub(super) fn filming() -> (tempfile::TempDir, App) {
    filming_of(recording())
}

fn filming_of(mut app: App) -> (tempfile::TempDir, App) {
    let folder = tempfile::tempdir().expect("a folder");
    app.view.filming.folder = folder.path().to_owned();
    app.idle(1);
    (folder, app)
}

fn film(app: &mut App, step: FilmStep) {
    app.act(ViewAction::Film(step));
}

pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    steerbox_project::reload::read_dir_sorted(folder).expect("the folder")
}

/// The frames of the GIF at a path, and its size.
fn gif(path: &Path) -> (usize, (u16, u16)) {
    let bytes = std::fs::read(path).expect("a file");
    let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).expect("a GIF");
    let size = (decoder.width(), decoder.height());
    let mut frames = 0;
    while decoder.read_next_frame().expect("a frame").is_some() {
        frames += 1;
    }
    (frames, size)
}

fn make_steps(app: &mut App, count: u32) {
    for _ in 0..count {
        app.press(Key::Period);
    }
}

#[test]
fn a_picture_and_a_drawing_of_the_shown_state_have_names_of_their_own() {
    let (folder, mut app) = filming();
    for what in [FilmStep::Picture, FilmStep::Picture, FilmStep::Drawing] {
        film(&mut app, what);
    }
    let names: Vec<String> = files(folder.path()).iter().map(|path| path.display().to_string()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    for (name, end) in names.iter().zip(["-1.png", "-1.svg", "-2.png"]) {
        assert!(name.contains("/flock-20") && name.ends_with(end), "{name}");
        assert!(app.session.log.lines().any(|line| line.text.ends_with(name.as_str())), "{name}");
    }
    let bytes = std::fs::read(&names[0]).expect("a file");
    let reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG");
    let (min, max) = app.view.camera.view();
    assert_eq!(
        (reader.info().width as f32, reader.info().height as f32),
        ((max - min).x.floor(), (max - min).y.floor())
    );
}

#[test]
fn a_picture_a_state_and_a_replay_continue_and_repeat_the_run() {
    let (folder, mut app) = filming();
    make_steps(&mut app, 20);
    app.session.run.input(Input::Target(Some(glam::Vec3::X)));
    make_steps(&mut app, 10);
    let run = &app.session.run.simulation;
    let (hash, steps) = (run.hash(), run.world().steps);
    for what in [FilmStep::Picture, FilmStep::State, FilmStep::Replay] {
        film(&mut app, what);
    }
    app.until(|app| !app.view.filming.is_busy());
    let bytes = |number: usize| std::fs::read(&files(folder.path())[number]).expect("a file");
    let (picture, replay, state) = (bytes(0), bytes(1), bytes(2));
    for moment in [Moment::from_picture(&picture), Moment::from_bytes(&state)] {
        let moment = moment.expect("a moment");
        assert_eq!((moment.hash, moment.steps()), (hash, steps));
        let app = App::new(Options { threads: Some(1), ..Options::at(moment) }).expect("a scene");
        assert_eq!(app.hash(), hash);
    }
    let replay = ReplayFile::from_bytes(&replay).expect("a replay");
    assert_eq!((replay.hash, replay.last, replay.digests.is_empty()), (hash, steps, false));
    let options = Options { threads: Some(1), keep: Keep::USUAL, ..Options::of_replay(replay) };
    let mut app = App::new(options).expect("a scene");
    app.until(|app| app.session.paused);
    assert_eq!(app.world().steps, steps);
    assert_eq!(app.hash(), hash);
    assert!(app.session.log.lines().any(|line| line.text == "the replay ends with the recorded state"));
}

#[test]
fn a_page_of_the_recorded_past_contains_its_texts_and_its_hash() {
    let (folder, mut app) = filming();
    app.press(Key::Space);
    make_steps(&mut app, 30);
    film(&mut app, FilmStep::Page);
    app.until(|app| !app.view.filming.is_busy());
    let text = std::fs::read_to_string(&files(folder.path())[0]).expect("a page");
    let hash = format!("{:016x}", app.hash());
    assert!(text.contains(&hash) && text.contains("cohesion"), "{}", text.len());
}

#[test]
fn a_gif_of_the_last_seconds_is_made_from_the_past_while_the_scene_runs() {
    let (folder, mut app) = filming();
    app.press(Key::Space);
    make_steps(&mut app, 120);
    let last = app.world().steps;
    let hash = app.hash();
    film(&mut app, FilmStep::Gif);
    assert_eq!(app.view.filming.jobs.len(), 1);
    app.until(|app| app.view.filming.jobs.is_empty());
    assert_eq!(app.hash(), hash, "the run is not disturbed");
    let (frames, size) = gif(&files(folder.path())[0]);
    let scene = &app.session.run.generation.scene;
    let seconds = last as f32 * scene.world.step / scene.speed;
    assert!((frames as f32 - seconds * 20.0 - 1.0).abs() <= 1.0, "{frames} frames of {seconds} s");
    assert!(size.0 <= 640, "{size:?}");
    // In the past, up to the shown step.
    app.act(SessionAction::GoToStep(last / 2));
    assert_eq!(shown(&mut app, &input()), last / 2);
    film(&mut app, FilmStep::Gif);
    app.until(|app| app.view.filming.jobs.is_empty());
    let (half, _) = gif(&files(folder.path())[1]);
    assert!(half.abs_diff(frames / 2) <= 2, "{half} {frames}");
}

#[test]
fn a_gif_has_trails_if_the_window_shows_them() {
    let (folder, mut app) = filming();
    app.press(Key::Space);
    make_steps(&mut app, 60);
    for _ in 0..2 {
        film(&mut app, FilmStep::Gif);
        app.until(|app| app.view.filming.jobs.is_empty());
        app.act(ViewAction::Toggle(Switch::Trails));
    }
    let size = |at: usize| std::fs::metadata(&files(folder.path())[at]).expect("a file").len();
    assert!(size(0) > size(1) * 5 / 4, "{} {}", size(0), size(1));
}

#[test]
fn a_canceled_recording_leaves_no_file() {
    let (folder, mut app) = filming();
    make_steps(&mut app, 60);
    film(&mut app, FilmStep::Gif);
    film(&mut app, FilmStep::Cancel(0));
    film(&mut app, FilmStep::Cancel(0));
    app.until(|_| files(folder.path()).is_empty());
    assert!(app.view.filming.jobs.is_empty());
}

#[test]
fn a_recording_contains_the_steps_between_start_and_stop() {
    // A scene whose speed is 2.
    let place = Place::built_in("orca.ron");
    let (folder, mut app) = filming_of(patient(Options { place, keep: Keep::USUAL, ..options() }));
    app.press(Key::Space);
    make_steps(&mut app, 10);
    film(&mut app, FilmStep::Toggle);
    assert!(app.view.filming.live().is_some());
    make_steps(&mut app, 90);
    app.until(|app| {
        app.view.filming.jobs.iter().all(|job| job.reel.as_ref().is_some_and(|reel| reel.next() > 60))
    });
    make_steps(&mut app, 5);
    let seconds = app.view.filming.jobs[0].seconds(&app.session);
    assert!((seconds - 95.0 * 0.05 / 2.0).abs() < 1e-4, "{seconds}");
    film(&mut app, FilmStep::Toggle);
    assert!(app.view.filming.live().is_none());
    app.until(|app| app.view.filming.jobs.is_empty());
    let written = files(folder.path());
    let [path] = &written[..] else { panic!("{written:?}") };
    assert!(std::fs::metadata(path).expect("a file").len() > 1000);
}

#[test]
fn a_recording_ends_with_its_run() {
    let (folder, mut app) = filming();
    app.press(Key::Space);
    make_steps(&mut app, 40);
    film(&mut app, FilmStep::Toggle);
    make_steps(&mut app, 40);
    app.until(|app| app.view.filming.jobs.iter().all(|job| job.reel.is_some()));
    app.act(SessionAction::Restart);
    make_steps(&mut app, 5);
    app.until(|app| app.view.filming.jobs.is_empty());
    assert_eq!(files(folder.path()).len(), 1);
    film(&mut app, FilmStep::Toggle);
    make_steps(&mut app, 3);
    app.finish();
    assert_eq!(files(folder.path()).len(), 2, "a closed window completes its recordings");
}
