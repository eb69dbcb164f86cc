//! Judgment of the expectations of a scene while it runs.

use std::ops::RangeInclusive;
use std::sync::Arc;

use steerbox_core::sim::{Measure, MeasureNames, Measured, Simulation, rounded};
use steerbox_core::world::Clock;
use steerbox_scene::{Expectation, Scene};

/// The expectations of a scene and the values so far.
#[derive(Clone)]
pub struct Verdicts {
    scene: Arc<Scene>,
    judged: Vec<Judged>,
    /// Expectations of other versions of the scene, so that a return to one of them continues their judgment.
    others: Vec<(Expectation, Judged)>,
    /// The last step that was judged.
    step: u64,
    /// The durations of the steps.
    clock: Clock,
}

/// An expectation and the values of its measure so far.
#[derive(Clone)]
struct Judged {
    /// The measure, or the reason why there is none.
    measure: Result<Measure, String>,
    /// Values, each nearer to the limits than those before, up to the first one within them. If all must be within them:
    /// the first one that is not, which may be NaN for no value, or the last one.
    reached: Vec<Reached>,
    /// The first step that was judged.
    since: u64,
    /// The steps within the time.
    steps: RangeInclusive<u64>,
}

/// A value and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Number of the step.
    pub step: u64,
    /// Simulated seconds.
    pub time: f64,
    /// The value; NaN if there is none.
    pub value: f64,
}

/// The judgment of an expectation.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It holds: the first value within the limits, or the last of all.
    Met(Reached),
    /// It does not hold.
    Failed {
        /// The first step in which it can no longer hold.
        step: u64,
        /// The reason.
        reason: String,
    },
    /// The run is too short for a judgment.
    Open {
        /// The last step within the time.
        end: u64,
        /// The nearest value.
        nearest: Option<Reached>,
    },
    /// The run, or the scene since the expectation was added, began after the time.
    Late,
}

impl Verdicts {
    /// Starts the judgment of a scene's expectations with the current state.
    pub fn new(scene: &Arc<Scene>, simulation: &Simulation) -> Self {
        let (scene, judged, others) = (Arc::clone(scene), Vec::new(), Vec::new());
        let mut verdicts = Self { scene, judged, others, step: 0, clock: Clock::default() };
        verdicts.judge_scene(simulation);
        verdicts
    }

    /// Continues under another version of the scene, or with steps of other durations: known expectations retain their values.
    pub fn follow(&mut self, scene: &Arc<Scene>, simulation: &Simulation) {
        if !Arc::ptr_eq(&self.scene, scene) || self.clock != simulation.world().clock() {
            let before = std::mem::replace(&mut self.scene, Arc::clone(scene));
            self.others.extend(before.expect.iter().cloned().zip(self.judged.drain(..)));
            self.judge_scene(simulation);
        }
    }

    /// Starts or continues the judgment of each expectation of the scene.
    fn judge_scene(&mut self, simulation: &Simulation) {
        let now = simulation.world().steps;
        self.clock = simulation.world().clock();
        let scene = Arc::clone(&self.scene);
        if scene.expect.is_empty() {
            return;
        }
        let (names, measured) = (MeasureNames::of(simulation), Measured::new(simulation));
        for expectation in &scene.expect {
            let measure = Measure::parse(&expectation.full_name(), &names).map_err(|error| error.to_string());
            let measure = measure.and_then(|measure| measured.check_number(&measure).map(|()| measure));
            let known = self.others.iter().position(|(other, _)| other.same_as(expectation));
            let known = known.map(|at| self.others.swap_remove(at).1);
            let (reached, since) = known.map_or((Vec::new(), now), |known| (known.reached, known.since));
            self.judged.push(Judged { measure, reached, since, steps: expectation.steps(&self.clock) });
        }
        self.observe(simulation);
    }

    /// Returns true if an expectation requires [`Simulation::watching`].
    pub fn need_watching(&self) -> bool {
        self.judged.iter().any(|judged| judged.measure.as_ref().is_ok_and(Measure::is_watched))
    }

