//! Previews, and comparisons of two runs.

use super::*;

#[test]
fn a_preview_has_the_trajectories_of_the_run_with_and_without_the_change() {
    let units = [0, 4, 11];
    let mut run = Run::new(Keep::NOTHING, 2, Execution::default());
    run.apply(&Event::Steps(20));
    let mut left = Run::new(Keep::NOTHING, 1, Execution::default());
    left.apply(&Event::Steps(20));
    for event in
        [Event::Script(2), Event::Target(Some((30.0, 30.0))), Event::Reach(8.0), Event::Gain(0.3, true)]
    {
        let keys = run.session.simulation.world().units.key.clone();
        run.session.preview_units(units.map(|unit| keys[unit]));
        run.apply(&event);
        if matches!(event, Event::Target(_) | Event::Gain(..)) {
            // These do not change rules.
            assert!(!run.session.is_previewing());
            left.apply(&event);
            continue;
        }
        while run.session.is_previewing() {
            run.session.settle_preview(Duration::MAX);
        }
        let preview = run.session.preview().unwrap().clone();
        assert_eq!((preview.from, preview.keys), (20, units.map(|unit| keys[unit]).to_vec()));
        let trajectory = |run: &mut Run, unit: usize, steps: usize| -> Vec<Vec3> {
            let mut simulation = (*run.session.simulation).clone();
            let place = |simulation: &steerbox_core::sim::Simulation| simulation.world().units.position[unit];
            let mut trajectory = vec![place(&simulation)];
            trajectory.extend((0..steps).map(|_| {
                simulation.step();
                place(&simulation)
            }));
            trajectory
        };
        for (at, unit) in units.into_iter().enumerate() {
            let steps = preview.now[at].len() - 1;
            assert!(steps > 10);
            assert_eq!(preview.now[at], trajectory(&mut run, unit, steps), "{event:?} {unit}");
            assert_eq!(preview.before[at], trajectory(&mut left, unit, steps), "{event:?} {unit}");
        }
        assert!(preview.now != preview.before);
        left.apply(&event);
    }
    // Without previewed units there is no preview.
    run.session.preview_units([]);
    run.apply(&Event::Script(1));
    assert!(!run.session.is_previewing());
}

#[test]
fn a_draft_is_previewed_before_it_is_confirmed() {
    let mut run = Run::new(Keep::NOTHING, 2, Execution::default());
    run.apply(&Event::Steps(20));
    let key = run.session.simulation.world().units.key[3];
    run.session.preview_units([key]);
    let saved = |run: &mut Run, at: usize| {
        run.project.set_script("own", 0, Some(Ok(SCRIPTS[at].into())));
        run.project.compose().unwrap()
    };
    let settled = |run: &mut Run| {
        while run.session.is_previewing() {
            assert!(run.session.settle_preview(Duration::MAX));
        }
        run.session.preview().cloned()
    };
    let next = saved(&mut run, 2);
    let number = run.session.generation.number;
    run.session.preview_generation(next.clone());
    assert!(run.session.is_previewing());
    assert_eq!((run.session.generation.number, run.session.simulation.world().steps), (number, 20));
    let draft = settled(&mut run).unwrap();
    assert!(draft.from == 20 && draft.now != draft.before);
    // The draft is confirmed two steps later: its preview is shown until the next one is computed.
    run.apply(&Event::Steps(2));
    run.session.swap(next);
    assert!(run.session.is_previewing());
    assert_eq!(run.session.preview(), Some(&draft));
    let sure = settled(&mut run).unwrap();
    assert_eq!((sure.from, sure.before[0][0]), (22, draft.before[0][2]));
    let mut simulation = (*run.session.simulation).clone();
    for place in &sure.now[0][1..] {
        simulation.step();
        assert_eq!(simulation.world().units.position[3], *place);
    }
    // The second preview waits while the first is computed.
    let next = saved(&mut run, 1);
    run.session.preview_generation(next.clone());
    run.apply(&Event::Steps(1));
    run.session.swap(next);
    let mut begins = Vec::new();
    while run.session.is_previewing() {
        run.session.settle_preview(Duration::MAX);
        begins.extend(run.session.preview().map(|preview| preview.from));
    }
    // One per portion.
    begins.dedup();
    assert_eq!(begins, [22, 23]);
    // The draft is not confirmed.
    let draft = saved(&mut run, 2);
    run.session.preview_generation(draft);
    assert!(settled(&mut run).is_some());
    let other = saved(&mut run, 0);
    run.session.preview_units([]);
    run.session.swap(other);
    assert!(run.session.preview().is_none());
}

