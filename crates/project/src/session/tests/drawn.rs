//! Runs whose units draw parameters and bodies.

use super::reproduced::{assert_reproduced, generation_as, generation_of, stepped, texts};
use super::*;

const DRAWN: &str = "(world: Plane(size: (60, 40), edges: Bounce), step: 0.05, contacts: (units: Bounce(restitution: 0.5)),
    bodies: {\"m\": Mover(length: Normal(2, 0.4), width: Uniform(0.5, 1), max_speed: LogNormal(6, 2), desired_speed: Normal(3, 1)),
        \"r\": Rigid(length: Choice([2, 4]), mass: Normal(10, 3))},
    views: {\"near\": Around(radius: 9)},
    groups: [
        (name: \"a\", body: \"m\", count: 40, view: \"near\", behaviors: [
            (script: \"own\", params: {\"GAIN\": Normal(1, 0.2), \"SIDE\": Choice([-1, 1]), \"BOLD\": Choice([true, false])}),
            (script: \"own\", gain: 0.3, params: {\"GAIN\": Uniform(0, 2)}),
        ]),
        (name: \"b\", body: \"r\", count: 9, view: \"near\", behaviors: [(script: \"own\", params: {\"SIDE\": Uniform(-2, 2)})]),
    ])";

const OWN: &str = "const GAIN = param(1.0, 0.0, 3.0); const SIDE = param(1, -2, 2); const BOLD = param(true);
    const MEMORY = #{ sum: 0.0 };
    fn steer(me, world) {
        this.sum += GAIN * me.random() * SIDE + me.length;
        let way = if BOLD { me.neighbors.mean_position - me.position } else { me.heading };
        way.limit(GAIN * 0.2) + vec(sin(this.sum), cos(this.sum)) * 0.1
    }";

/// Sets the mean of a parameter, which remains a distribution.
fn tuned() -> (Handle, KnobName, ParamValue) {
    let handle = Handle { group: "a".to_owned(), script: "own".to_owned(), occurrence: 0 };
    (handle, KnobName::Param("GAIN".to_owned()), ParamValue::Number(1.5))
}

#[test]
fn any_number_of_threads_rewinding_saved_states_and_reloads_give_the_same_run() {
    let hash = assert_reproduced(&generation_of(DRAWN, OWN));
    let interpreted = generation_as(DRAWN, OWN, Execution::Interpreted);
    assert_eq!(stepped(&mut interpreted.start(None), 130), hash, "interpreted");
}

#[test]
fn a_state_of_another_seed_has_the_values_of_that_seed() {
    let generation = generation_of(DRAWN, OWN);
    let mut simulation = generation.start(Some(9));
    stepped(&mut simulation, 20);
    let saved = simulation.saved_state();
    let expected = stepped(&mut simulation, 30);
    let mut other = generation.start(None);
    assert_ne!(other.world().bodies, simulation.world().bodies);
    other.load_state(&saved).unwrap();
    assert_eq!(other.world().bodies, simulation.world().bodies);
    assert_eq!(stepped(&mut other, 30), expected);
}

#[test]
fn a_replay_of_tuned_and_added_units_reproduces_the_run() {
    let options =
        Options { threads: Some(1), keep: Keep::ALL, ..Options::new(Place::of_texts(texts(DRAWN, OWN))) };
    let mut session: Session = Session::open(Options { settings: vec![tuned()], ..options }).unwrap();
    for round in 0..40 {
        assert!(session.simulation.step(&AtomicBool::new(false)));
        let state = session.simulation.unit_state(7).unwrap();
        match round {
            5 => session.input(Input::AddUnits(vec![UnitState { key: 77, ..state }])),
            15 => session.input(Input::RemoveUnits(vec![state.key])),
            25 => session.input(Input::Tune(0, 1, 0.8, true)),
            _ => {}
        }
    }
    let hash = session.simulation.hash();
    let bytes = session.replay_file(Digests::default()).unwrap().to_bytes().unwrap();
    let replay = ReplayFile::from_bytes(&bytes).unwrap();
    for (execution, threads) in [(Execution::Native, 3), (Execution::Interpreted, 1)] {
        let end = replay.repeat((execution, Some(threads)), &AtomicBool::new(false), |_| true).unwrap();
        assert_eq!(end.hash(), hash, "{execution:?}");
        assert_eq!(end.world().bodies, session.simulation.world().bodies);
    }
}
