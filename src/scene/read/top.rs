//! Reading a scene as a whole: its fields, and the names that tie its parts together.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use super::{
    body::body,
    contacts::contacts,
    group::{Draft, PLAYER, Shared, group, player},
    keys::keys,
    look::color,
    obstacles::{obstacles, scatter},
    routes::{flows, paths},
    view::view,
    world::{FALLBACK, arena},
};
use crate::{
    scene::{
        fields::Fields,
        node::{Form, Node},
        place::{Place, Places},
        plan::{FlowPlan, FlowSource, GroupPlan, Scene},
        reader::{Bounds, Reader},
        words::quoted,
    },
    world::{Arena, Flow, NamedFlow, NamedView, Names, World},
};

/// Most groups of a scene, so that 16 bits tell them apart.
const MOST_GROUPS: usize = 10_000;

/// Most views of a scene.
const MOST_VIEWS: usize = 1000;

/// The scene in `node`, without its source.
pub(super) fn scene<'a>(reader: &mut Reader<'a>, node: Node<'a>, path: &str) -> Scene {
    let mut fields = Fields::of(reader, node, "a scene");
    let title = fields.take("title");
    let title = title.and_then(|node| reader.text(node, "title"));
    let world = fields.need(reader, "world", "Plane(size: (800, 600))");
    let arena = world.map_or(FALLBACK, |node| arena(reader, node));
    let step = fields.number(reader, "step", Bounds::Above, 1.0 / 60.0);
    let speed = fields.number(reader, "speed", Bounds::Above, 1.0);
    let seed = fields.take("seed");
    let seed = seed.and_then(|node| reader.whole(node, "seed"));
    let mut shared = Shared {
        arena,
        bodies: BTreeMap::new(),
        views: Vec::new(),
        paths: Vec::new(),
        flows: Vec::new(),
        kinds: Names::default(),
        units: 0,
    };
    named_parts(reader, &mut fields, &mut shared, step);
    let drafts = drafts(reader, &mut fields, &mut shared);
    let obstacles = match fields.take("obstacles") {
        Some(node) => obstacles(reader, node),
        None => Vec::new(),
    };
    let scatter = match fields.take("scatter") {
        Some(node) => scatter(reader, node, &arena, obstacles.len()),
        None => Vec::new(),
    };
    let obstacle_color = fields.take("obstacle_color");
    let obstacle_color = obstacle_color.and_then(|node| color(reader, node, "obstacle_color"));
    let contacts_node = fields.take("contacts");
    let contacts = contacts_node.map(|node| contacts(reader, node));
    let target = fields.take("target");
    let target = target.and_then(|node| reader.vector(node, "target"));
    let keys = match fields.take("keys") {
        Some(node) => {
            let uses = drafts.iter().flat_map(|draft| &draft.plan.behaviors);
            let mut scripts: Vec<_> = uses.map(|used| used.script.as_str()).collect();
            scripts.sort_unstable();
            scripts.dedup();
            keys(reader, node, (&shared.views, &scripts))
        }
        None => Vec::new(),
    };
    let places = Places {
        groups: drafts
            .iter()
            .map(|draft| reader.place(draft.view.unwrap_or(draft.name)))
            .collect(),
        contacts: place_of(reader, &fields, &["contacts"]),
        obstacles: place_of(reader, &fields, &["obstacles", "scatter"]),
    };
    fields.finish(reader);
    let stem = Path::new(path)
        .file_stem()
        .map(|stem| stem.to_string_lossy());
    Scene {
        path: path.to_owned(),
        source: Arc::from(""),
        title: title.unwrap_or_else(|| stem.unwrap_or_default().into_owned()),
        speed,
        groups: resolve(reader, drafts, &shared.kinds),
        scatter,
        obstacle_color,
        keys,
        world: World {
            arena,
            step,
            seed: seed.unwrap_or(1),
            flows: unfilled(&shared.flows, &arena),
            views: shared.views,
            paths: shared.paths,
            kinds: shared.kinds,
            obstacles,
            contacts: contacts.unwrap_or_default(),
            target,
            ..World::default()
        },
        flows: shared.flows,
        places,
    }
}

/// Where the first of these fields stands that is there.
fn place_of<'a>(reader: &Reader<'a>, fields: &Fields<'a>, names: &[&str]) -> Place {
    let key = names.iter().find_map(|name| fields.key(name));
    key.map_or_else(Place::default, |key| reader.place(key))
}

