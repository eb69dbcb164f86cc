//! Runs with faulty scripts, and hostile content: changed bytes are errors or states, never panics.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use glam::Vec3;
use steerbox_core::sim::{SavedState, Simulation};
use steerbox_core::world::random::bits;
use steerbox_script::Execution;

use super::*;
use crate::reload::{Loader, Place};
use crate::session::{Input, Keep, Options, Session};

const SCENE: &str =
    "(world: Plane(size: (60, 60)), bodies: {\"m\": Mover(length: 2)}, views: {\"near\": Limited(radius: 9)},
    groups: [(name: \"a\", body: \"m\", count: 5, view: \"near\", behaviors: [(script: \"wander\")])],
    obstacles: [Polygon(points: [(5, 5), (9, 5), (7, 9)]), Box(center: (30, 30), size: (5, 9), angle: 20)])";

fn recorded() -> ReplayFile {
    let texts = crate::reload::Texts {
        name: "a.ron".to_owned(),
        scene: SCENE.to_owned(),
        ..crate::reload::Texts::default()
    };
    let options = Options { threads: Some(1), keep: Keep::ALL, ..Options::new(Place::of_texts(texts)) };
    let mut session: Session = Session::open(options).expect("the scene is valid");
    for round in 0..9 {
        assert!(session.simulation.step(&AtomicBool::new(false)));
        let world = session.simulation.world();
        let (state, obstacle) = (session.simulation.unit_state(round % 5), world.obstacles[0].clone());
        let state = state.expect("a unit");
        session.input(match round {
            0 => Input::Target(Some(Vec3::X)),
            1 => Input::MoveUnits(vec![(state.key, state.motion)]),
            2 => Input::RemoveUnits(vec![state.key]),
            3 => Input::AddUnits(vec![steerbox_core::sim::UnitState { key: 77, ..state }]),
            4 => Input::View("a".to_owned(), Some("near".to_owned())),
            5 => Input::Obstacle(1, obstacle),
            6 => Input::Scattered(1, obstacle),
            _ => Input::Tune(0, 0, 0.5, true),
        });
    }
    session.replay_file(Digests::default()).expect("a replay")
}

/// A scene whose script has errors, repaired while it runs.
struct Repaired {
    folder: tempfile::TempDir,
    session: Session,
}

impl Repaired {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let scene = folder.path().join("a.ron");
        std::fs::write(&scene, SCENE.replace("wander", "own")).expect("the folder is writable");
        let mut repaired = Self { folder, session: Self::open(&scene, "fn steer(me, world) { vec(1, 0") };
        repaired.session.watch().expect("a thread");
        repaired.step(70);
        repaired.save("fn steer(me, world) { me.no_such_unit.speed }", "rejected");
        repaired.save(
            "fn steer(me, world) { if me.age > 1.5 && me.age < 3 { me.enemies.nearest.speed } else { vec(1, 0) } }",
            "live",
        );
        repaired
    }

    fn open(scene: &std::path::Path, script: &str) -> Session {
        std::fs::create_dir(scene.with_file_name("scripts")).expect("the folder is new");
        std::fs::write(scene.with_file_name("scripts/own.rhai"), script).expect("the folder is writable");
        let place = Place::of_scene(scene);
        let options = Options { threads: Some(1), keep: Keep::ALL, ..Options::new(place) };
        Session::open(options).expect("the scene works")
    }

    fn step(&mut self, steps: usize) {
        (0..steps).for_each(|_| assert!(self.session.simulation.step(&AtomicBool::new(false))));
    }

    /// Saves the script, and waits for a generation with an event of this kind about it.
    fn save(&mut self, script: &str, kind: &str) {
        std::fs::write(self.folder.path().join("scripts/own.rhai"), script).expect("the folder is writable");
        let give_up = Instant::now() + Duration::from_secs(30);
        while Instant::now() < give_up {
            // A trial run requests a sample of the world while this waits.
            let Some(generation) = self.session.wait(Duration::from_millis(10)) else { continue };
            let events = self.session.swap(generation).events;
            if events.iter().any(|event| event.to_json(0, &[]).contains(kind) && event.path == "own.rhai") {
                return;
            }
        }
        panic!("no {kind} event about {script}");
    }
}

