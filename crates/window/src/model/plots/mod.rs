//! Plots: figures of the groups and of the inspected unit over the last minute.

pub(crate) mod chart;
mod plot;
mod quantity;
mod sample;
mod series;
pub(crate) mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

pub(crate) use plot::{Plot, PlotKind, PlotName};
pub(crate) use quantity::{Measure, Quantity};
pub(crate) use series::{Computed, Key, Series, Subject};

use steerbox_core::sim::metrics::FigureSource;
use steerbox_core::sim::{DecidedStep, Simulation};
use steerbox_core::world::World;
use steerbox_project::session::Explained;

/// Simulated seconds that are stored, and between two samples.
const SECONDS: f32 = 60.0;
const EVERY: f32 = 0.1;

/// The subject of all plots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PlotSubject {
    /// Of all groups.
    #[default]
    Groups,
    /// Of one group, by its index.
    Group(usize),
    /// Of the inspected unit.
    Unit,
}

/// The figures of the last minute: sampled as steps are made, and completed from the recorded past.
#[derive(Clone, Debug)]
pub(crate) struct Plots {
    /// True if they are shown.
    pub(crate) open: bool,
    /// The plotted quantities.
    pub(crate) chosen: BTreeSet<Quantity>,
    /// Their subject.
    pub(crate) shown: PlotSubject,
    /// The span of time that is marked, seconds.
    pub(crate) span: Option<[f32; 2]>,
    /// The kinds of plots that are not over time.
    kinds: BTreeMap<PlotName, PlotKind>,
    /// The names of the groups.
    groups: Vec<String>,
    /// The unit that is inspected, by its number and its key.
    unit: Option<(usize, u64)>,
    /// The number of times that recorded steps were replaced, the last step, and the last step with open plots.
    rewrites: u64,
    last: u64,
    closed_at: Option<u64>,
    /// The number of times that all values were dropped.
    pub(crate) resets: u64,
    /// The step after which scripts record watched values; `None` if they do not.
    watched: Option<u64>,
    series: Series,
}

impl Default for Plots {
    fn default() -> Self {
        Self {
            open: false,
            chosen: ["polarization", "speed", "nearest"].into_iter().filter_map(Quantity::named).collect(),
            shown: PlotSubject::default(),
            span: None,
            kinds: BTreeMap::new(),
            groups: Vec::new(),
            unit: None,
            rewrites: 0,
            last: 0,
            closed_at: None,
            resets: 0,
            watched: None,
            series: Series::new(SECONDS, EVERY, 0),
        }
    }
}

/// Names of the groups of a world.
fn names(world: &World) -> impl Iterator<Item = &String> {
    world.groups.iter().map(|group| &group.name)
}

impl Plots {
    /// The same plots of another scene.
    pub(super) fn of_next_scene(self) -> Self {
        Self { open: self.open, chosen: self.chosen, ..Self::default() }
    }

    /// Updates the plots to the present `world` (if that is shown), the last step, the number of times that
    /// recorded steps were replaced, and the inspected unit, by its number and key.
    pub(crate) fn follow(
        &mut self,
        world: Option<&World>,
        (last, rewrites): (u64, u64),
        unit: Option<(usize, u64)>,
    ) {
        let is_same = world.is_none_or(|world| names(world).eq(&self.groups));
        if !is_same || self.rewrites != rewrites || last < self.last {
            self.groups = world.map_or_else(Vec::new, |world| names(world).cloned().collect());
            (self.series, self.span) = (Series::new(SECONDS, EVERY, last), None);
            (self.rewrites, self.last, self.closed_at) = (rewrites, last, None);
            self.resets += 1;
        }
        let key = |unit: Option<(usize, u64)>| unit.map(|(_, key)| key);
        if key(unit) != key(self.unit) {
            self.series.forget(Computed::UNIT, |key| key.subject == Subject::Unit);
        }
        self.unit = unit;
        let before = std::mem::replace(&mut self.last, last);
        if !self.open {
            self.closed_at.get_or_insert(before);
        } else if let Some(closed_at) = self.closed_at.take() {
            self.series.add_gap(closed_at + 1..=last);
        }
    }

    /// Samples the state after the last step, if a sample is due.
    pub(crate) fn note(&mut self, simulation: &Simulation, explained: Option<&Explained>) {
        if !self.open {
            return;
        }
        let world = simulation.world();
        self.watched = self.watched.filter(|_| simulation.watching);
        let is_watched = simulation.watching && world.steps > *self.watched.get_or_insert(world.steps);
        let explained = explained
            .filter(|explained| self.unit.is_some_and(|(unit, _)| Some(unit) == explained.facts.now));
        let is_computed = |quantity: Quantity| match quantity {
            Quantity::Watched => is_watched,
            Quantity::Force => simulation.decided() == DecidedStep::Last,
            _ => true,
        };
        let computed = self.computed(explained.is_some(), is_computed);
        if self.series.is_due(world, computed) {
            let sample = sample(simulation, explained, &self.chosen);
            self.series.store((world.steps, world.time()), computed, sample);
        }
    }

