//! Reading groups, and the player as a group of one.

use std::collections::BTreeMap;

use super::{
    behaviors::behaviors,
    look::{default_look, look},
    routes::named,
    spawn::{everywhere, spawn},
};
use crate::{
    scene::{
        fields::Fields,
        node::Node,
        plan::{FlowPlan, GroupPlan, Scene, Spawn},
        reader::{Bounds, Reader},
        words::quoted,
    },
    world::{Arena, Blend, Body, Group, NamedPath, NamedView, Names, Rigid, World},
};

/// What the player's group is called.
pub(super) const PLAYER: &str = "player";
/// Most units of a scene.
const MOST_UNITS: u64 = 500_000;
/// How far enemies are sensed without a view and without `sense`.
const SENSE: f32 = 100.0;

/// What a group refers to by name, and what all groups share.
pub(super) struct Shared {
    pub(super) arena: Arena,
    pub(super) bodies: BTreeMap<String, Body>,
    pub(super) views: Vec<NamedView>,
    pub(super) paths: Vec<NamedPath>,
    pub(super) flows: Vec<FlowPlan>,
    pub(super) kinds: Names,
    pub(super) units: u64,
}

/// A group whose friends and enemies still wait for all kinds to be known.
pub(super) struct Draft<'a> {
    pub(super) plan: GroupPlan,
    /// Where its name stands; for the player, the word `player`'s value.
    pub(super) name: Node<'a>,
    /// Where its view is named, if it has one.
    pub(super) view: Option<Node<'a>>,
    pub(super) friends: Vec<(Node<'a>, String)>,
    pub(super) enemies: Vec<(Node<'a>, String)>,
}

/// The `index`th group.
pub(super) fn group<'a>(
    reader: &mut Reader<'a>,
    shared: &mut Shared,
    node: Node<'a>,
    index: usize,
) -> Draft<'a> {
    let mut fields = Fields::of(reader, node, "a group");
    let name_node = fields.need(reader, "name", "\"flock\"");
    let name = name_node.and_then(|node| reader.name(node, "name"));
    let count_node = fields.take("count");
    let count = count_node.and_then(|node| reader.whole(node, "count"));
    let mut draft = common(reader, shared, fields, (name.unwrap_or_default(), index));
    let listed = match &draft.plan.spawn {
        Spawn::At(starts) => Some(starts.len() as u64),
        _ => None,
    };
    let wanted = count.or(listed).unwrap_or(1);
    let at = count_node.unwrap_or(node.head());
    if let Some(listed) = listed.filter(|listed| wanted > *listed) {
        let message = format!("`count` is {wanted}, but At lists {listed}");
        reader.fault_help(at, message, "add starts, or leave out `count`");
    }
    count_units(reader, shared, at, wanted);
    draft.plan.count = wanted.min(MOST_UNITS) as usize;
    draft.name = name_node.unwrap_or(node.head());
    draft
}

/// The player, whose group is the `index`th.
pub(super) fn player<'a>(
    reader: &mut Reader<'a>,
    shared: &mut Shared,
    node: Node<'a>,
    index: usize,
) -> Draft<'a> {
    let mut fields = Fields::of(reader, node, "the player");
    if let Some(keys) = fields.take("keys") {
        let _ = reader.choice(keys, "keys", &[("Arrows", ())]);
    }
    let mut draft = common(reader, shared, fields, (PLAYER.to_owned(), index));
    if let Spawn::At(starts) = &draft.plan.spawn
        && starts.len() > 1
    {
        let message = format!("the player is one unit, but At lists {}", starts.len());
        reader.fault(node.head(), message);
    }
    count_units(reader, shared, node.head(), 1);
    draft.plan.is_player = true;
    draft.name = node.head();
    draft
}

fn count_units<'a>(reader: &mut Reader<'a>, shared: &mut Shared, at: Node<'a>, count: u64) {
    let before = shared.units;
    shared.units = before.saturating_add(count);
    if before <= MOST_UNITS && shared.units > MOST_UNITS {
        let total = shared.units;
        let message = format!("a scene has at most {MOST_UNITS} units, up to here {total}");
        reader.fault(at, message);
    }
}

/// The fields that a group and the player share.
fn common<'a>(
    reader: &mut Reader<'a>,
    shared: &mut Shared,
    mut fields: Fields<'a>,
    (name, index): (String, usize),
) -> Draft<'a> {
    let body = body(reader, shared, &mut fields);
    let kinds = kinds(reader, shared, &mut fields, &name);
    let friends = names(reader, &mut fields, "friends");
    let enemies = names(reader, &mut fields, "enemies");
    let known: Vec<_> = shared.views.iter().map(|v| v.name.as_str()).collect();
    let view = named(reader, &mut fields, "view", "view", &known);
    let known: Vec<_> = shared.paths.iter().map(|p| p.name.as_str()).collect();
    let path = named(reader, &mut fields, "path", "path", &known);
    let known: Vec<_> = shared.flows.iter().map(|f| f.name.as_str()).collect();
    let flow = named(reader, &mut fields, "field", "flow field", &known);
    let reach = view.map_or(SENSE, |at| shared.views[at].view.radius());
    let sense = fields.number(reader, "sense", Bounds::NotNegative, reach);
    let spawn = fields.take("spawn").and_then(|node| spawn(reader, node));
    let behaviors = match fields.take("behaviors") {
        Some(node) => behaviors(reader, node),
        None => Vec::new(),
    };
    let blend = match fields.take("blend") {
        Some(node) => blend(reader, node),
        None => Blend::Sum,
    };
    let plain = default_look(reader, &body, index);
    let look = match fields.take("look") {
        Some(node) => look(reader, node, &plain),
        None => plain,
    };
    let view_key = fields.key("view");
    fields.finish(reader);
    let common = Group {
        name,
        body,
        kinds,
        view,
        sense,
        path,
        flow,
        blend,
        ..Group::default()
    };
    let plan = GroupPlan {
        common,
        count: 1,
        spawn: spawn.unwrap_or_else(|| everywhere(&shared.arena)),
        behaviors,
        look,
        is_player: false,
    };
    Draft {
        plan,
        name: Node { text: "", start: 0 },
        view: view_key,
        friends,
        enemies,
    }
}

