//! Reading of paths and flow fields.

use glam::{UVec3, Vec3};
use steerbox_core::world::{Arena, Extrema, Flow, Goal, NamedPath, Path, Route, Zone};

use super::behaviors::script;
use crate::{
    about::about_case,
    fields::Fields,
    node::Node,
    parts::Thing,
    plan::{FlowPlan, FlowSource},
    reader::Reader,
};

/// Maximum number of points of a path.
const MAX_POINTS: usize = 10_000;
/// Maximum number of nodes of a flow field.
const MAX_NODES: u64 = Route::MAX_NODES;
/// Maximum total number of nodes of flow fields filled by scripts and routes.
const MAX_COMPUTED_NODES: u64 = 500_000;
/// Default number of cells along the longest side of a field filled by a script.
const CELLS: u64 = 32;

/// Reads the map of paths; invalid ones are omitted.
pub(super) fn paths<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Vec<NamedPath> {
    let entries = reader.map(node, "paths");
    let paths = entries.into_iter().filter_map(|(key, name, node)| {
        reader.record_declaration(key, Thing::Path);
        let path = path(reader, node)?;
        Some(NamedPath { name, path })
    });
    paths.collect()
}

fn path<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Path> {
    let mut fields = Fields::of(reader, node, "a path");
    let list = fields.need("points");
    let closed = fields.switch("closed");
    let radius = fields.number("radius");
    let limit = format!("a path has at most {MAX_POINTS} points");
    let points = list.map(|list| fields.listed(list, Reader::point, (MAX_POINTS, &limit)));
    fields.finish();
    let points = points??;
    for (point, node) in points.iter().zip(list?.items().unwrap_or_default()) {
        reader.inside(node, "this point of the path", *point, radius);
    }
    let period = reader.arena.and_then(|arena| arena.period());
    let path = Path::new(points, closed, radius).map(|path| path.with_period(period));
    if path.is_none() {
        reader.fault(list?.head(), "a path needs two points that differ");
    }
    path
}

/// Reads the map of flow fields; invalid ones are zero.
pub(super) fn flows<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    arena: &Arena,
    zones: &[Zone],
) -> Vec<FlowPlan> {
    let entries = reader.map(node, "fields");
    let mut computed = 0;
    let flows = entries.into_iter().map(|(key, name, node)| {
        reader.record_declaration(key, Thing::FlowField);
        // A faulty field is still declared, so that groups may name it.
        let source = flow(reader, node, arena, zones);
        let source = source.unwrap_or_else(|| FlowSource::Grid(Flow::still(arena)));
        let nodes = match &source {
            FlowSource::Grid(_) => UVec3::ZERO,
            FlowSource::Script { nodes, .. } => *nodes,
            FlowSource::Toward(route) => route.nodes,
        };
        let before = computed;
        computed += count(nodes);
        if before <= MAX_COMPUTED_NODES && computed > MAX_COMPUTED_NODES {
            let message = format!(
                "scripts and routes fill at most {MAX_COMPUTED_NODES} nodes of all flow fields together"
            );
            reader.fault_help(node.head(), message, "choose fewer `cells`, or a larger `cell`");
        }
        FlowPlan { name, source }
    });
    flows.collect()
}

fn flow<'a>(reader: &mut Reader<'a>, node: Node<'a>, arena: &Arena, zones: &[Zone]) -> Option<FlowSource> {
    let (case, mut fields) = Fields::case(reader, node, "a flow field")?;
    if case == "Grid" {
        let flow = grid(&mut fields, arena);
        fields.finish();
        return flow.map(FlowSource::Grid);
    }
    if case == "Toward" {
        return route(fields, node, arena, zones).map(|route| FlowSource::Toward(Box::new(route)));
    }
    let cells = fields.take("cells");
    let at = cells.unwrap_or(node.head());
    let cells = cells.and_then(|node| fields.reader.whole(node, "cells"));
    let used = script(&mut fields, node, Thing::FlowScript);
    fields.finish();
    let cells = cells.unwrap_or(CELLS).max(1) as f32;
    let nodes = nodes(arena, arena.size().max_element() / cells);
    affordable(reader, at, nodes)?;
    let used = Box::new(used?);
    Some(FlowSource::Script { used, nodes })
}

/// Returns the number of nodes along each axis with at most this distance between them.
fn nodes(arena: &Arena, cell: f32) -> UVec3 {
    let along = |size: f32| if size > 0.0 { (size / cell).ceil().lesser(1e6) as u32 + 1 } else { 1 };
    let Vec3 { x, y, z } = arena.size();
    UVec3::new(along(x), along(y), along(z))
}