fn named_parts<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    shared: &mut Shared,
    step: f32,
) {
    if let Some(node) = fields.take("bodies") {
        for (_, name, node) in reader.map(node, "bodies") {
            shared.bodies.insert(name, body(reader, node, step));
        }
    }
    if let Some(node) = fields.take("views") {
        let views = reader.map(node, "views");
        if views.len() > MOST_VIEWS {
            let message = format!(
                "a scene has at most {MOST_VIEWS} views, not {}",
                views.len()
            );
            reader.fault(node.head(), message);
        }
        for (_, name, node) in views.into_iter().take(MOST_VIEWS) {
            let view = view(reader, node);
            shared.views.push(NamedView { name, view });
        }
    }
    if let Some(node) = fields.take("paths") {
        shared.paths = paths(reader, node);
    }
    if let Some(node) = fields.take("fields") {
        shared.flows = flows(reader, node, &shared.arena);
    }
}

/// Every group, the player's last.
fn drafts<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    shared: &mut Shared,
) -> Vec<Draft<'a>> {
    let groups = fields.take("groups");
    let items = groups.map_or(Vec::new(), |node| reader.list(node, "groups"));
    if items.len() > MOST_GROUPS {
        let message = format!(
            "a scene has at most {MOST_GROUPS} groups, not {}",
            items.len()
        );
        reader.fault(items[MOST_GROUPS].head(), message);
        return Vec::new();
    }
    let player_node = fields.take(PLAYER);
    let readable = !fields.is_broken() && groups.is_none_or(|node| node.form() == Form::List);
    if items.is_empty() && player_node.is_none() && readable {
        let at = groups.unwrap_or(fields.owner());
        let help = "add groups: [(name: \"flock\", body: \"craft\", count: 10)]";
        reader.fault_help(at, "a scene needs at least one group, or a player", help);
    }
    let mut seen = BTreeMap::new();
    let mut drafts = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let draft = group(reader, shared, item, index);
        let name = draft.plan.common.name.clone();
        if name == PLAYER && player_node.is_some() {
            let help = "rename this group";
            reader.fault_help(draft.name, "the name `player` is the player's", help);
        } else if !name.is_empty()
            && let Some(first) = seen.insert(name.clone(), draft.name)
        {
            reader.twice(
                draft.name,
                &format!("a group called {}", quoted(&name)),
                first,
            );
        }
        drafts.push(draft);
    }
    if let Some(node) = player_node {
        drafts.push(player(reader, shared, node, drafts.len()));
    }
    drafts
}

/// The groups with their friends and enemies, now that every kind is known.
fn resolve<'a>(reader: &mut Reader<'a>, drafts: Vec<Draft<'a>>, kinds: &Names) -> Vec<GroupPlan> {
    let mut mask = |names: Vec<(Node<'a>, String)>| {
        names.into_iter().fold(0, |mask, (node, name)| {
            let bit = kinds.bit(&name);
            if bit.is_none() {
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

/// The world's flow fields; those that scripts fill are still everywhere.
fn unfilled(flows: &[FlowPlan], arena: &Arena) -> Vec<NamedFlow> {
    let unfilled = flows.iter().map(|plan| NamedFlow {
        name: plan.name.clone(),
        flow: match &plan.source {
            FlowSource::Grid(flow) => flow.clone(),
            FlowSource::Script { .. } => Flow::still(arena),
        },
    });
    unfilled.collect()
}

/// The fields of a scene that say something else than before, of which that is all there is to say.
pub(in crate::scene) fn changed(old: &Scene, new: &Scene) -> impl Iterator<Item = &'static str> {
    let same_flows = old.flows.len() == new.flows.len()
        && (old.flows.iter().zip(&new.flows)).all(|(was, is)| was.same_as(is));
    let (was, is) = (&old.world, &new.world);
    let parts = [
        ("paths", was.paths != is.paths),
        ("fields", !same_flows),
        ("contacts", was.contacts != is.contacts),
        ("target", was.target != is.target),
        ("keys", old.keys != new.keys),
        (
            "color of obstacles",
            old.obstacle_color != new.obstacle_color,
        ),
    ];
    let changed = parts.into_iter().filter(|(_, changed)| *changed);
    changed.map(|(part, _)| part)
}