    /// The requested figures of a state that `is_computed` admits.
    fn computed(&self, unit: bool, is_computed: impl Fn(Quantity) -> bool) -> Computed {
        let costly = self.chosen.iter().filter(|quantity| quantity.is_costly() && is_computed(**quantity));
        let unit = if unit { Computed::UNIT } else { Computed::default() };
        costly.fold(unit, |all, quantity| all.and(Computed::from_quantity(*quantity)))
    }

    /// The requested figures of every state.
    pub(crate) fn wanted(&self) -> Computed {
        self.computed(self.unit.is_some(), |_| true)
    }

    /// The recorded steps without a complete sample while plots are open; a step lasts `step` simulated seconds.
    pub(crate) fn missing(&self, recorded: &RangeInclusive<u64>, step: f32) -> BTreeSet<u64> {
        if self.open { self.series.missing(recorded, self.wanted(), step) } else { BTreeSet::new() }
    }

    /// Returns the function that samples a recorded state. The sample of a state with other groups is empty.
    pub(crate) fn sampler(&self) -> impl Fn(&Simulation, Option<&Explained>) -> Vec<(Key, f32)> + use<> {
        let (chosen, groups) = (self.chosen.clone(), self.groups.clone());
        move |simulation, explained| {
            let is_same = groups.is_empty() || names(simulation.world()).eq(&groups);
            if is_same { sample(simulation, explained, &chosen) } else { Vec::new() }
        }
    }

    /// All values over time, to be completed.
    pub(crate) fn series_mut(&mut self) -> &mut Series {
        &mut self.series
    }

    /// True if scripts are to record what they watch.
    pub(crate) fn watches(&self) -> bool {
        self.open && self.chosen.contains(&Quantity::Watched)
    }

    /// Plots a quantity, or stops.
    pub(crate) fn toggle(&mut self, quantity: Quantity) {
        if !self.chosen.remove(&quantity) {
            self.chosen.insert(quantity);
        }
    }

    /// All values over time.
    pub(crate) fn series(&self) -> &Series {
        &self.series
    }

