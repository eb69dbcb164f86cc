//! The explanation of a unit's step as text.

use std::fmt::Display;

use glam::Vec3;
use steerbox_core::sim::{InspectedRule, rounded, rounded_vector};
use steerbox_project::reload::{KnobName, Planned};
use steerbox_project::session::{Explained, Session};
use steerbox_script::probe::{self, Recording};

use super::lines::{self, WIDTH, cut};
use crate::cli::page::{BAD, BOLD, DIM, Page};

/// Maximum number of units and obstacles in a list.
const MAX_LISTED: usize = 12;

/// Returns the whole page. Without color, signs replace the dim style.
pub(super) fn page(explained: &Explained, session: &Session, has_color: bool) -> Page {
    let Explained { facts, lines, .. } = explained;
    let world = session.simulation.world();
    let mut page = Page::default();
    let died = if facts.now.is_none() { ", after which it died" } else { "" };
    page.styled(BOLD, format!("unit {} of {}, step {}{died}", facts.unit, facts.group, facts.step)).end();
    let mut fact = |name: &str, value: String| {
        if !value.is_empty() {
            page.text("  ").styled(DIM, format!("{name:<12}")).line(cut(&value, WIDTH - 14));
        }
    };
    let (before, after) = (&facts.before, &facts.after);
    let [was, is] = [before, after].map(|state| world.arena.coordinates(state.position));
    fact("position", format!("{is}, before {was}"));
    let [was, is] = [before, after].map(|state| rounded_vector(state.velocity));
    fact("velocity", format!("{is}, before {was}"));
    let group = world.groups.iter().position(|group| group.name == facts.group);
    if let Some(group) = group {
        let most = world.groups[group].body_of(world.seed, facts.key).max_speed();
        fact("speed", format!("{} of {}", rounded(after.velocity.length()), rounded(most)));
    }
    fact("neighbors", named(&facts.neighbors));
    fact("enemies", named(&facts.enemies));
    // Numbered from 1, as in the window.
    fact("obstacles", named(&facts.obstacles.iter().map(|at| at + 1).collect::<Vec<_>>()));
    fact("touches", named(&facts.touching));
    fact("marks", facts.marks.join(", "));
    let signals = facts.signals.iter().map(|(name, value)| (name.clone(), rounded(*value)));
    fact("signals", pairs(&signals.collect::<Vec<_>>()));
    page.end();
    sums(&mut page, explained);
    let planned = group.and_then(|group| session.generation.behaviors.get(group));
    for (at, (rule, lines)) in facts.rules.iter().zip(lines).enumerate() {
        page.end();
        let planned = planned.and_then(|planned| planned.get(at));
        script(&mut page, rule, lines, planned, has_color);
    }
    page
}

/// Adds the contributions of the rules and the resulting forces.
fn sums(page: &mut Page, explained: &Explained) {
    let facts = &explained.facts;
    let mut row = |name: &str, gain: &str, contribution: &str, weighted: &str| {
        let text = format!("  {name:<24}{gain:>8}  {contribution:<32}{weighted}");
        page.line(cut(text.trim_end(), WIDTH));
    };
    row("rule", "gain", "contribution", "after gain");
    for rule in &facts.rules {
        let gain = rounded(rule.gain);
        match rule.idle() {
            Some(idle) => row(&rule.name, &gain, idle, ""),
            None => {
                row(&rule.name, &gain, &rule.contribution.to_string(), &rounded_vector(rule.weighted));
            }
        }
    }
    let (forces, resultant) = (&facts.forces, facts.resultant);
    row("resultant", "", "", &rounded_vector(resultant));
    let taken = resultant + forces.keys - forces.applied;
    let share = taken.length() / (resultant + forces.keys).length();
    let note = if share > 1e-4 { format!("{:.0} % are cut off", share * 100.0) } else { String::new() };
    let mut force = |name: &str, note: &str, force: Vec3| {
        if force != Vec3::ZERO {
            row(name, "", note, &rounded_vector(force));
        }
    };
    force("keys", "", forces.keys);
    force("applied", &note, forces.applied);
    force("thrust", "", forces.thrust);
    force("drag", "", forces.drag);
    force("contact", "change of velocity", facts.contact);
}

/// Adds a rule's script with values beside its lines.
fn script(
    page: &mut Page,
    rule: &InspectedRule,
    lines: &Result<Recording, String>,
    planned: Option<&Planned>,
    has_color: bool,
) {
    let path = planned.and_then(|planned| planned.script.as_ref()).map_or("", |script| &script.path);
    page.styled(BOLD, &rule.name).text("  ").styled(DIM, path).end();
    let mut row = |style: &str, name: &str, text: String| {
        page.text("  ").styled(style, name).text(" ".repeat(12 - name.len())).line(text);
    };
    if !rule.drawn.is_empty() {
        row(DIM, "parameters", pairs(&rule.drawn));
    }
    if !rule.memory.is_empty() {
        row(DIM, "remembers", pairs(&rule.memory));
    }
    if !rule.watches.is_empty() {
        row(DIM, "watches", pairs(&rule.watches));
    }
    if let Some(Err(failure)) = &rule.call {
        let place = if failure.line > 0 { format!("line {}: ", failure.line) } else { String::new() };
        row(BAD, "failed", format!("{place}{}", failure.message));
    }
    match lines {
        Err(reason) => page.line(format!("  no values: {reason}")),
        Ok(recording) => {
            let constants = planned.map(constants).unwrap_or_default();
            for (file, imported) in recording.code.files.iter().enumerate() {
                let constants = if file == 0 { &constants[..] } else { &[] };
                // An imported file of which nothing ran has no lines.
                let found = probe::lines(recording, file);
                if found.is_empty() {
                    continue;
                }
                if file > 0 {
                    page.text("  ").styled(DIM, &imported.path).end();
                }
                lines::source(page, &found, constants, has_color);
            }
        }
    }
}

/// Returns the parameters of a script: line and value.
fn constants(planned: &Planned) -> Vec<(usize, String)> {
    let Some(script) = &planned.script else {
        return Vec::new();
    };
    let value = |knob: &steerbox_project::reload::Knob| match &knob.name {
        KnobName::Param(name) => Some((script.param(name)?.line, knob.value.to_string())),
        _ => None,
    };
    planned.knobs.iter().filter_map(value).collect()
}

/// Formats a list: "3: 4, 1, 9".
fn named(list: &[usize]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let names: Vec<_> = list.iter().take(MAX_LISTED).map(usize::to_string).collect();
    let more = if list.len() > MAX_LISTED { " …" } else { "" };
    format!("{}: {}{more}", list.len(), names.join(", "))
}

fn pairs(values: &[(String, impl Display)]) -> String {
    let pairs: Vec<_> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    pairs.join(", ")
}
