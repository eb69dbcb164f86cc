//! The bars above the text: the file and its state, a conflict with the file, and the first fault.

use egui::{Align, Button, CursorIcon, Label, Layout, RichText, Sense, Ui};
use steerbox_core::diagnostics::{Fault, Severity, counted};
use steerbox_picture::render::theme;

use crate::commands::action::{Action, EditorAction, ViewAction};
use crate::model::editor::buffer::{Buffer, Conflict};
use crate::model::editor::text_state::Draft;
use crate::model::live_session::LiveSession;
use crate::model::log::FilePlace;
use crate::model::panes::Pane;
use crate::model::switch::Switch;
use crate::model::templates::is_rule;
use crate::model::view_state::ViewState;
use crate::panel::{grip, hint};

/// Width below which the buttons are below the name, points.
const NARROW: f32 = 620.0;
/// Height below which a narrow editor has only the most used ones: the list of commands contains all.
const LOW: f32 = 130.0;

/// The file, its state, and the buttons.
pub(super) fn head(
    ui: &mut Ui,
    session: &LiveSession,
    view: &ViewState,
    buffer: &Buffer,
    actions: &mut Vec<Action>,
) {
    let (is_narrow, is_low) = (ui.available_width() < NARROW, ui.available_height() < LOW);
    ui.horizontal(|ui| {
        grip::grip(ui, Pane::Editor, view, actions);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if !is_narrow {
                buttons(ui, session, view, (buffer, true), actions);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                name(ui, session, view, buffer, actions);
            });
        });
    });
    if is_narrow {
        ui.horizontal_wrapped(|ui| buttons(ui, session, view, (buffer, !is_low), actions));
    }
}

/// A button that adds a rule that no group uses to a group, or to one of several.
fn use_in(ui: &mut Ui, session: &LiveSession, file: &str, actions: &mut Vec<Action>) {
    let groups = session.run.generation.scene.groups.iter().filter(|plan| !plan.is_player);
    let groups: Vec<&str> = groups.map(|plan| &*plan.common.name).collect();
    let mut add = |group: &str| {
        let script = file.trim_end_matches(".rhai").to_owned();
        actions.push(EditorAction::AddRule { group: group.to_owned(), script }.into());
    };
    match groups[..] {
        [] => {}
        [group] => {
            if ui.button(format!("Use in {group}")).clicked() {
                add(group);
            }
        }
        _ => {
            ui.menu_button("Use in …", |ui| {
                for group in groups {
                    if ui.button(group).clicked() {
                        add(group);
                    }
                }
            });
        }
    }
}

fn name(ui: &mut Ui, session: &LiveSession, view: &ViewState, buffer: &Buffer, actions: &mut Vec<Action>) {
    let name = RichText::new(&buffer.name).monospace().strong();
    let color = view.script.map(|rule| theme::of(ui).legible(view.colors.rule(rule)));
    ui.add(Label::new(name.color(color.unwrap_or(theme::of(ui).bright))).truncate());
    let state = session.text_state(buffer);
    ui.add(Label::new(RichText::new(state.words()).color(theme::of(ui).warning)).truncate());
    if !state.is_used && is_rule(&buffer.name, buffer.text()) {
        use_in(ui, session, &buffer.name, actions);
    }
    let facts = session.run.simulation.explained().map(|explained| &explained.facts);
    if let Some(facts) = facts.filter(|_| view.shows_script()) {
        let words = format!("unit {} in step {}", facts.now.unwrap_or(facts.unit), facts.step);
        ui.add(Label::new(RichText::new(words).color(theme::of(ui).weak)).truncate());
    }
}

/// The buttons, from left to right in a row of either direction.
fn buttons(
    ui: &mut Ui,
    session: &LiveSession,
    view: &ViewState,
    (buffer, all): (&Buffer, bool),
    actions: &mut Vec<Action>,
) {
    let mut row: Vec<(Button<'_>, bool, &str, Action)> = Vec::new();
    let mut add = |words: &'static str, enabled: bool, about: &'static str, action: Action| {
        row.push((Button::new(words), enabled, about, action));
    };
    let state = session.text_state(buffer);
    let has_draft = session.drafts.contains_key(&buffer.name);
    if !buffer.is_experiment() {
        if all {
            let about = "Run every text that passes the checks, 300 ms after the last key (Ctrl+Shift+Enter)";
            add("Live", true, about, ViewAction::Toggle(Switch::Live).into());
        }
        let about = match state.draft {
            Draft::Rejected if state.was_run() => "This text is rejected: correct its errors first",
            Draft::Runs if state.was_run() => "This text runs",
            _ if state.is_unsaved || has_draft => "Run the unsaved text (Ctrl+Enter); nothing is written",
            _ => "The text is saved",
        };
        let is_new = session.drafts.get(&buffer.name) != Some(buffer.content());
        add("Run", is_new && (state.is_unsaved || has_draft), about, EditorAction::Run.into());
        let (words, about) = match (&buffer.base, has_draft) {
            (Some(_), true) => ("Run saved", "Run the saved text again (Esc)"),
            (Some(_), false) => ("Run saved", "The saved text runs"),
            (None, true) => ("End draft", "Run without this text (Esc); it remains in the editor"),
            (None, false) => ("End draft", "No draft of this text runs"),
        };
        if all {
            add(words, has_draft, about, EditorAction::RunSaved.into());
        }
    }
    // None appears or vanishes while something is typed or dragged.
    let differs = view.editor.shows_difference;
    let (words, about) = if differs {
        ("Text", "Return to the text")
    } else if state.is_unsaved {
        ("Changes", "Show the changes to the saved text")
    } else {
        ("Changes", "There are no changes to the saved text")
    };
    if all || differs {
        add(words, state.is_unsaved || differs, about, ViewAction::Toggle(Switch::Difference).into());
    }
    let about = if state.is_unsaved { "Write the text to its file (Ctrl+S)" } else { "The text is saved" };
    add("Save", state.is_unsaved, about, EditorAction::Save.into());
    let close = Button::new("Close");
    row.push((close, true, "Unsaved text remains", ViewAction::CloseScript.into()));
    if ui.layout().prefer_right_to_left() {
        row.reverse();
    }
    for (button, enabled, about, action) in row {
        let is_live = action == ViewAction::Toggle(Switch::Live).into();
        let button = ui.add_enabled(enabled, button.selected(is_live && view.editor.live));
        if button.on_hover_text(about).on_disabled_hover_text(about).clicked() {
            actions.push(action);
        }
    }
}

/// A file without a text: its name, and the reason why it cannot be read.
pub(super) fn unreadable(ui: &mut Ui, fault: &Fault, view: &ViewState, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        grip::grip(ui, Pane::Editor, view, actions);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Close").on_hover_text("Esc").clicked() {
                actions.push(ViewAction::CloseScript.into());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = view.editor.open_name().unwrap_or_default();
                ui.add(Label::new(RichText::new(name).monospace().color(theme::of(ui).bright)).truncate());
            });
        });
    });
    reason(ui, fault);
}

