//! Reconciles a running world with a changed scene and preserves live state.

use steerbox_core::world::{Edges, Obstacle, ScalarGrid, World, Zone};

use super::{
    build::{build, grid, player},
    changes::notes,
    chosen_views::apply_chosen_views,
    members::{groups, population, started},
    plan::Scene,
    scatter::Placer,
};

/// A world reconciled with a changed scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Reconciled {
    /// The world, at the step of the old one.
    pub world: World,
    /// For each unit of the world, the old unit whose state it has; `None` for a new one.
    pub origin: Vec<Option<usize>>,
    /// Descriptions of the changes; "nothing changed" if there are none.
    pub notes: Vec<String>,
}

/// Returns the world of `new` with the live state of `world`, which was built from `old`.
///
/// Units are matched by group (see [`crate::lineage::groups`]) and index, those of a table by row. Seed and spawn affect new
/// units only: the seed of random draws is preserved, and new units have keys with the draws of the new one, which no
/// removed unit had; `seed_override` replaces the new scene's seed. Steps, time, target, controls and marks are preserved. After a
/// change between plane and space all units are created again.
pub fn reconcile(old: &Scene, new: &Scene, world: &World, seed_override: Option<u64>) -> Reconciled {
    let seed = seed_override.unwrap_or(new.world.seed);
    if old.world.arena.is_plane() != new.world.arena.is_plane() {
        return restart(new, world, seed);
    }
    let (live, movers, step) = (world.obstacles.clone(), world.movers.clone(), new.world.step);
    let mut placed =
        carried(world, World { arena: new.world.arena, obstacles: live, movers, step, ..World::default() });
    placed.set_obstacles(&obstacles(old, new, world, seed).into());
    let mut started = started(old, new, world);
    let fixed = placed.obstacles.without_carried();
    let (groups, mut units, origin) = groups((old, new), &fixed, world, seed, &mut started);
    let keeps_target = old.world.target == new.world.target;
    let target = if keeps_target { world } else { &new.world }.target;
    if old.world.arena != new.world.arena && new.world.arena.edges == Edges::Bounce {
        // The edges would reflect them as far as they are beyond.
        units.position.iter_mut().for_each(|position| *position = new.world.arena.nearest(*position));
    }
    let mut reconciled = World {
        player: player(new, &groups),
        groups,
        units,
        obstacles: placed.obstacles,
        movers: placed.movers,
        carriers: placed.carriers,
        target,
        grids: grids(new, world, seed),
        former_zones: former_zones(new, world),
        started,
        population: population(old, new, world),
        seed: world.seed,
        ..carried(world, new.world.clone())
    };
    reconciled.carry_obstacles(0.0);
    let seed_changed = seed_override.is_none() && old.world.seed != new.world.seed;
    let mut notes = notes(old, new, world, seed_changed);
    notes.extend(apply_chosen_views(old, new, world, &mut reconciled));
    Reconciled { notes, world: reconciled, origin }
}

fn restart(new: &Scene, world: &World, seed: u64) -> Reconciled {
    let mut fresh = carried(world, build(new, Some(seed)));
    fresh.place_obstacles(world.steps);
    fresh.units.born.fill(world.steps);
    let what = if new.world.arena.is_plane() { "a plane" } else { "space" };
    Reconciled {
        origin: vec![None; fresh.units.len()],
        notes: vec![format!("the world is {what} now: every unit starts anew")],
        world: fresh,
    }
}

/// Returns `fresh` with the state of the run of `world` other than units.
fn carried(world: &World, fresh: World) -> World {
    let step = fresh.step;
    let mut carried = World {
        marks: world.marks.clone(),
        signals: world.signals.clone(),
        controls: world.controls,
        steps: world.steps,
        past: world.past.clone(),
        step: world.step,
        ..fresh
    };
    carried.set_step(step);
    carried
}

/// Returns the zones of the last step, if those of `new` differ.
fn former_zones(new: &Scene, world: &World) -> Option<Vec<Zone>> {
    let former = world.former_zones.as_ref().unwrap_or(&world.zones);
    (*former != new.world.zones).then(|| former.clone())
}

