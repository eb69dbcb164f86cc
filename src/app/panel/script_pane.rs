//! The script of a behavior with the values of the inspected unit beside its lines.

use egui::text::{LayoutJob, TextFormat};
use egui::{FontId, Rect, RichText, ScrollArea, Sense, TextStyle, Ui, Window, pos2, vec2};

use super::inspector;
use crate::app::action::Action;
use crate::app::history::Plotted;
use crate::app::live_session::LiveSession;
use crate::app::theme::{self, Theme, color32};
use crate::app::view_state::ViewState;
use crate::script::probe::{Recording, values_by_line};
use crate::session::Explained;

/// Size at first, points.
const SIZE: egui::Vec2 = vec2(620.0, 300.0);
/// Letters that a line number takes, and from which on values stand at the latest.
const MARGIN: usize = 6;
const VALUES: usize = 54;
/// Height of the plot below the lines, points.
const PLOT: f32 = 64.0;

/// Shows the open script, if there is one.
pub(super) fn show(ui: &Ui, free: Rect, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let (Some(rule), Some(unit)) = (view.script, view.selection.inspected()) else {
        return;
    };
    let explained = session.run.simulation.explained();
    let name = explained.and_then(|explained| explained.facts.rules.get(rule)).map(|rule| rule.name.clone());
    let title = match (explained, name) {
        (Some(explained), Some(name)) => format!("{name}, unit {unit} in step {}", explained.facts.step),
        _ => format!("unit {unit}"),
    };
    let mut open = true;
    let size = SIZE.min(free.size() * 0.9);
    Window::new(title)
        .id(egui::Id::unique("script pane"))
        .open(&mut open)
        .default_size(size)
        .default_pos(free.left_bottom() + vec2(10.0, -10.0 - size.y))
        .constrain_to(free)
        .show(ui.ctx(), |ui| match explained {
            Some(explained) => page(ui, explained, rule, view, actions),
            None => super::hint::weak(ui, "Values come with the next step: resume, or make one step (.)."),
        });
    if !open {
        actions.push(Action::CloseScript);
    }
}

fn page(ui: &mut Ui, explained: &Explained, rule: usize, view: &ViewState, actions: &mut Vec<Action>) {
    match explained.lines.get(rule) {
        Some(Ok(recording)) => lines(ui, recording, rule, view, actions),
        Some(Err(why)) => super::hint::weak(ui, format!("No values beside the lines: {why}.")),
        None => super::hint::weak(ui, "This behavior is gone."),
    }
}

/// A row of the page.
enum Row<'a> {
    /// The path of an imported file.
    File(&'a str),
    /// File, number and text of a line, and the values beside it.
    Line(usize, usize, &'a str, String),
    /// Why the call failed.
    Failure(&'a str),
}

fn lines(ui: &mut Ui, recording: &Recording, rule: usize, view: &ViewState, actions: &mut Vec<Action>) {
    let rows = rows(recording);
    let font = TextStyle::Monospace.resolve(ui.style());
    let letter = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let height = ui.text_style_height(&TextStyle::Monospace);
    let widths = rows.iter().map(|row| match row {
        Row::Line(_, _, text, _) => MARGIN + text.chars().count() + 2,
        _ => 0,
    });
    let column = widths.filter(|width| *width <= VALUES).max().unwrap_or(VALUES) as f32 * letter;
    let plot = view.history.plotted.filter(|plotted| plotted.rule == rule);
    let most = ui.available_height() - if plot.is_some() { PLOT + 26.0 } else { 0.0 };
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::both().auto_shrink([false, false]).max_height(most.max(60.0));
    let files = 0..recording.code.files.len();
    let left_out: Vec<_> = files.map(|file| recording.not_reached(file)).collect();
    area.show_rows(ui, height, rows.len(), |ui, shown| {
        for row in &rows[shown] {
            match row {
                Row::File(path) => {
                    ui.label(RichText::new(*path).monospace().color(theme::of(ui).accent));
                }
                Row::Failure(words) => {
                    ui.label(RichText::new(format!("      {words}")).monospace().color(theme::of(ui).bad));
                }
                Row::Line(file, number, text, values) => {
                    let plotted = Plotted { rule, file: *file, line: *number };
                    let dim = |at: usize| {
                        let place = (*number, at + 1);
                        left_out[*file].iter().any(|span| span.start <= place && place < span.end)
                    };
                    let job = job(*number, text, &font, dim, theme::of(ui));
                    let is_plotted = view.history.plotted == Some(plotted);
                    if one(ui, job, values, column, height, is_plotted) {
                        actions.push(Action::PlotLine(plotted));
                    }
                }
            }
        }
    });
    if let Some(plotted) = plot {
        let color = color32(view.colors.rule(rule));
        let last = view.history.of_plotted().last().map(|(_, value)| value);
        let last = last.map_or("no number yet".to_owned(), crate::script::probe::rounded);
        ui.add_space(6.0);
        ui.label(RichText::new(format!("line {} over the last 10 s: {last}", plotted.line)).small());
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), PLOT), Sense::hover());
        ui.painter().rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
        inspector::line(ui, rect.shrink(3.0), view.history.of_plotted(), color);
    }
}

