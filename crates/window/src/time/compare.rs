//! Two runs of one scene side by side: A, the current run, and B, under other rules.

use std::time::Duration;

use steerbox_core::sim::rounded;
use steerbox_core::world::{World, minimum_image};
use steerbox_picture::render::interpolated_poses::InterpolatedPoses;
use steerbox_picture::render::trails::Trails;
use steerbox_project::reload::Generation;
use steerbox_project::session::{Divergence, RunPair, Variant, distances};

use crate::commands::action::CompareWith;
use crate::model::live_session::LiveSession;
use crate::model::log::Tone;
use crate::model::plots::Plots;
use crate::model::view_state::ViewState;

impl LiveSession {
    /// Starts a comparison of the run with other rules.
    pub(crate) fn compare(&mut self, with: &CompareWith) {
        if self.run.past_step().is_some() {
            self.log_comparison(Tone::Plain, "cannot compare in the past: return to the present first");
            return;
        }
        let settings = match with {
            CompareWith::Files => Ok(Vec::new()),
            CompareWith::Snapshot(name) => self.snapshot_values(name),
            CompareWith::Earlier if self.run.compare_with_earlier() => {
                return self.begin_comparison(with.words());
            }
            CompareWith::Earlier => {
                return self.log_comparison(Tone::Plain, "cannot compare: no file was saved yet");
            }
        };
        match settings {
            Ok(settings) => {
                self.compared.requested = with.words();
                self.run.compare_with(settings);
            }
            Err(fault) => self.log.fault(self.run.simulation.world().steps, &fault),
        }
    }

    /// Starts the most useful comparison, or ends the current one.
    pub(crate) fn toggle_compare(&mut self) {
        if self.run.variant().is_some() || self.run.is_compiling_variant() {
            self.run.end_variant();
            self.log_comparison(Tone::Plain, "continued with A");
        } else if self.run.newest().tuned().next().is_some() {
            self.compare(&CompareWith::Files);
        } else if self.run.knows_earlier() {
            self.compare(&CompareWith::Earlier);
        } else {
            let text = "nothing to compare with: tune a value or save a script, then press X again";
            self.log_comparison(Tone::Plain, text);
        }
    }

    /// Starts a requested comparison once its rules are compiled.
    pub(crate) fn receive_compared(&mut self) {
        match self.run.settle_variant(Duration::ZERO) {
            Ok(true) => {
                let name = std::mem::take(&mut self.compared.requested);
                self.begin_comparison(name);
            }
            Ok(false) => {}
            Err(error) => self.log_comparison(Tone::Bad, &format!("cannot compare: {error:#}")),
        }
    }

    /// Continues with one of the two runs: with B if `second`.
    pub(crate) fn continue_run(&mut self, second: bool) {
        let Some(variant) = self.run.variant() else {
            return;
        };
        if !second {
            self.run.end_variant();
            self.log_comparison(Tone::Plain, "continued with A");
            return;
        }
        let (generation, newest) = (variant.generation.clone(), self.run.newest());
        let has_other_scripts = scripts_differ(&generation, newest);
        self.set_all_values(&generation.tuned().collect::<Vec<_>>());
        self.run.continue_variant();
        self.log_comparison(Tone::Plain, "continued with B; the recording starts again");
        if has_other_scripts {
            let text = "B runs the earlier scripts; the files hold the newer ones, which are loaded with the next save";
            self.log_comparison(Tone::Warning, text);
        }
    }

    fn begin_comparison(&mut self, name: String) {
        let text = format!("comparing A and B from here; B: {name}");
        self.compared.name = name;
        self.log_comparison(Tone::Plain, &text);
    }

    fn log_comparison(&mut self, tone: Tone, text: &str) {
        self.needs_redraw = true;
        self.log.add_once(tone, self.run.simulation.world().steps, text);
    }

    /// The divergence and the distance of the two runs.
    pub(crate) fn compared_runs(&self) -> Option<RunPair> {
        self.run.variant().map(|variant| variant.run_pair(&self.run.simulation))
    }