/// The reason why a file cannot be read, and the remedy.
fn reason(ui: &mut Ui, fault: &Fault) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(format!("{}.", fault.summary())).color(theme::of(ui).warning));
        if let Some(help) = &fault.help {
            ui.label(RichText::new(help).color(theme::of(ui).accent));
        }
    });
}

/// The choice between the text and a file that changed meanwhile.
pub(super) fn conflict(ui: &mut Ui, buffer: &Buffer, actions: &mut Vec<Action>) {
    let words = match &buffer.conflict {
        None => return,
        Some(Conflict::Changed(_)) => format!("{} was changed by another program.", buffer.name),
        Some(Conflict::Deleted) => format!("{} was deleted.", buffer.name),
        Some(Conflict::Unreadable(fault)) => return reason(ui, fault),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(words).color(theme::of(ui).warning));
        if ui.button("Use this text").on_hover_text("The next save replaces the file").clicked() {
            actions.push(EditorAction::Resolve(false).into());
        }
        if buffer.conflict != Some(Conflict::Deleted) {
            let replace = ui.button("Use the version on disk");
            if replace.on_hover_text("Ctrl+Z in the text restores this one").clicked() {
                actions.push(EditorAction::Resolve(true).into());
            }
            if ui.button("Differences").clicked() {
                actions.push(ViewAction::Toggle(Switch::Difference).into());
            }
        }
    });
}

/// The unsaved texts of an earlier scene or window.
pub(super) fn offered(ui: &mut Ui, view: &ViewState, actions: &mut Vec<Action>) {
    for (at, offered) in view.editor.offered.iter().enumerate() {
        ui.horizontal(|ui| {
            let words = format!("{} has unsaved text from an earlier scene or window.", offered.name);
            ui.label(RichText::new(words).color(theme::of(ui).warning));
            for (verb, action) in
                [("Restore", EditorAction::Restore(at)), ("Discard", EditorAction::Discard(at))]
            {
                if ui.button(verb).clicked() {
                    actions.push(action.into());
                }
            }
            // Several windows may leave texts of the same file.
            let (number, line) = offered.first_change();
            let change = RichText::new(format!("line {number}: {}", line.trim()));
            ui.add(Label::new(change.small().color(theme::of(ui).weak)).truncate());
        });
    }
}

/// One row, so that the text does not move: the first fault and the number of the others, where a click moves the cursor to
/// the fault; without a fault, a note.
pub(super) fn status(ui: &mut Ui, faults: &[&Fault], note: Option<&str>, actions: &mut Vec<Action>) {
    let theme = theme::of(ui);
    let worst = faults.iter().min_by_key(|fault| (fault.severity, fault.line, fault.column));
    let Some(first) = worst else {
        let note = RichText::new(note.unwrap_or(" ")).small().color(theme.weak);
        ui.add(Label::new(note).truncate());
        return;
    };
    let color = if first.severity == Severity::Error { theme.bad } else { theme.warning };
    let place = if first.line > 0 { format!("line {}: ", first.line) } else { String::new() };
    let more = faults.len() - 1;
    let more = if more > 0 { format!("  (+ {})", counted(more, ["other", "others"])) } else { String::new() };
    let words = RichText::new(format!("{place}{}{more}", first.message)).small().color(color);
    let label = ui.add(Label::new(words).truncate().sense(Sense::click()));
    if label.clicked() {
        let (file, line, column) = (first.path.clone(), first.line, first.column);
        actions.push(EditorAction::Open(FilePlace { file, line, column }).into());
    }
    let all = faults.iter().map(|fault| match &fault.help {
        Some(help) => format!("{}\n{help}", fault.summary()),
        None => fault.summary(),
    });
    hint::text(&label.on_hover_cursor(CursorIcon::PointingHand), &all.collect::<Vec<_>>().join("\n\n"));
}