/// Reads the fields of a route.
fn route<'a>(mut fields: Fields<'_, 'a>, node: Node<'a>, arena: &Arena, zones: &[Zone]) -> Option<Route> {
    let goal = fields.need("goal");
    let goal = goal.and_then(|node| goal_of(fields.reader, node, zones));
    let cell_key = fields.key("cell");
    let cell = fields.optional("cell").unwrap_or(arena.size().max_element() / CELLS as f32);
    let (margin, speed) = (fields.number("margin"), fields.number("speed"));
    let nodes = nodes(arena, cell);
    affordable(fields.reader, cell_key.unwrap_or(node.head()), nodes)?;
    fields.finish();
    Some(Route { goal: goal?, nodes, margin, speed })
}

/// Reads a goal: `Point((x, y))` or `Zone("name")`.
fn goal_of<'a>(reader: &mut Reader<'a>, node: Node<'a>, zones: &[Zone]) -> Option<Goal> {
    reader.record_choice(node, "a goal");
    let (word, arguments) = node.word();
    let parts = arguments.and_then(Node::tuple).unwrap_or_default();
    match (word.text, &parts[..]) {
        ("Point", [at]) => {
            let point = reader.point(*at, "Point")?;
            reader.inside(*at, "this goal", point, 0.0);
            Some(Goal::Point(point))
        }
        ("Zone", [zone]) => {
            let names = zones.iter().map(|zone| zone.name.as_str());
            let at = reader.declared((*zone, "Zone"), Thing::Zone, names)?;
            Some(Goal::Area(zones.get(at)?.area.clone()))
        }
        (case, _) if about_case("a goal", case).is_some() => {
            let message = format!("`{case}` needs one value");
            reader.fault_help(node.head(), message, "write Point((100, 100)) or Zone(\"door\")");
            None
        }
        _ => {
            let _ = Fields::case(reader, node, "a goal");
            None
        }
    }
}

/// Reads a listed grid: rows from top to bottom.
fn grid(fields: &mut Fields<'_, '_>, arena: &Arena) -> Option<Flow> {
    let columns = fields.need("columns");
    let columns = columns.and_then(|node| fields.reader.whole(node, "columns"));
    let rows = fields.whole("rows");
    let node = fields.need("vectors")?;
    let limit = format!("a flow field has at most {MAX_NODES} nodes");
    let vectors = fields.listed(node, Reader::vector, (MAX_NODES as usize, &limit))?;
    let (columns, count) = (columns?.max(1), vectors.len() as u64);
    let rows = match rows {
        Some(rows) => rows.max(1),
        None if arena.is_plane() => count.div_ceil(columns).max(1),
        None => {
            let (at, message) = (fields.owner, "in space Grid needs the field `rows`");
            fields.reader.fault_help(at, message, "add it, for example rows: 4");
            return None;
        }
    };
    let sheet = columns.saturating_mul(rows);
    let layers = count.div_ceil(sheet.max(1)).max(1);
    if (layers > 1 && arena.is_plane()) || sheet.saturating_mul(layers) != count {
        let message = format!("{columns} columns and {rows} rows do not make {count} vectors");
        let help = "write one vector for each node";
        fields.reader.fault_help(node.head(), message, help);
        return None;
    }
    let nodes = UVec3::new(columns as u32, rows as u32, layers as u32);
    affordable(fields.reader, node.head(), nodes)?;
    Flow::new(arena, nodes, bottom_up(&vectors, nodes))
}

/// Reverses the rows to ascending y.
fn bottom_up(vectors: &[Vec3], nodes: UVec3) -> Vec<Vec3> {
    let (columns, rows) = (nodes.x as usize, nodes.y as usize);
    let layers = vectors.chunks(columns * rows);
    layers.flat_map(|layer| layer.chunks(columns).rev().flatten().copied()).collect()
}

fn count(nodes: UVec3) -> u64 {
    nodes.to_array().into_iter().map(u64::from).product()
}

fn affordable(reader: &mut Reader<'_>, at: Node<'_>, nodes: UVec3) -> Option<()> {
    let count = count(nodes);
    if count > MAX_NODES {
        let message = format!("a flow field has at most {MAX_NODES} nodes, this one has {count}");
        reader.fault(at, message);
        return None;
    }
    Some(())
}
