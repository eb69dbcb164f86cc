//! What a step of a scene costs, estimated before anything runs: from how many units there are and what
//! their behaviors query, how many others are in reach of them where they start, and how many
//! obstacles there are. Nothing is timed, so the figure is the same on every machine.
//!
//! The constants are what one core of a machine of 2023 takes. A figure is meant to be right within a
//! factor of three while units are about as near to each other as at the start.

use super::{
    plan::{GroupPlan, Scene},
    span::Span,
    spawn,
};
use crate::{
    diagnostics::Fault,
    sim::UnitState,
    world::{Contact, Units, World},
};

/// A longer step causes a warning, seconds: below seven steps a second a scene is slow.
const SLOW: f64 = 0.15;
/// Units that are placed to count pairs within reach; each represents an equal share of all units.
const SAMPLE: usize = 1024;

/// Seconds for each unit: to sort it into the grid and to move it.
const UNIT: f64 = 60e-9;
/// For each behavior of a unit, as machine code and interpreted.
const CALL: [f64; 2] = [70e-9, 2e-6];
/// For each other in reach of a unit that a behavior sums up, looks through for the nearest, does either
/// of, or goes through one by one, likewise.
const SUM: f64 = 0.7e-9;
const NEAREST: f64 = 4e-9;
const EITHER: f64 = 1.7e-9;
const EACH: [f64; 2] = [10e-9, 800e-9];
/// For each obstacle and unit, and a behavior that queries obstacles.
const OBSTACLE: f64 = 20e-9;
/// For each point of a path and unit, and a behavior that queries its path.
const POINT: f64 = 5e-9;
/// For each other that is in reach of a unit's contact, and to part the two or to hold them.
const FOUND: f64 = 40e-9;
const PART: f64 = 600e-9;
const HOLD: f64 = 100e-9;
/// So many others of a unit count for contacts at most, in the mean.
const COUNTED: f64 = 128.0;
/// For each unit and obstacle that it may not touch, and for each edge of one that it may.
const CLEAR: f64 = 5e-9;
const EDGE: f64 = 100e-9;
/// Others within this many times the reach of two units are looked at for a touch.
const SLACK: f32 = 1.25;

/// What a behavior queries for every unit and step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Queries {
    /// How it looks at the units in its group's view, if it does.
    pub neighbors: Option<ListUse>,
    /// How it looks at the enemies that its group senses, if it does.
    pub enemies: Option<ListUse>,
    /// Whether it queries the obstacles.
    pub obstacles: bool,
    /// Whether it queries its group's path.
    pub path: bool,
    /// Whether it is interpreted.
    pub interpreted: bool,
}

/// How a behavior looks at a list of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListUse {
    /// It takes means or counts.
    Sum,
    /// It takes the nearest.
    Nearest,
    /// It takes either, by its parameters.
    Either,
    /// It goes through them one by one.
    Each,
}

impl ListUse {
    /// Seconds for each unit of the list.
    fn price(self, interpreted: bool) -> f64 {
        match self {
            Self::Sum => SUM,
            Self::Nearest => NEAREST,
            Self::Either => EITHER,
            Self::Each => EACH[usize::from(interpreted)],
        }
    }
}

/// A part of a step's cost.
#[derive(Clone, Debug)]
pub struct CostTerm {
    /// Seconds on one core.
    pub seconds: f64,
    /// What takes them, in the user's words.
    pub what: String,
    /// What makes it less.
    pub help: &'static str,
    /// Where the scene's file states it.
    pub span: Span,
}

/// The parts of a step's cost, the largest first.
#[derive(Clone, Debug)]
pub struct Cost(pub Vec<CostTerm>);

impl Cost {
    /// Seconds on one core.
    pub fn seconds(&self) -> f64 {
        self.0.iter().map(|term| term.seconds).sum()
    }

    /// True if a step is slow.
    pub fn is_slow(&self) -> bool {
        self.seconds() > SLOW
    }

    /// The time of a step with two digits, in milliseconds or seconds.
    pub fn words(&self) -> String {
        time(self.seconds())
    }

    /// A warning, if a step is slow.
    pub fn warning(&self, scene: &Scene) -> Option<Fault> {
        let largest = self.0.first()?;
        self.is_slow().then(|| {
            let (total, most) = (self.words(), time(largest.seconds));
            let message =
                format!("a step takes about {total} on one core, {most} of it for {}", largest.what);
            let fault = scene.fault(&largest.span, message);
            fault.help(largest.help).warning()
        })
    }
}

/// What a step of `scene` costs. `queries` returns those of a behavior, by group and slot.
pub fn cost(scene: &Scene, queries: impl Fn(usize, usize) -> Queries) -> Cost {
    cost_of(scene, &SampledUnits::of(scene), queries)
}

/// Estimates the cost of a step of `scene` with the units of `world` and `more`, in place of those that it begins with.
pub fn cost_with(
    scene: &Scene,
    world: &World,
    more: &[UnitState],
    queries: impl Fn(usize, usize) -> Queries,
) -> Cost {
    let mut scene = scene.clone();
    for (plan, group) in scene.groups.iter_mut().zip(&world.groups) {
        let added = more.iter().filter(|state| *state.group == *group.name).count();
        plan.count = group.units.len() + added;
    }
    let sample = SampledUnits::of_world(world, more);
    cost_of(&scene, &sample, queries)
}

