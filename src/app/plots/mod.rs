//! What is plotted: figures of the groups and of the inspected unit over the last minute.

mod quantity;
mod series;

use std::collections::BTreeSet;
use std::fmt::Write as _;

pub(super) use quantity::Quantity;
pub(super) use series::{Key, Series, Subject};

use crate::session::Explained;
use crate::sim::{Simulation, csv_field};

/// Simulated seconds that are kept, and between two samples.
const SECONDS: f32 = 60.0;
const EVERY: f32 = 0.1;

/// Whose values are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Shown {
    /// Of all groups.
    #[default]
    Groups,
    /// Of one group, by its index.
    Group(usize),
    /// Of the inspected unit.
    Unit,
}

/// The figures of the last minute, taken while they are shown.
#[derive(Clone, Debug)]
pub(super) struct Plots {
    /// Whether they are shown.
    pub(super) open: bool,
    /// What is plotted.
    pub(super) chosen: BTreeSet<Quantity>,
    /// Of what it is plotted.
    pub(super) shown: Shown,
    /// The span of time that is marked, seconds.
    pub(super) span: Option<[f32; 2]>,
    /// The names of the groups.
    groups: Vec<String>,
    /// The unit that is inspected.
    unit: Option<usize>,
    /// The one that was inspected last, and its key.
    known: Option<(usize, u64)>,
    /// Whether something is chosen that was not before.
    is_new: bool,
    /// The time of the last state, and whether there were states since the last sample of which none was taken.
    seen: Option<f32>,
    has_gap: bool,
    series: Series,
}

impl Default for Plots {
    fn default() -> Self {
        Self {
            open: false,
            chosen: [Quantity::Polarization, Quantity::Speed, Quantity::Nearest].into(),
            shown: Shown::default(),
            span: None,
            groups: Vec::new(),
            unit: None,
            known: None,
            is_new: false,
            seen: None,
            has_gap: false,
            series: Series::default(),
        }
    }
}

impl Plots {
    /// Takes a sample of the state after the last step, if it is time to.
    pub(super) fn note(&mut self, simulation: &Simulation, explained: Option<&Explained>) {
        let world = simulation.world();
        let time = world.time();
        let same = world.groups.iter().map(|group| &group.name).eq(&self.groups);
        if self.seen.replace(time).is_some_and(|seen| time < seen) || !same {
            self.groups = world.groups.iter().map(|group| group.name.clone()).collect();
            (self.series, self.span) = (Series::default(), None);
        }
        if !self.open {
            self.has_gap = true;
            return;
        }
        let unit = explained.map(|explained| explained.facts.unit);
        let keyed = unit.and_then(|unit| Some((unit, *world.units.key.get(unit)?)));
        if let (Some((before, known)), Some((now, key))) = (self.known, keyed)
            && (known, before != now) == (key, true)
        {
            // It has another number where others were added or removed.
            self.series.rename(Subject::Unit(before), Subject::Unit(now));
        }
        self.known = keyed.or(self.known);
        let is_new = std::mem::replace(&mut self.unit, unit) != unit || std::mem::take(&mut self.is_new);
        let last = self.series.last();
        if last.is_some_and(|last| time - last < EVERY && !(is_new && time == last)) {
            return;
        }
        if std::mem::take(&mut self.has_gap)
            && let Some(last) = last
        {
            // Nothing is known of the time while they were closed: no line leads across it.
            self.series.begin(last.midpoint(time), time - SECONDS);
        }
        if last != Some(time) {
            self.series.begin(time, time - SECONDS);
        }
        let (series, chosen) = (&mut self.series, &self.chosen);
        quantity::of_groups(simulation, |it| chosen.contains(&it), |key, value| series.add(key, value));
        // What is known of a unit is of the last step, or nothing is known.
        if let Some(explained) = explained {
            quantity::of_unit(world, explained, |key, value| self.series.add(key, value));
        }
    }

    /// Whether scripts are to record what they watch.
    pub(super) fn watches(&self) -> bool {
        self.open && self.chosen.contains(&Quantity::Watched)
    }

    /// Plots a quantity, or no longer.
    pub(super) fn toggle(&mut self, quantity: Quantity) {
        if !self.chosen.remove(&quantity) {
            self.is_new = self.chosen.insert(quantity);
        }
    }

    /// All values over time.
    pub(super) fn series(&self) -> &Series {
        &self.series
    }

