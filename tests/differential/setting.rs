//! Small worlds that contain everything that scripts can query.

use std::sync::Arc;

use glam::{UVec3, Vec3};
use steerbox_core::world::{
    Arena, Body, BodyDraw, BodyNumber, Carrier, Contact, Contacts, Distribution, Domain, Drive, Edges, Flow,
    Goal, GridRules, Group, Mover, NamedFlow, NamedPath, NamedView, Names, Obstacle, Obstacles, Path, Rigid,
    Route, ScalarGrid, Solid, View, World, Zone, testing, unit_key,
};

use crate::common::dice::Dice;

/// A small world, as independent choices that can be reduced one by one.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a separate choice")]
pub(crate) struct Setting {
    arena: Arena,
    units: Vec<Placed>,
    obstacles: Vec<Obstacle>,
    target: Option<Vec3>,
    /// True if the last unit is the player.
    player: bool,
    /// True if the groups have a view.
    views: [bool; 2],
    /// True if the first group has the path and the flow field.
    routes: bool,
    /// True if the bodies of both groups differ by unit.
    varied: bool,
    /// True if units have contacts.
    contacts: bool,
    seed: u64,
    pub(crate) steps: usize,
}

#[derive(Clone, Copy, Debug)]
struct Placed {
    group: usize,
    position: Vec3,
    velocity: Vec3,
    heading: Vec3,
}

const SIZE: f32 = 100.0;

impl Setting {
    /// A constant setting: three units in a plane, an obstacle, a target, a player.
    pub(crate) fn plain() -> Self {
        let placed = |group, x, y| Placed {
            group,
            position: Vec3::new(x, y, 0.0),
            velocity: Vec3::new(0.0, 2.0, 0.0),
            heading: Vec3::Y,
        };
        let center = Vec3::new(10.0, 30.0, 0.0);
        Self {
            arena: plane(Edges::Open, false),
            units: vec![
                placed(0, 10.0, 10.0),
                placed(0, 10.0, 14.0),
                placed(0, 13.0, 10.0),
                placed(1, 20.0, 10.0),
                placed(1, 60.0, 60.0),
            ],
            obstacles: vec![Solid::Ball { center, radius: 5.0 }.into()],
            target: Some(Vec3::new(1.0, 2.0, 0.0)),
            player: true,
            views: [true, false],
            routes: true,
            varied: false,
            contacts: false,
            seed: 7,
            steps: 3,
        }
    }

    /// 1 to 12 units in a random environment.
    pub(crate) fn random(dice: &mut Dice) -> Self {
        let arena = arena(dice);
        let mut units: Vec<Placed> = Vec::new();
        // A crowd of one group is near one point, so that its units form batches.
        let crowd = dice.once_in(2).then(|| point(dice, &arena));
        for _ in 0..=dice.below(if crowd.is_some() { 20 } else { 12 }) {
            let mut unit = placed(dice, &arena);
            if let Some(place) = crowd {
                (unit.group, unit.position) = (0, place.lerp(unit.position, 0.1));
            }
            if let Some(other) = units.last().filter(|_| dice.once_in(8)) {
                unit.position = other.position;
            }
            units.push(unit);
        }
        let obstacles = (0..dice.below(4)).map(|_| obstacle(dice, &arena)).collect();
        Self {
            target: (!dice.once_in(3)).then(|| point(dice, &arena)),
            player: !dice.once_in(3),
            views: [!dice.once_in(8), dice.once_in(2)],
            routes: !dice.once_in(3),
            seed: dice.bits(),
            varied: dice.once_in(3),
            contacts: dice.once_in(2),
            steps: 3 + dice.below(4),
            arena,
            units,
            obstacles,
        }
    }

    /// Returns the `at`-th reduction, if it exists.
    pub(crate) fn reduced(&self, at: usize) -> Option<Self> {
        let mut ways = Vec::new();
        let mut way = |has: bool, lose: &dyn Fn(&mut Self)| {
            if has {
                let mut less = self.clone();
                lose(&mut less);
                ways.push(less);
            }
        };
        way(self.steps > 1, &|less| less.steps = 1);
        way(self.steps > 1, &|less| less.steps -= 1);
        way(self.player, &|less| less.player = false);
        way(self.target.is_some(), &|less| less.target = None);
        way(self.routes, &|less| less.routes = false);
        way(self.varied, &|less| less.varied = false);
        way(self.contacts, &|less| less.contacts = false);
        way(self.views != [false; 2], &|less| less.views = [false; 2]);
        for unit in 0..self.units.len() {
            way(self.units.len() > 1, &|less| _ = less.units.remove(unit));
        }
        for obstacle in 0..self.obstacles.len() {
            way(true, &|less| drop(less.obstacles.remove(obstacle)));
        }
        ways.get(at).cloned()
    }

