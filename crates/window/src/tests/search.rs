//! The search in the editor.

use egui::{Key, Modifiers};

use super::editor::{NAME, press, shown, stage};

use crate::App;
use crate::commands::action::EditorAction;
use crate::model::editor::{Editor, Find};
use crate::model::keyboard::Keyboard;
use crate::model::log::FilePlace;

#[test]
fn the_search_steps_through_matches_and_replaces_the_current_one_by_case() {
    let mut app = stage();
    let start = "way WAY Way\nway";
    app.act(EditorAction::replace(NAME, start.to_owned()));
    let place = FilePlace { file: NAME.to_owned(), line: 1, column: 1 };
    app.act(EditorAction::Open(place));
    app.idle(1);
    press(&mut app, Key::H, Modifiers::COMMAND);
    app.type_text("way");
    app.idle(1);
    // The end of the match that is selected.
    let at = |app: &App| {
        let state = egui::text_edit::TextEditState::load(&app.context, Editor::field_of(NAME));
        state.and_then(|state| state.cursor.char_range()).map(|range| range.as_sorted_char_range().end.0)
    };
    let all = [3, 7, 11, 15];
    assert_eq!(at(&app), Some(all[0]), "typing selects the first match");
    for (modifiers, expected) in [
        (Modifiers::NONE, all[1]),
        (Modifiers::NONE, all[2]),
        (Modifiers::SHIFT, all[1]),
        (Modifiers::SHIFT, all[0]),
        (Modifiers::SHIFT, all[3]),
        (Modifiers::NONE, all[0]),
    ] {
        press(&mut app, Key::Enter, modifiers);
        assert_eq!((at(&app), app.view.receiver(&app.context)), (Some(expected), Keyboard::Editor));
    }
    let find = |matches_case| Find {
        text: "way".to_owned(),
        replacement: "on".to_owned(),
        replaces: true,
        matches_case,
    };
    app.act(EditorAction::Find(find(true)));
    app.idle(1);
    let [_, replacement] = Editor::find_fields();
    app.context.memory_mut(|memory| memory.request_focus(replacement));
    app.idle(1);
    // Enter replaces the current match and goes to the next one.
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert_eq!((shown(&app).text(), at(&app)), ("on WAY Way\nway", Some(14)));
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert_eq!(shown(&app).text(), "on WAY Way\non");
    app.act(EditorAction::Find(find(false)));
    app.idle(1);
    press(&mut app, Key::Enter, Modifiers::NONE);
    press(&mut app, Key::Enter, Modifiers::NONE);
    assert_eq!(shown(&app).text(), "on on Way\non");
}
