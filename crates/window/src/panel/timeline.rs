//! The timeline below the world: the recorded range, its events, and buttons for time travel.

use std::ops::RangeInclusive;

use egui::{
    Align2, Area, Color32, CursorIcon, Frame, Id, Margin, Order, Painter, Pos2, Rect, RectAlign, Response,
    RichText, Sense, Shape, Stroke, Tooltip, Ui, pos2, vec2,
};
use steerbox_picture::render::theme::{self, Theme};

use super::{compare, hint};
use crate::commands::action::{Action, SessionAction, ViewAction};
use crate::model::dialog::Dialog;
use crate::model::live_session::LiveSession;
use crate::time::timeline::{Mark, MarkKind};

/// Height of a row, and of the rail, points.
const ROW: f32 = 24.0;
const RAIL: f32 = 14.0;
/// Distance from a mark within which the pointer hits it, points.
const HIT_DISTANCE: f32 = 4.0;
/// Half the width of the mark of an expectation, points.
const FLAG: f32 = 4.0;
/// Width of the text to the right of the rail, points.
const TEXT_WIDTH: f32 = 188.0;
/// Maximum number of events named in a tooltip, and the width of their names, points.
const NAMED: usize = 6;
const NAMED_WIDTH: f32 = 280.0;

/// Width below which the rail has a row of its own, points.
const NARROW: f32 = 480.0;
/// Margins of boxes over the world, points.
const MARGIN: Margin = Margin::symmetric(8, 3);

