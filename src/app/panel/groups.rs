//! Groups and their behaviors: switches, gains and parameters.

use egui::{Button, CollapsingHeader, Color32, ComboBox, RichText, Slider, Ui};

use crate::app::action::Action;
use crate::app::picture::behavior_color;
use crate::app::session::Session;
use crate::app::theme;
use crate::reload::{Knob, KnobName, Planned};
use crate::scene::{Color, ParamValue};
use crate::script::ParamRange;
use crate::sim::Slot;

pub(super) fn color32(color: Color) -> Color32 {
    Color32::from_rgba_unmultiplied(color.r, color.g, color.b, color.a)
}

/// The color, as light as words on a dark panel have to be.
fn legible(color: Color) -> Color32 {
    let luminance =
        0.2126 * f32::from(color.r) + 0.7152 * f32::from(color.g) + 0.0722 * f32::from(color.b);
    let wanting = ((130.0 - luminance) / 130.0).max(0.0);
    color32(color.mix(Color::WHITE, wanting * 0.6))
}

pub(super) fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let scene = &session.generation.scene;
    for (index, (plan, crew)) in scene
        .groups
        .iter()
        .zip(&session.generation.crews)
        .enumerate()
    {
        let world = session.simulation.world();
        let count = world.groups.get(index).map_or(0, |group| group.units.len());
        let title = RichText::new(format!("{}  ({count})", plan.name))
            .strong()
            .color(legible(plan.look.color));
        CollapsingHeader::new(title)
            .id_salt(&plan.name)
            .default_open(true)
            .show(ui, |ui| {
                view(ui, session, index, actions);
                for (slot, planned) in crew.iter().enumerate() {
                    behavior(ui, session, index, slot, planned, actions);
                }
            });
        ui.add_space(2.0);
    }
}

fn view(ui: &mut Ui, session: &Session, index: usize, actions: &mut Vec<Action>) {
    let world = session.simulation.world();
    let Some(group) = world.groups.get(index).filter(|_| !world.views.is_empty()) else {
        return;
    };
    let name = |view: Option<usize>| view.map_or("none", |view| world.views[view].name.as_str());
    ui.horizontal(|ui| {
        ui.label(RichText::new("View").color(theme::WEAK));
        ComboBox::from_id_salt(("view", index))
            .selected_text(name(group.view))
            .show_ui(ui, |ui| {
                for view in (0..world.views.len()).map(Some).chain([None]) {
                    if ui
                        .selectable_label(view == group.view, name(view))
                        .clicked()
                    {
                        actions.push(Action::SetView(index, view));
                    }
                }
            });
    });
}

fn behavior(
    ui: &mut Ui,
    session: &Session,
    group: usize,
    slot: usize,
    planned: &Planned,
    actions: &mut Vec<Action>,
) {
    let mut tune = |knob: &Knob, value: Option<ParamValue>| {
        let (handle, name) = (planned.handle.clone(), knob.name.clone());
        actions.push(match value {
            Some(value) => Action::Tune(handle, name, value),
            None => Action::Untune(handle, name),
        });
    };
    ui.push_id((group, slot), |ui| {
        ui.horizontal(|ui| {
            if let Some(knob) = planned
                .knobs
                .iter()
                .find(|knob| knob.name == KnobName::Enabled)
            {
                let mut on = planned.enabled;
                if ui.checkbox(&mut on, "").changed() {
                    tune(knob, Some(ParamValue::Switch(on)));
                }
            }
            let (text, hint) = title(session, group, slot, planned);
            let color = color32(behavior_color(slot));
            let (rect, _) = ui.allocate_exact_size(egui::vec2(9.0, 9.0), egui::Sense::hover());
            ui.painter().circle_filled(rect.center(), 4.0, color);
            ui.label(text).on_hover_text(hint);
            execution(ui, planned);
        });
        if planned.enabled {
            ui.indent("knobs", |ui| {
                for knob in &planned.knobs {
                    if knob.name != KnobName::Enabled {
                        row(ui, knob, &mut tune);
                    }
                }
            });
        }
    });
}