    /// The distance of a unit of A from its position in B, world units.
    pub(crate) fn apart(&self, unit: usize) -> Option<f32> {
        let (a, b) = (self.run.simulation.world(), self.run.variant()?.simulation.world());
        let other = b.units.position.get(b.units.index_of(*a.units.key.get(unit)?, unit))?;
        let offset = *other - a.units.position[unit];
        Some(minimum_image(offset, a.arena.wrap()).length())
    }

    /// The distance of each unit from its position in the other run, world units: of the units of A, or of B if `second`.
    /// That of a unit which the other run does not have is 0.
    pub(crate) fn distances(&self, second: bool) -> Vec<f32> {
        let a = self.run.simulation.world();
        let b = self.run.variant().map_or(a, |variant| variant.simulation.world());
        let [own, other] = if second { [b, a] } else { [a, b] };
        let mut all = vec![0.0; own.units.len()];
        distances(other, own).for_each(|(unit, distance)| all[unit] = distance);
        all
    }

    /// The world of the first or the second view, and the poses of its units.
    pub(crate) fn world_and_poses(&self, second: bool) -> (&World, &InterpolatedPoses) {
        match self.run.variant().filter(|_| second) {
            Some(Variant { simulation, .. }) => (simulation.world(), &self.compared.poses),
            None => (self.run.simulation.world(), &self.poses),
        }
    }

    /// Updates the poses of B.
    pub(crate) fn blend_compared(&mut self, share: f32) {
        if let Some(variant) = self.run.variant() {
            self.compared.poses.blend(variant.simulation.world(), variant.poses_before(), share);
        }
    }

    /// A message about the divergence of two runs, and its size.
    /// `names` precede the contributions of the two runs.
    pub(crate) fn words_of(&self, pair: &RunPair, [one, other]: [&str; 2]) -> [String; 2] {
        let Some(divergence) = &pair.divergence else {
            let words = pair.grid.as_ref().map_or_else(
                || format!("no difference since step {}", pair.fork),
                |grid| {
                    format!(
                        "units are equal since step {}; grid {} diverges at step {}",
                        pair.fork, grid.grid, grid.step
                    )
                },
            );
            return [words, String::new()];
        };
        let (words, apart) = (self.words_of_divergence(divergence), &pair.difference);
        let rule = divergence.rule.as_ref().map_or(String::new(), |rule| {
            let [old, new] = rule.contribution;
            let [before, now] = rule.gain.map(rounded);
            let gain = if before == now { String::new() } else { format!(", gain {before}, {other} {now}") };
            format!("{one} {old}, {other} {new}{gain}; ")
        });
        let (mean, most) = (rounded(apart.mean), rounded(apart.distance));
        let details = format!("{rule}mean distance {mean}, largest {most} (unit {})", apart.farthest);
        [words, details]
    }

    /// A message about the divergence of two runs.
    pub(crate) fn words_of_divergence(&self, divergence: &Divergence) -> String {
        let Divergence { step, unit, group, rule, .. } = divergence;
        let name = rule.as_ref().map_or(String::new(), |rule| format!(", rule {}", rule.name));
        let seconds = self.run.clock().seconds_after(*step);
        format!("diverge at step {step} ({seconds:.1} s): unit {unit} of {group}{name}")
    }
}

impl ViewState {
    /// Samples the plots of B, for the same quantities as A.
    pub(crate) fn note_compared(&mut self, variant: Option<&Variant<Trails>>) {
        let Some(variant) = variant else {
            if self.second.plots.open {
                self.second.plots = Plots::default();
            }
            return;
        };
        let plots = &mut self.second.plots;
        (plots.open, plots.shown) = (self.plots.open, self.plots.shown);
        plots.chosen.clone_from(&self.plots.chosen);
        plots.follow(Some(variant.simulation.world()), (variant.simulation.world().steps, 0), None);
        plots.note(&variant.simulation, None);
    }
}

fn scripts_differ(a: &Generation, b: &Generation) -> bool {
    let text = |generation: &Generation| {
        let scripts = generation.planned().map(|planned| planned.script.as_ref());
        scripts.map(|script| script.map(|script| script.text.clone())).collect::<Vec<_>>()
    };
    text(a) != text(b)
}
