//! Reading of a whole scene: its fields, and the names that connect its parts.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use steerbox_core::world::{Arena, Flow, NamedFlow, NamedView, Names, Obstacles, Route, World};

use super::{
    body::{DrawnBody, body},
    expectations::expectations,
    file::file_text,
    grids::grids,
    group::{Declared, Draft, PLAYER, Totals, group, player},
    keys::keys,
    look::{color, scene_look},
    obstacles::{Movable, obstacles, scatter, zones},
    routes::{flows, paths},
    view::view,
    world::{FALLBACK, arena, contacts},
};
use crate::{
    fields::Fields,
    node::{Node, NodeKind},
    parts::Thing,
    plan::{FlowPlan, FlowSource, GroupPlan, Scene},
    reader::Reader,
    span::{Span, Spans},
    spawn,
    words::quoted,
};

/// Maximum number of groups in a scene; their indices have 16 bits.
const MAX_GROUPS: usize = 10_000;

/// Fields that declare names.
const DECLARING: [&str; 8] = ["bodies", "views", "paths", "fields", "zones", "grids", "groups", PLAYER];

/// Maximum number of views in a scene.
const MAX_VIEWS: usize = 1000;

/// Reads the scene in `node`, without its source.
pub(crate) fn scene<'a>(reader: &mut Reader<'a>, node: Node<'a>, path: &str) -> Scene {
    let mut fields = Fields::of(reader, node, "a scene");
    for field in DECLARING {
        if fields.is_lost(field) {
            fields.reader.lose(field);
        }
    }
    let title = fields.read("title", |reader, node| reader.text(node, "title"));
    let hint = fields.read("hint", hint);
    let notes = fields.read("notes", notes);
    let world = fields.need("world");
    let arena = world.map_or(FALLBACK, |node| arena(fields.reader, node));
    fields.reader.arena = world.map(|_| arena);
    let step = fields.optional("step").unwrap_or(1.0 / 60.0);
    let speed = fields.number("speed");
    let seed = fields.whole("seed").unwrap_or(1);
    let zones = fields.read("zones", zones).unwrap_or_default();
    let mut declared = Declared {
        arena,
        bodies: fields.read("bodies", |reader, node| bodies(reader, node, step)).unwrap_or_default(),
        views: fields.read("views", views).unwrap_or_default(),
        paths: fields.read("paths", paths).unwrap_or_default(),
        flows: fields.read("fields", |reader, node| flows(reader, node, &arena, &zones)).unwrap_or_default(),
        kinds: Names::default(),
        totals: Totals::default(),
    };
    let drafts = drafts(&mut fields, &mut declared);
    let plans: Vec<_> = drafts.iter().map(|draft| &draft.plan).collect();
    let with = Movable { paths: &declared.paths, groups: &plans };
    let obstacles =
        fields.read("obstacles", |reader, node| obstacles(reader, node, with)).unwrap_or_default();
    let existing = obstacles.len();
    let scatter = fields.read("scatter", |reader, node| scatter(reader, node, &arena, existing));
    let obstacle_color = fields.read("obstacle_color", |reader, node| color(reader, node, "obstacle_color"));
    let look = fields.read("look", scene_look).unwrap_or_default();
    let grids = fields.read("grids", |reader, node| grids(reader, node, (&arena, step)));
    let grids = grids.unwrap_or_default().into_iter();
    let (grids, (initial, grid_colors)) = grids.map(|it| (it.grid, (it.initial, it.colors))).unzip();
    let contacts = fields.read("contacts", contacts).unwrap_or_default();
    let target_key = fields.key("target");
    let target = fields.read("target", |reader, node| reader.point(node, "target")).flatten();
    if let (Some(key), Some(target)) = (target_key, target) {
        fields.reader.inside(key, "the target", target, 0.0);
    }
    let uses = drafts.iter().flat_map(|draft| &draft.plan.behaviors);
    let scripts: BTreeSet<_> = uses.map(|used| used.script.as_str()).collect();
    let keys = fields.read("keys", |reader, node| keys(reader, node, &declared.views, &scripts));
    let groups: Vec<_> = drafts.iter().map(|draft| draft.plan.common.name.as_str()).collect();
    let expect = fields.read("expect", |reader, node| expectations(reader, node, &groups));
    let name_of = |draft: &Draft<'a>| fields.reader.span(draft.view.unwrap_or(draft.name));
    let spans = Spans {
        groups: drafts.iter().map(name_of).collect(),
        spawns: drafts.iter().map(|draft| fields.reader.span(draft.spawn.unwrap_or(draft.name))).collect(),
        group_fields: drafts.iter().map(|draft| draft.fields).collect(),
        fields: node.start + 1,
        contacts: span_of(&fields, &["contacts"]),
        obstacles: span_of(&fields, &["obstacles", "scatter"]),
    };
    fields.finish();
    let obstacles = Obstacles::new(obstacles, arena.period());
    let fixed = obstacles.without_carried();
    for Draft { plan, name, spawn, .. } in &drafts {
        reader.misplaced(spawn.unwrap_or(*name), spawn::misplaced(plan, (&arena, &fixed), seed));
    }
    let stem = Path::new(path).file_stem().unwrap_or_default();
    Scene {
        path: path.to_owned(),
        source: Arc::from(""),
        data: BTreeMap::new(),
        title: title.flatten().unwrap_or_else(|| stem.to_string_lossy().into_owned()),
        hint: hint.flatten(),
        notes: notes.flatten(),
        speed,
        groups: resolve(reader, drafts, &declared.kinds),
        scatter: scatter.unwrap_or_default(),
        obstacle_color: obstacle_color.flatten(),
        grid_colors,
        look,
        keys: keys.unwrap_or_default(),
        expect: expect.unwrap_or_default(),
        world: World {
            arena,
            step,
            seed,
            flows: unfilled(&declared.flows, &arena),
            routes: routes(&declared.flows),
            views: declared.views,
            paths: declared.paths,
            kinds: declared.kinds,
            obstacles,
            zones,
            grids,
            contacts,
            target,
            ..World::default()
        },
        flows: declared.flows,
        initial,
        spans,
        warnings: Vec::new(),
    }
}

