//! Reading of environment grids.

use steerbox_core::dynamics::max_diffusion;
use steerbox_core::world::{Arena, GridRules, MAX_CELLS, MAX_GRIDS, ScalarGrid};

use crate::{bounds::Bounds, fields::Fields, node::Node, parts::Thing, reader::Reader};

/// Reads the map of grids over an arena, for steps of `step` seconds; invalid ones are omitted.
pub(super) fn grids<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    (arena, step): (&Arena, f32),
) -> Vec<ScalarGrid> {
    let entries = reader.map(node, "grids");
    if entries.len() > MAX_GRIDS {
        let message = format!("a scene has at most {MAX_GRIDS} grids, not {}", entries.len());
        reader.fault(node.head(), message);
        return Vec::new();
    }
    let mut cells = 0;
    let grids = entries.into_iter().filter_map(|(key, name, node)| {
        reader.record_declaration(key, Thing::Grid);
        let rules = rules(reader, node, (arena, step), &mut cells)?;
        Some(ScalarGrid::new(&name, rules, arena))
    });
    grids.collect()
}

/// Reads the properties of a grid; `None` if its cells and the `cells` before are too many.
fn rules<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    (arena, step): (&Arena, f32),
    cells: &mut u64,
) -> Option<GridRules> {
    let mut fields = Fields::of(reader, node, "a grid");
    let cell = fields.need("cell", "4");
    let at = cell.unwrap_or(node.head());
    let cell = cell.and_then(|node| fields.reader.number(node, "cell", Bounds::Above));
    let most = max_diffusion(step);
    let rules = GridRules {
        cell: cell.unwrap_or(arena.size().max_element()),
        diffusion: fields.number("diffusion", Bounds::Between(0.0, most), 0.0),
        evaporation: fields.number("evaporation", Bounds::NotNegative, 0.0),
        initial: fields.number("initial", Bounds::Any, 0.0),
    };
    fields.finish();
    let along = ScalarGrid::cells_of(arena, rules.cell);
    let count: u64 = along.to_array().into_iter().map(u64::from).product();
    *cells += count;
    if *cells > MAX_CELLS {
        let message = format!("the grids of a scene have at most {MAX_CELLS} cells together, not {cells}");
        reader.fault_help(at, message, "choose a larger `cell`: the sides of cells, in units of length");
        return None;
    }
    Some(rules)
}