#[test]
fn a_run_that_starts_with_a_faulty_script_is_repeated_with_suspension_and_resumption() {
    let mut run = Repaired::new();
    run.step(130);
    assert!(run.session.simulation.has_suspended());
    run.session.resume();
    run.step(5);
    let replay = run.session.replay_file(Digests::default()).expect("a replay");
    let replay = ReplayFile::from_bytes(&replay.to_bytes().expect("small")).expect("a replay");
    let end = replay.repeat((Execution::default(), Some(1)), &AtomicBool::new(false), |_| true);
    assert_eq!(end.expect("it is repeated").hash(), run.session.simulation.hash());
    let moved = |simulation: &Simulation| simulation.world().units.velocity[0].length() > 0.0;
    assert!(moved(&run.session.simulation), "the resumed rule acts");
}

#[test]
fn a_state_continues_under_valid_files_although_its_own_have_errors() {
    let mut moment = recorded().start;
    let (_, generation) = Loader::load(moment.place(), Vec::new()).expect("the scene is valid");
    moment.texts.scene = "(".to_owned();
    let continued = moment.start_under(&generation, &[], Execution::default()).expect("its state fits");
    assert_eq!((continued.hash(), moment.hash), (moment.hash, continued.hash()));
    let (_, other) = Loader::load(Place::built_in("aidemo4.ron"), Vec::new()).expect("the scene is valid");
    let refused =
        moment.start_under(&other, &[], Execution::default()).err().expect("its state does not fit");
    assert!(refused.to_string().starts_with("its rules have errors"), "{refused}");
}

/// Calls `check` with the content of a value in which a few bytes are changed, many times.
fn with_changes(content: &[u8], check: impl Fn(&[u8])) {
    let count = std::env::var("STEERBOX_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(300);
    for round in 0..count {
        let draw = |number: u32, below: usize| bits(round, 0, 0, 0, number) as usize % below;
        let mut changed = content.to_vec();
        for number in 0..=draw(0, 3) as u32 {
            changed[draw(2 * number + 1, content.len())] = draw(2 * number + 2, 256) as u8;
        }
        check(&changed);
    }
}

#[test]
fn a_changed_state_is_rejected_or_takes_steps() {
    let replay = recorded();
    let (_, generation) = Loader::load(replay.start.place(), Vec::new()).expect("the scene is valid");
    let content = postcard::to_stdvec(&replay.start.state).expect("content");
    with_changes(&content, |changed| {
        let Ok(state) = postcard::from_bytes::<SavedState>(changed) else { return };
        let mut simulation = generation.start(None);
        if simulation.load_state(&state).is_ok() {
            simulation.step();
            simulation.step();
        }
    });
}

#[test]
fn a_changed_replay_is_rejected_or_repeated() {
    let content = postcard::to_stdvec(&recorded()).expect("content");
    with_changes(&content, |changed| {
        let file = StoredKind::Replay.sealed(changed).expect("small");
        let Ok(replay) = ReplayFile::from_bytes(&file) else { return };
        if let Ok(loaded) = replay.load(Execution::Interpreted) {
            let mut left = 20;
            let mut check = DigestCheck::new(&replay.digests);
            loaded.run(replay.last, &AtomicBool::new(false), |simulation| {
                left -= 1;
                !check.check(simulation) && left > 0
            });
        }
    });
}

#[test]
fn a_changed_picture_is_rejected_or_read() {
    let text = recorded().start.to_text().expect("text");
    let mut picture = Vec::new();
    let mut encoder = png::Encoder::new(&mut picture, 1, 1);
    encoder.add_text_chunk(Moment::KEYWORD.to_owned(), text).expect("a chunk");
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&[0]).expect("pixels");
    writer.finish().expect("a picture");
    Moment::from_picture(&picture).expect("a moment");
    with_changes(&picture, |changed| drop(Moment::from_picture(changed)));
}