#[test]
fn changes_of_a_dragged_slider_are_compared_with_its_first_value() {
    let mut run = Run::new(Keep::NOTHING, 1, Execution::default());
    let generation = |run: &mut Run, number: u64| Generation { number, ..run.session.generation.clone() };
    let (first, second, third) = (generation(&mut run, 1), generation(&mut run, 2), generation(&mut run, 3));
    let (mut previews, now) = (preview_runner::PreviewRunner::default(), std::time::Instant::now());
    let at = |millis: u64| now + Duration::from_millis(millis);
    assert_eq!(previews.before_change(first, true, at(0)).number, 1);
    assert_eq!(previews.before_change(second.clone(), true, at(500)).number, 1);
    assert_eq!(previews.before_change(third.clone(), true, at(1000)).number, 1);
    assert_eq!(previews.before_change(third, true, at(3000)).number, 3, "another drag");
    assert_eq!(previews.before_change(second, false, at(3100)).number, 2, "a save");
}

#[test]
fn each_run_of_a_comparison_equals_the_same_run_alone() {
    let threads = [1, 2];
    let [mut run, mut alone] = threads.map(|threads| {
        let mut run = Run::new(keep(7, 64 << 20), threads, Execution::default());
        run.apply(&Event::Script(1));
        run.apply(&Event::Steps(10));
        run.apply(&Event::Script(2));
        // Edits apply to both runs.
        run.apply(&Event::AddObstacle(50.0, 50.0));
        run
    });
    assert!(run.session.knows_earlier() && run.session.compare_with_earlier());
    // B retains the earlier script, and receives every other input.
    alone.apply(&Event::Script(1));
    let inputs = [
        Event::Target(Some((30.0, 30.0))),
        Event::Controls(0.5, 1.0),
        Event::Drag(10.0, 40.0),
        Event::View(0, Some(1)),
    ];
    for input in &inputs {
        for run in [&mut run, &mut alone] {
            run.apply(input);
            run.apply(&Event::Steps(8));
        }
        let variant = run.session.variant().unwrap();
        assert_eq!(variant.simulation.world().units, alone.session.simulation.world().units, "{input:?}");
        assert_eq!(variant.simulation.world().obstacles, alone.session.simulation.world().obstacles);
    }
    let run_pair = run.session.variant().unwrap().run_pair(&run.session.simulation);
    let divergence = run_pair.divergence.unwrap();
    assert_eq!((run_pair.fork, divergence.step, divergence.rule.unwrap().name.as_str()), (10, 11, "own"));
    assert!(run_pair.difference.distance > 0.0);
    // A slider and a save apply to A alone.
    run.apply(&Event::Gain(0.1, false));
    run.apply(&Event::Script(0));
    for run in [&mut run, &mut alone] {
        run.apply(&Event::Steps(5));
    }
    let units = alone.session.simulation.world().units.clone();
    assert_eq!(run.session.variant().unwrap().simulation.world().units, units);
    // Time travel does not end the comparison.
    run.session.show_step(20);
    while run.session.is_seeking() {
        run.session.settle(Duration::MAX);
    }
    assert!(run.session.variant().is_none());
    run.session.return_to_present();
    assert_eq!(run.session.variant().unwrap().simulation.world().units, units);
    run.session.continue_variant();
    assert!(run.session.variant().is_none());
    assert_eq!(run.session.simulation.world().units, units);
    for run in [&mut run, &mut alone] {
        run.apply(&Event::Steps(5));
    }
    assert_eq!(run.session.simulation.world().units, alone.session.simulation.world().units);
    let recorded = run.session.recorded().unwrap();
    assert_eq!((*recorded.start(), *recorded.end()), (47, 52), "the record begins again");
    run.session.show_step(50);
}

#[test]
fn two_runs_with_the_same_values_never_diverge_and_restart_together() {
    let mut run = Run::new(Keep::NOTHING, 2, Execution::default());
    run.apply(&Event::Script(1));
    std::fs::write(run.folder.path().join("scripts/own.rhai"), SCRIPTS[1]).unwrap();
    run.apply(&Event::Steps(10));
    run.session.compare_with(Vec::new());
    while run.session.is_compiling_variant() {
        assert!(run.session.settle_variant(Duration::MAX).unwrap());
    }
    let same = |run: &Run| {
        let variant = run.session.variant().unwrap();
        variant.simulation.hash() == run.session.simulation.hash()
            && variant.run_pair(&run.session.simulation).divergence.is_none()
    };
    run.apply(&Event::Steps(20));
    assert!(same(&run));
    run.apply(&Event::Restart);
    run.apply(&Event::Steps(20));
    assert!(same(&run) && run.session.simulation.world().steps == 20);
    run.session.end_variant();
    assert!(run.session.variant().is_none());
    // Settings that do not fit start nothing.
    run.session.compare_with(vec![parse_setting("a.own.REACH=3").unwrap()]);
    assert!(run.session.settle_variant(Duration::MAX).is_err());
    assert!(run.session.variant().is_none());
}
