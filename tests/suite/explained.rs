//! Explanations of a unit's step are exact, and inspection changes no result.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use steerbox_core::sim::{Contribution, InspectedRule};
use steerbox_project::reload::{Place, read_dir_sorted};
use steerbox_project::session::{Explained, Input, Options, Outcome, Session};

use crate::common::file;

/// Number of steps, and limit on unit-steps per scene: large scenes make fewer steps, at least two.
const STEPS: usize = 12;
const MOVES: usize = 4_000;

fn open(place: Place) -> Session {
    let threads = Some(2);
    Session::open(Options { threads, ..Options::new(place) }).unwrap()
}

fn step(session: &mut Session) {
    assert!(session.simulation.step(&AtomicBool::new(false)));
}

#[test]
fn every_shipped_scene_is_explained_exactly_and_runs_unchanged() {
    for path in read_dir_sorted(&file("scenes")).unwrap() {
        let name = path.display();
        let (mut plain, mut watched) = (open(Place::of_scene(&path)), open(Place::of_scene(&path)));
        let units = plain.simulation.world().units.len();
        let mut recorded = 0;
        for at in 0..(MOVES / units).clamp(2, STEPS) {
            // One unit of each part of the scene.
            let unit = at * units / STEPS;
            watched.inspect(Some(unit), true);
            step(&mut plain);
            step(&mut watched);
            assert_eq!(plain.simulation.hash(), watched.simulation.hash(), "{name}, step {at}");
            let explained = watched.simulation.explained().unwrap();
            check(explained, &plain, &format!("{name}, unit {unit}, step {at}"));
            recorded += explained.lines.iter().flatten().map(|it| it.values().len()).sum::<usize>();
        }
        assert!(recorded > 0, "{name}: nothing is recorded");
    }
}

/// Compares the explanation with the simulation after the step.
fn check(explained: &Explained, session: &Session, of: &str) {
    let Explained { facts, lines, .. } = explained;
    let simulation = &session.simulation;
    let Some(unit) = facts.now else { return };
    assert_eq!(facts.step, simulation.world().steps, "{of}");
    assert_eq!(facts.after.position, simulation.world().units.position[unit], "{of}");
    let decisions: Vec<_> = simulation.decisions(unit).collect();
    assert_eq!(facts.rules.len(), decisions.len(), "{of}");
    for ((rule, lines), (slot, contribution)) in facts.rules.iter().zip(lines).zip(decisions) {
        let of = format!("{of}, {}", rule.name);
        assert!(rule.contribution.has_bits_of(&contribution), "{of}: {rule:?}");
        match lines {
            Ok(recording) => assert!(recording.agrees_with(&Ok(contribution)), "{of}"),
            Err(reason) => {
                assert!(!slot.enabled && reason == "it is switched off", "{of}: {reason}");
                assert_eq!(contribution, Contribution::None, "{of}");
            }
        }
    }
}

#[test]
fn a_unit_is_explained_in_the_background_until_it_is_deselected() {
    let mut session = open(Place::named("flock").unwrap());
    session.inspect(Some(5), true);
    assert!(session.simulation.explained().is_none());
    session.simulation.start(2);
    while session.simulation.finish(Duration::from_secs(20)) == Outcome::Nothing {}
    let explained = session.simulation.explained().unwrap();
    assert_eq!((explained.facts.unit, explained.facts.step), (5, session.simulation.world().steps));
    session.inspect(Some(6), true);
    assert!(session.simulation.explained().is_none(), "of another unit nothing is known yet");
    session.inspect(Some(usize::MAX), true);
    assert!(session.simulation.inspected().is_none());
}

