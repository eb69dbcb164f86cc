//! The names of measures in a scene, and the parser of measures.

use std::fmt::{self, Display, Formatter};

use super::group_measure::{Component, NamedMeasure};
use super::measure::{COMPONENTS, GroupQuantity, Measure, POPULATION, Quantity};
use super::metrics::{self, FIGURES, WatchedMean};
use super::simulation::Simulation;
use super::slot::{Slot, use_names};
use crate::diagnostics::{closest, did_you_mean};
use crate::text::composed;
use crate::world::Group;

/// Measures of the run as a whole.
const OF_RUN: [&str; 3] = ["step", "time", ERRORS];
/// The number of failures of behaviors so far, of the run or of a group.
const ERRORS: &str = "errors";
/// The number of units in the zone with the name that follows.
const INSIDE: &str = "inside.";
/// Beginning and possible ends of the measures of an environment grid; the end of the mean is the last.
const GRID: (&str, [&str; 2]) = ("grid.", [".total", ".mean"]);

impl Measure {
    /// Parses a name; see [`Measure`].
    ///
    /// # Errors
    /// If there is no such measure: with the most similar one.
    pub fn parse(text: &str, names: &MeasureNames) -> Result<Self, UnknownMeasure> {
        let text = &*composed(text);
        let parsed = names.measure(text);
        if parsed.is_err() && text.contains("[\"") {
            // The form of conditions: `groups["big ones"].inside["north door"]`.
            let dotted = text.replace("[\"", ".").replace("\"]", "");
            return names.measure(dotted.strip_prefix("groups.").unwrap_or(&dotted));
        }
        parsed
    }
}

/// The error of a name that no measure has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMeasure {
    /// The message.
    pub message: String,
    /// The most similar text that is a measure.
    pub near: Option<String>,
    /// Texts that would be valid at the unknown part.
    pub known: Vec<String>,
    /// The reason, if the measure exists and does not work.
    pub reason: Option<String>,
}

impl UnknownMeasure {
    /// Returns the remedy: the reason, the most similar measure, or all known names.
    pub fn help(&self) -> String {
        if let Some(reason) = &self.reason {
            return reason.clone();
        }
        let all = || format!("known: {}", self.known.join(", "));
        self.near.as_deref().map_or_else(all, did_you_mean)
    }
}

impl Display for UnknownMeasure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.message, self.help())
    }
}

impl std::error::Error for UnknownMeasure {}

/// The names of groups, watched values, signals, zones, grids and computed measures, from which measures are parsed.
#[derive(Clone, Debug, Default)]
pub struct MeasureNames {
    /// The groups in the order of the scene.
    pub groups: Vec<GroupNames>,
    /// The signals of the world.
    pub signals: Vec<String>,
    /// The zones of the world.
    pub zones: Vec<String>,
    /// The environment grids of the world.
    pub grids: Vec<String>,
    /// The measures that code computes, with the reason why one has no value in any state.
    pub computed: Vec<(String, Result<(), String>)>,
}

/// The names of a group.
#[derive(Clone, Debug, Default)]
pub struct GroupNames {
    /// The group's name.
    pub name: String,
    /// True for the player's group.
    pub is_player: bool,
    /// True if its units are born or have been born or died: its counts of births and deaths are listed.
    pub is_populated: bool,
    /// The watched values: rule and name.
    pub watched: Vec<(String, String)>,
}

impl MeasureNames {
    /// Returns true for the name of a figure or another measure that every group or run has.
    pub fn are_built_in(name: &str) -> bool {
        OF_RUN.contains(&name) || FIGURES.iter().any(|figure| figure.name == name)
    }

    /// Collects the names of a simulation: those that its scripts show, and those that were watched in the last step.
    pub fn of(simulation: &Simulation) -> Self {
        let world = simulation.world();
        let is_player = |group: &Group| world.player.is_some_and(|player| group.units.contains(&player));
        let group = |(at, group): (usize, &Group)| GroupNames {
            name: group.name.clone(),
            is_player: is_player(group),
            is_populated: group.most.is_some() || simulation.is_populated(at),
            watched: watched_by(simulation.slots(at)),
        };
        let mut names = Self {
            groups: world.groups.iter().enumerate().map(group).collect(),
            signals: world.signals.all().to_vec(),
            zones: world.zones.iter().map(|zone| zone.name.clone()).collect(),
            grids: world.grids.iter().map(|grid| grid.name.clone()).collect(),
            computed: simulation.measures().all().iter().map(NamedMeasure::state).collect(),
        };
        for WatchedMean { group, rule, name, .. } in metrics::watched(simulation) {
            let watched = &mut names.groups[group].watched;
            if !watched.iter().any(|known| known.0 == rule && known.1 == name) {
                watched.push((rule, name));
            }
        }
        names
    }

