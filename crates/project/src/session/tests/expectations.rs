//! Judgment of expectations across time travel and reloads.

use std::sync::Arc;

use super::*;

/// Returns the judgment of the expectation that fewer than nine units are in group `a` within 30 steps.
fn verdict(run: &Run) -> Verdict {
    run.session.verdicts().all().next().expect("an expectation").1
}

fn failed_at(run: &Run) -> Option<u64> {
    if let Verdict::Failed { step, .. } = verdict(run) { Some(step) } else { None }
}

fn met_at(run: &Run) -> Option<u64> {
    if let Verdict::Met(reached) = verdict(run) { Some(reached.step) } else { None }
}

/// Shows a recorded step.
fn go(run: &mut Run, step: u64) {
    run.session.show_step(step);
    settle(run);
}

fn settle(run: &mut Run) {
    while run.session.is_seeking() {
        run.session.settle(Duration::MAX);
    }
}

fn run() -> Run {
    let mut run = Run::new(keep(7, 64 << 20), 2, Execution::default());
    run.apply(&Event::Steps(40));
    assert_eq!(failed_at(&run), Some(30));
    run
}

#[test]
fn an_edit_of_the_past_is_judged_and_the_original_run_retains_its_judgment() {
    let mut run = run();
    go(&mut run, 10);
    assert_eq!(failed_at(&run), Some(30), "the display of the past changes no judgment");
    run.apply(&Event::Remove(0));
    settle(&mut run);
    assert_eq!(met_at(&run), Some(11));
    go(&mut run, 20);
    run.apply(&Event::Remove(0));
    settle(&mut run);
    assert_eq!(met_at(&run), Some(11), "a second change follows the first one");
    run.session.discard();
    assert_eq!((run.session.simulation.world().steps, failed_at(&run)), (40, Some(30)));
}

#[test]
fn a_run_that_continues_from_the_past_is_judged_from_there() {
    let mut run = run();
    go(&mut run, 10);
    run.session.continue_here();
    assert!(matches!(verdict(&run), Verdict::Open { end: 30, nearest: Some(_) }));
    run.apply(&Event::Remove(0));
    run.apply(&Event::Steps(30));
    assert_eq!(met_at(&run), Some(11));
    go(&mut run, 10);
    run.session.continue_here();
    // The unit is removed after step 10, which the run still contains.
    run.apply(&Event::AddAgain);
    run.apply(&Event::Steps(30));
    assert_eq!(failed_at(&run), Some(30));
}

#[test]
fn a_reload_preserves_judgments_and_a_new_expectation_is_judged_from_there() {
    let mut run = run();
    run.apply(&Event::More(10));
    assert_eq!(failed_at(&run), Some(30), "the same expectation");
    run.apply(&Event::Steps(1));
    let scene = |limit: &str| {
        let text = SCENE.replace("below: 9", limit);
        Arc::new(steerbox_scene::read("a.ron", &text).expect("the scene is sound"))
    };
    let mut verdicts = run.session.verdicts().clone();
    let of = |verdicts: &Verdicts| verdicts.all().next().expect("an expectation").1;
    verdicts.follow(&scene("below: 20"), &run.session.simulation);
    assert_eq!(of(&verdicts), Verdict::Late);
    verdicts.rewind(20);
    verdicts.follow(&scene("below: 9"), &run.session.simulation);
    verdicts.rewind(20);
    assert!(matches!(of(&verdicts), Verdict::Open { nearest: Some(Reached { step: 0, .. }), .. }));
}
