//! Reading of groups, and of the player as a group of one.

use std::collections::BTreeMap;

use steerbox_core::world::{Arena, Blend, Body, Group, Mover, NamedPath, NamedView, Names, Rigid, World};

use super::{
    behaviors::behaviors,
    body::DrawnBody,
    look::{default_look, look},
    spawn::{everywhere, spawn},
};
use crate::{
    fields::Fields,
    node::Node,
    parts::Thing,
    plan::{FlowPlan, GroupPlan, Scene},
    reader::Reader,
    starts::Spawn,
    words::{quoted, short},
};

/// Name of the player's group.
pub(super) const PLAYER: &str = "player";
/// Maximum number of units in a scene.
pub const MAX_UNITS: usize = 1_000_000;
/// Maximum number of behaviors in a scene: each is compiled with its parameters.
const MAX_BEHAVIORS: u64 = 1000;
/// Maximum number of decisions per step, since each needs memory.
const MAX_DECISIONS: u64 = 50_000_000;
/// Default sense range of groups without a view.
const SENSE: f32 = 100.0;

/// Items declared before the groups, which refer to them by name.
pub(super) struct Declared {
    pub(super) arena: Arena,
    pub(super) bodies: BTreeMap<String, DrawnBody>,
    pub(super) views: Vec<NamedView>,
    pub(super) paths: Vec<NamedPath>,
    pub(super) flows: Vec<FlowPlan>,
    pub(super) kinds: Names,
    pub(super) totals: Totals,
}

/// Totals over the groups read so far.
#[derive(Default)]
pub(super) struct Totals {
    units: u64,
    behaviors: u64,
    decisions: u64,
}

/// A group whose friends and enemies are resolved once all kinds are known.
pub(super) struct Draft<'a> {
    pub(super) plan: GroupPlan,
    /// Position of its name; for the player, position of the field's value.
    pub(super) name: Node<'a>,
    /// Position of the name of its view, if any.
    pub(super) view: Option<Node<'a>>,
    /// Position of its spawn, if any.
    pub(super) spawn: Option<Node<'a>>,
    /// The offset of its first field.
    pub(super) fields: usize,
    pub(super) friends: Vec<(Node<'a>, String)>,
    pub(super) enemies: Vec<(Node<'a>, String)>,
}

/// Reads a group.
pub(super) fn group<'a>(reader: &mut Reader<'a>, declared: &mut Declared, node: Node<'a>) -> Draft<'a> {
    let mut fields = Fields::of(reader, node, "a group");
    let name_node = fields.need("name");
    if let Some(node) = name_node {
        if fields.key("kinds").is_none() {
            fields.reader.record_declaration(node, Thing::Kind);
        }
        fields.reader.record_declaration(node, Thing::Group);
    }
    let name = name_node.and_then(|node| fields.reader.name(node, "name"));
    let count_node = fields.take("count");
    let count = count_node.and_then(|node| fields.reader.whole(node, "count"));
    let most_node = fields.take("most");
    let most = most_node.and_then(|node| fields.reader.whole(node, "most"));
    let mut draft = common(fields, declared, name.unwrap_or_default());
    let listed = draft.plan.spawn.listed().filter(|starts| !starts.is_empty());
    let listed = listed.map(|starts| starts.len() as u64);
    let wanted = count.or(listed).unwrap_or(1);
    let at = count_node.unwrap_or(node.head());
    if let Some(listed) = listed.filter(|listed| wanted > *listed) {
        let message = format!("`count` is {wanted}, but {} lists {listed}", lister(&draft.plan.spawn));
        let help = Some("add starts, or leave out `count`".to_owned());
        reader.fault_write(at, message, help, listed.to_string());
    }
    let most = most.inspect(|most| {
        if let Some(node) = most_node.filter(|_| *most < wanted) {
            let message = format!("`most` is {most}, but the group starts with {wanted} units");
            let help = Some("`most` is the number of units from which on none is born".to_owned());
            reader.fault_write(node, message, help, wanted.to_string());
        }
    });
    let counts = most.zip(most_node).filter(|(most, _)| *most > wanted).unwrap_or((wanted, at));
    add_up(reader, &mut declared.totals, counts.1, counts.0, &draft.plan);
    draft.plan.count = wanted.min(MAX_UNITS as u64) as usize;
    draft.plan.common.most = most.map(|most| most.min(MAX_UNITS as u64) as usize);
    draft.name = name_node.unwrap_or(node.head());
    draft
}

/// Reads the player.
pub(super) fn player<'a>(
    reader: &mut Reader<'a>,
    declared: &mut Declared,
    key: Node<'a>,
    node: Node<'a>,
) -> Draft<'a> {
    let mut fields = Fields::of(reader, node, "the player");
    if fields.key("kinds").is_none() {
        fields.reader.record_declaration(key, Thing::Kind);
    }
    fields.word("keys", &[("Arrows", ())]);
    let mut draft = common(fields, declared, PLAYER.to_owned());
    if let Some(starts) = draft.plan.spawn.listed().filter(|starts| starts.len() > 1) {
        let lister = lister(&draft.plan.spawn);
        let message = format!("the player is one unit, but {lister} lists {}", starts.len());
        reader.fault(node.head(), message);
    }
    add_up(reader, &mut declared.totals, node.head(), 1, &draft.plan);
    draft.plan.is_player = true;
    draft
}