    /// Returns true if nothing more can change.
    pub fn are_final(&self) -> bool {
        self.judged().all(|(expectation, judged)| {
            self.step >= *judged.steps.end() || judged.measure.is_err() || judged.is_decided(expectation)
        })
    }

    /// Judges the current state.
    pub fn observe(&mut self, simulation: &Simulation) {
        let (world, measured) = (simulation.world(), Measured::new(simulation));
        let (step, time) = (world.steps, world.seconds_after(world.steps));
        self.step = step;
        for (judged, expectation) in self.judged.iter_mut().zip(&self.scene.expect) {
            if !judged.steps.contains(&step) || judged.is_decided(expectation) {
                continue;
            }
            let value = judged.measure.as_ref().ok().and_then(|measure| measured.value(measure));
            let value = value.unwrap_or(f64::NAN);
            let is_nearer = |best: &Reached| expectation.distance(value) < expectation.distance(best.value);
            let is_of_interest = if expectation.always {
                !expectation.admits(value) || step == *judged.steps.end()
            } else {
                !value.is_nan() && (expectation.admits(value) || judged.reached.last().is_none_or(is_nearer))
            };
            if is_of_interest {
                judged.reached.push(Reached { step, time, value });
            }
        }
    }

    /// Returns to the judgment after an earlier step.
    pub fn rewind(&mut self, step: u64) {
        self.step = step;
        for judged in self.judged.iter_mut().chain(self.others.iter_mut().map(|(_, judged)| judged)) {
            judged.reached.retain(|reached| reached.step <= step);
            judged.since = judged.since.min(step);
        }
    }

    fn judged(&self) -> impl Iterator<Item = (&Expectation, &Judged)> {
        self.scene.expect.iter().zip(&self.judged)
    }

    /// Returns the scene.
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Returns every expectation with its judgment.
    pub fn all(&self) -> impl Iterator<Item = (&Expectation, Verdict)> {
        self.judged().map(|(expectation, judged)| (expectation, judged.verdict(expectation, self.step)))
    }
}

impl Judged {
    /// Returns true if further steps do not change the judgment.
    fn is_decided(&self, expectation: &Expectation) -> bool {
        self.reached.last().is_some_and(|last| expectation.admits(last.value) != expectation.always)
    }

    fn verdict(&self, expectation: &Expectation, step: u64) -> Verdict {
        let (since, end, always) = (self.since, *self.steps.end(), expectation.always);
        let begin = if always { *self.steps.start() } else { end };
        match (&self.measure, self.reached.last().copied()) {
            (Err(error), _) => Verdict::Failed { step: since, reason: error.clone() },
            (Ok(_), Some(Reached { step, time, value })) if always && !expectation.admits(value) => {
                let time = rounded(time as f32);
                let found = if value.is_nan() {
                    "it had no value".to_owned()
                } else {
                    format!("it was {}", rounded(value as f32))
                };
                Verdict::Failed { step, reason: format!("{found} at {time} s") }
            }
            (Ok(_), Some(last))
                if expectation.admits(last.value) && (!always || step >= end && since <= begin) =>
            {
                Verdict::Met(last)
            }
            (Ok(_), _) if since > begin => Verdict::Late,
            (Ok(_), nearest) if step < end => Verdict::Open { end, nearest },
            (Ok(_), Some(nearest)) => {
                Verdict::Failed { step: end, reason: format!("the nearest value was {nearest}") }
            }
            (Ok(_), None) => Verdict::Failed { step: end, reason: "it had no value".to_owned() },
        }
    }
}

