//! The script of a behavior with the values of the inspected unit beside its lines.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Align2, FontId, Layout, Panel, RichText, ScrollArea, Sense, TextStyle, Ui, pos2, vec2};

use super::{loop_table, unit_facts};
use crate::app::commands::action::{Action, ViewAction};
use crate::app::model::history::Plotted;
use crate::app::model::live_session::LiveSession;
use crate::app::model::view_state::ViewState;
use crate::app::render::theme::{self, Theme, color32};
use crate::script::probe::{self, Line, Recording};
use crate::session::Explained;
use crate::sim::rounded;

/// Default and least height, points.
const HEIGHT: f32 = 250.0;
const MIN_HEIGHT: f32 = 90.0;
/// Columns of a line number, and the rightmost column at which values begin.
const MARGIN: usize = 6;
const VALUES: usize = 54;
/// Indent of values that are shown below their line, columns.
const INDENT: usize = MARGIN + 4;
/// Height of the plot below the lines, points.
const PLOT: f32 = 64.0;

/// Shows the open script below the world, if there is one.
pub(super) fn show(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let (Some(rule), Some(unit)) = (view.script, view.selection.inspected()) else {
        return;
    };
    let explained = session.run.simulation.explained();
    let room = ui.available_height();
    Panel::bottom("script pane")
        .resizable(true)
        .default_size(HEIGHT)
        .size_range(super::parts::at_most(room * super::parts::HALF, MIN_HEIGHT, 900.0))
        .show(ui, |ui| {
            // Otherwise it would shrink to the little content of its first frame.
            ui.set_min_height(ui.available_height());
            head(ui, explained.map(|explained| &**explained), (rule, unit), view, actions);
            match explained {
                Some(explained) => page(ui, explained, rule, view, actions),
                None => {
                    super::hint::weak(ui, "Values appear with the next step: resume, or step forward (.).");
                }
            }
        });
}

/// The unit and the script whose values are shown.
fn head(
    ui: &mut Ui,
    explained: Option<&Explained>,
    (rule, unit): (usize, usize),
    view: &ViewState,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        let facts = explained.map(|explained| &explained.facts);
        if let Some((facts, shown)) = facts.and_then(|facts| Some((facts, facts.rules.get(rule)?))) {
            ui.label(
                RichText::new(&shown.name).strong().color(theme::of(ui).legible(view.colors.rule(rule))),
            );
            super::hint::weak(ui, format!("unit {unit} in step {}", facts.step));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.small_button("Close").on_hover_text("Esc").clicked() {
                actions.push(ViewAction::CloseScript.into());
            }
        });
    });
}

fn page(ui: &mut Ui, explained: &Explained, rule: usize, view: &ViewState, actions: &mut Vec<Action>) {
    match explained.lines.get(rule) {
        Some(Ok(recording)) => source(ui, explained, recording, rule, view, actions),
        Some(Err(why)) => super::hint::weak(ui, format!("No values beside the lines: {why}.")),
        None => super::hint::weak(ui, "This behavior no longer exists."),
    }
}

/// A row of the page.
enum Row<'a> {
    /// The path of an imported file.
    File(&'a str),
    /// A line of the file of that number, and true if its values are shown beside it.
    Line(usize, Line<'a>, bool),
    /// Values of the line above.
    Values(String),
    /// The reason why the call failed.
    Failure(&'a str),
}

fn source(
    ui: &mut Ui,
    explained: &Explained,
    recording: &Recording,
    rule: usize,
    view: &ViewState,
    actions: &mut Vec<Action>,
) {
    let font = TextStyle::Monospace.resolve(ui.style());
    let letter = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let (rows, column) = rows(recording, (ui.available_width() / letter) as usize);
    let column = column as f32 * letter;
    let height = ui.text_style_height(&TextStyle::Monospace);
    let plot = view.history.plotted.filter(|plotted| plotted.rule == rule);
    let below = if plot.is_some() { PLOT + 26.0 } else { 0.0 };
    loop_table::show(ui, recording, below);
    ui.spacing_mut().item_spacing.y = 0.0;
    let most = ui.available_height() - below;
    let area = ScrollArea::both().auto_shrink([false, false]).max_height(most.max(60.0));
    area.show_rows(ui, height, rows.len(), |ui, shown| {
        for row in &rows[shown] {
            match row {
                Row::File(path) => {
                    ui.label(RichText::new(*path).monospace().color(theme::of(ui).accent));
                }
                Row::Values(words) => {
                    ui.label(RichText::new(words).monospace().color(theme::of(ui).accent));
                }
                Row::Failure(words) => {
                    ui.label(RichText::new(format!("      {words}")).monospace().color(theme::of(ui).bad));
                }
                Row::Line(file, line, beside) => {
                    let plotted = Plotted { rule, file: *file, line: line.number };
                    let is_plotted = view.history.plotted == Some(plotted);
                    if one(ui, (line, *beside), &font, column, height, is_plotted) {
                        actions.push(ViewAction::PlotLine(plotted).into());
                    }
                }
            }
        }
    });
    if let Some(plotted) = plot {
        plot_of(ui, plotted, explained, view);
    }
}

/// The plotted value over the last seconds, with the limits of both axes.
fn plot_of(ui: &mut Ui, plotted: Plotted, explained: &Explained, view: &ViewState) {
    let color = color32(view.colors.rule(plotted.rule));
    ui.add_space(6.0);
    ui.label(RichText::new(title(plotted, explained)).small());
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), PLOT), Sense::hover());
    ui.painter().rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
    let inside = rect.shrink(3.0);
    let ends = unit_facts::line(ui, inside, view.history.of_plotted(), color);
    if let Some(([least, most], [first, last])) = ends {
        let label = |place, align, words: String| {
            let font = TextStyle::Small.resolve(ui.style());
            ui.painter().text(place, align, words, font, theme::of(ui).weak);
        };
        label(inside.left_top(), Align2::LEFT_TOP, rounded(most));
        label(inside.left_bottom(), Align2::LEFT_BOTTOM, format!("{}   {first:.1} s", rounded(least)));
        label(inside.right_bottom(), Align2::RIGHT_BOTTOM, format!("{last:.1} s"));
    }
}