/// Returns the name of the list of starts in messages.
fn lister(spawn: &Spawn) -> &str {
    match spawn {
        Spawn::File { name, .. } => name,
        _ => "At",
    }
}

/// Adds a group of `units` units to the totals; reports a fault for each total that exceeds its limit.
fn add_up(reader: &mut Reader<'_>, totals: &mut Totals, at: Node<'_>, units: u64, plan: &GroupPlan) {
    let behaviors = plan.behaviors.len() as u64;
    for (total, more, most, what) in [
        (&mut totals.units, units, MAX_UNITS as u64, "units"),
        (&mut totals.behaviors, behaviors, MAX_BEHAVIORS, "behaviors"),
        (&mut totals.decisions, units.saturating_mul(behaviors), MAX_DECISIONS, "units times behaviors"),
    ] {
        let before = *total;
        *total = before.saturating_add(more);
        if before <= most && *total > most {
            reader.fault(at, format!("a scene has at most {most} {what}, up to here {total}"));
        }
    }
}

/// Reads the fields that groups and the player share.
fn common<'a>(mut fields: Fields<'_, 'a>, declared: &mut Declared, name: String) -> Draft<'a> {
    let (body, drawn) = body(&mut fields, declared);
    let kinds = kinds(&mut fields, declared, &name);
    let friends = names(&mut fields, "friends");
    let enemies = names(&mut fields, "enemies");
    let views = declared.views.iter().map(|view| view.name.as_str());
    let view = fields.declared("view", Thing::View, views);
    let paths = declared.paths.iter().map(|path| path.name.as_str());
    let path = fields.declared("path", Thing::Path, paths);
    let flows = declared.flows.iter().map(|flow| flow.name.as_str());
    let flow = fields.declared("field", Thing::FlowField, flows);
    let reach = view.map_or(SENSE, |at| declared.views[at].view.radius());
    let sense = fields.optional("sense").unwrap_or(reach);
    let spawn = fields.read("spawn", |reader, node| spawn(reader, node, &name)).flatten();
    let spawn = spawn.unwrap_or_else(|| everywhere(&declared.arena));
    let behaviors = fields.read("behaviors", behaviors).unwrap_or_default();
    let blend = fields.read("blend", blend).unwrap_or_default();
    let plain = default_look(fields.reader, &body);
    let look = fields.read("look", |reader, node| look(reader, node, &plain));
    let (owner, start) = (fields.owner, fields.start());
    let [view_key, spawn_key] = ["view", "spawn"].map(|name| fields.key(name));
    fields.finish();
    // `resolve` in `top.rs` sets the masks of friends and enemies.
    let (friend_mask, enemy_mask) = (0, 0);
    let common = Group {
        name,
        body,
        drawn,
        kinds,
        friends: friend_mask,
        enemies: enemy_mask,
        view,
        sense,
        path,
        flow,
        blend,
        most: None,
        units: 0..0,
    };
    let plan =
        GroupPlan { common, count: 1, spawn, behaviors, look: look.unwrap_or(plain), is_player: false };
    Draft { plan, name: owner, view: view_key, spawn: spawn_key, fields: start, friends, enemies }
}

fn body(fields: &mut Fields<'_, '_>, declared: &Declared) -> DrawnBody {
    let fallback = (Body::Rigid(Rigid::default()), Vec::new());
    let first = declared.bodies.keys().next().map_or("craft", String::as_str);
    let Some(node) = fields.need_like("body", Some(&format!("{first:?}"))) else {
        return fallback;
    };
    fields.reader.record_use(node, Thing::Body);
    let Some(name) = fields.reader.name(node, "body") else {
        return fallback;
    };
    let body = declared.bodies.get(&name).cloned();
    if body.is_none() && !fields.reader.is_lost(&["bodies"]) {
        let message = format!("there is no body {}", quoted(&name));
        if declared.bodies.is_empty() {
            let help =
                format!("add a body to the scene, for example bodies: {{{}: Rigid()}}", short(node.text));
            fields.reader.fault_help(node, message, help);
        } else {
            let known = declared.bodies.keys().map(String::as_str);
            fields.reader.unknown(node, message, &name, known);
        }
    }
    body.unwrap_or(fallback)
}