impl Verdict {
    /// Returns the judgment of an expectation as text.
    pub fn words(&self, expectation: &Expectation) -> String {
        match self {
            Self::Met(reached) => format!("expected {expectation}: {reached}"),
            Self::Failed { reason, .. } => format!("expected {expectation}, but {reason}"),
            Self::Open { nearest: Some(nearest), .. } => {
                format!("expected {expectation}: not judged yet; nearest {nearest}")
            }
            Self::Open { nearest: None, .. } => format!("expected {expectation}: not judged yet"),
            Self::Late => format!("expected {expectation}: not judged, the run began after this time"),
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
    use steerbox_core::world::{Group, World};

    use super::*;
    use glam::Vec3;

    /// A scene with one expectation about the mean speed of `a`.
    fn scene(limits: &str) -> Arc<Scene> {
        let text = format!(
            "(world: Plane(size: (9, 9)), bodies: {{\"m\": Mover()}}, groups: [(name: \"a\", body: \"m\")],
            expect: [(measure: \"speed\", group: \"a\", {limits})])"
        );
        Arc::new(steerbox_scene::read("s.ron", &text).expect("the scene is sound"))
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
        world.steps = first;
        world.units.velocity[0] = Vec3::X * world.time();
        let start = Simulation::new(world.clone(), Vec::new());
        let mut verdicts = Verdicts::new(&scene, &start);
        for step in first..=steps {
            world.steps = step;
            world.units.velocity[0] = Vec3::X * world.time();
            verdicts.observe(&Simulation::new(world.clone(), Vec::new()));
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
            Verdict::Failed { step: 20, reason: "the nearest value was 2 at 2 s".to_owned() }
        );
        assert!(matches!(judge("above: 5, by: 4", 30), Verdict::Open { end: 40, nearest: Some(_) }));
        assert!(matches!(judge("below: 0.5, by: 4", 0), Verdict::Met(_)), "at the start");
        assert!(matches!(judge("above: 1, below: 1.15, by: 4", 30), Verdict::Met(_)));
    }

    #[test]
    fn a_run_that_begins_after_the_time_is_not_judged() {
        assert_eq!(judge_from(21, "above: 9, by: 2", 30), Verdict::Late);
        assert!(matches!(judge_from(20, "above: 9, by: 2", 30), Verdict::Failed { .. }), "in the last step");
    }

    #[test]
    fn an_expectation_may_require_each_step_or_the_last_one() {
        let failed = |verdict| match verdict {
            Verdict::Failed { step, reason } => (step, reason),
            other => panic!("{other:?}"),
        };
        let met = |verdict| match verdict {
            Verdict::Met(reached) => reached.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(met(judge("above: 0.95, from: 1, by: 2, always: true", 30)), "2 at 2 s");
        assert_eq!(met(judge("above: 1.95, from: 2, by: 2", 30)), "2 at 2 s");
        assert_eq!(met(judge("above: 0.95, from: 1.5, by: 2", 30)), "1.5 at 1.5 s");
        let late = "below: 1.55, from: 1, by: 2, always: true";
        assert_eq!(failed(judge(late, 30)), (16, "it was 1.6 at 1.6 s".to_owned()));
        assert_eq!(failed(judge("above: 0.95, by: 2, always: true", 30)), (0, "it was 0 at 0 s".to_owned()));
        let last = judge("below: 1.95, from: 2, by: 2", 30);
        assert_eq!(failed(last), (20, "the nearest value was 2 at 2 s".to_owned()));
        assert_eq!(judge("below: 9, by: 4, always: true", 30), Verdict::Open { end: 40, nearest: None });
        let from_later = |limits: &str| judge_from(11, limits, 30);
        assert_eq!(from_later("below: 9, from: 1, by: 2, always: true"), Verdict::Late);
        assert_eq!(failed(from_later(late)).0, 16);
        let group = Group { name: "a".to_owned(), ..Group::default() };
        let empty = Simulation::new(World::default().with_group(group, [Vec3::ZERO; 0]), Vec::new());
        let verdicts = Verdicts::new(&scene("above: 1, by: 2, always: true"), &empty);
        let verdict = verdicts.all().next().expect("an expectation").1;
        assert_eq!(failed(verdict), (0, "it had no value at 0 s".to_owned()));
        assert!(verdicts.are_final());
    }

    #[test]
    fn an_expectation_about_an_unknown_measure_fails() {
        let scene = scene("above: 1, by: 2");
        let verdicts = Verdicts::new(&scene, &Simulation::new(World::default(), Vec::new()));
        assert!(verdicts.are_final());
        assert!(verdicts.all().all(|(_, verdict)| matches!(verdict, Verdict::Failed { .. })));
    }
}
