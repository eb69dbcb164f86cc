//! The timeline below the world: the transport, the recorded range, and its events.

use std::ops::RangeInclusive;

use egui::{
    Align2, Area, Button, Color32, CursorIcon, DragValue, FontId, Frame, Id, Margin, Order, Painter, Pos2,
    Rect, RectAlign, Response, RichText, Sense, Shape, Stroke, Tooltip, Ui, pos2, vec2,
};
use steerbox_core::sim::rounded;
use steerbox_core::world::Clock;
use steerbox_picture::render::theme::{self, Theme};
use steerbox_project::plot;

use super::icons::{self, Icon};
use super::parts::{HEIGHT, Kit, main_button};
use super::{compare, hint};
use crate::commands::action::{Action, SessionAction, ViewAction};
use crate::model::dialog::Dialog;
use crate::model::live_session::LiveSession;
use crate::time::timeline::{Mark, MarkKind};

/// Height of the rail, widths of the button that plays and of the speed, points.
const RAIL: f32 = 20.0;
const PLAY: f32 = 32.0;
const SPEED: f32 = 52.0;
/// Minimum distance of ticks, their height, and the size of their text, points.
const TICK: f32 = 64.0;
const TICK_HEIGHT: f32 = 6.0;
const TICK_SIZE: f32 = 10.5;
/// Distance from a mark within which the pointer hits it, points.
const HIT_DISTANCE: f32 = 4.0;
/// Half the width of the mark of an expectation, points.
const FLAG: f32 = 4.0;
/// Maximum number of events named in a tooltip, and the width of their names, points.
const NAMED: usize = 6;
const NAMED_WIDTH: f32 = 280.0;

/// Width below which the rail has a row of its own, points.
const NARROW: f32 = 560.0;
/// Margins of boxes over the world, points.
const MARGIN: Margin = Margin::symmetric(8, 3);

/// Shows the transport, and the recorded range, if anything is recorded.
pub(super) fn show(ui: &mut Ui, kit: &mut Kit<'_>) {
    let is_narrow = ui.available_width() < NARROW;
    ui.horizontal(|ui| {
        transport(ui, kit);
        if !is_narrow {
            rail(ui, kit);
        }
    });
    if is_narrow {
        rail(ui, kit);
    }
}

/// Shows the buttons that leave the past or a comparison over the bottom of the world, so that nothing moves when
/// they appear. Returns the remaining part of the world.
pub(super) fn ways_out(ui: &Ui, free: Rect, session: &LiveSession, actions: &mut Vec<Action>) -> Rect {
    let Some(way) = Way::new(session) else {
        return free;
    };
    let area = Area::new(Way::id()).order(Order::Middle).pivot(Align2::LEFT_BOTTOM).constrain_to(free);
    let shown = area.fixed_pos(free.left_bottom()).show(ui.ctx(), |ui| {
        let frame = Frame::new().fill(theme::of(ui).panel).inner_margin(MARGIN);
        let width = free.width() - frame.total_margin().sum().x;
        frame.show(ui, |ui| {
            ui.set_width(width);
            ui.horizontal_wrapped(|ui| match way {
                Way::Past => ways(ui, session, actions),
                Way::Compared => compare::ways(ui, session, actions),
            });
        });
    });
    free.with_max_y(shown.response.rect.top().clamp(free.top(), free.bottom()))
}

/// The states that show such buttons.
#[derive(Clone, Copy)]
enum Way {
    Past,
    Compared,
}

impl Way {
    fn new(session: &LiveSession) -> Option<Self> {
        let is_past = session.run.past_step().is_some();
        let compared = session.run.variant().map(|_| Self::Compared);
        if is_past { Some(Self::Past) } else { compared }
    }

    fn id() -> Id {
        Id::unique("ways out")
    }
}

/// The positions of steps on the rail.
struct Scale {
    rail: Rect,
    recorded: RangeInclusive<u64>,
}

impl Scale {
    fn length(&self) -> f32 {
        (self.recorded.end() - self.recorded.start()).max(1) as f32
    }