    /// Returns every measure of every group and every environment grid, without components of vectors, in the order of
    /// metrics.
    pub fn all(&self) -> Vec<Measure> {
        let of_groups = self.groups.iter().flat_map(|group| self.of_group(group));
        of_groups.chain(self.of_grids()).collect()
    }

    /// Returns every measure of every environment grid.
    pub fn of_grids(&self) -> Vec<Measure> {
        let (beginning, ends) = GRID;
        let of = |grid: &String| {
            ends.map(|end| Measure {
                name: format!("{beginning}{grid}{end}"),
                quantity: Quantity::Grid { name: grid.clone(), is_mean: end == ends[1] },
            })
        };
        self.grids.iter().flat_map(of).collect()
    }

    /// Returns every measure of a group, without components of vectors.
    pub fn of_group(&self, group: &GroupNames) -> Vec<Measure> {
        let names = self.names_in(group);
        names.iter().filter_map(|name| Some(of_group(group, name, self.quantity(group, name)?))).collect()
    }

    /// Returns the measures that a text names: all of a group, a figure or another measure of every group that has it, or
    /// one measure.
    ///
    /// # Errors
    /// If there is no such group and no such measure.
    pub fn select(&self, text: &str) -> Result<Vec<Measure>, UnknownMeasure> {
        let text = &*composed(text);
        if let Some(group) = self.groups.iter().find(|group| group.name == text) {
            return Ok(self.of_group(group));
        }
        let of = |group: &GroupNames| Some(of_group(group, text, self.quantity(group, text)?));
        let of_all: Vec<_> = self.groups.iter().filter_map(of).collect();
        if of_all.is_empty() { Ok(vec![self.measure(text)?]) } else { Ok(of_all) }
    }

    fn measure(&self, text: &str) -> Result<Measure, UnknownMeasure> {
        let text = text.trim();
        let of_run = |quantity| Ok(Measure { name: text.to_owned(), quantity });
        match text {
            "step" => return of_run(Quantity::Step),
            "time" => return of_run(Quantity::Time),
            ERRORS => return of_run(Quantity::Errors),
            _ => {}
        }
        if let Some(grid) = self.of_grids().into_iter().find(|grid| grid.name == text) {
            return Ok(grid);
        }
        let prefixed =
            |group: &&GroupNames| text.strip_prefix(&*group.name).is_some_and(|rest| rest.starts_with('.'));
        let longest = self.groups.iter().filter(prefixed).max_by_key(|group| group.name.len());
        if let Some(group) = longest {
            let name = &text[group.name.len() + 1..];
            let quantity = self.quantity(group, name);
            return quantity.map(|it| of_group(group, name, it)).ok_or_else(|| self.unknown_in(group, name));
        }
        let of_only = |group| Some(of_group(group, text, self.quantity(group, text)?));
        self.only_group().and_then(of_only).ok_or_else(|| self.unknown(text))
    }

    /// The only group besides the player's, or the player's if it is the only one.
    fn only_group(&self) -> Option<&GroupNames> {
        let mut others = self.groups.iter().filter(|group| !group.is_player);
        match (others.next(), others.next()) {
            (Some(group), None) => Some(group),
            (None, _) => self.groups.first(),
            _ => None,
        }
    }

