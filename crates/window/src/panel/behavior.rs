//! A behavior of a group: its switch, its name, its problems, and its values.

use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, CursorIcon, Frame, Label, Layout, Margin, RichText, Sense, TextStyle, Ui, UiBuilder, Vec2,
};
use steerbox_core::sim::Slot;
use steerbox_core::world::ParamValue;
use steerbox_picture::render::theme::{self, color32};
use steerbox_project::reload::{FileState, Handle, KnobName, Planned, Status, fate_of};
use steerbox_scene::ListItem;

use super::about::About;
use super::icons::{self, Icon};
use super::parts::Kit;
use super::{hint, item, knobs, menu};
use crate::commands::action::{Action, EditorAction};
use crate::commands::palette::values;
use crate::model::editor::lines::entry_line;
use crate::model::live_session::LiveSession;
use crate::model::log::{FilePlace, Tone};
use crate::model::view_state::ViewState;

/// Steps for which a failure stays visible.
const RECENT: u64 = 60;

/// Shows the `slot`-th behavior of a group.
pub(super) fn show(
    ui: &mut Ui,
    session: &LiveSession,
    view: &ViewState,
    (group, slot): (usize, usize),
    planned: &Planned,
    actions: &mut Vec<Action>,
) {
    let card = Frame::new().fill(theme::of(ui).card).corner_radius(6.0).inner_margin(Margin::symmetric(8, 5));
    let (mut folds, id) = (false, ui.scope_id().with(("folded", group, slot)));
    let folded: bool = ui.data(|data| data.get_temp(id)).unwrap_or(false);
    let knobs = planned.knobs.iter().filter(|knob| knob.name != KnobName::Enabled);
    let params = knobs.clone().filter(|knob| knob.name != KnobName::Gain).count();
    ui.push_id((group, slot), |ui| {
        let card = card.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            let title = UiBuilder::new().id_salt("title").sense(Sense::click_and_drag());
            let title = ui.scope_builder(title, |ui| {
                ui.horizontal(|ui| {
                    let enabled = |name: &KnobName| *name == KnobName::Enabled;
                    if let Some(knob) = planned.knobs.iter().find(|knob| enabled(&knob.name)) {
                        let mut on = planned.enabled;
                        if ui.checkbox(&mut on, "").changed() {
                            actions.push(knobs::tuned(planned, knob, ParamValue::Switch(on)));
                        }
                    }
                    number(ui, session, view, (group, slot));
                    let name = RichText::new(&planned.handle.script).monospace();
                    let name = ui.add(Label::new(name).sense(Sense::click()));
                    let name = name.on_hover_cursor(CursorIcon::PointingHand);
                    if name.clicked() {
                        actions.push(EditorAction::Open(place_of(planned)).into());
                    }
                    hint::beside(&name, |ui| about(ui, planned));
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        if planned.enabled && params > 0 {
                            folds = fold(ui, folded);
                        }
                        if let Some(badge) = badge(session, group, slot, planned) {
                            badge.show(ui);
                        }
                    });
                })
            });
            for knob in knobs.filter(|knob| planned.enabled && (!folded || knob.name == KnobName::Gain)) {
                knobs::row(ui, planned, knob, actions);
            }
            title.response
        });
        let Handle { group: name, script, occurrence } = planned.handle.clone();
        let item = (&ListItem::Behavior(name, script, occurrence), slot);
        item::show(ui, &mut Kit { session, view, actions }, item, (&card.inner, &card.response), || {
            menu::opening(&place_of(planned)).into_iter().chain(values(planned)).collect()
        });
    });
    if folds {
        ui.data_mut(|data| data.insert_temp(id, !folded));
    }
}

/// The place of a behavior's function in its script.
fn place_of(planned: &Planned) -> FilePlace {
    let line = planned.script.as_ref().map_or(1, |script| entry_line(&script.text));
    FilePlace { file: format!("{}.rhai", planned.handle.script), line, column: 1 }
}

/// The number of a rule in its group; while the inspector shows a unit of the group, also the color of its arrow.
fn number(ui: &mut Ui, session: &LiveSession, view: &ViewState, (group, slot): (usize, usize)) {
    ui.label(RichText::new(format!("{}", slot + 1)).small().color(theme::of(ui).weak));
    // Its space is there in any case: a selection moves nothing.
    let (rect, dot) = ui.allocate_exact_size(Vec2::splat(9.0), Sense::hover());
    let groups = &session.run.simulation.world().units.group;
    let inspected = view.selection.inspected().and_then(|unit| groups.get(unit));
    if inspected.is_some_and(|inspected| usize::from(*inspected) == group) {
        ui.painter().circle_filled(rect.center(), 4.0, color32(view.colors.rule(slot)));
        hint::text(&dot, "Color of this behavior's arrow at the inspected unit");
    }
}

