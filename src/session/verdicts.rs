//! Judgment of the expectations of a scene while it runs.

use std::sync::Arc;

use crate::scene::{Expectation, Scene};
use crate::sim::{Measure, MeasureNames, Measured, Simulation, rounded};

/// The expectations of a scene and the values so far.
pub struct Verdicts {
    scene: Arc<Scene>,
    judged: Vec<Judged>,
}

/// An expectation and the values of its measure so far.
struct Judged {
    /// The measure, or the reason why there is none.
    measure: Result<Measure, String>,
    /// The first time and value within the limits, or else the nearest ones.
    best: Option<Reached>,
    is_met: bool,
    /// True if a state within the time was observed.
    is_begun: bool,
    /// True if a state after the time was observed, or the last one within it.
    is_over: bool,
}

/// A value and its simulated time in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Simulated seconds.
    pub time: f64,
    /// The value.
    pub value: f64,
}

/// The judgment of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It holds: the first value within the limits.
    Met(Reached),
    /// It does not hold, for this reason.
    Failed(String),
    /// The run is too short for a judgment; with the nearest value.
    Open(Option<Reached>),
    /// The run, or the scene since its last reload, began after the time.
    Late,
}

impl Verdicts {
    /// Starts the judgment of a scene's expectations.
    pub fn new(scene: &Arc<Scene>, simulation: &Simulation) -> Self {
        let scene = Arc::clone(scene);
        if scene.expect.is_empty() {
            return Self { scene, judged: Vec::new() };
        }
        let names = MeasureNames::of(simulation);
        let judged = scene.expect.iter().map(|expectation| {
            let measure = Measure::parse(&expectation.full_name(), &names);
            let measure = measure.map_err(|unknown| unknown.to_string());
            let is_number = |measure: &Measure| Measured::new(simulation).check_number(measure);
            let measure = measure.and_then(|measure| is_number(&measure).map(|()| measure));
            Judged { measure, best: None, is_met: false, is_begun: false, is_over: false }
        });
        Self { judged: judged.collect(), scene }
    }

    /// Returns true if an expectation requires [`Simulation::watching`].
    pub fn need_watching(&self) -> bool {
        self.judged.iter().any(|judged| judged.measure.as_ref().is_ok_and(Measure::is_watched))
    }

    /// Returns true if nothing more can change.
    pub fn are_final(&self) -> bool {
        self.judged.iter().all(|judged| judged.is_met || judged.is_over || judged.measure.is_err())
    }

    /// Judges the current state. Another scene, as after a reload, starts anew.
    pub fn observe(&mut self, scene: &Arc<Scene>, simulation: &Simulation) {
        if !Arc::ptr_eq(&self.scene, scene) {
            *self = Self::new(scene, simulation);
        }
        if self.are_final() {
            return;
        }
        let (world, measured) = (simulation.world(), Measured::new(simulation));
        let (time, step) = (world.steps as f64 * f64::from(world.step), f64::from(world.step));
        for (judged, expectation) in self.judged.iter_mut().zip(&self.scene.expect) {
            let Ok(measure) = &judged.measure else { continue };
            // The sum of steps that are not exact in binary, such as 1/60, may exceed the time slightly.
            let by = f64::from(expectation.by) + step * 1e-3;
            if judged.is_met || judged.is_over {
                continue;
            }
            judged.is_over = time + step > by;
            if time > by {
                continue;
            }
            judged.is_begun = true;
            let Some(value) = measured.value(measure) else { continue };
            judged.is_met = expectation.admits(value);
            let is_nearer = |best: Reached| expectation.distance(value) < expectation.distance(best.value);
            if judged.is_met || judged.best.is_none_or(is_nearer) {
                judged.best = Some(Reached { time, value });
            }
        }
    }

    /// Returns every expectation with its judgment.
    pub fn all(&self) -> impl Iterator<Item = (&Expectation, Verdict)> {
        self.scene.expect.iter().zip(self.judged.iter().map(Judged::verdict))
    }
}

impl Judged {
    fn verdict(&self) -> Verdict {
        match (&self.measure, self.best) {
            (Err(error), _) => Verdict::Failed(error.clone()),
            (Ok(_), Some(reached)) if self.is_met => Verdict::Met(reached),
            (Ok(_), reached) if !self.is_over => Verdict::Open(reached),
            (Ok(_), _) if !self.is_begun => Verdict::Late,
            (Ok(_), Some(reached)) => Verdict::Failed(format!("the nearest value was {reached}")),
            (Ok(_), None) => Verdict::Failed("it had no value".to_owned()),
        }
    }
}

impl std::fmt::Display for Reached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {} s", rounded(self.value as f32), rounded(self.time as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Group, World};
    use glam::Vec3;

    /// A scene with one expectation about the mean speed of `a`.
    fn scene(limits: &str) -> Arc<Scene> {
        let text = format!(
            "(world: Plane(size: (9, 9)), bodies: {{\"m\": Mover()}}, groups: [(name: \"a\", body: \"m\")],
            expect: [(measure: \"speed\", group: \"a\", {limits})])"
        );
        Arc::new(crate::scene::read("s.ron", &text).expect("the scene is sound"))
    }

    /// Judges a run in which the speed is the time; a step is a tenth of a second.
    fn judge(limits: &str, steps: u64) -> Verdict {
        judge_from(0, limits, steps)
    }

    /// Judges the same run from a later step on.
    fn judge_from(first: u64, limits: &str, steps: u64) -> Verdict {
        let scene = scene(limits);
        let group = Group { name: "a".to_owned(), ..Group::default() };
        let mut world = World { step: 0.1, ..World::default() }.with_group(group, [Vec3::ZERO]);
        let start = Simulation::new(world.clone(), Vec::new());
        let mut verdicts = Verdicts::new(&scene, &start);
        for step in first..=steps {
            world.steps = step;
            world.units.velocity[0] = Vec3::X * world.time();
            verdicts.observe(&scene, &Simulation::new(world.clone(), Vec::new()));
        }
        let (_, verdict) = verdicts.all().next().expect("an expectation");
        verdict
    }

    #[test]
    fn an_expectation_is_met_failed_or_open() {
        let Verdict::Met(reached) = judge("above: 0.95, by: 2", 30) else { panic!("it is met") };
        assert_eq!(reached.to_string(), "1 at 1 s");
        assert!(matches!(judge("above: 1.95, by: 2", 30), Verdict::Met(_)), "in the last step");
        assert_eq!(
            judge("above: 2, by: 2", 30),
            Verdict::Failed("the nearest value was 2 at 2 s".to_owned())
        );
        assert!(matches!(judge("above: 5, by: 4", 30), Verdict::Open(Some(_))));
        assert!(matches!(judge("below: 0.5, by: 4", 0), Verdict::Met(_)), "at the start");
        assert!(matches!(judge("above: 1, below: 1.15, by: 4", 30), Verdict::Met(_)));
    }

    #[test]
    fn a_run_that_begins_after_the_time_is_not_judged() {
        assert_eq!(judge_from(21, "above: 9, by: 2", 30), Verdict::Late);
        assert!(matches!(judge_from(20, "above: 9, by: 2", 30), Verdict::Failed(_)), "in the last step");
    }

    #[test]
    fn an_expectation_about_an_unknown_measure_fails() {
        let scene = scene("above: 1, by: 2");
        let verdicts = Verdicts::new(&scene, &Simulation::new(World::default(), Vec::new()));
        assert!(verdicts.are_final());
        assert!(verdicts.all().all(|(_, verdict)| matches!(verdict, Verdict::Failed(_))));
    }
}
