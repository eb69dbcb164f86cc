//! The plot of a table of results: its columns, values under the pointer, and the runs behind them.

use egui::{ComboBox, Id, Popup, ScrollArea, Sense, Ui, vec2};
use glam::Vec2;
use steerbox_picture::render::chart::{drawing, paint};
use steerbox_picture::render::theme;
use steerbox_project::plot::{Column, Kind, Role, Spot};

use super::{grip, hint, spots};
use crate::commands::action::{Action, ResultsAction, ViewAction};
use crate::model::panes::Pane;
use crate::model::results::Results;
use crate::model::view_state::ViewState;

/// Maximum number of rows in a list under the pointer, and in a menu.
const HOVERED: usize = 8;
const LISTED: usize = 200;
/// Minimum size of a plot, points.
const LEAST: Vec2 = Vec2::new(160.0, 100.0);
/// Width of a menu of columns, points.
const MENU: f32 = 120.0;

pub(super) fn show(ui: &mut Ui, view: &ViewState, actions: &mut Vec<Action>) {
    let Some(results) = &view.results else { return };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
        grip::grip(ui, Pane::Results, view, actions);
        choices(ui, results, actions);
        match results.opening() {
            Some(row) => hint::weak(ui, format!("opening row {row}…")),
            None => hint::weak(ui, "Click: open a run; right click: list of runs"),
        }
    });
    let chart = match &results.plotted {
        Ok((_, chart)) => chart,
        Err(reason) => return hint::weak(ui, &**reason),
    };
    let room = ui.available_size();
    let size = Vec2::new(room.x, room.y).max(LEAST);
    let (rect, plot) = ui.allocate_exact_size(vec2(size.x, size.y), Sense::click());
    let painter = ui.painter_at(rect);
    let drawing = drawing(chart, size, theme::of(ui), &painter);
    paint(&painter, rect.min, &drawing);
    let menu = Id::unique("runs of a value");
    let pointed = spots::pointed(&plot, rect, &drawing);
    if plot.secondary_clicked() {
        ui.data_mut(|data| data.insert_temp(menu, pointed));
    }
    if let Some(spot) = pointed
        && let Some((words, rows)) = results.at(&spot)
    {
        spots::ring(ui, &painter, rect, &spot);
        if plot.clicked()
            && let Some(row) = rows.first()
        {
            actions.push(open(results.number(*row)));
        }
        plot.clone().on_hover_ui_at_pointer(|ui| {
            ui.label(words);
            for row in rows.iter().take(HOVERED) {
                hint::weak(ui, results.words(*row, spot.panel));
            }
            if rows.len() > HOVERED {
                hint::weak(ui, "…");
            }
        });
    }
    let listed: Option<Spot> = ui.data(|data| data.get_temp(menu)).flatten();
    Popup::context_menu(&plot).show(|ui| {
        let Some((spot, (_, rows))) = listed.and_then(|spot| Some((spot, results.at(&spot)?))) else {
            return hint::weak(ui, "No run here");
        };
        ScrollArea::vertical().max_height(240.0).show(ui, |ui| {
            for row in rows.iter().take(LISTED) {
                if ui.button(results.words(*row, spot.panel)).clicked() {
                    actions.push(open(results.number(*row)));
                    ui.close();
                }
            }
        });
    });
}

fn open(row: u64) -> Action {
    ViewAction::Results(ResultsAction::Open(row)).into()
}

/// The menus of columns and kind.
fn choices(ui: &mut Ui, results: &Results, actions: &mut Vec<Action>) {
    let (choice, columns) = (&results.choice, &results.table.columns);
    let query = results.plotted.as_ref().ok().map(|(query, _)| query);
    let name = |at: Option<usize>| at.map(|at| columns[at].name.clone());
    let measures: Vec<_> = columns.iter().filter(|column| column.role == Role::Measure).collect();
    let all: Vec<_> = columns.iter().collect();
    let shown = [
        choice.x.clone().or(query.and_then(|query| name(query.x))),
        choice.y.first().cloned(),
        choice.by.clone().or(query.and_then(|query| name(query.by))),
    ];
    let mut next = choice.clone();
    let [x, y, by] = shown;
    menu(ui, ("x", x.as_deref().unwrap_or("–")), (&all, "automatic"), &mut next.x);
    let mut measure = choice.y.first().cloned();
    let every = "all measures";
    menu(ui, ("y", y.as_deref().unwrap_or(every)), (&measures, every), &mut measure);
    next.y = measure.into_iter().collect();
    menu(ui, ("by", by.as_deref().unwrap_or("–")), (&all, "automatic"), &mut next.by);
    let kind =
        choice.kind.or(query.map(|query| query.kind)).map_or_else(String::new, |kind| kind.to_string());
    ComboBox::from_id_salt("kind of plot").width(70.0).selected_text(kind).show_ui(ui, |ui| {
        ui.selectable_value(&mut next.kind, None, "automatic");
        for kind in Kind::ALL {
            ui.selectable_value(&mut next.kind, Some(kind), kind.to_string());
        }
    });
    if next != *choice {
        actions.push(ViewAction::Results(ResultsAction::Choose(next)).into());
    }
}

/// A menu of columns, and of `none` of them.
fn menu(
    ui: &mut Ui,
    (axis, shown): (&str, &str),
    (columns, none): (&[&Column], &str),
    chosen: &mut Option<String>,
) {
    ui.label(axis);
    ComboBox::from_id_salt(("axis", axis)).width(MENU).truncate().selected_text(shown).show_ui(ui, |ui| {
        ui.selectable_value(chosen, None, none);
        for column in columns {
            ui.selectable_value(chosen, Some(column.name.clone()), &column.name);
        }
    });
}
