//! Hostile content: changed bytes are errors or states, never panics.

use std::sync::atomic::AtomicBool;

use glam::Vec3;
use steerbox_core::sim::SavedState;
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
