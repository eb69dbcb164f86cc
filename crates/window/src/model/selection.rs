//! The selection: units, an obstacle, or a rule or group of the panel. It never affects the simulation.

use steerbox_core::world::{Obstacle, World};
use steerbox_picture::render::unit_set::UnitSet;
use steerbox_scene::ListItem;

/// The name of a unit: its group, its index there, and its index in the world, which scripts and keys use, if
/// that differs.
pub(crate) fn unit_name(world: &World, unit: usize) -> String {
    let group = world.group_of(unit);
    match unit.saturating_sub(group.units.start) {
        index if index == unit => format!("{} {unit}", group.name),
        index => format!("{} {index} (unit {unit})", group.name),
    }
}

/// Units by their index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// In the order in which they were selected: the last one is inspected.
    units: UnitSet,
    /// Units whose figures stay visible, independent of the selection.
    pinned: UnitSet,
    /// The selected units, and the pinned ones, with their keys.
    known: [Vec<(usize, u64)>; 2],
    /// The selected obstacle, an alternative to units: its index, its value, and the number of obstacles.
    obstacle: Option<(usize, Obstacle, usize)>,
    /// The selected rule or group, an alternative to both.
    item: Option<ListItem>,
}

impl Selection {
    /// The unit whose figures are shown in full.
    pub(crate) fn inspected(&self) -> Option<usize> {
        self.units.last().copied()
    }

    /// All selected units, the inspected one last.
    pub(crate) fn units(&self) -> &[usize] {
        &self.units
    }

    /// All selected units, with an index.
    pub(crate) fn set(&self) -> &UnitSet {
        &self.units
    }

    /// The pinned units, in the order in which they were pinned.
    pub(crate) fn pinned(&self) -> &[usize] {
        &self.pinned
    }

    /// The selected obstacle, if no unit is selected.
    pub(crate) fn obstacle(&self) -> Option<usize> {
        self.obstacle.as_ref().map(|(at, ..)| *at)
    }

    /// The selected rule or group.
    pub(crate) fn item(&self) -> Option<&ListItem> {
        self.item.as_ref()
    }

    /// Selects a rule or a group alone, or nothing.
    pub(crate) fn pick_item(&mut self, item: Option<ListItem>) {
        self.replace([]);
        self.item = item;
    }

    /// True if nothing is selected.
    pub(crate) fn is_empty(&self) -> bool {
        self.units.is_empty() && self.obstacle.is_none() && self.item.is_none()
    }

    /// Selects an obstacle alone, or nothing.
    pub(crate) fn pick(&mut self, at: Option<usize>, obstacles: &[Obstacle]) {
        self.replace([]);
        self.obstacle = at.and_then(|at| Some((at, obstacles.get(at)?.clone(), obstacles.len())));
    }

    /// Follows the same obstacle when others are added or removed, or when it moves; clears a removed one.
    pub(crate) fn follow_obstacle(&mut self, obstacles: &[Obstacle]) {
        let Some((at, known, count)) = &mut self.obstacle else {
            return;
        };
        if obstacles.get(*at) != Some(known) {
            let elsewhere = obstacles.iter().position(|obstacle| obstacle == known);
            *at = elsewhere.unwrap_or(if obstacles.len() == *count { *at } else { usize::MAX });
        }
        let found = obstacles.get(*at).map(|obstacle| (*at, obstacle.clone(), obstacles.len()));
        self.obstacle = found;
    }

    /// Selects these units alone.
    pub(crate) fn replace(&mut self, units: impl IntoIterator<Item = usize>) {
        (self.obstacle, self.item) = (None, None);
        self.units = units.into_iter().collect();
    }

    /// Adds a unit to the selection, or removes it.
    pub(crate) fn toggle(&mut self, unit: usize) {
        (self.obstacle, self.item) = (None, None);
        self.units.toggle(unit);
    }

    /// Pins a unit, or unpins it.
    pub(crate) fn toggle_pin(&mut self, unit: usize) {
        self.pinned.toggle(unit);
    }

    /// Follows the same units if a changed scene renumbers them, and drops removed ones.
    /// `keys` are those of all units, in their order.
    pub(crate) fn follow(&mut self, keys: &[u64]) {
        follow(&mut self.units, &mut self.known[0], keys);
        follow(&mut self.pinned, &mut self.known[1], keys);
    }
}