/// All rows: the script from its first line of code on, and below it the imported files of which something
/// ran.
fn rows(recording: &Recording) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let failure = recording.result.as_ref().err();
    for (file, probed) in recording.code.files.iter().enumerate() {
        let values = values_by_line(recording, file);
        if file > 0 {
            if values.is_empty() {
                continue;
            }
            rows.push(Row::File(&probed.path));
        }
        let failed = failure.filter(|failure| recording.file_of(failure) == file);
        let is_head = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with("//");
        let first = probed.text.lines().take_while(is_head).count();
        for (at, text) in probed.text.lines().enumerate().skip(first) {
            let number = at + 1;
            let beside = values.get(&number).map_or(String::new(), |values| values.join("; "));
            rows.push(Row::Line(file, number, text, beside));
            let failed = failed.filter(|failure| failure.line == number);
            rows.extend(failed.map(|failure| Row::Failure(&failure.message)));
        }
    }
    rows
}

/// A line with its number; what was not reached is dim.
fn job(number: usize, text: &str, font: &FontId, dim: impl Fn(usize) -> bool, theme: &Theme) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = f32::INFINITY;
    let format = |color| TextFormat { font_id: font.clone(), color, ..TextFormat::default() };
    job.append(&format!("{number:>4}  "), 0.0, format(theme.weak.gamma_multiply(0.6)));
    for (at, letter) in text.chars().enumerate() {
        let color = if dim(at) { theme.weak.gamma_multiply(0.55) } else { theme.text };
        let mut bytes = [0; 4];
        job.append(letter.encode_utf8(&mut bytes), 0.0, format(color));
    }
    job
}

/// A line and its values; whether it was clicked.
fn one(ui: &mut Ui, job: LayoutJob, values: &str, column: f32, height: f32, is_plotted: bool) -> bool {
    let font = TextStyle::Monospace.resolve(ui.style());
    let text = ui.painter().layout_job(job);
    let start = column.max(text.size().x + 12.0);
    let beside = ui.painter().layout_no_wrap(values.to_owned(), font, theme::of(ui).accent);
    let width = (start + beside.size().x).max(ui.available_width());
    let sense = if values.is_empty() { Sense::hover() } else { Sense::click() };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), sense);
    if is_plotted || (response.hovered() && !values.is_empty()) {
        ui.painter().rect_filled(rect, 2.0, ui.visuals().widgets.hovered.weak_bg_fill.gamma_multiply(0.5));
    }
    ui.painter().galley(rect.min, text, theme::of(ui).text);
    ui.painter().galley(pos2(rect.left() + start, rect.top()), beside, theme::of(ui).accent);
    let hint = "plot this value over time";
    if values.is_empty() { false } else { response.on_hover_text(hint).clicked() }
}