    pub(crate) fn world(&self) -> World {
        let mut kinds = Names::default();
        let mut bit = |name| kinds.intern(name).expect("few names");
        let (flock, hunters) = (group("flock", bit("craft")), group("hunters", bit("boat")));
        let player = group("player", bit("player"));
        let mut groups = [flock, hunters, player];
        groups[0].enemies = groups[1].kinds;
        groups[1].enemies = groups[0].kinds | groups[2].kinds;
        groups[1].friends = groups[2].kinds;
        groups[1].body = Body::Rigid(Rigid::default());
        (groups[0].most, groups[1].most) = (Some(self.units.len() + 4), Some(self.units.len() + 2));
        if self.varied {
            groups[0].drawn = draws(&[("length", BodyNumber::Length), ("max_speed", BodyNumber::MaxSpeed)]);
            groups[1].drawn = draws(&[("mass", BodyNumber::Mass), ("length", BodyNumber::Length)]);
        }
        for (group, looks) in groups.iter_mut().zip(self.views) {
            group.view = looks.then_some(0);
        }
        (groups[0].path, groups[0].flow) = (self.routes.then_some(0), self.routes.then_some(0));
        let mut world = World {
            arena: self.arena,
            groups: groups.into(),
            views: views(),
            paths: paths(&self.arena),
            flows: vec![flow(&self.arena), way(&self.arena, &self.obstacles)],
            zones: zones(&self.arena),
            grids: grids(&self.arena),
            contacts: Contacts {
                units: if self.contacts { Contact::Separate } else { Contact::None },
                reach: 4.0,
                ..Contacts::default()
            },
            kinds,
            target: self.target,
            step: 0.25,
            seed: self.seed,
            ..World::default()
        };
        self.settle(&mut world);
        world.set_obstacles(&self.obstacles.clone().into());
        world
    }

    /// Adds the units, group by group; the player, if any, is the last.
    fn settle(&self, world: &mut World) {
        let last = self.units.len() - 1;
        let up = world.arena.zenith();
        for (at, group) in world.groups.iter_mut().enumerate() {
            let first = world.units.len();
            for (unit, placed) in self.units.iter().enumerate() {
                let plays = self.player && unit == last;
                if at == if plays { 2 } else { placed.group } {
                    let key = unit_key(&group.name, world.units.len() - first);
                    let axes = (placed.heading, up);
                    let (position, velocity) = (placed.position, placed.velocity);
                    world.units.push(position, velocity, axes, at as u16, key);
                }
            }
            group.units = first..world.units.len();
        }
        world.player = self.player.then_some(last);
    }
}

fn draws(numbers: &[(&str, BodyNumber)]) -> Vec<BodyDraw> {
    let distribution = Distribution::LogNormal { mean: 3.0, deviation: 2.0 };
    let draw = |(name, number): &(&str, BodyNumber)| BodyDraw::new(name, *number, distribution.clone());
    numbers.iter().map(draw).collect()
}

fn group(name: &str, kinds: u64) -> Group {
    Group {
        name: name.to_owned(),
        body: Body::Mover(Mover::default()),
        kinds,
        sense: 40.0,
        ..Group::default()
    }
}

fn plane(edges: Edges, seamless: bool) -> Arena {
    let arena = testing::plane(SIZE, 0.8 * SIZE, edges);
    Arena { seamless, ..arena }
}

fn arena(dice: &mut Dice) -> Arena {
    let edges = dice.pick(&[Edges::Wrap, Edges::Bounce, Edges::Open]);
    if dice.once_in(3) {
        let (center, radius) = (Vec3::splat(5.0), 0.5 * SIZE);
        let domain = Domain::Space { center, radius };
        return Arena { domain, ..testing::space(radius, edges) };
    }
    plane(edges, dice.once_in(2))
}

/// A point of the world, or slightly outside.
fn point(dice: &mut Dice, arena: &Arena) -> Vec3 {
    let mut part = || dice.between(-0.55, 0.55) as f32;
    arena.center() + arena.size() * Vec3::new(part(), part(), part())
}

