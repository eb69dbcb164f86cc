//! The names that can be inserted at a place.

use std::collections::BTreeSet;
use std::sync::Arc;

use steerbox_core::sim::metrics::FIGURES;
use steerbox_scene::{Color, Mention, Thing};
use steerbox_script::{MEASURES, head_comment};

use super::{Candidate, Completer};
use crate::language::model::{Completion, CompletionKind};
use crate::language::scene::scripts::KnownScript;
use crate::language::scene::{names, scripts};

/// Maximum number of names of a scene that are offered.
const MAX_NAMES: usize = 500;

impl Completer<'_> {
    /// Returns the parameters of the script that are not set yet.
    pub(super) fn params(&self, mention: &Mention) -> Vec<Completion> {
        let name = mention.script.as_deref();
        let Some(script) = name.and_then(|name| scripts::known(self.workspace, self.document, name)) else {
            return Vec::new();
        };
        let map = self.outline.collections.iter().filter(|map| {
            map.name == "params"
                && map.range.start < mention.range.start
                && mention.range.end <= map.range.end
        });
        let map = map.min_by_key(|map| map.range.len());
        let is_set = |name: &str| {
            let mentions = self.outline.mentions.iter().filter(|other| other.thing == Thing::Param);
            let mut others = mentions.filter(|other| !self.cursor.is_at(&other.range));
            let is_here = |other: &Mention| map.is_some_and(|map| map.range.contains(&other.range.start));
            others.any(|other| is_here(other) && other.name.as_deref() == Some(name))
        };
        let entry = |param: &scripts::KnownParam| {
            let default = param.default();
            let after = match (self.cursor.next, &*default) {
                (Some(':'), _) => String::new(),
                (next, default) => {
                    let value =
                        if default.is_empty() { "$1".to_owned() } else { format!("${{1:{default}}}") };
                    // Another parameter follows.
                    format!(": {value}{}", if next == Some('"') { ", " } else { "" })
                }
            };
            Completion {
                detail: param.detail(),
                documentation: script.about_param(&param.name),
                ..self.quoted(&param.name, CompletionKind::Constant, &after)
            }
        };
        script.params.iter().filter(|param| !is_set(&param.name)).map(entry).collect()
    }

    /// Returns the names of a kind of things, except the one that is being written.
    pub(super) fn candidates(&self, thing: Thing) -> Vec<Candidate> {
        match thing {
            Thing::Rule => self.scripts(false),
            Thing::FlowScript => self.scripts(true),
            Thing::Mark => self.of_scripts(|script| script.marks),
            Thing::Signal => self.of_scripts(|script| script.signals),
            Thing::Measure => self.measures(),
            Thing::Scene | Thing::Variable => Vec::new(),
            thing => self.declared(thing),
        }
    }

    /// Returns the scripts that fill flow fields, or all others.
    fn scripts(&self, is_flow: bool) -> Vec<Candidate> {
        let all = scripts::all(self.workspace, self.document).into_iter();
        let all = all.filter(|(name, _)| !name.starts_with(MEASURES));
        let fitting = all.filter(|(_, text)| scripts::is_flow(text) == is_flow);
        let candidate = |(name, text): (String, Arc<str>)| {
            let documentation = head_comment(&text);
            let detail = documentation.lines().next().unwrap_or_default().to_owned();
            Candidate { name, detail, documentation }
        };
        fitting.map(candidate).collect()
    }

    /// Returns names that the scripts of the scene contain.
    fn of_scripts(&self, names: fn(KnownScript) -> Vec<String>) -> Vec<Candidate> {
        let known = |script| scripts::known(self.workspace, self.document, script);
        let found: BTreeSet<String> = self.used_scripts().filter_map(known).flat_map(names).collect();
        found.into_iter().map(|name| plain(name, String::new())).collect()
    }

    /// Returns the figures of groups, the counts in zones, the totals and means of grids, the values that scripts watch and
    /// signal, and the measures that scripts compute.
    fn measures(&self) -> Vec<Candidate> {
        let figures = FIGURES.iter().map(|figure| plain(figure.name, figure.about.to_owned()));
        let zones = self.outline.declared(Thing::Zone);
        let zones =
            zones.map(|(name, _)| plain(format!("inside.{name}"), "number of units in the zone".to_owned()));
        let grids = self.outline.declared(Thing::Grid).flat_map(|(name, _)| {
            ["total", "mean"]
                .map(|of| plain(format!("grid.{name}.{of}"), format!("{of} of the grid's cells")))
        });
        let of_scripts = self.of_scripts(|script| [script.watched, script.signals].concat());
        let scripts = scripts::all(self.workspace, self.document).into_iter();
        let computed =
            scripts.filter_map(|(name, text)| Some(plain(name.strip_prefix(MEASURES)?, head_comment(&text))));
        figures.chain(zones).chain(grids).chain(of_scripts).chain(computed).collect()
    }

    /// Returns names that the scene declares.
    fn declared(&self, thing: Thing) -> Vec<Candidate> {
        let others = self.outline.declared(thing).filter(|(_, one)| !self.cursor.is_at(&one.range));
        let mut seen = BTreeSet::new();
        let others = others.filter(|(name, _)| seen.insert(*name)).take(MAX_NAMES);
        others.map(|(name, one)| plain(name, self.value_of(one))).collect()
    }

    /// Returns the names of the scripts that the scene uses, each once.
    fn used_scripts(&self) -> impl Iterator<Item = &str> {
        let mut used: Vec<&str> = (self.outline.mentions.iter())
            .filter(|mention| mention.thing == Thing::Rule)
            .filter_map(|mention| mention.name.as_deref())
            .collect();
        used.sort_unstable();
        used.dedup();
        used.into_iter()
    }

    /// Returns the value of a declared name, as one line.
    fn value_of(&self, declared: &Mention) -> String {
        names::value_of(&self.document.text, self.outline, declared).unwrap_or_default()
    }

    pub(super) fn colors(&self) -> Vec<Completion> {
        Color::names().map(|name| self.quoted(name, CompletionKind::Constant, "")).collect()
    }
}

pub(super) fn plain(name: impl Into<String>, detail: String) -> Candidate {
    Candidate { name: name.into(), detail, documentation: String::new() }
}