/// Returns the position of the first of these fields that is present.
fn span_of(fields: &Fields<'_, '_>, names: &[&str]) -> Span {
    let key = names.iter().find_map(|name| fields.key(name));
    key.map_or_else(Span::default, |key| fields.reader.span(key))
}

fn bodies<'a>(reader: &mut Reader<'a>, node: Node<'a>, step: f32) -> BTreeMap<String, DrawnBody> {
    let bodies = reader.map(node, "bodies").into_iter();
    let body = |(key, name, node)| {
        reader.record_declaration(key, Thing::Body);
        (name, body(reader, node, step))
    };
    bodies.map(body).collect()
}

fn views<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Vec<NamedView> {
    let mut views = reader.map(node, "views");
    let count = views.len();
    if count > MAX_VIEWS {
        let message = format!("a scene has at most {MAX_VIEWS} views, not {count}");
        reader.fault(node.head(), message);
        views.truncate(MAX_VIEWS);
    }
    let view = |(key, name, node)| {
        reader.record_declaration(key, Thing::View);
        NamedView { name, view: view(reader, node) }
    };
    views.into_iter().map(view).collect()
}

/// Reads every group; the player's is the last.
fn drafts<'a>(fields: &mut Fields<'_, 'a>, declared: &mut Declared) -> Vec<Draft<'a>> {
    let groups = fields.take("groups");
    let items = groups.map_or(Vec::new(), |node| fields.reader.list(node, "groups"));
    if let Some(first) = items.get(MAX_GROUPS) {
        let count = items.len();
        let message = format!("a scene has at most {MAX_GROUPS} groups, not {count}");
        fields.reader.fault(first.head(), message);
        return Vec::new();
    }
    let player_node = fields.key(PLAYER).zip(fields.take(PLAYER));
    let readable = !fields.is_broken()
        && groups.is_none_or(|node| node.kind() == NodeKind::List)
        && !fields.reader.is_lost(&["groups", PLAYER]);
    if items.is_empty() && player_node.is_none() && readable {
        let at = groups.unwrap_or(fields.owner);
        let help = "add a group, for example groups: [(name: \"flock\", body: \"craft\", count: 10)]";
        fields.reader.fault_help(at, "a scene needs at least one group, or a player", help);
    }
    let reader = &mut *fields.reader;
    let mut seen = BTreeMap::new();
    let mut drafts = Vec::new();
    for item in items {
        let draft = group(reader, declared, item);
        let name = draft.plan.common.name.clone();
        if name == PLAYER && player_node.is_some() {
            let help = "rename this group";
            reader.fault_help(draft.name, "the name `player` is the player's", help);
        } else if !name.is_empty()
            && let Some(first) = seen.insert(name.clone(), draft.name)
        {
            let what = format!("a group called {}", quoted(&name));
            reader.twice(draft.name, &what, first);
        }
        drafts.push(draft);
    }
    if let Some((key, node)) = player_node {
        drafts.push(player(reader, declared, key, node));
    }
    drafts
}