/// Returns the grids of `new` with the values of those of `world` that have the same name.
fn grids(new: &Scene, world: &World, seed: u64) -> Vec<ScalarGrid> {
    let grids = new.world.grids.iter().enumerate().map(|(at, planned)| {
        let fresh = || grid(new, at, seed);
        match world.grids.iter().find(|live| live.name == planned.name) {
            Some(live) if planned.has_layout_of(live) => planned.clone().with_values_of(live),
            Some(live) => fresh().with_values_of(live),
            None => fresh(),
        }
    });
    grids.collect()
}

/// Returns the obstacles of `new`; unchanged ones are those of `world`.
fn obstacles(old: &Scene, new: &Scene, world: &World, seed: u64) -> Vec<Obstacle> {
    let live = |range: std::ops::Range<usize>| world.obstacles.get(range);
    let mut existing: Vec<Obstacle> = new
        .world
        .obstacles
        .iter()
        .enumerate()
        .map(|(at, obstacle)| {
            let rests = obstacle.drive.is_none();
            let same = rests && old.world.obstacles.get(at) == Some(obstacle);
            let kept = live(at..at + 1).filter(|_| same);
            kept.map_or_else(|| obstacle.clone(), |kept| kept[0].clone())
        })
        .collect();
    let fixed = existing.len();
    let mut first = old.world.obstacles.len();
    let mut scattered: Vec<Option<&[Obstacle]>> = Vec::new();
    for (at, entry) in old.scatter.iter().enumerate() {
        let kept = live(first..first + entry.count);
        first += entry.count;
        scattered.push(kept.filter(|_| new.scatter.get(at) == Some(entry)));
    }
    // Preserved ones are placed first, so that new ones keep distance from them.
    existing.extend(scattered.iter().flatten().copied().flatten().cloned());
    let among = existing.iter().filter(|obstacle| obstacle.carrier().is_none()).cloned();
    let mut placer = Placer::new(&new.world.arena, seed, among.collect());
    existing.truncate(fixed);
    for (number, entry) in new.scatter.iter().enumerate() {
        match scattered.get(number).copied().flatten() {
            Some(kept) => existing.extend_from_slice(kept),
            None => existing.extend(placer.place(entry, number)),
        }
    }
    existing
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use glam::Vec3;
    use steerbox_core::world::{Controls, Solid, Units, unit_key};

    use super::*;
    use crate::read;

    const FLOCK: &str = "(name: \"flock\", body: \"craft\", count: 4)";
    const PACK: &str = "(name: \"pack\", body: \"craft\", count: 2)";

    fn scene(groups: &str, rest: &str) -> Scene {
        let text = format!(
            "(world: Plane(size: (100, 50)), bodies: {{\"craft\": Rigid(), \"dart\": Mover()}},
             views: {{\"wide\": Wide(radius: 9)}}, groups: [{groups}], {rest})"
        );
        read("test.ron", &text).unwrap()
    }

    /// A world that has run for a while, so that no state is initial.
    fn live(scene: &Scene) -> World {
        let mut world = build(scene, None);
        world.steps = 100;
        world.marks.intern("leader").unwrap();
        world.target = Some(Vec3::ONE);
        world.controls = Controls { turn: 1.0, ..Controls::default() };
        for unit in 0..world.units.len() {
            world.units.position[unit] += Vec3::X;
            world.units.angular_velocity[unit] = Vec3::Z;
            world.units.marks[unit] = 1;
        }
        world
    }

    #[test]
    fn an_unchanged_scene_changes_nothing() {
        let scene = scene(FLOCK, "scatter: [(count: 3, radius: 2)], player: (body: \"craft\")");
        let world = live(&scene);
        let reconciled = reconcile(&scene, &scene, &world, None);
        assert_eq!(reconciled.notes, ["nothing changed"]);
        assert_eq!(reconciled.world, world);
        assert_eq!(reconciled.origin, (0..5).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn a_chosen_view_stays_until_the_view_in_the_file_changes() {
        let text = |view: &str, second: &str| {
            let views = format!("views: {{\"v\": Wide(radius: 9), \"{second}\": Wide(radius: 5)}}");
            let group = format!("(name: \"flock\", body: \"craft\", count: 4{view})");
            format!(
                "(world: Plane(size: (100, 50)), bodies: {{\"craft\": Mover()}}, {views}, groups: [{group}])"
            )
        };
        let scene = |view: &str, second: &str| read("test.ron", &text(view, second)).unwrap();
        let with_v = ", view: \"v\"";
        let old = scene(with_v, "w");
        let kept = "flock has view v instead of the chosen view w";
        for (chosen, new, expected, note) in [
            (Some(1), scene(&format!("{with_v}, sense: 3"), "w"), Some("w"), ""),
            (None, scene(&format!("{with_v}, sense: 3"), "w"), None, ""),
            (Some(0), scene(with_v, "u"), Some("v"), ""),
            (Some(1), scene(with_v, "u"), Some("v"), kept),
            (Some(1), scene("", "w"), None, "flock has no view instead of the chosen view w"),
            (None, scene("", "w"), None, ""),
            (Some(1), read("test.ron", &text(with_v, "w").replace("flock", "herd")).unwrap(), Some("w"), ""),
        ] {
            let mut world = live(&old);
            world.groups[0].view = chosen;
            let Reconciled { world, notes, .. } = reconcile(&old, &new, &world, None);
            let view = world.groups[0].view.map(|view| world.views[view].name.as_str());
            assert_eq!(view, expected, "{notes:?}");
            let chosen: Vec<_> = notes.iter().filter(|note| note.contains("chosen")).collect();
            assert_eq!(chosen.first().map_or("", |note| note), note);
        }
    }

    #[test]
    fn units_are_matched_by_group_name_and_index() {
        let old = scene(&format!("{FLOCK}, {PACK}"), "player: (body: \"craft\")");
        let world = live(&old);
        let flock = FLOCK.replace('4', "6");
        let new = scene(
            &format!("(name: \"new\", body: \"craft\"), (name: \"pack\", body: \"dart\"), {flock}"),
            "player: (body: \"craft\")",
        );
        let reconciled = reconcile(&old, &new, &world, None);
        let origin = [None, Some(4), Some(0), Some(1), Some(2), Some(3), None, None, Some(6)];
        assert_eq!(reconciled.origin, origin);
        let units = &reconciled.world.units;
        let fresh = build(&new, None).units;
        for (unit, origin) in origin.into_iter().enumerate() {
            if let Some(old) = origin {
                assert_eq!(units.position[unit], world.units.position[old]);
                assert_eq!((units.marks[unit], units.key[unit]), (1, world.units.key[old]));
                assert_eq!(units.born[unit], 0);
            } else {
                assert_eq!((units.position[unit], units.born[unit]), (fresh.position[unit], 100));
                assert_eq!(units.marks[unit], 0);
            }
        }
        assert_eq!(units.group, [0, 1, 2, 2, 2, 2, 2, 2, 3]);
        assert_eq!(reconciled.world.groups[2].units, 2..8);
        assert_eq!(reconciled.world.player, Some(8));
        assert_eq!(units.angular_velocity[1], Vec3::ZERO);
        assert_eq!(
            reconciled.notes,
            [
                "group new added with 1 unit",
                "1 unit removed from pack",
                "body, look of pack changed",
                "2 units added to flock",
                "order of groups changed: units have other numbers",
            ]
        );
        let back = reconcile(&new, &old, &reconciled.world, None);
        assert!(back.notes.contains(&"group new removed".to_owned()));
        assert_eq!(back.world.units.position[..4], world.units.position[..4]);
    }

    #[test]
    fn new_units_have_keys_that_no_removed_unit_had() {
        let with = |count: usize| scene(&FLOCK.replace("count: 4", &format!("count: {count}")), "");
        let other = scene(PACK, "");
        let mut known: BTreeSet<u64> = build(&with(4), None).units.key.into_iter().collect();
        let (mut old, mut world) = (with(4), live(&with(4)));
        // A first unit with an index has the key of a fresh start.
        for (new, added) in [(with(5), 1), (with(2), 0), (with(4), 2), (other, 2), (with(3), 3), (with(6), 3)]
        {
            let reconciled = reconcile(&old, &new, &world, None);
            let fresh: Vec<u64> = (0..reconciled.origin.len())
                .filter(|unit| reconciled.origin[*unit].is_none())
                .map(|unit| reconciled.world.units.key[unit])
                .collect();
            assert_eq!(fresh.len(), added);
            if added == 1 {
                assert_eq!(fresh, [unit_key("flock", 4)]);
            }
            assert!(fresh.into_iter().all(|key| known.insert(key)));
            (old, world) = (new, reconciled.world);
        }
    }

    #[test]
    fn grids_retain_their_values_and_other_cells_preserve_the_total() {
        let grids = |grids: &str| scene(FLOCK, &format!("grids: {{{grids}}}"));
        let old = grids("\"trail\": (cell: 10), \"gone\": (cell: 50)");
        let mut world = live(&old);
        assert!(world.grids[0].set_values((0..50).map(|at| at as f32).collect()));
        let new = grids("\"new\": (cell: 10, initial: 3), \"trail\": (cell: 10, evaporation: 2, initial: 7)");
        let changed = reconcile(&old, &new, &world, None);
        assert_eq!(changed.notes, ["grids changed"]);
        let [fresh, trail] = &changed.world.grids[..] else { panic!("two grids") };
        assert_eq!((fresh.total(), trail.values()), (150.0, world.grids[0].values()));
        assert_eq!(trail.rules.evaporation, 2.0);
        let coarse = reconcile(&new, &grids("\"trail\": (cell: 25)"), &changed.world, None);
        assert_eq!(coarse.world.grids[0].values()[..2], [55.0, 70.0]);
        let drawn = grids(
            "\"trail\": (cell: 10, initial: Uniform(0, 1)), \"more\": (cell: 10, initial: Uniform(0, 1))",
        );
        let changed = reconcile(&old, &drawn, &world, Some(5));
        assert_eq!(changed.world.grids[0].values(), world.grids[0].values());
        assert_eq!(changed.world.grids[1], build(&drawn, Some(5)).grids[1]);
        let other = grids(
            "\"trail\": (cell: 10, initial: Uniform(0, 2)), \"more\": (cell: 10, initial: Uniform(0, 1))",
        );
        assert_eq!(reconcile(&drawn, &other, &changed.world, None).notes, ["grids changed"]);
    }

    #[test]
    fn rules_of_the_world_are_patched_while_it_runs() {
        let old = scene(FLOCK, "seed: 1, step: 0.01");
        let world = live(&old);
        let new = scene(
            "(name: \"flock\", body: \"craft\", count: 5, kinds: [\"a\"], enemies: [\"a\"], view: \"wide\",
              spawn: Disc(center: (9, 9), radius: 1))",
            "seed: 2, step: 0.02",
        );
        let reconciled = reconcile(&old, &new, &world, None);
        let after = &reconciled.world;
        assert_eq!((after.step, after.steps, after.seed), (0.02, 100, 1));
        assert_eq!((&after.marks, after.target), (&world.marks, world.target));
        assert_eq!(after.controls, world.controls);
        assert_eq!((after.groups[0].enemies, after.groups[0].view), (1, Some(0)));
        assert_eq!(after.units.position[..4], world.units.position[..]);
        let fresh = build(&new, None);
        assert_eq!(after.units.position[4], fresh.units.position[4]);
        assert_eq!(
            reconciled.notes,
            [
                "step is 0.02 s now",
                "seed 2 holds for new units only",
                "1 unit added to flock",
                "kinds, view, sense, spawn (for new units only) of flock changed",
            ]
        );
        let other = reconcile(&old, &new, &world, Some(7)).world;
        assert_ne!(other.units.position[4], after.units.position[4]);
    }

    #[test]
    fn a_change_of_the_step_names_the_numbers_that_act_per_step() {
        let with = |step: &str, change: &str| {
            let text = format!(
                "(world: Plane(size: (10, 10)), step: {step}, bodies: {{
                    \"b\": Mover(max_velocity_change: {change}, axes: (1, 0.5, 1)), \"default\": Mover(), \"rigid\": Rigid()}},
                  groups: [(name: \"g\", body: \"b\"), (name: \"h\", body: \"default\"), (name: \"r\", body: \"rigid\")])"
            );
            read("a.ron", &text).unwrap()
        };
        let old = with("0.02", "2.5");
        let notes = |new: &Scene| reconcile(&old, new, &live(&old), None).notes;
        assert_eq!(
            notes(&with("0.01", "2.5"))[..3],
            [
                "step is 0.01 s now",
                "max_velocity_change 2.5 of g is per step, so that its acceleration is 2 times the former",
                "axes of g act in each step, 2 times as often per second",
            ]
        );
        assert!(!notes(&with("0.01", "1.25")).iter().any(|note| note.contains("max_velocity_change")));
        assert!(!notes(&with("0.02", "1")).iter().any(|note| note.contains("per step")));
    }

    #[test]
    fn changed_contacts_apply_at_once() {
        let old = scene(FLOCK, "");
        let new = scene(FLOCK, "contacts: (obstacles: Block)");
        let reconciled = reconcile(&old, &new, &live(&old), None);
        assert_eq!(reconciled.world.contacts, new.world.contacts);
        assert_eq!(reconciled.notes, ["contacts changed"]);
    }

    #[test]
    fn another_look_of_the_world_does_not_change_it() {
        let old = scene(FLOCK, "");
        let (world, new) = (live(&old), scene(FLOCK, "look: (background: \"black\", frame: false)"));
        let reconciled = reconcile(&old, &new, &world, None);
        assert_eq!((reconciled.notes, reconciled.world), (vec!["look changed".to_owned()], world));
    }

    #[test]
    fn behaviors_with_equal_content_are_unchanged() {
        let with = |gain: &str| {
            let group = format!("(name: \"flock\", body: \"craft\", behaviors: [(script: \"a\", {gain})])");
            scene(&group, "")
        };
        let old = with("gain: 1");
        let world = live(&old);
        let notes = |new| reconcile(&old, &new, &world, None).notes;
        assert_eq!(notes(with("   gain: 1.0, enabled: true")), ["nothing changed"]);
        assert_eq!(notes(with("gain: 2")), ["behaviors of flock changed (gain of a)"]);
    }

    #[test]
    fn only_changed_obstacles_are_replaced() {
        let old = scene(
            FLOCK,
            "obstacles: [Circle(center: (1, 1), radius: 1), Circle(center: (5, 5), radius: 1)],
             scatter: [(count: 2, radius: 2), (count: 1, radius: 3)]",
        );
        let mut world = live(&old);
        let pushed = Obstacle::from(Solid::Ball { center: Vec3::new(2.0, 2.0, 0.0), radius: 1.0 });
        world.obstacles.set(0, pushed.clone());
        let new = scene(
            FLOCK,
            "obstacles: [Circle(center: (1, 1), radius: 1), Circle(center: (6, 5), radius: 1),
             Circle(center: (9, 9), radius: 1)],
             scatter: [(count: 2, radius: 2), (count: 2, radius: 4)]",
        );
        let reconciled = reconcile(&old, &new, &world, None);
        let obstacles = &reconciled.world.obstacles;
        assert_eq!(obstacles[0], pushed);
        assert_eq!(obstacles[1..3], new.world.obstacles[1..]);
        assert_eq!(obstacles[3..5], world.obstacles[2..4]);
        assert_eq!((obstacles.len(), obstacles[6].radius()), (7, 4.0));
        assert_eq!(reconciled.notes, ["obstacle 2 moved", "1 obstacle added", "scatter 2 placed anew"]);
    }

    #[test]
    fn between_plane_and_space_all_units_are_created_again() {
        let old = scene(FLOCK, "");
        let world = live(&old);
        let mut new = old.clone();
        new.world.arena.domain = steerbox_core::world::Domain::Space { center: Vec3::ZERO, radius: 20.0 };
        let reconciled = reconcile(&old, &new, &world, None);
        assert_eq!(reconciled.notes, ["the world is space now: every unit starts anew"]);
        assert_eq!(reconciled.origin, [None; 4]);
        assert_eq!(reconciled.world.steps, 100);
        let born = vec![100; 4];
        assert_eq!(reconciled.world.units, Units { born, ..build(&new, None).units });
    }
}