fn placed(dice: &mut Dice, arena: &Arena) -> Placed {
    let flat = if arena.is_plane() { Vec3::new(1.0, 1.0, 0.0) } else { Vec3::new(1.0, 0.0, 1.0) };
    let mut part = || dice.between(-3.0, 3.0) as f32;
    // Perpendicular to the up axis.
    let heading = (flat * Vec3::new(part(), part(), part())).normalize_or(Vec3::X);
    let velocity = heading * part();
    Placed {
        group: dice.below(2),
        position: point(dice, arena),
        velocity: if dice.once_in(5) { Vec3::ZERO } else { velocity },
        heading,
    }
}

fn obstacle(dice: &mut Dice, arena: &Arena) -> Obstacle {
    let center = point(dice, arena);
    let radius = dice.between(2.0, 20.0) as f32;
    let points = [Vec3::ZERO, Vec3::X, Vec3::Y].map(|way| center + way * radius);
    let kind = dice.pick(&testing::solid_kinds(arena.is_plane()));
    let solid = testing::solid(kind, &points, Vec3::new(radius, 4.0, 3.0), 0.5, arena.is_plane());
    let inside_out = dice.once_in(5);
    let velocity = if dice.once_in(3) { Vec3::new(1.5, -2.0, 0.0) } else { Vec3::ZERO };
    let carrier = dice.once_in(3).then(|| Carrier::new(dice.pick(&["flock", "hunters"]), dice.below(2)));
    let drive = carrier.map(|carrier| Arc::new(Drive::Carrier(carrier)));
    Obstacle { inside_out, velocity, drive, ..solid.into() }
}

fn views() -> Vec<NamedView> {
    let near = View::Around { radius: 40.0 };
    let narrow = View::Narrow { radius: 60.0, front: 1.0 };
    [("near", near), ("narrow", narrow)].map(|(name, view)| NamedView { name: name.to_owned(), view }).into()
}

/// The center of paths and zones: a corner of a seamless world, where they cross the edges.
fn middle(arena: &Arena) -> Vec3 {
    if arena.period().is_some() { Vec3::ZERO } else { arena.center() }
}

fn paths(arena: &Arena) -> Vec<NamedPath> {
    let corner = |x, y| middle(arena) + 0.3 * arena.size() * Vec3::new(x, y, x * y);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0)];
    let path = |closed| Path::new(corners.to_vec(), closed, 3.0).expect("corners differ");
    [("road", path(false)), ("ring", path(true))]
        .map(|(name, path)| NamedPath { name: name.to_owned(), path: path.with_period(arena.period()) })
        .into()
}

/// The shortest paths to a point near the center.
fn way(arena: &Arena, obstacles: &[Obstacle]) -> NamedFlow {
    let goal = Goal::Point(arena.center() + Vec3::new(3.0, 2.0, 0.0));
    let nodes = UVec3::new(9, 8, if arena.is_plane() { 1 } else { 7 });
    let route = Route { goal, nodes, margin: 4.0, speed: 5.0 };
    NamedFlow {
        name: "way".to_owned(),
        flow: route.field(arena, &Obstacles::new(obstacles.to_vec(), arena.period())),
    }
}

/// A zone about the center, and everything outside of it.
fn zones(arena: &Arena) -> Vec<Zone> {
    let zone = |name: &str, inside_out| {
        let (solid, period) = (Solid::ball(middle(arena), 0.3 * arena.radius()), arena.period());
        let area = Obstacle { inside_out, period, ..solid.into() };
        Zone { name: name.to_owned(), area }
    };
    vec![zone("pen", false), zone("wild", true)]
}

/// A grid with as many cells along every axis, of differing values, and one with few cells.
fn grids(arena: &Arena) -> Vec<ScalarGrid> {
    let grid = |(name, share): (&str, f32)| {
        let rules = GridRules { cell: share * arena.radius(), diffusion: 0.5, evaporation: 0.1 };
        let mut grid = ScalarGrid::new(name, rules, arena);
        let values = (0..grid.values().len()).map(|at| ((at * 37) % 11) as f32 - 2.5);
        assert!(grid.set_values(values.collect()));
        grid
    };
    [("trail", 0.25), ("smell", 1.5)].map(grid).into()
}

fn flow(arena: &Arena) -> NamedFlow {
    let vectors = [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::ZERO].map(|v| v * 4.0);
    let flow = Flow::new(arena, UVec3::new(2, 2, 1), vectors.into());
    NamedFlow { name: "wind".to_owned(), flow: flow.expect("as many vectors as nodes") }
}
