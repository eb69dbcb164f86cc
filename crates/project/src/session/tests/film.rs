//! Films contain the states of the run.

use super::*;

/// The hash of each state that a film of these steps shows, by step, and whether it was complete.
fn filmed(run: &mut Run, steps: std::ops::RangeInclusive<u64>) -> (Vec<(u64, u64)>, bool) {
    let film = run.session.film(
        steps,
        Vec::new(),
        |seen: &mut Vec<(u64, u64)>, _, simulation| {
            seen.push((simulation.world().steps, simulation.hash()));
            true
        },
        |seen, made| (seen, made),
    );
    film.expect("a record").finish(Duration::MAX).expect("a result").expect("no panic")
}

/// A run of 40 steps with a keyframe every 8 steps and changes between them.
fn changing_run() -> Run {
    let mut run = Run::new(keep(8, 64 << 20), 1, Execution::default());
    for part in 0..4 {
        run.apply(&Event::Steps(10));
        run.apply(&Event::Target(Some((part as f32 * 9.0, 20.0))));
        run.apply(&Event::Script(part % SCRIPTS.len()));
    }
    run.note();
    run
}

#[test]
fn a_film_contains_every_state_across_keyframes_and_changes() {
    let mut run = changing_run();
    let present = run.session.simulation.hash();
    for (first, last) in [(0, 40), (13, 37), (16, 16), (40, 40)] {
        let (seen, made) = filmed(&mut run, first..=last);
        assert!(made);
        let steps: Vec<u64> = seen.iter().map(|(step, _)| *step).collect();
        let begin = *steps.first().expect("a state");
        assert!(begin <= first && begin + 8 >= first, "{begin} {first}");
        assert_eq!(steps, (begin..=last).collect::<Vec<_>>());
        // Before the inputs after its last step, as the step left it.
        let of_run =
            |step: u64| run.seen.iter().find(|(_, world)| world.steps == step).map(|(hash, _)| *hash);
        for (step, hash) in seen.iter().filter(|(step, _)| !step.is_multiple_of(10)) {
            assert_eq!(Some(*hash), of_run(*step), "step {step}");
        }
    }
    assert_eq!(run.session.simulation.hash(), present, "the run does not depend on it");
}

#[test]
fn a_film_ends_when_its_receiver_refuses_a_state() {
    let mut run = changing_run();
    let film = run.session.film(
        5..=40,
        0,
        |seen: &mut u32, _, _| {
            *seen += 1;
            *seen < 7
        },
        |seen, made| (seen, made),
    );
    assert_eq!(film.expect("a record").finish(Duration::MAX), Some(Some((7, false))));
    let mut empty = Run::new(keep(8, 0), 1, Execution::default());
    empty.apply(&Event::Steps(3));
    assert!(empty.session.film(0..=3, (), |(), _, _| true, |(), _| ()).is_none());
}