/// The title of a plot: the line, a description of its value, and its value in this step.
fn title(plotted: Plotted, explained: &Explained) -> String {
    match plotted.figure(explained) {
        Ok((value, what)) => format!("line {}{what}: {}", plotted.line, rounded(value)),
        Err(why) => format!("line {}: {why}", plotted.line),
    }
}

/// The rows of a page, and the column at which values begin. Imported files of which any line was executed
/// follow the script; values that do not fit beside their line are below it.
fn rows(recording: &Recording, letters: usize) -> (Vec<Row<'_>>, usize) {
    let files = recording.code.files.iter().enumerate();
    let files: Vec<_> =
        files.map(|(file, probed)| (file, &probed.path, probe::lines(recording, file))).collect();
    let most = VALUES.min(letters * 3 / 5);
    let widths = files.iter().flat_map(|(_, _, lines)| lines).map(width);
    let column = widths.filter(|width| *width <= most).max().unwrap_or(most);
    let mut rows = Vec::new();
    for (file, path, lines) in files {
        rows.extend(Some(Row::File(path)).filter(|_| file > 0 && !lines.is_empty()));
        for line in lines {
            let failure = line.failure.map(Row::Failure);
            let values = line.values.iter().map(|value| value.chars().count() + 2).sum::<usize>();
            let is_beside = width(&line).max(column) + values <= letters;
            let below = if is_beside { Vec::new() } else { below(&line.values, letters) };
            rows.push(Row::Line(file, line, is_beside));
            rows.extend(below.into_iter().map(Row::Values));
            rows.extend(failure);
        }
    }
    (rows, column)
}

/// The length of a line with its number and the gap before its values, columns.
fn width(line: &Line<'_>) -> usize {
    MARGIN + line.text.chars().count() + 2
}

/// Values wrapped into rows of at most `letters` columns; a longer value has a row of its own.
fn below(values: &[String], letters: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for value in values {
        let fits = |row: &&mut String| row.chars().count() + 2 + value.chars().count() <= letters;
        match rows.last_mut().filter(fits) {
            Some(row) => row.extend(["; ", value]),
            None => rows.push(format!("{:INDENT$}{value}", "")),
        }
    }
    rows
}

/// A line with its number; lines that were not executed are dim.
fn job(line: &Line<'_>, font: &FontId, theme: &Theme) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = f32::INFINITY;
    let mut append = |text: &str, color| {
        job.append(text, 0.0, TextFormat { font_id: font.clone(), color, ..TextFormat::default() });
    };
    append(&format!("{:>4}  ", line.number), theme.weak.gamma_multiply(0.6));
    for piece in &line.pieces {
        append(piece.text, if piece.is_unreached { theme.weak.gamma_multiply(0.55) } else { theme.text });
    }
    job
}

/// A line and its values. Returns true if it was clicked.
fn one(
    ui: &mut Ui,
    (line, is_beside): (&Line<'_>, bool),
    font: &FontId,
    column: f32,
    height: f32,
    is_plotted: bool,
) -> bool {
    let (theme, has_values) = (theme::of(ui), !line.values.is_empty());
    let text = ui.painter().layout_job(job(line, font, theme));
    let start = column.max(text.size().x + 12.0);
    let values = if is_beside { line.values.join("; ") } else { String::new() };
    let beside = ui.painter().layout_no_wrap(values, font.clone(), theme.accent);
    let width = (start + beside.size().x).max(ui.available_width());
    let sense = if has_values { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), sense);
    if is_plotted || (response.hovered() && has_values) {
        ui.painter().rect_filled(rect, 2.0, ui.visuals().widgets.hovered.weak_bg_fill.gamma_multiply(0.5));
    }
    ui.painter().galley(rect.min, text, theme.text);
    ui.painter().galley(pos2(rect.left() + start, rect.top()), beside, theme.accent);
    has_values && response.on_hover_text("Plot this value over time").clicked()
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn values_too_long_for_their_line_are_wrapped_below_it() {
        let values = ["near = 12.5", "way = (1, 2)", "far = 3"].map(str::to_owned);
        assert_eq!(below(&values, 40), ["          near = 12.5; way = (1, 2)", "          far = 3"]);
        assert_eq!(below(&values, 20).len(), 3);
    }
}