fn cost_of(scene: &Scene, sample: &SampledUnits, queries: impl Fn(usize, usize) -> Queries) -> Cost {
    let mut terms = Vec::new();
    for (index, plan) in scene.groups.iter().enumerate() {
        let running = plan.behaviors.iter().enumerate();
        let running = running.filter(|(_, used)| used.enabled && used.gain != 0.0);
        let queries: Vec<Queries> = running.map(|(slot, _)| queries(index, slot)).collect();
        terms.extend(looking(scene, sample, index, &queries));
        terms.extend(deciding(scene, index, &queries));
    }
    terms.extend(touching_units(scene, sample));
    terms.extend(touching_obstacles(scene));
    terms.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    Cost(terms)
}

/// Some of a scene's units, evenly over all of them.
struct SampledUnits {
    units: Units,
    /// How many units each represents.
    each: f64,
}

impl SampledUnits {
    fn of(scene: &Scene) -> Self {
        let stride = scene.unit_count().div_ceil(SAMPLE).max(1);
        let (mut units, mut next) = (Units::default(), 0);
        let place = (&scene.world.arena, &scene.world.obstacles);
        for (number, plan) in scene.groups.iter().enumerate() {
            while next < plan.count {
                let at = (number as u16, next);
                spawn::push(&mut units, place, scene.world.seed, plan, at);
                next += stride;
            }
            next -= plan.count;
        }
        Self { units, each: stride as f64 }
    }

    fn of_world(world: &World, more: &[UnitState]) -> Self {
        let (known, mut units) = (world.units.len(), Units::default());
        let stride = (known + more.len()).div_ceil(SAMPLE).max(1);
        for at in (0..known + more.len()).step_by(stride) {
            if at < known {
                units.push_from(&world.units, at, world.units.group[at]);
                continue;
            }
            let state = &more[at - known];
            let group = world.groups.iter().position(|group| *group.name == *state.group);
            let motion = &state.motion;
            let axes = (motion.heading, motion.up);
            units.push(motion.position, motion.velocity, axes, group.unwrap_or(0) as u16, state.key);
        }
        Self { units, each: stride as f64 }
    }

    /// How many pairs of a unit that `own` admits and another one are within their reach, which
    /// depends on both.
    fn pairs(
        &self,
        scene: &Scene,
        own: impl Fn(usize) -> bool,
        reach: impl Fn(usize, usize) -> Option<f32>,
    ) -> f64 {
        let units = 0..self.units.len();
        let near = |unit: usize, other: usize| {
            let offset = self.units.position[other] - self.units.position[unit];
            let distance = scene.world.arena.shortest(offset).length_squared();
            unit != other && reach(unit, other).is_some_and(|reach| distance <= reach * reach)
        };
        let of = |unit| units.clone().filter(|other| near(unit, *other)).count();
        let counts = units.clone().filter(|unit| own(*unit)).map(of);
        counts.sum::<usize>() as f64 * self.each * self.each
    }
}

/// What it takes the units of a group to look at those in their view and at their enemies.
fn looking(scene: &Scene, sample: &SampledUnits, index: usize, queries: &[Queries]) -> Option<CostTerm> {
    let plan = &scene.groups[index];
    let price = |look: fn(&Queries) -> Option<ListUse>| -> f64 {
        let each = |of: &Queries| look(of).map_or(0.0, |look| look.price(of.interpreted));
        queries.iter().map(each).sum()
    };
    let (neighbors, enemies) = (price(|of| of.neighbors), price(|of| of.enemies));
    let radius = plan.common.view.map(|view| scene.world.views[view].view.radius());
    let own = |unit: usize| sample.units.group[unit] as usize == index;
    let mut seconds = 0.0;
    let mut seen = 0.0;
    if let Some(radius) = radius.filter(|_| neighbors > 0.0) {
        let pairs = sample.pairs(scene, own, |_, _| Some(radius));
        (seconds, seen) = (pairs * neighbors, pairs);
    }
    if enemies > 0.0 {
        let is_enemy = |other: usize| {
            let group = &scene.groups[sample.units.group[other] as usize];
            group.common.kinds & plan.common.enemies != 0
        };
        let pairs = sample.pairs(scene, own, |_, other| is_enemy(other).then_some(plan.common.sense));
        seconds += pairs * enemies;
        seen += pairs;
    }
    let others = (seen / plan.count.max(1) as f64).round();
    (seconds > 0.0).then(|| CostTerm {
        seconds,
        what: format!("{} to look at about {others} others each", named(plan)),
        help: "a smaller radius of the view, fewer units or a larger world makes it less",
        span: span_of_group(scene, index),
    })
}