fn body<'a>(reader: &mut Reader<'a>, shared: &Shared, fields: &mut Fields<'a>) -> Body {
    let fallback = Body::Rigid(Rigid::default());
    let node = fields.need(reader, "body", "\"craft\"");
    let Some((node, name)) = node.and_then(|node| Some((node, reader.name(node, "body")?))) else {
        return fallback;
    };
    let body = shared.bodies.get(&name).copied();
    if body.is_none() {
        let message = format!("there is no body {}", quoted(&name));
        if shared.bodies.is_empty() {
            let help = "add bodies: {\"craft\": Rigid()} to the scene";
            reader.fault_help(node, message, help);
        } else {
            let known = shared.bodies.keys().map(String::as_str);
            reader.unknown(node, message, &name, known);
        }
    }
    body.unwrap_or(fallback)
}

fn blend<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Blend {
    match reader.case(node, "a blend", &["Sum", "Priority"], &[]) {
        Some(("Priority", mut fields)) => {
            let budget = fields.number(reader, "budget", Bounds::Above, 1.0);
            fields.finish(reader);
            Blend::Priority { budget }
        }
        Some((_, fields)) => {
            fields.finish(reader);
            Blend::Sum
        }
        None => Blend::Sum,
    }
}

/// The mask of a group's own kinds: its name, unless it says otherwise.
fn kinds<'a>(
    reader: &mut Reader<'a>,
    shared: &mut Shared,
    fields: &mut Fields<'a>,
    group: &str,
) -> u64 {
    let given = fields.take("kinds");
    let mut mask = 0;
    let mut add = |reader: &mut Reader<'a>, node, kind: &str| match shared.kinds.intern(kind) {
        Ok(bit) => mask |= bit,
        Err(full) => {
            let message = format!("no room for the kind {}: {full}", quoted(kind));
            reader.fault(node, message);
        }
    };
    match given {
        Some(node) => {
            for item in reader.list(node, "kinds") {
                if let Some(kind) = reader.name(item, "kind") {
                    add(reader, item, &kind);
                }
            }
        }
        None if group.is_empty() => {}
        None => add(reader, fields.owner(), group),
    }
    mask
}

fn names<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    field: &'static str,
) -> Vec<(Node<'a>, String)> {
    let Some(node) = fields.take(field) else {
        return Vec::new();
    };
    let items = reader.list(node, field);
    items
        .into_iter()
        .filter_map(|item| Some((item, reader.name(item, "kind")?)))
        .collect()
}

/// The fields of a group that say something else than before. Names count, not the bits and numbers
/// behind them.
pub(in crate::scene) fn changed_group(
    (was, old): (&GroupPlan, &Scene),
    (plan, new): (&GroupPlan, &Scene),
) -> Vec<&'static str> {
    let GroupPlan {
        common,
        count: _,
        spawn,
        behaviors,
        look,
        is_player: _,
    } = plan;
    let Group {
        name: _,
        body,
        kinds,
        friends,
        enemies,
        view,
        sense,
        path,
        flow,
        blend,
        units: _,
    } = common;
    let names = |scene: &Scene, mask: u64| {
        let mut names: Vec<String> = scene.world.kinds.of(mask).map(str::to_owned).collect();
        names.sort();
        names
    };
    let differ = |before, now| names(old, before) != names(new, now);
    let masks = [
        (was.common.kinds, *kinds),
        (was.common.friends, *friends),
        (was.common.enemies, *enemies),
    ];
    let (then, now) = (&old.world, &new.world);
    let view_of = |world: &World, at: Option<usize>| at.map(|at| world.views[at].name.clone());
    let path_of = |world: &World, at: Option<usize>| at.map(|at| world.paths[at].name.clone());
    let flow_of = |world: &World, at: Option<usize>| at.map(|at| world.flows[at].name.clone());
    let same_behaviors = was.behaviors.len() == behaviors.len()
        && (was.behaviors.iter().zip(behaviors)).all(|(was, is)| was.same_as(is));
    let parts = [
        ("body", was.common.body != *body),
        ("kinds", masks.into_iter().any(|(was, is)| differ(was, is))),
        (
            "view",
            view_of(then, was.common.view) != view_of(now, *view),
        ),
        ("sense", was.common.sense != *sense),
        (
            "path",
            path_of(then, was.common.path) != path_of(now, *path),
        ),
        (
            "field",
            flow_of(then, was.common.flow) != flow_of(now, *flow),
        ),
        ("blend", was.common.blend != *blend),
        ("behaviors", !same_behaviors),
        ("look", was.look != *look),
        ("spawn (for new units only)", was.spawn != *spawn),
    ];
    let changed = parts.into_iter().filter(|(_, changed)| *changed);
    changed.map(|(part, _)| part).collect()
}