    fn x(&self, step: u64) -> f32 {
        let share = step.saturating_sub(*self.recorded.start()) as f32 / self.length();
        self.rail.left() + share.min(1.0) * self.rail.width()
    }

    /// Marks of expectations are wider than lines and stay within the rail.
    fn mark_x(&self, mark: &Mark<'_>) -> f32 {
        let margin = if mark.kind.is_expectation() { FLAG } else { 0.0 };
        self.x(mark.step).max(self.rail.left() + margin).min(self.rail.right() - margin)
    }

    fn step(&self, x: f32) -> u64 {
        let share = ((x - self.rail.left()) / self.rail.width().max(1.0)).clamp(0.0, 1.0);
        self.recorded.start() + (share * self.length()).round() as u64
    }
}

/// The buttons for time, and the speed.
fn transport(ui: &mut Ui, kit: &mut Kit<'_>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    let session = kit.session;
    let (known, is_past) = (session.run.recorded().is_some(), session.run.past_step().is_some());
    let back = if session.backwards { Icon::Pause } else { Icon::Backwards };
    let before = [
        (Icon::Restart, "Restart the scene (R)", true, SessionAction::Restart),
        (Icon::Before, "Go to the previous event (Page Up)", known, SessionAction::Jump(false)),
        (back, "Play backwards (Shift+Space)", known, SessionAction::PlayBackwards),
        (Icon::StepBack, "Step back (,)", known, SessionAction::StepBack),
    ];
    let after = [
        (Icon::StepForward, "Make one step and pause (.)", true, SessionAction::Step),
        (Icon::Next, "Go to the next event (Page Down)", is_past, SessionAction::Jump(true)),
    ];
    let buttons = |ui: &mut Ui, kit: &mut Kit<'_>, all: &[(Icon, &str, bool, SessionAction)]| {
        for (icon, hint, enabled, action) in all {
            let button = icons::button(ui, *icon, *enabled).on_hover_text(*hint);
            kit.act(&button, action.clone());
        }
    };
    buttons(ui, kit, &before);
    let (icon, hint) =
        if session.paused { (Icon::Play, "Play (Space)") } else { (Icon::Pause, "Pause (Space)") };
    let play = ui.add(main_button(ui, "").min_size(vec2(PLAY, HEIGHT))).on_hover_text(hint);
    icon.paint(ui.painter(), play.rect.center(), theme::of(ui).panel);
    kit.act(&play, SessionAction::TogglePause);
    buttons(ui, kit, &after);
    speed(ui, kit);
    pause_when(ui, kit);
    ui.add_space(6.0);
}

/// The ratio of simulated time to the scene's own speed.
fn speed(ui: &mut Ui, kit: &mut Kit<'_>) {
    let mut speed = kit.session.speed;
    let rate = speed * 0.01;
    let field = DragValue::new(&mut speed).range(0.05..=20.0).speed(rate).fixed_decimals(2);
    let field = ui.add_sized(vec2(SPEED, HEIGHT), field.suffix("×"));
    let pace = hint::pace(kit.session).map(|pace| format!("\n{pace}")).unwrap_or_default();
    if field.on_hover_text(format!("Speed: drag or type (+, −; 0: normal){pace}")).changed() {
        kit.actions.push(SessionAction::Speed(speed).into());
    }
}

/// The button that opens the dialog for a condition.
fn pause_when(ui: &mut Ui, kit: &mut Kit<'_>) {
    let set = kit.session.pause_when.as_ref().map(|watched| watched.condition.text());
    let hint = set
        .map_or_else(|| "Pause when a condition becomes true".into(), |text| format!("Pauses when {text}"));
    let button = Button::selectable(set.is_some(), "When").frame_when_inactive(true);
    kit.act(&ui.add(button).on_hover_text(hint), ViewAction::ToggleDialog(Dialog::PauseWhen));
}