    /// The names of the measures of a group, without components.
    fn names_in(&self, group: &GroupNames) -> Vec<String> {
        let mut names: Vec<String> = FIGURES.iter().map(|figure| figure.name.to_owned()).collect();
        names.push(ERRORS.to_owned());
        names.extend(self.zones.iter().map(|zone| format!("{INSIDE}{zone}")));
        for (rule, name) in &group.watched {
            let is_figure = |name: &str| name == ERRORS || FIGURES.iter().any(|figure| figure.name == name);
            let name = if is_figure(name) { format!("{rule}.{name}") } else { name.clone() };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let computed = self.computed.iter().filter(|(_, state)| state.is_ok()).map(|(name, _)| &**name);
        let counts = POPULATION.iter().filter(|_| group.is_populated).map(|(name, _)| *name);
        for name in self.signals.iter().map(String::as_str).chain(computed).chain(counts) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }

    fn quantity(&self, group: &GroupNames, name: &str) -> Option<GroupQuantity> {
        if let Some(at) = FIGURES.iter().position(|figure| figure.name == name) {
            return Some(GroupQuantity::Figure(at));
        }
        if name == ERRORS {
            return Some(GroupQuantity::Errors);
        }
        if let Some(zone) =
            name.strip_prefix(INSIDE).filter(|name| self.zones.iter().any(|zone| zone == name))
        {
            return Some(GroupQuantity::Inside(zone.to_owned()));
        }
        if let Some(watched) = group.watched_value(name, None) {
            return Some(watched);
        }
        if self.signals.iter().any(|signal| signal == name) {
            return Some(GroupQuantity::Signal(name.to_owned()));
        }
        if let Some(computed) = self.computed_value(name, None) {
            return Some(computed);
        }
        if let Some(at) = POPULATION.iter().position(|(known, _)| *known == name) {
            return Some(GroupQuantity::Population(at));
        }
        let (name, suffix) = name.rsplit_once('.')?;
        let axis = COMPONENTS.iter().position(|component| *component == suffix);
        if let Some(watched) = axis.and_then(|axis| group.watched_value(name, Some(axis))) {
            return Some(watched);
        }
        let component = axis.map(Component::Axis).or_else(|| suffix.parse().ok().map(Component::Element))?;
        self.computed_value(name, Some(component))
    }

    fn computed_value(&self, name: &str, component: Option<Component>) -> Option<GroupQuantity> {
        let is_known = self.computed.iter().any(|(known, state)| known == name && state.is_ok());
        is_known.then(|| GroupQuantity::Computed { name: name.to_owned(), component })
    }

    /// Returns the reason why a measure that code computes has no value.
    fn broken(&self, name: &str) -> Option<UnknownMeasure> {
        let named = |(known, _): &&(String, Result<(), String>)| {
            name.strip_prefix(&**known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let reason = self.computed.iter().find(named)?.1.as_ref().err()?;
        Some(UnknownMeasure {
            message: format!("the measure `{name}` does not work"),
            near: None,
            known: Vec::new(),
            reason: Some(reason.clone()),
        })
    }

    fn unknown_in(&self, group: &GroupNames, name: &str) -> UnknownMeasure {
        if let Some(broken) = self.broken(name) {
            return broken;
        }
        let known = self.names_in(group);
        let near = closest(name, known.iter().map(String::as_str));
        UnknownMeasure {
            message: format!("`{}` has no measure `{name}`", group.name),
            near: near.map(|near| format!("{}.{near}", group.name)),
            known,
            reason: None,
        }
    }

    fn unknown(&self, text: &str) -> UnknownMeasure {
        if let Some(broken) = self.broken(text) {
            return broken;
        }
        let groups: Vec<_> = self.groups.iter().map(|group| group.name.clone()).collect();
        let is_of = |group: &&GroupNames| self.quantity(group, text).is_some();
        if let Some(group) = self.groups.iter().find(is_of) {
            let message = format!("`{text}` is a measure of a group");
            return UnknownMeasure {
                message,
                near: Some(format!("{}.{text}", group.name)),
                known: groups,
                reason: None,
            };
        }
        if text.starts_with(GRID.0) && !self.grids.is_empty() {
            let known: Vec<_> = self.of_grids().into_iter().map(|grid| grid.name).collect();
            let near = closest(text, known.iter().map(String::as_str)).map(str::to_owned);
            let message = format!("there is no measure `{text}`");
            return UnknownMeasure { message, near, known, reason: None };
        }
        if let Some((group, name)) = text.split_once('.') {
            let near = closest(group, groups.iter().map(String::as_str)).map(|near| format!("{near}.{name}"));
            return UnknownMeasure {
                message: format!("there is no group `{group}`"),
                near,
                known: groups,
                reason: None,
            };
        }
        let names = self.groups.iter().flat_map(|group| self.names_in(group));
        let mut known: Vec<_> = OF_RUN.iter().map(|name| (*name).to_owned()).chain(names).collect();
        known.sort_unstable();
        known.dedup();
        let near = closest(text, known.iter().map(String::as_str)).map(str::to_owned);
        UnknownMeasure { message: format!("there is no measure `{text}`"), near, known, reason: None }
    }
}

fn of_group(group: &GroupNames, name: &str, quantity: GroupQuantity) -> Measure {
    let quantity = Quantity::OfGroup(group.name.clone(), quantity);
    Measure { name: format!("{}.{name}", group.name), quantity }
}

/// Returns rule and name of each value that the code of a group's rules watches.
fn watched_by(slots: &[Slot]) -> Vec<(String, String)> {
    let rules = use_names(slots).into_iter().zip(slots);
    let watched = rules.flat_map(|(rule, slot)| {
        let names = slot.behavior.iter().flat_map(|behavior| behavior.watched().to_vec());
        names.map(move |name| (rule.clone(), name))
    });
    watched.collect()
}

impl GroupNames {
    fn watched_value(&self, name: &str, component: Option<usize>) -> Option<GroupQuantity> {
        let of = |rule: Option<&String>, name: &str| GroupQuantity::Watched {
            rule: rule.cloned(),
            name: name.to_owned(),
            component,
        };
        if self.watched.iter().any(|(_, known)| known == name) {
            return Some(of(None, name));
        }
        let of_rule = |(rule, known): &&(String, String)| {
            name.strip_prefix(&**rule).and_then(|rest| rest.strip_prefix('.')) == Some(&**known)
        };
        self.watched.iter().find(of_rule).map(|(rule, known)| of(Some(rule), known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> MeasureNames {
        let group = |name: &str, watched: &[(&str, &str)]| GroupNames {
            name: name.to_owned(),
            is_player: name == "player",
            is_populated: false,
            watched: watched.iter().map(|(rule, name)| ((*rule).to_owned(), (*name).to_owned())).collect(),
        };
        let watched = [("turn", "way"), ("turn#2", "way"), ("turn", "speed")];
        MeasureNames {
            groups: vec![group("a.b", &watched), group("player", &[])],
            signals: vec!["fear".to_owned()],
            zones: vec!["pen".to_owned()],
            grids: vec!["trail".to_owned()],
            computed: vec![
                ("bins".to_owned(), Ok(())),
                ("bad".to_owned(), Err("measures/bad.rhai:1:2: no".to_owned())),
            ],
        }
    }

    #[test]
    fn names_are_parsed_and_mistakes_have_suggestions() {
        let parse = |text: &str| Measure::parse(text, &names()).map(|measure| measure.name().to_owned());
        for (text, name) in [
            ("step", "step"),
            ("a.b.polarization", "a.b.polarization"),
            ("polarization", "a.b.polarization"),
            ("player.speed", "player.speed"),
            ("a.b.way", "a.b.way"),
            ("way.x", "a.b.way.x"),
            ("a.b.turn#2.way.y", "a.b.turn#2.way.y"),
            ("a.b.turn.speed", "a.b.turn.speed"),
            ("fear", "a.b.fear"),
            ("inside.pen", "a.b.inside.pen"),
            ("groups[\"a.b\"].inside[\"pen\"]", "a.b.inside.pen"),
            ("a.b[\"inside.pen\"]", "a.b.inside.pen"),
            ("player.inside.pen", "player.inside.pen"),
            ("grid.trail.total", "grid.trail.total"),
            ("bins", "a.b.bins"),
            ("player.bins.12", "player.bins.12"),
            ("bins.y", "a.b.bins.y"),
        ] {
            assert_eq!(parse(text), Ok(name.to_owned()), "{text}");
        }
        for (text, error) in [
            ("a.b.polarisation", "`a.b` has no measure `polarisation`: did you mean `a.b.polarization`?"),
            ("tiem", "there is no measure `tiem`: did you mean `time`?"),
            ("plaier.speed", "there is no group `plaier`: did you mean `player.speed`?"),
            ("a.b.inside.pan", "`a.b` has no measure `inside.pan`: did you mean `a.b.inside.pen`?"),
            ("grid.trial.mean", "there is no measure `grid.trial.mean`: did you mean `grid.trail.mean`?"),
            ("zzz.speed", "there is no group `zzz`: known: a.b, player"),
            ("a.b.bad", "the measure `bad` does not work: measures/bad.rhai:1:2: no"),
            ("bad.x", "the measure `bad.x` does not work: measures/bad.rhai:1:2: no"),
        ] {
            assert_eq!(parse(text).map_err(|unknown| unknown.to_string()), Err(error.to_owned()));
        }
        assert!(
            ["", ".", "a.b.", "count.x", "player.way", "bins.q"].into_iter().all(|text| parse(text).is_err())
        );
    }

    #[test]
    fn a_figure_of_several_groups_requires_a_group() {
        let mut names = names();
        names.groups[1].is_player = false;
        let error = Measure::parse("speed", &names).expect_err("two groups have it").to_string();
        assert_eq!(error, "`speed` is a measure of a group: did you mean `a.b.speed`?");
    }

    #[test]
    fn every_listed_measure_is_parsed_to_itself() {
        let names = names();
        let all = names.all();
        assert!(
            all.iter().any(|measure| measure.name() == "a.b.turn.speed"),
            "the figure has the short name"
        );
        for measure in all {
            assert_eq!(Measure::parse(measure.name(), &names), Ok(measure));
        }
    }
}