#[test]
fn the_forces_on_a_unit_add_up() {
    let mut session = open(Place::named("flock").unwrap());
    session.inspect(Some(20), true);
    for _ in 0..5 {
        step(&mut session);
        let facts = &session.simulation.explained().unwrap().facts;
        let sum = facts.rules.iter().fold(glam::Vec3::ZERO, |sum, rule| sum + rule.weighted);
        assert!(sum.abs_diff_eq(facts.resultant, 1e-4), "{facts:?}");
        let gained = |rule: &InspectedRule| rule.weighted.abs_diff_eq(rule.unweighted * rule.gain, 1e-4);
        assert!(facts.rules.iter().all(gained), "{facts:?}");
        let velocity = facts.before.velocity + facts.forces.applied + facts.forces.drag + facts.contact;
        assert!(velocity.abs_diff_eq(facts.after.velocity, 1e-3), "{facts:?}");
    }
}

#[test]
fn values_are_recorded_only_on_request() {
    let mut session = open(Place::named("flock").unwrap());
    for values in [false, true] {
        session.inspect(Some(5), values);
        step(&mut session);
        let explained = session.simulation.explained().unwrap();
        assert!(!explained.facts.rules.is_empty());
        assert_eq!(explained.lines.iter().any(Result::is_ok), values, "{:?}", explained.lines);
    }
}

/// Makes steps in the background.
fn beside(session: &mut Session, steps: u32) {
    session.simulation.start(steps);
    finish(session, Outcome::Made(steps));
}

fn finish(session: &mut Session, expected: Outcome) {
    let outcome = loop {
        match session.simulation.finish(Duration::from_secs(20)) {
            Outcome::Nothing if session.simulation.busy().is_some() => {}
            outcome => break outcome,
        }
    };
    assert_eq!(outcome, expected);
}

#[test]
fn the_last_step_is_explained_afterwards_exactly() {
    for path in read_dir_sorted(&file("scenes")).unwrap() {
        let name = path.display();
        let mut session = open(Place::of_scene(&path));
        // In large scenes, two steps may take longer than a frame.
        session.simulation.start(2);
        while session.simulation.finish(Duration::from_secs(20)) == Outcome::Nothing {}
        let hash = session.simulation.hash();
        let world = session.simulation.world();
        let last = (0..world.units.len()).rfind(|unit| world.units.born[*unit] < world.steps).unwrap();
        for (unit, values) in [(0, false), (0, true), (last, true)] {
            session.inspect(Some(unit), values);
            session.explain_last();
            finish(&mut session, Outcome::Explained);
            let explained = session.simulation.explained().unwrap();
            assert_eq!((explained.facts.now, explained.has_values), (Some(unit), values), "{name}");
            if values {
                check(explained, &session, &format!("{name}, unit {unit}"));
            }
            session.explain_last();
            assert!(session.simulation.busy().is_none(), "{name}: all is known");
        }
        assert_eq!(session.simulation.hash(), hash, "{name}");
    }
}

#[test]
fn changes_after_a_step_do_not_change_its_explanation() {
    let mut session = open(Place::named("flock").unwrap());
    beside(&mut session, 1);
    let (gain, step) = (session.simulation.slots(0)[0].gain, session.simulation.world().steps);
    session.simulation.input(Input::Tune(0, 0, 99.0, true));
    session.inspect(Some(3), true);
    session.explain_last();
    finish(&mut session, Outcome::Explained);
    let facts = &session.simulation.explained().unwrap().facts;
    assert_eq!((facts.rules[0].gain, facts.step), (gain, step));
    // Another state cannot be explained by the recorded steps.
    session.restart();
    session.explain_last();
    assert!(session.simulation.busy().is_none() && session.simulation.explained().is_none());
}

#[test]
fn an_earlier_step_is_never_explained_as_the_last() {
    let mut session = open(Place::named("flock").unwrap());
    session.inspect(Some(3), true);
    beside(&mut session, 1);
    session.inspect(None, false);
    beside(&mut session, 1);
    session.inspect(Some(3), true);
    assert!(session.simulation.explained().is_none());
    session.explain_last();
    finish(&mut session, Outcome::Explained);
    assert_eq!(session.simulation.explained().unwrap().facts.step, session.simulation.world().steps);
}