    /// The visible series, in the order in which they are plotted.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.series.keys().filter(|key| self.chosen.contains(&key.quantity) && self.is_shown(key.subject))
    }

    /// The visible plots in their order: series of one measure share one; the forces of all rules of a group share one.
    pub(crate) fn plots(&self) -> Vec<Plot> {
        let mut plots: Vec<Plot> = Vec::new();
        for key in self.keys() {
            let name = PlotName::of(key);
            if let Some(plot) = plots.iter_mut().find(|plot| plot.name == name) {
                plot.keys.push(key.clone());
            } else {
                let kind = self.kinds.get(&name).cloned().unwrap_or_default();
                plots.push(Plot { name, kind, keys: vec![key.clone()] });
            }
        }
        plots
    }

    /// Changes the kind of a plot.
    pub(crate) fn set_kind(&mut self, name: PlotName, kind: PlotKind) {
        self.kinds.insert(name, kind);
    }

    /// The kinds that a plot can have. A plot is against the measures with values of the shown subject.
    pub(crate) fn kinds_of(&self, plot: &Plot) -> Vec<PlotKind> {
        let mut kinds = vec![PlotKind::OverTime, PlotKind::Histogram];
        for key in self.series.keys().filter(|key| self.is_shown(key.subject)) {
            let kind = PlotKind::Against(key.measure());
            if PlotName::of(key) != plot.name && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    fn is_shown(&self, subject: Subject) -> bool {
        match (self.shown, subject) {
            (PlotSubject::Groups, Subject::Group(_)) => true,
            (PlotSubject::Group(shown), Subject::Group(group)) => shown == group,
            (PlotSubject::Unit, Subject::Unit) => self.unit.is_some(),
            _ => false,
        }
    }

    /// The title of a plot, without a unit.
    pub(crate) fn title(&self, name: &PlotName) -> String {
        match name {
            PlotName::Measure(measure) => measure.title(),
            PlotName::Forces(subject) => format!("force by rule: {}", self.name_of(*subject)),
        }
    }

    /// The name of a series in its plot: its rule, or its subject.
    pub(crate) fn name_in_plot(&self, key: &Key) -> String {
        match key.quantity {
            Quantity::Force => key.name.clone(),
            _ => self.name_of(key.subject),
        }
    }

    /// The name of a subject.
    pub(crate) fn name_of(&self, subject: Subject) -> String {
        match subject {
            Subject::Group(group) => self.groups.get(group).cloned().unwrap_or_default(),
            Subject::Unit => self.unit.map_or_else(String::new, |(unit, _)| format!("unit {unit}")),
        }
    }
}

/// The figures of a state: all cheap ones, and those that are `chosen`.
fn sample(
    simulation: &Simulation,
    explained: Option<&Explained>,
    chosen: &BTreeSet<Quantity>,
) -> Vec<(Key, f32)> {
    let mut sample = Vec::new();
    let mut add = |key, value| sample.push((key, value));
    let figures = FigureSource::new(simulation.world());
    sample::of_groups(simulation, &figures, |it| chosen.contains(&it), &mut add);
    let unit = explained.and_then(|it| it.facts.now).filter(|unit| *unit < simulation.world().units.len());
    if let Some((explained, unit)) = explained.zip(unit) {
        sample::of_unit(&figures, explained, unit, add);
    }
    sample
}

#[cfg(test)]
mod tests {
    use steerbox_core::sim::{Contribution, Slot, UnitContext, WatchValue};
    use steerbox_core::world::World;

    use super::*;
    use glam::Vec3;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use steerbox_scene as scene;

    fn world() -> World {
        let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()}, groups: [
            (name: \"a\", body: \"m\", spawn: At([(position: (40, 50), heading: 90), (position: (60, 50), heading: 270)]))])";
        let mut world = scene::build(&scene::read("a.ron", text).unwrap(), None);
        // One unit to the left that moves down, one to the right that moves up: they circle.
        world.units.velocity = vec![Vec3::NEG_Y * 3.0, Vec3::Y * 3.0];
        world
    }

    fn open(chosen: &[Quantity]) -> Plots {
        Plots { open: true, chosen: chosen.iter().copied().collect(), ..Plots::default() }
    }

    /// Updates plots to the present state, and samples it.
    fn note(plots: &mut Plots, simulation: &Simulation) {
        plots.follow(Some(simulation.world()), (simulation.world().steps, 0), None);
        plots.note(simulation, None);
    }

    /// The table of all visible values.
    fn csv(plots: &Plots) -> String {
        let simulation = &Simulation::new(World::default(), Vec::new());
        let keys: Vec<_> = plots.keys().cloned().collect();
        table::over_time(&[chart::PlottedRun { letter: "", plots, simulation }], &keys, None)
    }

    fn figure(name: &str) -> Quantity {
        Quantity::named(name).unwrap()
    }

    fn last(plots: &Plots, quantity: Quantity) -> Option<f32> {
        plots.series().value(&Key::new(quantity, Subject::Group(0)), None)
    }

    #[test]
    fn two_circling_units_mill_and_are_not_polarized() {
        let quantities = [
            figure("polarization"),
            figure("milling"),
            figure("speed"),
            figure("nearest"),
            figure("clusters"),
        ];
        let mut plots = open(&quantities);
        let mut world = world();
        for _ in 0..3 {
            note(&mut plots, &Simulation::new(world.clone(), Vec::new()));
            world.steps += 1000;
        }
        assert_eq!(quantities.map(|it| last(&plots, it)), [0.0, 1.0, 3.0, 20.0, 2.0].map(Some));
        assert_eq!(last(&plots, figure("count")), Some(2.0), "cheap figures are there when they are chosen");
        assert_eq!(plots.keys().count(), 5);
        let table = csv(&plots);
        let head = "time,of,polarization,milling,speed,nearest,clusters\n0.0,a,0.0,1.0,3.0,20.0,2\n";
        assert!(table.starts_with(head) && table.lines().count() == 4, "{table}");
        plots.toggle(Quantity::Force);
        plots.toggle(figure("clusters"));
        plots.toggle(figure("clusters"));
        assert_eq!(plots.keys().count(), 5);
        world.steps = 0;
        note(&mut plots, &Simulation::new(world, Vec::new()));
        assert_eq!(csv(&plots).lines().count(), 2, "after a restart they begin anew");
    }

    #[test]
    fn closed_plots_store_no_samples() {
        let mut plots = Plots::default();
        note(&mut plots, &Simulation::new(world(), Vec::new()));
        assert_eq!(plots.series().keys().count(), 0);
    }

    #[test]
    fn lines_are_split_where_plots_were_closed_or_the_scene_restarted() {
        let mut plots = open(&[figure("speed")]);
        let mut world = world();
        let mut note = |plots: &mut Plots, steps: u64, open: bool| {
            (world.steps, plots.open) = (steps, open);
            note(plots, &Simulation::new(world.clone(), Vec::new()));
        };
        let lines = |plots: &Plots| {
            let lines = plots.series().lines(&Key::new(figure("speed"), Subject::Group(0)));
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
    fn rules_and_watched_values_are_plotted_by_name() {
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
        note(&mut plots, &simulation);
        let values: Vec<_> = plots.keys().map(|key| (key.title(), plots.series().value(key, None))).collect();
        let expected = [("force push", 3.0), ("watched push: drift, \"x\"", 0.5)];
        assert_eq!(values, expected.map(|(title, value)| (title.to_owned(), Some(value))));
        let table = csv(&plots);
        assert!(table.starts_with("time,of,force push,\"watched push: drift, \"\"x\"\"\"\n"), "{table}");
        plots.shown = PlotSubject::Unit;
        assert_eq!(plots.keys().count(), 0, "no unit is inspected");
    }
}
