//! Help at the cursor: where lists and signatures are shown, and what they offer without a prefix.

use egui::{Key, Modifiers, Rect};

use super::editor::{RULE_FILE, open, press, shown, stage};
use super::{labels, pointing};
use crate::App;
use crate::model::editor::assist::Offer;

/// The list after a text is typed into an empty file.
fn offer_after(app: &mut App, typed: &str) -> Option<Offer> {
    press(app, Key::A, Modifiers::COMMAND);
    press(app, Key::Backspace, Modifiers::NONE);
    app.type_text(typed);
    app.idle(1);
    app.view.editor.assist.offer.clone()
}

/// The rectangle of the first visible text that begins with `start`.
fn label(app: &App, start: &str) -> Rect {
    let found = labels(app).into_iter().find(|(text, _)| text.starts_with(start));
    found.unwrap_or_else(|| panic!("{start}: {:?}", labels(app))).1
}

#[test]
fn functions_that_the_program_calls_are_offered_by_their_names() {
    let mut app = stage();
    for typed in ["fn st", "ste"] {
        let offer = offer_after(&mut app, typed).unwrap_or_else(|| panic!("{typed}: no list"));
        assert_eq!(offer.entries[0].label, "fn steer", "{typed}");
        press(&mut app, Key::Enter, Modifiers::NONE);
        assert!(shown(&app).text().starts_with("fn steer(me, world) {"), "{}", shown(&app).text());
    }
}

#[test]
fn a_list_opens_below_the_line_where_there_is_room() {
    let mut app = stage();
    press(&mut app, Key::Enter, Modifiers::NONE);
    app.type_text("me.");
    app.idle(2);
    let (rows, galley) = (shown(&app).text().lines().count(), label(&app, "const K"));
    let line = galley.top() + galley.height() / rows as f32 * 5.0;
    let room = super::SIZE.1 as f32 - line;
    assert!((130.0..250.0).contains(&room), "{room}");
    let first = app.view.editor.assist.offer.as_ref().expect("a list").entries[0].label.clone();
    let top = labels(&app).into_iter().filter(|(text, _)| *text == first).map(|(_, rect)| rect.top());
    assert!(top.clone().all(|top| top >= line) && top.count() > 0, "{first} above {line}");
}

#[test]
fn the_signature_of_a_scene_is_within_the_text_and_ends_with_its_item() {
    let mut app = stage();
    open(&mut app, "a.ron", 2);
    app.idle(1);
    assert_eq!(app.view.editor.assist.signature, None, "the scene is closed before the cursor");
    press(&mut app, Key::ArrowLeft, Modifiers::NONE);
    app.idle(1);
    let (signature, text) = (label(&app, "scene("), label(&app, "(world: Plane"));
    assert!(signature.width() <= 480.0 && signature.height() > 20.0, "{signature:?}");
    assert!(signature.top() >= text.top(), "{signature:?} {text:?}");
}

#[test]
fn a_click_on_a_rule_shows_the_function_that_the_program_calls() {
    let mut app = stage();
    let path = app.path(RULE_FILE);
    let head = "//! A line.\n".repeat(60);
    let long = format!("{head}fn steer(me, world) {{\n    0.25\n}}\n{}", "// end\n".repeat(60));
    std::fs::write(path, &long).expect("the file is writable");
    app.until(|app| *shown(app).text() == *long);
    app.until(|app| super::editor::runs(app, "0.25"));
    let name = labels(&app).into_iter().find(|(text, _)| text == "mine").expect("the rule").1;
    app.step(&pointing(name.center(), Some(true)));
    app.step(&pointing(name.center(), Some(false)));
    // The text scrolls smoothly.
    app.idle(40);
    let (text, rows) = (label(&app, "//! A line."), long.lines().count() + 1);
    let steer = text.top() + text.height() / rows as f32 * 60.0;
    let pane = text.intersect(app.context.content_rect());
    let top = label(&app, "mine.rhai").bottom();
    assert!((top..top + 80.0).contains(&steer), "{steer} below {top} in {pane}");
}