/// How the behavior runs: as machine code, or in the interpreter and why.
fn execution(ui: &mut Ui, planned: &Planned) {
    let Some(behavior) = &planned.behavior else {
        return;
    };
    let (text, color, hint) = match behavior.refusal() {
        _ if behavior.is_native() => ("native", theme::WEAK, "runs as machine code".to_owned()),
        Some(refusal) => ("interpreted", theme::WARNING, refusal.to_string()),
        None => ("interpreted", theme::WEAK, "as asked for".to_owned()),
    };
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.label(RichText::new(text).small().color(color))
            .on_hover_text(hint);
    });
}

/// The behavior's name, in the color of how it fares.
fn title(session: &Session, group: usize, slot: usize, planned: &Planned) -> (RichText, String) {
    let name = &planned.handle.script;
    let about = planned
        .script
        .as_ref()
        .map_or(String::new(), |script| script.about.clone());
    let resting = session
        .simulation
        .slots(group)
        .get(slot)
        .and_then(Slot::rest);
    let failing = session.simulation.reports().iter().any(|report| {
        report.script == *name && report.last_step + 60 > session.simulation.world().steps
    });
    if planned.behavior.is_none() {
        (
            RichText::new(format!("{name}  no version runs")).color(theme::BAD),
            about,
        )
    } else if let Some(rest) = resting {
        (
            RichText::new(format!("{name}  rests until its next save")).color(theme::BAD),
            format!(
                "{}; switched off and on, it tries again\n\n{about}",
                rest.reason()
            ),
        )
    } else if failing {
        (
            RichText::new(format!("{name}  fails")).color(theme::BAD),
            about,
        )
    } else {
        (RichText::new(name), about)
    }
}

fn row(ui: &mut Ui, knob: &Knob, tune: &mut impl FnMut(&Knob, Option<ParamValue>)) {
    let label = match &knob.name {
        KnobName::Gain => "gain".to_owned(),
        KnobName::Enabled => "on".to_owned(),
        KnobName::Param(name) => name.to_lowercase().replace('_', " "),
    };
    ui.horizontal(|ui| {
        if let Some(value) = widget(ui, knob) {
            tune(knob, Some(value));
        }
        let color = if knob.tuned {
            theme::WARNING
        } else {
            theme::WEAK
        };
        ui.label(RichText::new(label).color(color));
        if knob.tuned {
            let back = Button::new(RichText::new("file").small()).small();
            let hint = format!("tuned by hand: back to the file's {}", plain(&knob.file));
            if ui.add(back).on_hover_text(hint).clicked() {
                tune(knob, None);
            }
        }
    });
}

/// The widget of a value, and the value if the user changed it.
fn widget(ui: &mut Ui, knob: &Knob) -> Option<ParamValue> {
    match (&knob.range, &knob.value) {
        (ParamRange::Number(least, most), ParamValue::Number(value)) => {
            let mut value = *value;
            let decimals = if most - least > 50.0 { 1 } else { 2 };
            // Where a range is wide, its lower end is where small changes count.
            let slider = Slider::new(&mut value, *least..=*most)
                .fixed_decimals(decimals)
                .logarithmic(*least >= 0.0 && most - least >= 100.0);
            ui.add(slider)
                .changed()
                .then_some(ParamValue::Number(value))
        }
        (ParamRange::Integer(least, most), ParamValue::Integer(value)) => {
            let mut value = *value;
            ui.add(Slider::new(&mut value, *least..=*most))
                .changed()
                .then_some(ParamValue::Integer(value))
        }
        (ParamRange::Switch, ParamValue::Switch(on)) => {
            let mut on = *on;
            ui.checkbox(&mut on, "")
                .changed()
                .then_some(ParamValue::Switch(on))
        }
        (ParamRange::Choice(words), ParamValue::Choice(word)) => {
            let mut picked = None;
            ComboBox::from_id_salt(format!("{:?}", knob.name))
                .selected_text(word)
                .show_ui(ui, |ui| {
                    for other in words {
                        if ui.selectable_label(other == word, other).clicked() {
                            picked = Some(ParamValue::Choice(other.clone()));
                        }
                    }
                });
            picked
        }
        _ => None,
    }
}

fn plain(value: &ParamValue) -> String {
    match value {
        ParamValue::Number(v) => v.to_string(),
        ParamValue::Integer(v) => v.to_string(),
        ParamValue::Switch(v) => v.to_string(),
        ParamValue::Choice(v) => v.clone(),
    }
}
