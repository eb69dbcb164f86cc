//! The log: reloads, rejections and failures, with source line and caret. Only whole rows are visible; a log of one row
//! shows the first row of each message.

use std::ops::Range;
use std::sync::Arc;

use egui::text::{CCursor, LayoutJob, TextWrapping};
use egui::{
    Color32, CursorIcon, FontId, Galley, Rect, Response, ScrollArea, Sense, TextStyle, Ui, pos2, vec2,
};
use steerbox_core::diagnostics::part;
use steerbox_picture::render::theme;

use super::hint::toned;
use super::menu;
use crate::commands::action::{Action, EditorAction, SessionAction, ViewAction};
use crate::commands::palette::Listed;
use crate::model::live_session::LiveSession;
use crate::model::log::{Line, Tone};

/// Columns of the time before a line.
const TIME: usize = 7;
/// Minimum number of visible characters of a source line.
const MIN_CHARACTERS: usize = 16;

/// The height of a log panel with this number of rows, points.
pub(super) fn height(ui: &mut Ui, rows: usize) -> f32 {
    let spacing = ui.spacing().item_spacing;
    let row = Rows::new(ui, 0.0).height;
    ui.spacing_mut().item_spacing = spacing;
    // The margins of the panel and its separator.
    rows as f32 * row + 6.0
}

pub(super) fn show(ui: &mut Ui, session: &LiveSession, actions: &mut Vec<Action>) {
    let room = ui.available_height();
    ScrollArea::vertical().auto_shrink(false).min_scrolled_height(0.0).stick_to_bottom(true).show(ui, |ui| {
        let rows = Rows::new(ui, room);
        rows.clip(ui);
        if session.log.lines().len() == 0 {
            let words = "Reloads, errors and edits are listed here";
            rows.text(ui, 0, words, theme::of(ui).weak, Sense::hover());
        }
        for line in session.log.lines() {
            rows.one(ui, line, toned(ui, line.tone), actions);
        }
    });
}

/// Shows the last line, and a success in gray unless it is new.
pub(super) fn last(ui: &mut Ui, session: &LiveSession, is_new: bool, actions: &mut Vec<Action>) {
    let rows = Rows::new(ui, 0.0);
    if let Some(line) = session.log.lines().last() {
        let tone = if is_new || line.tone != Tone::Good { line.tone } else { Tone::Plain };
        rows.one(ui, line, toned(ui, tone), actions);
    }
}

/// Rows of equal height, so that none is cut off.
struct Rows {
    font: FontId,
    height: f32,
    letter: f32,
    /// True if only one row fits: then each line shows its first row, without source and help.
    is_single: bool,
}

impl Rows {
    fn new(ui: &mut Ui, room: f32) -> Self {
        ui.spacing_mut().item_spacing.y = 0.0;
        let font = TextStyle::Monospace.resolve(ui.style());
        let lay = |text: &str| {
            let (text, color) = (text.to_owned(), theme::of(ui).text);
            let galley = ui.painter().layout_no_wrap(text, font.clone(), color);
            galley.size()
        };
        let letter = lay(&"0".repeat(TIME)).x / TIME as f32;
        let height = lay("0").y.ceil();
        Self { font, height, letter, is_single: room < 2.0 * height }
    }

    /// Clips rows that are partly visible.
    fn clip(&self, ui: &mut Ui) {
        let (top, clip) = (ui.max_rect().top(), ui.clip_rect());
        ui.set_clip_rect(whole_rows(clip, top, self.height));
    }

    fn one(&self, ui: &mut Ui, line: &Line, color: Color32, actions: &mut Vec<Action>) {
        let count = match line.count() {
            0 | 1 => String::new(),
            count => format!("  ×{count}"),
        };
        let leads = line.place.is_some() || line.folder.is_some();
        let sense = if leads { Sense::click() } else { Sense::hover() };
        let response = self.text(ui, TIME, &format!("{}{count}", line.text), color, sense);
        let place = response.rect.min;
        link(response, line, actions);
        let time = format!("{:>5} s", short(line.seconds as f32));
        let time = self.lay(ui, time, f32::INFINITY, theme::of(ui).weak);
        ui.painter().galley(place, time, theme::of(ui).weak);
        if self.is_single {
            return;
        }
        if !line.source.is_empty() {
            excerpt(ui, &" ".repeat(TIME + 1), &line.source, &line.under);
        }
        if let Some(help) = &line.help {
            self.text(ui, TIME, help, theme::of(ui).accent, Sense::hover());
        }
    }

    /// Lays out text with a hanging indent in columns.
    fn text(&self, ui: &mut Ui, indent: usize, text: &str, color: Color32, sense: Sense) -> Response {
        let indent = (if indent > 0 { indent + 1 } else { 0 }) as f32 * self.letter;
        let width = (ui.available_width() - indent).max(20.0 * self.letter);
        let galley = self.lay(ui, text.to_owned(), width, color);
        let size = vec2(indent + galley.size().x, galley.rows.len() as f32 * self.height);
        let (space, response) = ui.allocate_exact_size(size, sense);
        ui.painter().galley(space.min + vec2(indent, 0.0), galley, color);
        response
    }

    fn lay(&self, ui: &Ui, text: String, width: f32, color: Color32) -> Arc<Galley> {
        let mut job = LayoutJob::simple(text, self.font.clone(), color, width);
        if self.is_single {
            job.wrap = TextWrapping::truncate_at_width(width);
        }
        ui.painter().layout_job(job)
    }
}