/// The recorded range with its events; a click or a drag shows a step of it.
fn rail(ui: &mut Ui, kit: &mut Kit<'_>) {
    let session = kit.session;
    let (rail, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    let Some(recorded) = session.run.recorded() else {
        return;
    };
    let (scale, theme, painter, marks) =
        (Scale { rail, recorded }, theme::of(ui), ui.painter(), session.marks());
    let bar = Rect::from_center_size(rail.center(), vec2(rail.width(), RAIL));
    painter.rect_filled(bar, 3.0, theme.sunk);
    let at = session.at();
    let x = scale.x(at);
    let fork = session.run.run_pair().map_or(bar.right(), |pair| scale.x(pair.fork));
    let past = Rect::from_min_max(bar.min, pos2(x.min(fork), bar.bottom()));
    painter.rect_filled(past, 3.0, theme.accent.gamma_multiply(0.22));
    let new = Rect::from_min_max(pos2(fork, bar.top()), bar.max);
    painter.rect_filled(new, 3.0, theme.warning.gamma_multiply(0.3));
    ticks(ui, &scale, bar, &session.run.clock());
    let line = |x: f32, overhang: f32, width: f32, color: Color32| {
        painter.vline(x, bar.top() - overhang..=bar.bottom() + overhang, Stroke::new(width, color));
    };
    for mark in &marks {
        let (x, color) = (scale.mark_x(mark), color_of(theme, mark.kind));
        if mark.kind.is_expectation() {
            flag(painter, pos2(x, bar.top()), color);
        } else {
            line(x, 0.0, 2.0, color);
        }
    }
    let cursor = if session.run.past_step().is_some() { theme.warning } else { theme.bright };
    line(x, 3.0, 2.0, cursor);
    if let Some(pointer) = response.hover_pos().or(response.interact_pointer_pos()) {
        line(pointer.x.clamp(bar.left(), bar.right()), 0.0, 1.0, theme.weak);
        let near: Vec<_> =
            marks.iter().filter(|mark| (scale.mark_x(mark) - pointer.x).abs() <= HIT_DISTANCE).collect();
        let step = near.first().map_or(scale.step(pointer.x), |mark| mark.step);
        let hovered = response.clone().on_hover_cursor(CursorIcon::ResizeHorizontal);
        beside(&hovered, bar.with_min_x(pointer.x).with_max_x(pointer.x), session, |ui| {
            described(ui, session, step, &near, &marks);
        });
        if response.clicked() {
            kit.actions.push(SessionAction::GoToStep(step).into());
        } else if response.dragged() {
            kit.actions.push(SessionAction::GoToStep(scale.step(pointer.x)).into());
        }
    }
}

/// Draws the mark of an expectation: a triangle below a point of the upper edge.
fn flag(painter: &Painter, top: Pos2, color: Color32) {
    let corners = [vec2(-FLAG, 0.0), vec2(FLAG, 0.0), vec2(0.0, 2.0 * FLAG)].map(|corner| top + corner);
    painter.add(Shape::convex_polygon(corners.to_vec(), color, Stroke::NONE));
}

/// Shows `content` below a position of the rail, or else above both the rail and the buttons over the world.
fn beside(hovered: &Response, mut place: Rect, session: &LiveSession, content: impl FnOnce(&mut Ui)) {
    let ways = hovered.ctx.memory(|memory| memory.area_rect(Way::id()));
    if let Some(ways) = ways.filter(|_| Way::new(session).is_some()) {
        place.min.y = place.min.y.min(ways.top());
    }
    let mut tooltip = Tooltip::for_enabled(hovered).gap(6.0).width(NAMED_WIDTH);
    tooltip.popup = tooltip.popup.anchor(place).align(RectAlign::BOTTOM);
    tooltip.show(content);
}

/// The events at a position of the rail; without any, what is recorded and the kinds of marks.
fn described(ui: &mut Ui, session: &LiveSession, step: u64, near: &[&Mark<'_>], all: &[Mark<'_>]) {
    let seconds = session.run.clock().seconds_after(step);
    hint::weak(ui, format!("step {step}, {seconds:.1} s"));
    for mark in near.iter().take(NAMED) {
        ui.label(RichText::new(mark.words()).color(color_of(theme::of(ui), mark.kind)));
    }
    if near.len() > NAMED {
        hint::weak(ui, format!("{} more", near.len() - NAMED));
    }
    if near.is_empty() {
        hint::weak(ui, recorded(session));
        for (at, mark) in all.iter().enumerate() {
            if all[..at].iter().all(|before| before.kind != mark.kind) {
                ui.label(RichText::new(mark.kind.words()).color(color_of(theme::of(ui), mark.kind)));
            }
        }
    }
}

/// Draws the time scale: a line and the seconds at round times.
fn ticks(ui: &Ui, scale: &Scale, bar: Rect, clock: &Clock) {
    let theme = theme::of(ui);
    let ends = [*scale.recorded.start(), *scale.recorded.end()].map(|step| clock.seconds_after(step));
    let times = plot::ticks(ends, ((bar.width() / TICK) as usize).max(1)).0;
    let font = FontId::proportional(TICK_SIZE);
    for time in times.into_iter().filter(|time| (ends[0]..=ends[1]).contains(time)) {
        let place = pos2(scale.x(clock.steps_within(time)), bar.bottom());
        ui.painter().vline(place.x, place.y - TICK_HEIGHT..=place.y, Stroke::new(1.0, theme.weak));
        let words = format!("{} s", rounded(time as f32));
        let words = ui.painter().layout_no_wrap(words, font.clone(), theme.weak);
        let corner = pos2(place.x + 3.0, bar.center().y - words.size().y * 0.5);
        if corner.x + words.size().x < bar.right() {
            ui.painter().galley(corner, words, theme.weak);
        }
    }
}

fn color_of(theme: &Theme, kind: MarkKind) -> Color32 {
    match kind {
        MarkKind::Reload | MarkKind::Met => theme.good,
        MarkKind::Error | MarkKind::Failed => theme.bad,
        MarkKind::Edit => theme.accent,
        MarkKind::Click => theme.warning,
        MarkKind::Pending => theme.weak,
    }
}

/// The recorded range in words.
fn recorded(session: &LiveSession) -> String {
    let Some(recorded) = session.run.recorded() else {
        return "not recorded yet".to_owned();
    };
    let megabytes = session.run.recorded_bytes() as f32 / (1 << 20) as f32;
    let (from, to) = (recorded.start(), recorded.end());
    format!("recorded: steps {from} to {to}, {megabytes:.1} MiB")
}

/// The shown time of the past.
fn past(session: &LiveSession) -> Option<String> {
    let (step, recorded) = (session.run.past_step()?, session.run.recorded()?);
    let [at, end] = [step, *recorded.end()].map(|step| session.run.clock().seconds_after(step));
    Some(if step >= *recorded.end() {
        format!("{at:.1} s, the present")
    } else {
        format!("{at:.1} s, {:.2} s ago", end - at)
    })
}

/// The buttons that leave the past; in a comparison, the time at which the runs diverge.
fn ways(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    if let Some(words) = past(session) {
        ui.label(RichText::new(words).monospace().color(theme::of(ui).warning));
    }
    let mut button = |ui: &mut Ui, text: &str, hint: &str, action: Action| {
        if ui.button(text).on_hover_text(hint).clicked() {
            actions.push(action);
        }
    };
    let here = "Discard everything after this step and continue from it with the newest files and values";
    if let Some(pair) = session.run.run_pair() {
        button(
            ui,
            "Keep the new run",
            "Continue from the present of the new run (End)",
            SessionAction::ReturnToPresent.into(),
        );
        button(
            ui,
            "Return to the old run",
            "Its values return, too; a saved file applies from its present on",
            SessionAction::DiscardChange.into(),
        );
        button(ui, "Continue from here", here, SessionAction::ContinueHere.into());
        let [words, details] = session.words_of(pair, ["before", "now"]);
        ui.label(RichText::new(words).color(theme::of(ui).text)).on_hover_text(details);
        return;
    }
    button(ui, "Return to the present", "End", SessionAction::ReturnToPresent.into());
    button(ui, "Continue from here", here, SessionAction::ContinueHere.into());
    let words = match session.run.first_difference() {
        Some(divergence) => format!("{}; computing the rest …", session.words_of_divergence(divergence)),
        None if session.run.is_rerunning() => "Running the change from here up to the present …".to_owned(),
        None => "A change now runs from here; the new run is shown over the old one".to_owned(),
    };
    hint::weak(ui, words);
}