/// Shows the recorded range, if anything is recorded.
pub(super) fn show(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    if !session.run.records() {
        return;
    }
    let is_narrow = ui.available_width() < NARROW;
    ui.horizontal(|ui| {
        ui.set_min_height(ROW);
        buttons(ui, session, actions);
        if !is_narrow {
            rail(ui, (ui.available_width() - TEXT_WIDTH).max(40.0), session, actions);
            ui.add_space(8.0);
        }
        place(ui, session, is_narrow);
    });
    if is_narrow {
        rail(ui, ui.available_width(), session, actions);
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

fn buttons(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    let (known, is_past) = (session.run.recorded().is_some(), session.run.past_step().is_some());
    let back = if session.backwards { Sign::Stop } else { Sign::Back };
    let all = [
        (Sign::Before, "Go to the previous event (Page Up)", known, SessionAction::Jump(false).into()),
        (back, "Play backwards (Shift+Space)", known, SessionAction::PlayBackwards.into()),
        (Sign::Words("−1"), "Step back (,)", known, SessionAction::StepBack.into()),
        (Sign::Words("+1"), "Step forward (.)", true, SessionAction::Step.into()),
        (Sign::Next, "Go to the next event (Page Down)", is_past, SessionAction::Jump(true).into()),
    ];
    for (sign, hint, enabled, action) in all {
        let words = if let Sign::Words(words) = sign { words } else { "" };
        let button = ui.add_enabled(enabled, egui::Button::new(words).min_size(vec2(24.0, 20.0)));
        sign.draw(ui, &button);
        if button.on_hover_text(hint).clicked() {
            actions.push(action);
        }
    }
    pause_when(ui, session, actions);
    ui.add_space(6.0);
}

/// The label of a button.
#[derive(Clone, Copy)]
enum Sign {
    Before,
    Back,
    Stop,
    Next,
    Words(&'static str),
}

impl Sign {
    /// Draws the symbol, since not every font contains it.
    fn draw(self, ui: &Ui, button: &Response) {
        let color = if button.enabled() { theme::of(ui).text } else { theme::of(ui).weak };
        let (painter, middle) = (ui.painter(), button.rect.center());
        let arrow = |to: f32| {
            let tip = middle + vec2(to * 5.0, 0.0);
            let foot = |y: f32| middle + vec2(to * -3.0, y);
            painter.add(Shape::convex_polygon(vec![tip, foot(5.0), foot(-5.0)], color, Stroke::NONE));
        };
        let bar = |x: f32| {
            let bar = Rect::from_center_size(middle + vec2(x, 0.0), vec2(2.0, 10.0));
            painter.rect_filled(bar, 0.0, color);
        };
        match self {
            Self::Before => {
                arrow(-1.0);
                bar(-6.0);
            }
            Self::Back => arrow(-1.0),
            Self::Stop => {
                bar(-3.0);
                bar(3.0);
            }
            Self::Next => {
                arrow(1.0);
                bar(6.0);
            }
            Self::Words(_) => {}
        }
    }
}

/// The button that opens the dialog for a condition.
fn pause_when(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let set = session.pause_when.as_ref().map(|watched| watched.condition.text());
    let hint = set
        .map_or_else(|| "Pause when a condition becomes true".into(), |text| format!("Pauses when {text}"));
    let button = egui::Button::selectable(set.is_some(), "when").frame_when_inactive(true);
    if ui.add(button.min_size(vec2(24.0, 20.0))).on_hover_text(hint).clicked() {
        actions.push(ViewAction::ToggleDialog(Dialog::PauseWhen).into());
    }
}

fn rail(ui: &mut Ui, width: f32, session: &LiveSession, actions: &mut Vec<Action>) {
    let (rail, response) = ui.allocate_exact_size(vec2(width, ROW), Sense::click_and_drag());
    let Some(recorded) = session.run.recorded() else {
        return;
    };
    let (scale, theme, painter, marks) =
        (Scale { rail, recorded }, theme::of(ui), ui.painter(), session.marks());
    let bar = Rect::from_center_size(rail.center(), vec2(width, RAIL));
    painter.rect_filled(bar, 3.0, theme.sunk);
    let at = session.at();
    let x = scale.x(at);
    let fork = session.run.run_pair().map_or(bar.right(), |pair| scale.x(pair.fork));
    let past = Rect::from_min_max(bar.min, pos2(x.min(fork), bar.bottom()));
    painter.rect_filled(past, 3.0, theme.accent.gamma_multiply(0.22));
    let new = Rect::from_min_max(pos2(fork, bar.top()), bar.max);
    painter.rect_filled(new, 3.0, theme.warning.gamma_multiply(0.3));
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
            described(ui, session, step, &near);
        });
        if response.clicked() {
            actions.push(SessionAction::GoToStep(step).into());
        } else if response.dragged() {
            actions.push(SessionAction::GoToStep(scale.step(pointer.x)).into());
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

/// The events at a position of the rail.
fn described(ui: &mut Ui, session: &LiveSession, step: u64, near: &[&Mark<'_>]) {
    let seconds = session.run.clock().seconds_after(step);
    hint::weak(ui, format!("step {step}, {seconds:.1} s"));
    for mark in near.iter().take(NAMED) {
        ui.label(RichText::new(mark.words()).color(color_of(theme::of(ui), mark.kind)));
    }
    if near.len() > NAMED {
        hint::weak(ui, format!("{} more", near.len() - NAMED));
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

/// The shown time, and the recorded range.
fn place(ui: &mut Ui, session: &LiveSession, is_narrow: bool) {
    let theme = theme::of(ui);
    let Some(recorded) = session.run.recorded() else {
        ui.label(RichText::new("not recorded yet").color(theme.weak));
        return;
    };
    let clock = session.run.clock();
    let seconds = |from: u64, to: u64| clock.seconds_after(to) - clock.seconds_after(from);
    let kept = seconds(*recorded.start(), *recorded.end());
    let (words, color) = match session.run.past_step() {
        None if is_narrow => (format!("{kept:.1} s"), theme.weak),
        None => (format!("{kept:.1} s recorded"), theme.weak),
        Some(step) if step >= *recorded.end() => (format!("at {kept:.1} s, the present"), theme.warning),
        Some(step) => {
            let ago = seconds(step, *recorded.end());
            (format!("−{ago:.2} of {kept:.1} s"), theme.warning)
        }
    };
    let megabytes = session.run.recorded_bytes() as f32 / (1 << 20) as f32;
    let (from, to) = (recorded.start(), recorded.end());
    let pace = hint::pace(session).map(|pace| format!("\n{pace}")).unwrap_or_default();
    let hint = format!("recorded: steps {from} to {to}, {megabytes:.1} MiB{pace}");
    let words = RichText::new(words).monospace().color(color);
    ui.add(egui::Label::new(words).truncate()).on_hover_text(hint);
}

/// The buttons that leave the past; in a comparison, the time at which the runs diverge.
fn ways(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
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
