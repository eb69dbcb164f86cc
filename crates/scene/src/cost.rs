//! Estimate of the cost of a step of a scene before it runs: from the number of units, the queries of their behaviors,
//! the number of neighbors at the start, and the number of obstacles. Nothing is timed, so the estimate is the same on
//! every machine.
//!
//! The constants are times of one core of a machine of 2023. The estimate should be correct within a factor of three
//! while distances between units are similar to those at the start.

use steerbox_core::diagnostics::Fault;
use steerbox_core::perception::{ListUse, Queries};
use steerbox_core::sim::UnitState;
use steerbox_core::world::{Contact, Extrema, Units, World, unit_key};

use super::{
    plan::{GroupPlan, Scene},
    span::Span,
    spawn,
};

/// Duration of a step in seconds above which a warning is issued: a scene with fewer than seven steps per second is slow.
const MAX_STEP_SECONDS: f64 = 0.15;
/// Number of units that are placed to count pairs within reach; each represents an equal share of all units.
const SAMPLE: usize = 1024;

/// Seconds per unit for sorting and moving.
const UNIT: f64 = 60e-9;
/// Seconds per behavior and unit: [compiled, interpreted].
const CALL: [f64; 2] = [70e-9, 2e-6];
/// Seconds per unit in reach, by the use of a list: sums, the nearest, either of the two, and a loop [compiled,
/// interpreted].
const SUM: f64 = 0.7e-9;
const NEAREST: f64 = 4e-9;
const EITHER: f64 = 1.7e-9;
const EACH: [f64; 2] = [10e-9, 800e-9];
/// Seconds per obstacle, unit and behavior that queries obstacles.
const OBSTACLE: f64 = 20e-9;
/// Seconds per point of a path, unit and behavior that queries its path.
const POINT: f64 = 5e-9;
/// Seconds per unit in contact range, and additionally to separate or to stop the pair.
const FOUND: f64 = 40e-9;
const PART: f64 = 600e-9;
const HOLD: f64 = 100e-9;
/// Mean number of candidates per unit above which contacts cost no more.
const MAX_CONTACTS: f64 = 128.0;
/// Seconds per unit and distant obstacle, and per edge of a near obstacle.
const CLEAR: f64 = 5e-9;
const EDGE: f64 = 100e-9;
/// Units within this multiple of their reach are contact candidates.
const SLACK: f32 = 1.25;

/// Seconds per unit of a list, by its use.
fn seconds_per_unit(list: ListUse, interpreted: bool) -> f64 {
    match list {
        ListUse::Sum => SUM,
        ListUse::Nearest => NEAREST,
        ListUse::Either => EITHER,
        ListUse::Each => EACH[usize::from(interpreted)],
    }
}

/// A term of a step's cost.
#[derive(Clone, Debug)]
pub struct CostTerm {
    /// Seconds on one core.
    pub seconds: f64,
    /// Description of the work, for messages.
    pub what: String,
    /// Advice to reduce it.
    pub help: &'static str,
    /// Position in the scene file.
    pub span: Span,
}

/// The terms of a step's cost, sorted in descending order.
#[derive(Clone, Debug)]
pub struct Cost(pub Vec<CostTerm>);

impl Cost {
    /// Total seconds on one core.
    pub fn seconds(&self) -> f64 {
        self.0.iter().map(|term| term.seconds).sum()
    }

    /// Returns true if a step is slow.
    pub fn is_slow(&self) -> bool {
        self.seconds() > MAX_STEP_SECONDS
    }

    /// Formats the duration of a step with two digits, in milliseconds or seconds.
    pub fn words(&self) -> String {
        time(self.seconds())
    }

    /// Returns a warning if a step is slow.
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

/// Estimates the cost of a step of `scene`. `queries` returns those of a behavior, by group and slot.
pub fn cost(scene: &Scene, queries: impl Fn(usize, usize) -> Queries) -> Cost {
    cost_of(scene, &SampledUnits::of_scene(scene), queries)
}

/// Estimates the cost of a step of `scene` with the units of `world` and `more` instead of its initial units.
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
        terms.extend(query_cost(scene, sample, index, &queries));
        terms.extend(decision_cost(scene, index, &queries));
    }
    terms.extend(unit_contact_cost(scene, sample));
    terms.extend(obstacle_contact_cost(scene));
    terms.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    Cost(terms)
}