/// Reads a one-line hint; `None` if it is empty.
fn hint<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<String> {
    let text = reader.text(node, "hint")?;
    let (text, length) = (text.trim(), text.trim().chars().count());
    if text.chars().any(char::is_control) {
        reader.fault_help(node, "`hint` is one line", "write it without line breaks and tabs");
    } else if length > Scene::MAX_HINT_LENGTH {
        let message = format!("`hint` has {length} characters, at most {} are shown", Scene::MAX_HINT_LENGTH);
        reader.fault_help(node, message, "shorten it to the use of keys or mouse in this scene");
    }
    (!text.is_empty()).then(|| text.to_owned())
}

/// Reads notes, or the file that contains them; `None` if they are empty.
fn notes<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Option<Arc<str>> {
    reader.record_choice(node, "notes");
    let text: Arc<str> = if node.word().0.text == "File" {
        let (value, fields) = Fields::after_value(reader, node, "notes", "File");
        fields.finish();
        let example = "for example File(\"lesson.md\"), relative to the folder of the scene";
        file_text(reader, node, value, example)?.2?.into()
    } else {
        reader.text(node, "notes")?.into()
    };
    if text.len() > Scene::MAX_NOTES_LENGTH {
        let most = Scene::MAX_NOTES_LENGTH >> 10;
        reader
            .fault(node.word().0, format!("`notes` have {} KiB, at most {most} are shown", text.len() >> 10));
        return None;
    }
    (!text.trim().is_empty()).then_some(text)
}

/// Resolves friends and enemies of the groups, once every kind is known.
fn resolve<'a>(reader: &mut Reader<'a>, drafts: Vec<Draft<'a>>, kinds: &Names) -> Vec<GroupPlan> {
    let is_lost = reader.is_lost(&["groups", PLAYER]);
    let mut mask = |names: Vec<(Node<'a>, String)>| {
        names.into_iter().fold(0, |mask, (node, name)| {
            let bit = kinds.bit(&name);
            if bit.is_none() && !is_lost {
                let message = format!("no group is of the kind {}", quoted(&name));
                reader.unknown(node, message, &name, kinds.all().iter().map(String::as_str));
            }
            mask | bit.unwrap_or(0)
        })
    };
    drafts
        .into_iter()
        .map(|mut draft| {
            draft.plan.common.friends = mask(draft.friends);
            draft.plan.common.enemies = mask(draft.enemies);
            draft.plan
        })
        .collect()
}

/// The world's flow fields; those filled later are zero.
fn unfilled(flows: &[FlowPlan], arena: &Arena) -> Vec<NamedFlow> {
    let unfilled = flows.iter().map(|plan| NamedFlow {
        name: plan.name.clone(),
        flow: match &plan.source {
            FlowSource::Grid(flow) => flow.clone(),
            FlowSource::Script { .. } | FlowSource::Toward(_) => Flow::still(arena),
        },
    });
    unfilled.collect()
}

/// Returns the routes among flow fields, each with its index.
fn routes(flows: &[FlowPlan]) -> Arc<[(usize, Route)]> {
    let routes = flows.iter().enumerate().filter_map(|(at, plan)| match &plan.source {
        FlowSource::Toward(route) => Some((at, Route::clone(route))),
        _ => None,
    });
    routes.collect()
}

/// Returns the fields of a scene that differ and have no more detailed note.
pub(crate) fn changed(old: &Scene, new: &Scene) -> impl Iterator<Item = &'static str> {
    let (was, is) = (&old.world, &new.world);
    let same_flows = old.flows.len() == new.flows.len()
        && (old.flows.iter().zip(&new.flows)).all(|(was, is)| was.same_as(is));
    let same_expectations = old.expect.len() == new.expect.len()
        && (old.expect.iter().zip(&new.expect)).all(|(was, is)| was.same_as(is));
    let same_colors = old.obstacle_color == new.obstacle_color;
    let parts = [
        ("paths", was.paths == is.paths),
        ("fields", same_flows),
        ("zones", was.zones == is.zones),
        ("grids", was.grids == is.grids && old.initial == new.initial),
        ("contacts", was.contacts == is.contacts),
        ("target", was.target == is.target),
        ("keys", old.keys == new.keys),
        ("expectations", same_expectations),
        ("color of obstacles", same_colors),
        ("colors of grids", old.grid_colors == new.grid_colors),
        ("look", old.look == new.look),
        ("hint", old.hint == new.hint),
        ("notes", old.notes == new.notes),
    ];
    let changed = parts.into_iter().filter(|(_, same)| !same);
    changed.map(|(part, _)| part)
}
