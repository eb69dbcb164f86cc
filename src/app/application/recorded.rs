//! What the window computes from the recorded past and from the state that is shown.

use egui::Key;

use super::App;
use super::rewound::{recording, shown};
use super::tests::{input, pressed, step};
use crate::app::action::{Action, NewShape};
use crate::app::coloring;

fn act(app: &mut App, action: &Action) {
    app.view.act(&mut app.session, action);
}

/// Frames until nothing is computed any more.
fn settle(app: &mut App) {
    step(app, &input());
    while app.session.run.simulation.busy().is_some() || app.session.run.is_seeking() {
        step(app, &input());
    }
}

#[test]
fn rules_that_oppose_each_other_are_named_while_paused_after_edits_and_in_the_past() {
    let mut app = recording();
    step(&mut app, &pressed(Key::Space));
    for _ in 0..20 {
        step(&mut app, &pressed(Key::Period));
    }
    let words = |app: &App| coloring::disagreement(&app.session.run.simulation);
    let last = words(&app);
    assert!(last.0.contains(" oppose each other in ") && last.1.is_some(), "{last:?}");
    let is_computed = |(words, unit): &(String, Option<usize>)| {
        words.contains(" oppose each other in ") && words.ends_with(" in the next step") && unit.is_some()
    };
    act(&mut app, &Action::AddObstacle(NewShape::Circle));
    assert_eq!(words(&app).0, "computed with the next step");
    settle(&mut app);
    assert!(is_computed(&words(&app)), "{:?}", words(&app));
    act(&mut app, &Action::Undo);
    settle(&mut app);
    assert!(is_computed(&words(&app)), "{:?}", words(&app));
    act(&mut app, &Action::Select(vec![5, 6, 7]));
    act(&mut app, &Action::RemoveSelected);
    settle(&mut app);
    assert!(is_computed(&words(&app)), "{:?}", words(&app));
    // In the past, of the step that is shown; before the first one, of the next.
    let hash = app.session.run.simulation.hash();
    act(&mut app, &Action::LookAt(12));
    assert_eq!(shown(&mut app, &input()), 12);
    let (past, _) = words(&app);
    assert!(past.contains(" oppose each other in ") && !past.ends_with("next step"), "{past}");
    act(&mut app, &Action::LookAt(0));
    assert_eq!(shown(&mut app, &input()), 0);
    settle(&mut app);
    assert!(words(&app).0.ends_with("in the next step"), "{:?}", words(&app));
    shown(&mut app, &pressed(Key::End));
    assert_eq!(app.session.run.simulation.hash(), hash);
    act(&mut app, &Action::Restart);
    settle(&mut app);
    assert!(words(&app).0.ends_with("in the next step"), "{:?}", words(&app));
}