/// A click on a fault opens its file at the line, a click on a written file its folder; a right click lists all that the
/// line leads to.
fn link(response: Response, line: &Line, actions: &mut Vec<Action>) {
    menu::show(&response, || linked(line), actions);
    if let Some(folder) = &line.folder {
        if response.clicked() {
            actions.push(SessionAction::OpenFolder(folder.clone()).into());
        }
        let response = response.on_hover_cursor(CursorIcon::PointingHand);
        response.on_hover_text("Click: open the folder");
        return;
    }
    let Some(place) = &line.place else {
        return;
    };
    if response.clicked() {
        let is_outside = response.ctx.input(|input| input.modifiers.command);
        let inside = || EditorAction::Open(place.clone()).into();
        let outside = || SessionAction::OpenInEditor(place.clone()).into();
        actions.push(if is_outside { outside() } else { inside() });
    }
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    response.on_hover_text(format!("Click: edit {}; Ctrl+click: open it in your own editor", place.file));
}

/// The commands that open the places of a line, and show its unit.
fn linked(line: &Line) -> Vec<Listed> {
    let places = line.place.as_ref().map(menu::opening).unwrap_or_default();
    let unit = line.unit.map(|unit| Listed::new(format!("Show unit {unit}"), ViewAction::Find(unit)));
    let folder = line.folder.clone();
    let folder = folder.map(|folder| Listed::new("Open the folder", SessionAction::OpenFolder(folder)));
    places.into_iter().chain(unit).chain(folder).collect()
}

/// The part of `clip` that contains whole rows, counted from `top`.
fn whole_rows(clip: Rect, top: f32, height: f32) -> Rect {
    let first = ((clip.top() - top) / height).ceil() * height + top;
    let last = ((clip.bottom() - top) / height).floor() * height + top;
    Rect::from_min_max(pos2(clip.left(), first), pos2(clip.right(), last.max(first)))
}

/// Formats seconds: with one decimal, from 1000 on without.
fn short(seconds: f32) -> String {
    match seconds {
        0.0 => "0".to_owned(),
        0.0..1000.0 => format!("{seconds:.1}"),
        _ => format!("{seconds:.0}"),
    }
}

/// A source line and, in a second row, carets below its faulty characters. Widths are measured, since fonts differ and
/// draw missing glyphs as boxes.
pub(super) fn excerpt(ui: &mut Ui, indent: &str, source: &str, under: &Range<usize>) {
    let font = TextStyle::Monospace.resolve(ui.style());
    let color = theme::of(ui).text;
    let lay = |text: String| ui.painter().layout_no_wrap(text, font.clone(), color);
    let caret = lay("^".to_owned());
    let columns = (ui.available_width() / caret.size().x) as usize;
    let (text, under) = fitted(indent, source, under, columns);
    let line = lay(text);
    let place = |at: usize| line.pos_from_cursor(CCursor::new(at)).min.x;
    let (left, right) = (place(under.start), place(under.end));
    let carets = ((right - left) / caret.size().x).round().max(1.0) as usize;
    let below = lay("^".repeat(if under.is_empty() { 0 } else { carets }));
    let height = caret.size().y.ceil();
    let rows = if under.is_empty() { 1.0 } else { 2.0 };
    let width = line.size().x.min(ui.available_width());
    let (space, _) = ui.allocate_exact_size(vec2(width, rows * height), Sense::hover());
    let under = space.min + vec2(left, height);
    ui.painter().galley(space.min, line, color);
    ui.painter().galley(under, below, color);
}

/// The part of a line around its faulty characters that fits into `columns`, indented and with tabs as four spaces, and
/// the range of the faulty characters in it.
fn fitted(indent: &str, source: &str, under: &Range<usize>, columns: usize) -> (String, Range<usize>) {
    let shown = |count: usize| source.chars().take(count).collect::<String>().replace('\t', "    ");
    let place = |count: usize| shown(count).chars().count();
    let first = indent.chars().count();
    // Two columns for the ellipses at both ends.
    let room = columns.saturating_sub(first + 2).max(MIN_CHARACTERS);
    let (text, shift) = part(&shown(usize::MAX), place(under.start) + 1, room);
    let last = text.chars().count();
    let at = |count: usize| first + place(count).saturating_sub(shift).min(last);
    (format!("{indent}{text}"), at(under.start)..at(under.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_move_with_tabs() {
        let (line, under) = fitted("   ", "\tlet\ta = oops;", &(9..13), 80);
        let found: String = line.chars().skip(under.start).take(under.len()).collect();
        assert_eq!(found, "oops");
    }

    #[test]
    fn a_long_line_is_shifted_until_its_fault_is_in_view() {
        let source = format!("\t{} = oops + {};", "a".repeat(60), "b".repeat(60));
        for columns in [0, 30, 50, 80, 200] {
            let (line, under) = fitted("   ", &source, &(64..68), columns);
            let found: String = line.chars().skip(under.start).take(under.len()).collect();
            assert_eq!(found, "oops", "{line}");
            assert!(line.chars().count() <= columns.max(MIN_CHARACTERS + 5), "{columns}: {line}");
            assert!(line.starts_with("   …") || columns == 200, "{line}");
        }
    }

    #[test]
    fn rows_are_never_partly_visible() {
        let view = |top: f32, bottom: f32| Rect::from_min_max(pos2(0.0, top), pos2(9.0, bottom));
        let shown = whole_rows(view(100.0, 195.0), 97.0, 16.0);
        assert_eq!((shown.top(), shown.bottom()), (113.0, 193.0));
        let shown = whole_rows(view(100.0, 148.0), 100.0, 16.0);
        assert_eq!((shown.top(), shown.bottom()), (100.0, 148.0));
        let shown = whole_rows(view(101.0, 105.0), 100.0, 16.0);
        assert_eq!(shown.height(), 0.0);
    }
}
