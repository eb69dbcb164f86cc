//! How the figures of the inspected unit went in the last seconds.

use std::collections::VecDeque;

use crate::script::probe::{ProbedValue, Site};
use crate::session::Explained;

/// Simulated seconds that are kept.
const SECONDS: f32 = 10.0;

/// A value of a script that is plotted: the behavior's place in its group, and where the value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plotted {
    pub(super) rule: usize,
    pub(super) file: usize,
    pub(super) line: usize,
}

impl Plotted {
    /// Whether a place of the text is meant.
    pub(super) fn is(&self, rule: usize, site: &Site) -> bool {
        (self.rule, self.file, self.line) == (rule, site.file, site.span.start.0)
    }
}

/// What is kept of a step.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    step: u64,
    /// What each behavior asked for after its gain: the length of its contribution.
    rules: Vec<f32>,
    plotted: Option<f32>,
}

/// The last seconds of one unit.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// The unit's key: it stays the same where others are added or removed.
    key: Option<u64>,
    /// The names of its rules.
    names: Vec<String>,
    entries: VecDeque<Entry>,
    /// The value of a script that is plotted.
    pub(super) plotted: Option<Plotted>,
}

impl History {
    /// Notes the step that was made last, `step` seconds long, for the inspected unit if it is new: by its number
    /// and its key.
    pub(super) fn note(&mut self, unit: Option<(usize, u64)>, explained: Option<&Explained>, step: f32) {
        let (unit, key) = unit.unzip();
        if self.key != key {
            *self = Self { key, ..Self::default() };
        }
        let Some(Explained { facts, .. }) = explained.filter(|explained| Some(explained.facts.unit) == unit)
        else {
            return;
        };
        let last = self.entries.back().map(|entry| entry.step);
        if last == Some(facts.step) {
            return;
        }
        let names = facts.rules.iter().map(|rule| &rule.name);
        if !names.clone().eq(&self.names) {
            // Rules are known by their place, which may be another's now.
            *self = Self { key, names: names.cloned().collect(), ..Self::default() };
        }
        // After a restart it begins anew.
        if last.is_some_and(|last| last > facts.step) {
            self.entries.clear();
        }
        let rules = facts.rules.iter().map(|rule| rule.weighted.length()).collect();
        let plotted = explained.and_then(|explained| self.value(explained));
        self.entries.push_back(Entry { step: facts.step, rules, plotted });
        let oldest = facts.step.saturating_sub((SECONDS / step.max(1e-4)) as u64);
        while self.entries.front().is_some_and(|entry| entry.step < oldest) {
            self.entries.pop_front();
        }
    }

    /// The plotted value as a number: vectors by their length, switches as 0 or 1.
    fn value(&self, explained: &Explained) -> Option<f32> {
        let plotted = self.plotted?;
        let recording = explained.lines.get(plotted.rule)?.as_ref().ok()?;
        let values = recording.values();
        let (_, log) = values.iter().find(|(site, _)| plotted.is(plotted.rule, site))?;
        match &log.entries().last()?.value {
            ProbedValue::Number(number) => Some(*number),
            ProbedValue::Integer(number) => Some(*number as f32),
            ProbedValue::Switch(on) => Some(f32::from(*on)),
            ProbedValue::Vector(vector) => Some(vector.length()),
            _ => None,
        }
    }

    /// Plots another value, or none if it is plotted already.
    pub(super) fn toggle(&mut self, plotted: Plotted) {
        self.plotted = (self.plotted != Some(plotted)).then_some(plotted);
        for entry in &mut self.entries {
            entry.plotted = None;
        }
    }

    /// What a behavior asked for, by step.
    pub(super) fn of_rule(&self, rule: usize) -> impl Iterator<Item = (u64, f32)> + Clone {
        self.entries.iter().filter_map(move |entry| Some((entry.step, *entry.rules.get(rule)?)))
    }

    /// The plotted value, by step.
    pub(super) fn of_plotted(&self) -> impl Iterator<Item = (u64, f32)> + Clone {
        self.entries.iter().filter_map(|entry| Some((entry.step, entry.plotted?)))
    }
}