fn blend<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> Blend {
    let Some((case, mut fields)) = Fields::case(reader, node, "a blend") else {
        return Blend::Sum;
    };
    let blend = match case {
        "Priority" => Blend::Priority { budget: fields.number("budget") },
        _ => Blend::Sum,
    };
    fields.finish();
    blend
}

/// Reads the mask of a group's own kinds; by default its name.
fn kinds(fields: &mut Fields<'_, '_>, declared: &mut Declared, group: &str) -> u64 {
    let is_given = fields.key("kinds").is_some();
    let mut kinds = names(fields, "kinds");
    if !is_given && !group.is_empty() {
        kinds.push((fields.owner, group.to_owned()));
    }
    let mut mask = 0;
    for (node, kind) in kinds {
        match declared.kinds.intern(&kind) {
            Ok(bit) => mask |= bit,
            Err(full) => {
                let message = format!("no room for the kind {}: {full}", quoted(&kind));
                if is_given {
                    fields.reader.fault(node, message);
                } else {
                    let help =
                        "a group without `kinds` is of the kind with its name; write `kinds: []` for none";
                    fields.reader.fault_help(node, message, help);
                }
            }
        }
    }
    mask
}

fn names<'a>(fields: &mut Fields<'_, 'a>, field: &'static str) -> Vec<(Node<'a>, String)> {
    let names = fields.read(field, |reader, node| {
        let items = reader.list(node, field).into_iter();
        let names = items.filter_map(|item| {
            if field == "kinds" {
                reader.record_declaration(item, Thing::Kind);
            } else {
                reader.record_use(item, Thing::Kind);
            }
            Some((item, reader.name(item, "kind")?))
        });
        names.collect()
    });
    names.unwrap_or_default()
}

/// Returns true if bodies are equal, apart from the default that follows from the step.
fn same_body((was, before): (&Body, f32), (is, now): (&Body, f32)) -> bool {
    let (Body::Mover(was), Body::Mover(is)) = (was, is) else { return was == is };
    let is_usual =
        |mover: &Mover, step: f32| (mover.max_velocity_change / (mover.max_speed * step) - 4.0).abs() < 1e-3;
    let follows = before != now && is_usual(was, before) && is_usual(is, now);
    was == is || follows && *was == Mover { max_velocity_change: was.max_velocity_change, ..*is }
}

/// Returns the fields of a group that differ. Names are compared instead of bits and indices.
pub(crate) fn changed_group(
    (was, old): (&GroupPlan, &Scene),
    (plan, new): (&GroupPlan, &Scene),
) -> Vec<&'static str> {
    let GroupPlan { common, count: _, spawn, behaviors, look, is_player: _ } = plan;
    let Group {
        name: _,
        body,
        drawn,
        kinds,
        friends,
        enemies,
        view,
        sense,
        path,
        flow,
        blend,
        most,
        units: _,
    } = common;
    let names = |scene: &Scene, mask: u64| {
        let mut names: Vec<String> = scene.world.kinds.of(mask).map(str::to_owned).collect();
        names.sort();
        names
    };
    let differ = |before, now| names(old, before) != names(new, now);
    let masks = [(was.common.kinds, *kinds), (was.common.friends, *friends), (was.common.enemies, *enemies)];
    let (then, now) = (&old.world, &new.world);
    let view_of = |world: &World, at: Option<usize>| at.map(|at| world.views[at].name.clone());
    let path_of = |world: &World, at: Option<usize>| at.map(|at| world.paths[at].name.clone());
    let flow_of = |world: &World, at: Option<usize>| at.map(|at| world.flows[at].name.clone());
    let same_behaviors = was.behaviors.len() == behaviors.len()
        && (was.behaviors.iter().zip(behaviors)).all(|(was, is)| was.same_as(is));
    // The default depends on the size of the world.
    let is_default = was.spawn == everywhere(&then.arena) && *spawn == everywhere(&now.arena);
    let parts = [
        ("body", !same_body((&was.common.body, then.step), (body, now.step)) || was.common.drawn != *drawn),
        ("kinds", masks.into_iter().any(|(was, is)| differ(was, is))),
        ("view", view_of(then, was.common.view) != view_of(now, *view)),
        ("sense", was.common.sense != *sense),
        ("path", path_of(then, was.common.path) != path_of(now, *path)),
        ("field", flow_of(then, was.common.flow) != flow_of(now, *flow)),
        ("blend", was.common.blend != *blend),
        ("most", was.common.most != *most),
        ("behaviors", !same_behaviors),
        ("look", was.look != *look),
        ("spawn (for new units only)", was.spawn != *spawn && !is_default),
    ];
    let changed = parts.into_iter().filter(|(_, changed)| *changed);
    changed.map(|(part, _)| part).collect()
}
