//! The editor: a script, a scene or an experiment, with the values of the inspected unit beside the lines of its script.

mod assist;
mod bars;
mod difference;
mod drag;
mod find;
mod layout;
mod marks;
mod plot;
mod text;
mod values;

use std::path::Path;

use egui::{Event, Key, Panel, Ui};
use steerbox_core::diagnostics::Fault;

use super::parts::within;
use crate::commands::action::Action;
use crate::model::editor::buffer::Buffer;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;
use values::Values;

pub(super) use text::leave;

/// Shows the unsaved texts of an earlier window below the world, if there are any.
pub(super) fn offered(ui: &mut Ui, view: &ViewState, actions: &mut Vec<Action>) {
    if !view.editor.offered.is_empty() {
        Panel::bottom("offered texts").show(ui, |ui| within(ui, |ui| bars::offered(ui, view, actions)));
    }
}

/// Shows the open file, if there is one.
pub(super) fn show(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    if let Some(fault) = view.editor.unreadable() {
        return bars::unreadable(ui, fault, view, actions);
    }
    let Some(buffer) = view.editor.shown() else {
        return;
    };
    if view.editor.has_focus(ui.ctx()) {
        retain_shortcuts(ui);
    }
    let faults = marks::faults(session, buffer);
    let values = Values::new(session, view, buffer);
    bars::head(ui, session, view, buffer, actions);
    bars::conflict(ui, buffer, actions);
    assist::renaming(ui, view, actions);
    let note = values.missing(session, view).or_else(|| of_experiment(buffer));
    let shown: Vec<_> = buffer.unwritten.iter().chain(&faults).collect();
    bars::status(ui, &shown, note.as_deref(), actions);
    if view.editor.shows_difference {
        difference::show(ui, buffer);
    } else {
        page(ui, view, (buffer, &faults, &values), actions);
    }
}

/// The note about an experiment: the command that makes its runs.
fn of_experiment(buffer: &Buffer) -> Option<String> {
    let stem = Path::new(&buffer.name).file_stem().filter(|_| buffer.is_experiment())?;
    Some(format!("`steerbox sweep {}` makes its runs.", stem.display()))
}

/// Removes the keys with Ctrl that delete text in any field of egui: they are shortcuts of the window and the editor.
fn retain_shortcuts(ui: &Ui) {
    ui.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key { key, pressed: true, modifiers, .. } = event else {
                return true;
            };
            !(modifiers.ctrl && matches!(key, Key::H | Key::K | Key::U | Key::W))
        });
    });
}

fn page(
    ui: &mut Ui,
    view: &ViewState,
    (buffer, faults, values): (&Buffer, &[Fault], &Values<'_>),
    actions: &mut Vec<Action>,
) {
    let selected = find::bar(ui, view, buffer, actions);
    let plotted = plot::of(view, values);
    let below = if plotted.is_some() { plot::HEIGHT } else { 0.0 };
    if let Some(recording) = values.recording {
        super::loop_table::show(ui, recording, below);
    }
    let shown = text::Shown { buffer, faults, values, selected };
    text::show(ui, &shown, view, below, actions);
    if let Some((plotted, explained)) = plotted {
        plot::show(ui, plotted, explained, view);
    }
}
