//! The notes of a scene beside the world.

use super::labels;
use super::stage::Stage;
use crate::App;
use crate::commands::action::{NotesAction, ViewAction};
use crate::commands::palette::found;
use crate::model::switch::Switch;

const LESSON: &str = "# Schools\n\nOpen [the rule](scripts/cohesion.rhai), [walls](walls.ron) or [nothing](gone.ron).\n\n- [ ] swim\n";

/// A window of a scene with notes in a file of its folder.
fn with_lesson() -> Stage {
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()}, notes: File(\"lesson.md\"),
        groups: [(name: \"a\", body: \"m\", behaviors: [(script: \"cohesion\")])])";
    let mut app = Stage::of(&[("a.ron", text), ("lesson.md", LESSON)]);
    app.idle(3);
    app
}

fn act(app: &mut App, action: NotesAction) {
    app.act(ViewAction::Notes(action));
    app.idle(1);
}

fn shows(app: &App, text: &str) -> bool {
    labels(app).iter().any(|(shown, _)| shown == text)
}

#[test]
fn notes_stay_open_beside_the_world_and_follow_their_file() {
    let mut app = with_lesson();
    assert!(shows(&app, "Schools") && shows(&app, "swim"));
    let left = app.view.layout.world.left();
    assert!(left > 200.0, "the pane is at the left: {left}");
    let generation = app.session.run.generation.number;
    app.write("lesson.md", "Another *text*");
    app.until(|app| app.session.run.generation.number > generation);
    assert!(shows(&app, "Another ") && !shows(&app, "Schools"));
    app.act(ViewAction::Toggle(Switch::Notes));
    app.idle(1);
    assert!(!shows(&app, "Another ") && app.view.layout.world.left() < left);
    let command = found("notes", &app.session, &app.view);
    assert!(command.iter().any(|listed| listed.name == "Show or hide the notes"));
}

#[test]
fn links_open_scripts_and_scenes_and_boxes_are_ticked() {
    let mut app = with_lesson();
    act(&mut app, NotesAction::Open("scripts/cohesion.rhai".to_owned()));
    assert_eq!(app.view.editor.open_name(), Some("cohesion.rhai"));
    act(&mut app, NotesAction::Open("gone.ron".to_owned()));
    assert!(app.logs("no scene and no script gone.ron"));
    for is_ticked in [true, false] {
        act(&mut app, NotesAction::Tick("swim".to_owned()));
        assert_eq!(app.view.notes.changed.contains("swim"), is_ticked);
    }
    act(&mut app, NotesAction::Open("walls.ron".to_owned()));
    app.idle(1);
    assert_eq!(app.session.scene_name(), "walls");
}