/// The arrow that collapses a behavior's parameters. Returns true if it was clicked.
fn fold(ui: &mut Ui, folded: bool) -> bool {
    let arrow = icons::plain(ui, if folded { Icon::Unfold } else { Icon::Fold });
    arrow.on_hover_text(if folded { "Show the parameters" } else { "Show only the gain" }).clicked()
}

/// The script's description.
fn about(ui: &mut Ui, planned: &Planned) {
    let text = planned.script.as_ref().map(|script| script.about.as_str());
    let about = About::parse(text.unwrap_or_default());
    ui.label(RichText::new(format!("{}.rhai", planned.handle.script)).strong());
    for paragraph in &about.paragraphs {
        ui.label(paragraph);
    }
    for (name, meaning) in &about.params {
        let mut job = LayoutJob::default();
        let format = |style: TextStyle, color| TextFormat {
            font_id: style.resolve(ui.style()),
            color,
            ..TextFormat::default()
        };
        job.append(name, 0.0, format(TextStyle::Monospace, theme::of(ui).accent));
        let color = ui.visuals().text_color();
        job.append(meaning, 10.0, format(TextStyle::Body, color));
        ui.label(job);
    }
}

/// A short note on a problem of a behavior.
struct Badge {
    text: String,
    tone: Tone,
    hint: String,
}

impl Badge {
    fn show(&self, ui: &mut Ui) {
        let label = ui.label(RichText::new(&self.text).small().color(hint::toned(ui, self.tone)));
        hint::text(&label, &self.hint);
    }
}

/// The worst problem of a behavior; `None` if it has none.
fn badge(session: &LiveSession, group: usize, slot: usize, planned: &Planned) -> Option<Badge> {
    let path = format!("{}.rhai", planned.handle.script);
    let mut files = session.run.generation.files.iter();
    let file = files.find(|file| file.path == path);
    let stale = file.and_then(|file| stale(file, planned));
    stale.or_else(|| failing(session, group, slot, planned)).or_else(|| interpreted(planned))
}

/// The badge of a behavior whose file's newest content does not run.
fn stale(file: &FileState, planned: &Planned) -> Option<Badge> {
    let fate = fate_of(file)?;
    let (text, tone) = match (&file.status, &planned.behavior) {
        (Status::Missing, None) => ("no such file".to_owned(), Tone::Bad),
        (Status::Missing, Some(_)) => ("file deleted".to_owned(), Tone::Warning),
        (_, None) => ("rejected".to_owned(), Tone::Bad),
        (_, Some(_)) => (format!("error: version {} runs", file.generation), Tone::Warning),
    };
    let mut hint = fate;
    if let Status::Rejected(faults) = &file.status {
        for fault in faults {
            hint.push_str("\n\n");
            hint.push_str(&fault.summary());
        }
    }
    Some(Badge { text, tone, hint })
}

/// The badge of a behavior that is suspended or failed recently.
fn failing(session: &LiveSession, group: usize, slot: usize, planned: &Planned) -> Option<Badge> {
    let simulation = &session.run.simulation;
    let reason = simulation.slots(group).get(slot).and_then(Slot::suspended);
    if let Some(reason) = reason {
        let hint = format!(
            "Suspended until the next save of any file, or until the behavior is switched off and on: {}",
            reason.reason()
        );
        let text = "suspended".to_owned();
        return Some(Badge { text, tone: Tone::Bad, hint });
    }
    let steps = simulation.world().steps;
    let report = simulation.reports().iter().find(|report| {
        (report.group, &report.script) == (group, &planned.handle.script) && report.last_step + RECENT > steps
    })?;
    Some(Badge {
        text: "fails".to_owned(),
        tone: Tone::Bad,
        hint: format!("{} (unit {})", report.failure.message, report.unit),
    })
}

/// The badge of a behavior that runs in the interpreter although machine code is enabled.
fn interpreted(planned: &Planned) -> Option<Badge> {
    let refusal = planned.behavior.as_ref()?.unsupported()?;
    Some(Badge {
        text: "interpreted".to_owned(),
        tone: Tone::Plain,
        hint: format!("Runs in the interpreter, much slower than machine code: {refusal}"),
    })
}