    /// The series that are shown, in the order in which they are plotted.
    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.series.keys().filter(|key| self.chosen.contains(&key.quantity) && self.is_shown(key.subject))
    }

    fn is_shown(&self, subject: Subject) -> bool {
        match (self.shown, subject) {
            (Shown::Groups, Subject::Group(_)) => true,
            (Shown::Group(shown), Subject::Group(group)) => shown == group,
            (Shown::Unit, Subject::Unit(unit)) => self.unit == Some(unit),
            _ => false,
        }
    }

    /// What a subject is called.
    pub(super) fn name_of(&self, subject: Subject) -> String {
        match subject {
            Subject::Group(group) => self.groups.get(group).cloned().unwrap_or_default(),
            Subject::Unit(unit) => format!("unit {unit}"),
        }
    }

    /// All that is shown as a table: a line for each time and group, or unit.
    pub(super) fn csv(&self) -> String {
        let mut columns: Vec<_> = self.keys().map(Key::title).collect();
        // Keys are in the order of their quantities, not of their titles.
        let mut known = BTreeSet::new();
        columns.retain(|title| known.insert(title.clone()));
        let subjects: BTreeSet<_> = self.keys().map(|key| key.subject).collect();
        let mut table = "time,of".to_owned();
        for title in &columns {
            let _ = write!(table, ",{}", csv_field(title));
        }
        table.push('\n');
        let rows = |subject: Subject| {
            let keys: Vec<_> = self.keys().filter(|key| key.subject == subject).collect();
            let find = |title: &String| keys.iter().find(|key| key.title() == *title).copied();
            let row: Vec<_> = columns.iter().map(find).collect();
            (self.name_of(subject), self.series.rows(&row).collect::<Vec<_>>())
        };
        let tables: Vec<_> = subjects.into_iter().map(rows).collect();
        let times = tables.first().map_or(0, |(_, rows)| rows.len());
        for at in 0..times {
            for (name, rows) in &tables {
                let (time, cells) = &rows[at];
                let _ = writeln!(table, "{time},{},{}", csv_field(name), cells.join(","));
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;
    use crate::sim::{Contribution, Slot, UnitContext, WatchValue};
    use crate::world::World;
    use glam::Vec3;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn world() -> World {
        let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()}, groups: [
            (name: \"a\", body: \"m\", spawn: At([(position: (40, 50), heading: 90), (position: (60, 50), heading: 270)]))])";
        let mut world = scene::build(&scene::read("a.ron", text).unwrap(), None);
        // One to the left that moves down, one to the right that moves up: they circle.
        world.units.velocity = vec![Vec3::NEG_Y * 3.0, Vec3::Y * 3.0];
        world
    }

    fn open(chosen: &[Quantity]) -> Plots {
        Plots { open: true, chosen: chosen.iter().copied().collect(), ..Plots::default() }
    }

    fn last(plots: &Plots, quantity: Quantity) -> Option<f32> {
        plots.series().value(&Key::of(quantity, Subject::Group(0)), None)
    }

    #[test]
    fn two_that_circle_mill_and_are_not_polarized() {
        let quantities = [
            Quantity::Polarization,
            Quantity::Milling,
            Quantity::Speed,
            Quantity::Nearest,
            Quantity::Clusters,
        ];
        let mut plots = open(&quantities);
        let mut world = world();
        for _ in 0..3 {
            plots.note(&Simulation::new(world.clone(), Vec::new()), None);
            world.steps += 1000;
        }
        assert_eq!(quantities.map(|it| last(&plots, it)), [0.0, 1.0, 3.0, 20.0, 2.0].map(Some));
        assert_eq!(last(&plots, Quantity::Count), Some(2.0), "cheap figures are there when they are chosen");
        assert_eq!(plots.keys().count(), 5);
        let table = plots.csv();
        let head = "time,of,polarization,milling,speed,nearest,clusters\n0,a,0,1,3,20,2\n";
        assert!(table.starts_with(head) && table.lines().count() == 4, "{table}");
        plots.toggle(Quantity::Force);
        plots.toggle(Quantity::Clusters);
        plots.toggle(Quantity::Clusters);
        assert_eq!(plots.keys().count(), 5);
        world.steps = 0;
        plots.note(&Simulation::new(world, Vec::new()), None);
        assert_eq!(plots.csv().lines().count(), 2, "after a restart they begin anew");
    }

    #[test]
    fn nothing_is_taken_while_nothing_is_shown() {
        let mut plots = Plots::default();
        plots.note(&Simulation::new(world(), Vec::new()), None);
        assert_eq!(plots.series().keys().count(), 0);
    }

    #[test]
    fn no_line_leads_across_the_time_while_plots_were_closed_or_a_restart() {
        let mut plots = open(&[Quantity::Speed]);
        let mut world = world();
        let mut note = |plots: &mut Plots, steps: u64, open: bool| {
            (world.steps, plots.open) = (steps, open);
            plots.note(&Simulation::new(world.clone(), Vec::new()), None);
        };
        let lines = |plots: &Plots| {
            let lines = plots.series().lines(&Key::of(Quantity::Speed, Subject::Group(0)));
            lines.iter().map(Vec::len).collect::<Vec<_>>()
        };
        for (steps, open) in [(100, true), (200, true), (300, false), (400, true), (500, true)] {
            note(&mut plots, steps, open);
        }
        assert_eq!(lines(&plots), [2, 2]);
        for (steps, open) in [(0, false), (600, false), (700, true)] {
            note(&mut plots, steps, open);
        }
        assert_eq!(lines(&plots), [1]);
    }

    #[test]
    fn rules_and_what_they_watch_are_plotted_by_name() {
        let push = |context: &mut UnitContext| {
            let unit = context.unit() as f32;
            context.watch("drift, \"x\"", || WatchValue::Number(unit));
            Contribution::Push(Vec3::X * (unit + 1.0))
        };
        let slot = Slot { gain: -2.0, ..Slot::new("push", 1, Some(Arc::new(push))) };
        let mut simulation = Simulation::new(world(), vec![vec![slot]]);
        let mut plots = open(&[Quantity::Force]);
        plots.toggle(Quantity::Watched);
        simulation.watching = plots.watches();
        assert!(simulation.try_step(&AtomicBool::new(false)));
        plots.note(&simulation, None);
        let values: Vec<_> = plots.keys().map(|key| (key.title(), plots.series().value(key, None))).collect();
        let expected = [("force push", 3.0), ("watched push: drift, \"x\"", 0.5)];
        assert_eq!(values, expected.map(|(title, value)| (title.to_owned(), Some(value))));
        let table = plots.csv();
        assert!(table.starts_with("time,of,force push,\"watched push: drift, \"\"x\"\"\"\n"), "{table}");
        plots.shown = Shown::Unit;
        assert_eq!(plots.keys().count(), 0, "no unit is inspected");
    }
}