/// A sample of a scene's units, evenly spaced over all of them.
struct SampledUnits {
    units: Units,
    /// Number of units that each represents.
    each: f64,
}

impl SampledUnits {
    fn of_scene(scene: &Scene) -> Self {
        let stride = scene.unit_count().div_ceil(SAMPLE).max(1);
        let (mut units, mut next) = (Units::default(), 0);
        let fixed = scene.world.obstacles.without_carried();
        let place = (&scene.world.arena, &fixed);
        for (number, plan) in scene.groups.iter().enumerate() {
            while next < plan.count {
                let at = (number as u16, next, unit_key(&plan.common.name, next));
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

    /// Estimates the number of pairs of a unit that `own` admits and another one within their reach, which depends on
    /// both.
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

/// The cost of queries over units in view and enemies, for a group.
fn query_cost(scene: &Scene, sample: &SampledUnits, index: usize, queries: &[Queries]) -> Option<CostTerm> {
    let plan = &scene.groups[index];
    let seconds = |look: fn(&Queries) -> Option<ListUse>| -> f64 {
        let each = |of: &Queries| look(of).map_or(0.0, |look| seconds_per_unit(look, of.interpreted));
        queries.iter().map(each).sum()
    };
    let (neighbors, enemies) = (seconds(|of| of.neighbors), seconds(|of| of.enemies));
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

/// The cost of decisions and motion of a group, without queries over units.
fn decision_cost(scene: &Scene, index: usize, queries: &[Queries]) -> Vec<CostTerm> {
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

/// The cost of contacts between units.
fn unit_contact_cost(scene: &Scene, sample: &SampledUnits) -> Option<CostTerm> {
    let (blocks, seconds) = match scene.world.contacts.units {
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
        seconds: pairs * FOUND + pairs.lesser(MAX_CONTACTS * scene.unit_count() as f64) * seconds,
        what: format!("contacts of units, each within reach of about {others} others"),
        help: "a smaller `reach`, shorter bodies, fewer units or a larger world makes it less",
        span: scene.spans.contacts.clone(),
    })
}

/// The cost of contacts with obstacles.
fn obstacle_contact_cost(scene: &Scene) -> Option<CostTerm> {
    if scene.world.contacts.obstacles == Contact::None || obstacle_count(scene) == 0 {
        return None;
    }
    let twice = if scene.world.contacts.units == Contact::None { 1.0 } else { 2.0 };
    let reach = |plan: &GroupPlan| {
        plan.common.body.radius() * scene.world.contacts.reach
            + plan.common.body.desired_speed() * scene.world.step
    };
    let (mut seconds, mut edges) = (0.0, 0);
    let existing = scene
        .world
        .obstacles
        .iter()
        .map(|obstacle| (obstacle.radius(), obstacle.solid.pieces(), obstacle.inside_out, 1));
    let scattered = scene.scatter.iter().map(|entry| (entry.radius, 1, false, entry.count));
    for (radius, corners, holds_all, count) in existing.chain(scattered) {
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

/// Approximate fraction of the world that a ball of `radius` occupies, at most 1.
fn share(scene: &Scene, radius: f32) -> f64 {
    let size = scene.world.arena.size().as_dvec3();
    let width = 2.0 * f64::from(radius);
    let depth = if scene.world.arena.is_plane() { 1.0 } else { width / size.z };
    (width / size.x * (width / size.y) * depth).lesser(1.0)
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

/// Formats seconds with two digits and a suitable unit.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 0.0095 => format!("{:.1} ms", s * 1e3),
        s if s < 0.95 => format!("{:.0} ms", s * 1e3),
        s if s < 9.5 => format!("{s:.1} s"),
        s => format!("{s:.0} s"),
    }
}
