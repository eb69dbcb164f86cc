//! Changes of recorded steps: the rerun, and the steps that are shown.

use super::*;

#[test]
fn a_save_at_a_recorded_step_runs_from_there_and_either_run_can_continue() {
    let run = || {
        let mut run = Run::new(keep(7, 64 << 20), 2, Execution::default());
        run.apply(&Event::Steps(20));
        run.apply(&Event::Target(Some((30.0, 30.0))));
        run.apply(&Event::Steps(20));
        run.note();
        run
    };
    let save_at_10 = |run: &mut Run| {
        run.check(10);
        run.apply(&Event::Script(2));
        assert!(run.session.is_rerunning());
        while run.session.is_seeking() {
            run.session.settle(Duration::MAX);
        }
        assert_eq!(run.session.past_step(), Some(40));
    };
    // The expected rerun.
    let mut plain = Run::new(Keep::NOTHING, 1, Execution::default());
    plain.apply(&Event::Steps(10));
    plain.apply(&Event::Script(2));
    plain.apply(&Event::Steps(10));
    plain.apply(&Event::Target(Some((30.0, 30.0))));
    plain.apply(&Event::Steps(20));
    let new = plain.session.simulation.hash();

    let mut kept = run();
    let old = kept.session.simulation.hash();
    save_at_10(&mut kept);
    assert_eq!(kept.session.simulation.hash(), new);
    let run_pair = kept.session.run_pair().unwrap().clone();
    let divergence = run_pair.divergence.unwrap();
    assert_eq!((run_pair.fork, divergence.step, divergence.rule.unwrap().name.as_str()), (10, 11, "own"));
    assert!(run_pair.difference.distance > 0.0);
    // Before the fork there is one run; after it, the original run is shown as well.
    kept.session.show_step(9);
    while kept.session.is_seeking() {
        kept.session.settle(Duration::MAX);
    }
    assert!(kept.session.ghosts().is_none());
    kept.session.show_step(30);
    while kept.session.is_seeking() {
        kept.session.settle(Duration::MAX);
    }
    let old_world = &kept.seen.iter().find(|(_, world)| world.steps == 30).unwrap().1;
    assert_eq!(kept.session.ghosts().unwrap().position, old_world.units.position);
    kept.session.return_to_present();
    assert_eq!((kept.session.simulation.hash(), kept.session.past_step()), (new, None));

    let mut left = run();
    save_at_10(&mut left);
    left.session.discard();
    assert_eq!(left.session.simulation.world().steps, 40);
    // The newest rule runs from the present on, and every unit is at its position.
    let (seen, now) = (&left.seen.last().unwrap().1, left.session.simulation.world());
    let places = |world: &World| (world.units.position.clone(), world.units.velocity.clone(), world.steps);
    assert_eq!(places(seen), places(now));
    assert_ne!(old, new);
    left.apply(&Event::Steps(2));

    let mut anew = run();
    anew.check(10);
    anew.session.continue_here();
    assert_eq!(anew.session.recorded().map(|recorded| *recorded.end()), Some(10));
    anew.apply(&Event::Script(2));
    anew.apply(&Event::Steps(10));
    anew.apply(&Event::Target(Some((30.0, 30.0))));
    anew.apply(&Event::Steps(20));
    assert_eq!(anew.session.simulation.hash(), new);
}

/// Keyframes and inputs of the original run after the change must be dropped.
#[test]
fn recorded_steps_after_a_change_are_those_of_the_rerun() {
    let start = || {
        let mut run = Run::new(keep(3, 64 << 20), 1, Execution::default());
        run.apply(&Event::Script(2));
        run.apply(&Event::Steps(10));
        run
    };
    let later = |run: &mut Run| {
        for x in [5.0, 50.0, 20.0, 40.0] {
            run.apply(&Event::Steps(2));
            run.apply(&Event::Target(Some((x, 9.0))));
        }
        run.note();
    };
    let (mut plain, mut rewound) = (start(), start());
    let throw = Event::Throw(2, [30.0, 30.0, 5.0, 0.0]);
    plain.apply(&throw);
    later(&mut plain);
    later(&mut rewound);
    rewound.check(10);
    rewound.apply(&throw);
    while rewound.session.is_seeking() {
        rewound.session.settle(Duration::MAX);
    }
    rewound.seen = plain.seen;
    for step in 10..=18 {
        rewound.check(step);
    }
}

#[test]
fn units_moved_added_and_removed_at_a_recorded_step_are_in_the_rerun() {
    let act = |run: &mut Run| {
        for event in [Event::Throw(2, [30.0, 30.0, 5.0, 0.0]), Event::Copy(1), Event::Remove(4)] {
            run.apply(&event);
        }
    };
    let start = |keep: Keep, threads: usize, steps: u32| {
        let mut run = Run::new(keep, threads, Execution::default());
        run.apply(&Event::Script(1));
        run.apply(&Event::Steps(steps));
        run
    };
    let mut plain = start(keep(7, 64 << 20), 1, 10);
    act(&mut plain);
    let inputs: Vec<_> = plain.session.inputs().filter(|(at, _)| *at == 10).cloned().collect();
    assert_eq!(inputs.len(), 3);
    plain.apply(&Event::Steps(20));

    let mut rewound = start(keep(7, 64 << 20), 2, 30);
    rewound.note();
    rewound.check(10);
    for (_, input) in inputs {
        // Later inputs are made at the first one's step, while the rerun is shown.
        rewound.session.input(input);
        while rewound.session.is_seeking() {
            rewound.session.settle(Duration::MAX);
        }
        assert_eq!(rewound.session.past_step(), Some(30));
    }
    assert_eq!(rewound.session.simulation.hash(), plain.session.simulation.hash());
    let run_pair = rewound.session.run_pair().unwrap();
    assert_eq!((run_pair.fork, run_pair.divergence.as_ref().unwrap().step), (10, 11));
}