/// What it takes the units of a group to decide and move, beside looking at each other.
fn deciding(scene: &Scene, index: usize, queries: &[Queries]) -> Vec<CostTerm> {
    let (plan, span) = (&scene.groups[index], span_of_group(scene, index));
    let units = plan.count as f64;
    let calls: f64 = queries.iter().map(|of| CALL[usize::from(of.interpreted)]).sum();
    let count = |is_made: fn(&Queries) -> bool| queries.iter().filter(|of| is_made(of)).count();
    let obstacles = obstacle_count(scene);
    let points = plan.common.path.map_or(0, |path| scene.world.paths[path].path.points().len());
    vec![
        CostTerm {
            seconds: units * (UNIT + calls),
            what: format!("{} to run {} behaviors each", named(plan), queries.len()),
            help: "fewer units make it less",
            span: span.clone(),
        },
        CostTerm {
            seconds: units * (obstacles * count(|of| of.obstacles)) as f64 * OBSTACLE,
            what: format!("{} to ask for {obstacles} obstacles each", named(plan)),
            help: "fewer obstacles or fewer units make it less",
            span: scene.spans.obstacles.clone(),
        },
        CostTerm {
            seconds: units * (points * count(|of| of.path)) as f64 * POINT,
            what: format!("{} to find their place on a path of {points} points", named(plan)),
            help: "fewer points or fewer units make it less",
            span,
        },
    ]
}

/// What it takes to part units that touch.
fn touching_units(scene: &Scene, sample: &SampledUnits) -> Option<CostTerm> {
    let (blocks, price) = match scene.world.contacts.units {
        Contact::None => return None,
        Contact::Block => (true, HOLD),
        Contact::Separate | Contact::Bounce { .. } => (false, PART),
    };
    let extent = |unit: usize| {
        let body = &scene.groups[sample.units.group[unit] as usize].common.body;
        let step = sample.units.velocity[unit].length() * scene.world.step;
        body.radius() * scene.world.contacts.reach * SLACK + if blocks { 2.0 * step } else { step }
    };
    let extents: Vec<f32> = (0..sample.units.len()).map(extent).collect();
    let reach = |unit: usize, other: usize| Some(extents[unit] + extents[other]);
    let pairs = sample.pairs(scene, |_| true, reach);
    let others = (pairs / scene.unit_count().max(1) as f64).round();
    Some(CostTerm {
        seconds: pairs * FOUND + pairs.min(COUNTED * scene.unit_count() as f64) * price,
        what: format!("contacts of units, each within reach of about {others} others"),
        help: "a smaller `reach`, shorter bodies, fewer units or a larger world makes it less",
        span: scene.spans.contacts.clone(),
    })
}

/// What it takes to keep units out of obstacles.
fn touching_obstacles(scene: &Scene) -> Option<CostTerm> {
    if scene.world.contacts.obstacles == Contact::None || obstacle_count(scene) == 0 {
        return None;
    }
    let twice = if scene.world.contacts.units == Contact::None { 1.0 } else { 2.0 };
    let reach = |plan: &GroupPlan| {
        plan.common.body.radius() * scene.world.contacts.reach
            + plan.common.body.desired_speed() * scene.world.step
    };
    let (mut seconds, mut edges) = (0.0, 0);
    let standing = scene
        .world
        .obstacles
        .iter()
        .map(|obstacle| (obstacle.radius(), obstacle.solid.pieces(), obstacle.inside_out, 1));
    let scattered = scene.scatter.iter().map(|entry| (entry.radius, 1, false, entry.count));
    for (radius, corners, holds_all, count) in standing.chain(scattered) {
        edges += corners * count;
        for plan in &scene.groups {
            let near = if holds_all { 1.0 } else { share(scene, radius + reach(plan)) };
            let each = CLEAR + near * corners as f64 * EDGE;
            seconds += each * (plan.count * count) as f64 * twice;
        }
    }
    let (units, obstacles) = (scene.unit_count(), obstacle_count(scene));
    Some(CostTerm {
        seconds,
        what: format!("contacts of {units} units with {obstacles} obstacles of {edges} edges"),
        help: "fewer obstacles, polygons with fewer corners or fewer units make it less",
        span: scene.spans.obstacles.clone(),
    })
}

/// The share of the world that a ball of `radius` takes, about, at most 1.
fn share(scene: &Scene, radius: f32) -> f64 {
    let size = scene.world.arena.size().as_dvec3();
    let width = 2.0 * f64::from(radius);
    let depth = if scene.world.arena.is_plane() { 1.0 } else { width / size.z };
    (width / size.x * (width / size.y) * depth).min(1.0)
}

fn obstacle_count(scene: &Scene) -> usize {
    let scattered = scene.scatter.iter().map(|entry| entry.count);
    scene.world.obstacles.len() + scattered.sum::<usize>()
}

fn named(plan: &GroupPlan) -> String {
    format!("the {} units of {}", plan.count, plan.common.name)
}

fn span_of_group(scene: &Scene, index: usize) -> Span {
    scene.spans.groups.get(index).cloned().unwrap_or_default()
}

/// Seconds with two digits, in the unit that reads best.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 0.0095 => format!("{:.1} ms", s * 1e3),
        s if s < 0.95 => format!("{:.0} ms", s * 1e3),
        s if s < 9.5 => format!("{s:.1} s"),
        s => format!("{s:.0} s"),
    }
}
