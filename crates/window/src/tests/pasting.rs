//! Texts of other programs that are pasted.

use egui::{Event, Key, Modifiers};
use steerbox_scene::MAX_LENGTH;

use super::editor::{RULE, press, shown, stage};
use super::input;
use crate::App;
use crate::model::dialog::Dialog;

fn paste(app: &mut App, text: &str) {
    let mut input = input();
    input.egui.events.push(Event::Paste(text.to_owned()));
    app.step(&input);
    app.step(&super::input());
}

#[test]
fn a_text_that_no_file_can_have_is_not_pasted_and_a_long_one_is() {
    let mut app = stage();
    let refused = |app: &App| app.logs("nothing was pasted");
    paste(&mut app, &"x = 1;\n".repeat(MAX_LENGTH / 6));
    assert!(refused(&app));
    assert_eq!(shown(&app).text(), RULE);
    let long = "// ä\n\n".repeat(20_000);
    paste(&mut app, &long);
    assert_eq!(shown(&app).text().len(), RULE.len() + long.len());
    press(&mut app, Key::Z, Modifiers::COMMAND);
    assert_eq!(shown(&app).text(), RULE);
    // One line of half a megabyte.
    paste(&mut app, &"ä".repeat(1 << 18));
    assert_eq!(shown(&app).text().len(), RULE.len() + (1 << 19));
}

#[test]
fn fields_of_one_line_receive_the_start_of_a_long_text() {
    let mut app = stage();
    let long = "ä\n".repeat(MAX_LENGTH / 2);
    press(&mut app, Key::F, Modifiers::COMMAND);
    app.idle(1);
    paste(&mut app, &long);
    let searched = app.view.editor.find.as_ref().map(|find| find.text.chars().count());
    assert_eq!(searched, Some(1000));
    press(&mut app, Key::K, Modifiers::COMMAND);
    app.idle(1);
    assert_eq!(app.view.dialog, Some(Dialog::Commands));
    paste(&mut app, &long);
    app.idle(1);
}
