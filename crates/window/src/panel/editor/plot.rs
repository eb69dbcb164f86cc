//! The plot of a line's value, below the text.

use egui::{Align2, RichText, Sense, TextStyle, Ui, vec2};
use steerbox_core::sim::rounded;
use steerbox_picture::render::theme::{self, color32};
use steerbox_project::session::Explained;

use super::values::Values;
use crate::model::history::Plotted;
use crate::model::view_state::ViewState;
use crate::panel::unit_facts;

/// Height of the plot, and with its title, points.
const PLOT: f32 = 64.0;
pub(super) const HEIGHT: f32 = PLOT + 26.0;

/// The line that is plotted, if it is of the shown script.
pub(super) fn of<'a>(view: &ViewState, values: &Values<'a>) -> Option<(Plotted, &'a Explained)> {
    let plotted = view.history.plotted.filter(|plotted| Some(plotted.rule) == view.script)?;
    Some((plotted, values.explained?))
}

/// The plotted value over the last seconds, with the limits of both axes.
pub(super) fn show(ui: &mut Ui, plotted: Plotted, explained: &Explained, view: &ViewState) {
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