/// Follows the units by the keys in `known`, as of the last call.
fn follow(units: &mut UnitSet, known: &mut Vec<(usize, u64)>, keys: &[u64]) {
    let is_as_known =
        |(unit, (before, key)): (&usize, &(usize, u64))| unit == before && keys.get(*unit) == Some(key);
    if units.len() == known.len() && units.iter().zip(&*known).all(is_as_known) {
        return;
    }
    // Sorted by key, in one allocation.
    let mut places: Option<Vec<(u64, usize)>> = None;
    let mut known_units = known.iter();
    let followed = units.iter().map(|unit| match known_units.next() {
        Some((before, key)) if unit == before && keys.get(*unit) != Some(key) => {
            let places = places.get_or_insert_with(|| {
                let mut places: Vec<_> = keys.iter().copied().zip(0..).collect();
                places.sort_unstable();
                places
            });
            let at = places.binary_search_by_key(key, |(key, _)| *key);
            at.map_or(usize::MAX, |at| places[at].1)
        }
        _ => *unit,
    });
    let followed: UnitSet = followed.filter(|unit| *unit < keys.len()).collect();
    *known = followed.iter().map(|unit| (*unit, keys[*unit])).collect();
    *units = followed;
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::Solid;

    use super::*;
    use steerbox_scene as scene;

    #[test]
    fn a_unit_is_named_by_its_place_in_its_group_and_by_its_number_where_that_differs() {
        let text = "(world: Plane(size: (9, 9)), bodies: {\"m\": Mover()},
            groups: [(name: \"sheep\", body: \"m\", count: 80), (name: \"wolves\", body: \"m\", count: 4)])";
        let world = scene::build(&scene::read("a.ron", text).unwrap(), None);
        assert_eq!([unit_name(&world, 7), unit_name(&world, 83)], ["sheep 7", "wolves 3 (unit 83)"]);
    }

    #[test]
    fn the_unit_that_was_selected_last_is_inspected() {
        let mut selection = Selection::default();
        selection.replace([4]);
        selection.toggle(9);
        assert_eq!((selection.inspected(), selection.units()), (Some(9), &[4, 9][..]));
        selection.toggle(9);
        assert_eq!(selection.inspected(), Some(4));
        selection.toggle_pin(7);
        selection.replace([]);
        assert_eq!((selection.inspected(), selection.pinned()), (None, &[7][..]));
        selection.follow(&[0; 7]);
        assert_eq!(selection.pinned(), [0; 0]);
    }

    #[test]
    fn an_obstacle_stays_selected_when_others_are_added_and_removed() {
        let ball = |x: f32| Obstacle::from(Solid::ball(glam::Vec3::X * x, 1.0));
        let mut selection = Selection::default();
        selection.replace([3]);
        selection.pick(Some(1), &[ball(1.0), ball(2.0)]);
        assert_eq!((selection.obstacle(), selection.units()), (Some(1), &[][..]));
        selection.follow_obstacle(&[ball(2.0)]);
        assert_eq!(selection.obstacle(), Some(0));
        selection.follow_obstacle(&[ball(5.0)]);
        assert_eq!(selection.obstacle(), Some(0), "the obstacle moved");
        selection.follow_obstacle(&[]);
        assert_eq!(selection.obstacle(), None);
        selection.pick(Some(0), &[ball(1.0)]);
        selection.replace([7]);
        assert_eq!(selection.obstacle(), None);
    }

    #[test]
    fn units_stay_selected_when_a_scene_renumbers_them() {
        let mut selection = Selection::default();
        selection.replace([0, 2]);
        selection.toggle_pin(1);
        selection.follow(&[10, 11, 12]);
        selection.follow(&[9, 10, 11, 12]);
        assert_eq!((selection.units(), selection.pinned()), (&[1, 3][..], &[2][..]));
        selection.follow(&[12, 9]);
        assert_eq!((selection.units(), selection.pinned()), (&[0][..], &[][..]));
        // A selection made in between is preserved.
        selection.replace([1]);
        selection.follow(&[12, 9]);
        assert_eq!(selection.units(), [1]);
    }
}
