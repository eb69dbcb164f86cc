//! Reading of environment grids.

use steerbox_core::dynamics::max_diffusion;
use steerbox_core::world::{Arena, Distribution, GridRules, MAX_CELLS, MAX_GRIDS, ScalarGrid};

use super::{
    distribution::number,
    file::{file_text, report},
    look::pair,
};
use crate::{
    bounds::Bounds, color::Color, fields::Fields, frame::cells, node::Node, parts::Thing, reader::Reader,
};

/// The thing that has the cases of `initial`.
const INITIAL: &str = "an initial value";
const FILE: &str = "for example File(\"food.png\"), relative to the folder of the scene";

/// A grid of a scene.
pub(super) struct GridPlan {
    pub(super) grid: ScalarGrid,
    /// The distribution of its initial values, unless these are in a file.
    pub(super) initial: Option<Distribution>,
    pub(super) colors: Option<[Color; 2]>,
}

/// Reads the map of grids over an arena, for steps of `step` seconds; invalid ones are omitted.
pub(super) fn grids<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    (arena, step): (&Arena, f32),
) -> Vec<GridPlan> {
    let entries = reader.map(node, "grids");
    if entries.len() > MAX_GRIDS {
        let message = format!("a scene has at most {MAX_GRIDS} grids, not {}", entries.len());
        reader.fault(node.head(), message);
        return Vec::new();
    }
    let mut cells = 0;
    let grids = entries.into_iter().filter_map(|(key, name, node)| {
        reader.record_declaration(key, Thing::Grid);
        grid(reader, (&name, node), (arena, step), &mut cells)
    });
    grids.collect()
}

/// Reads a grid; `None` if its cells and the `cells` before are too many.
fn grid<'a>(
    reader: &mut Reader<'a>,
    (name, node): (&str, Node<'a>),
    (arena, step): (&Arena, f32),
    cells: &mut u64,
) -> Option<GridPlan> {
    let mut fields = Fields::of(reader, node, "a grid");
    let cell = fields.need("cell");
    let at = cell.unwrap_or(node.head());
    let cell = cell.and_then(|node| fields.limited(node, "cell"));
    let within = Bounds::Between(0.0, max_diffusion(step));
    let diffusion = fields.read("diffusion", |reader, node| reader.number(node, "diffusion", within));
    let rules = GridRules {
        cell: cell.unwrap_or(arena.size().max_element()),
        diffusion: diffusion.flatten().unwrap_or_default(),
        evaporation: fields.number("evaporation"),
    };
    let along = ScalarGrid::cells_of(arena, rules.cell);
    let count: u64 = along.to_array().into_iter().map(u64::from).product();
    *cells += count;
    let mut grid = (*cells <= MAX_CELLS).then(|| ScalarGrid::new(name, rules, arena));
    let known = grid.as_mut().filter(|_| cell.is_some()).map(|grid| (grid, arena));
    let initial = fields.read("initial", |reader, node| initial(reader, node, known)).flatten();
    let colors = fields.read("color", |reader, node| {
        let example = "\"green\", or (\"green\", \"brown\") from 0 to the greatest value";
        pair(reader, node, ("color", example), |one| [one.with_alpha(0.0), one])
    });
    fields.finish();
    if grid.is_none() {
        let message = format!("the grids of a scene have at most {MAX_CELLS} cells together, not {cells}");
        reader.fault_help(at, message, "choose a larger `cell`: the sides of cells, in units of length");
    }
    Some(GridPlan { grid: grid?, initial, colors: colors.flatten() })
}

/// Reads a number, a distribution, or the file of the values of a grid, which are stored in it.
fn initial<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    grid: Option<(&mut ScalarGrid, &Arena)>,
) -> Option<Distribution> {
    if node.word().0.text != "File" {
        return number(reader, node, ("initial", Bounds::Any), INITIAL);
    }
    reader.record_choice(node, INITIAL);
    let (value, mut fields) = Fields::after_value(reader, node, INITIAL, "File");
    let scale = fields.number("scale");
    fields.finish();
    let (node, name, text) = file_text(reader, node, value, FILE)?;
    let ((grid, arena), text) = grid.zip(text)?;
    match cells::read(text, grid.clone(), arena, scale) {
        Ok(filled) => *grid = filled,
        Err(fault) => return report(reader, node, &name, fault),
    }
    None
}
