//! Edits of every kind, saved and undone in any order.

use egui::Key;
use glam::Vec3;
use steerbox_core::world::{ParamValue, Path, Solid};
use steerbox_project::reload::{Generation, Handle, KnobName, Loader, Place};
use steerbox_project::session::{Keep, Options};
use steerbox_scene::{SceneEdit, shifted};
use steerbox_script::ParamRange;

use super::stage::Stage;
use super::{options, patient};
use crate::App;
use crate::commands::action::{Action, CompareWith, SessionAction, ViewAction};

const SCENE: &str = "(
    world: Plane(size: (200, 150), edges: Bounce), seed: 3,
    contacts: (obstacles: Bounce(restitution: 0.5), units: Bounce(restitution: 0.5)),
    bodies: {\"m\": Mover(length: 3, max_speed: 30)},
    views: {\"far\": Around(radius: 60), \"near\": Limited(radius: 20)},
    paths: {\"way\": (points: [(10, 90), (90, 90)], radius: 3)},
    groups: [
        (
            name: \"a=b\", body: \"m\", count: 14, view: \"far\",
            behaviors: [
                (script: \"cohesion\", gain: 0.8),
                (script: \"separation\", gain: 1.2, params: {\"DISTANCE\": 20}),
                (script: \"wander\", enabled: false),
            ],
        ),
        (name: \"c\", body: \"m\", count: 5, view: \"near\", path: \"way\", behaviors: [(script: \"wander\")]),
    ],
    obstacles: [
        Circle(center: (50, 50), radius: 10), // one
        Circle(center: (150, 50), radius: 8),
        Box(center: (100, 100), size: (20, 10)),
        Circle(center: (30, 120), radius: 6),
    ],
    scatter: [(count: 2, radius: 4)],
)";

/// A paused window of a scene in a folder of its own.
fn edited() -> Stage {
    let keep = Keep { memory: 4 << 20, ..Keep::USUAL };
    let mut app = Stage::with(&[("a.ron", SCENE)], |place| patient(Options { place, keep, ..options() }));
    app.idle(1);
    app.press(Key::Space);
    app
}

fn handle(app: &App, script: &str) -> Handle {
    let mut planned = app.session.run.newest().planned();
    planned.find(|planned| planned.handle.script == script).unwrap().handle.clone()
}

/// A value of a behavior, and true if it is tuned.
fn value(app: &App, handle: &Handle, name: &KnobName) -> (ParamValue, bool) {
    let mut planned = app.session.run.newest().planned();
    let planned = planned.find(|planned| planned.handle == *handle).unwrap();
    let knob = planned.knobs.iter().find(|knob| knob.name == *name).unwrap();
    (knob.value.clone(), knob.tuned)
}

/// The content of a scene's file: each value, obstacle and path, and the hash of a run.
fn content(path: &std::path::Path) -> (Vec<String>, u64) {
    let (_, generation) = Loader::load(Place::of_scene(path), Vec::new()).unwrap();
    let mut simulation = generation.start(None);
    (0..120).for_each(|_| simulation.step());
    (values(&generation), simulation.hash())
}

/// Each value, obstacle and path of the running scene.
fn values(generation: &Generation) -> Vec<String> {
    let knobs = generation.planned().flat_map(|planned| {
        let of = |knob: &steerbox_project::reload::Knob| {
            format!("{:?} {:?} {}", planned.handle, knob.name, knob.value)
        };
        planned.knobs.iter().map(of).collect::<Vec<_>>()
    });
    let obstacles = generation.scene.world.obstacles.iter().map(|obstacle| format!("{obstacle:?}"));
    let mut paths: Vec<_> = generation.scene.world.paths.iter().map(|path| format!("{path:?}")).collect();
    paths.sort();
    knobs.chain(obstacles).chain(paths).collect()
}

#[test]
fn a_value_is_undone_although_it_was_saved_since() {
    let gain = (KnobName::Gain, ParamValue::Number(3.125));
    let reach = (KnobName::Param("DISTANCE".to_owned()), ParamValue::Number(70.0));
    let switch = (KnobName::Enabled, ParamValue::Switch(false));
    for (name, new) in [gain, reach, switch] {
        let mut edited = edited();
        let handle = handle(&edited, "separation");
        let file = value(&edited, &handle, &name).0;
        edited.act(SessionAction::Tune(handle.clone(), name.clone(), new.clone()));
        assert_eq!(value(&edited, &handle, &name), (new.clone(), true));
        edited.save();
        assert_ne!(edited.read("a.ron"), SCENE);
        edited.until(|app| value(app, &handle, &name) == (new.clone(), false));
        edited.act(SessionAction::Undo);
        edited.save();
        edited.until(|app| value(app, &handle, &name) == (file.clone(), false));
        if name != KnobName::Enabled {
            assert_eq!(edited.read("a.ron"), SCENE);
        }
        edited.act(SessionAction::Redo);
        assert_eq!(value(&edited, &handle, &name), (new.clone(), true));
        edited.save();
        edited.until(|app| value(app, &handle, &name) == (new.clone(), false));
        edited.act(SessionAction::Undo);
        edited.until(|app| value(app, &handle, &name) == (file.clone(), true));
        edited.act(SessionAction::Redo);
        edited.until(|app| value(app, &handle, &name) == (new.clone(), false));
    }
}

#[test]
fn a_cleared_value_and_a_loaded_snapshot_are_undone_although_saved_since() {
    let mut edited = edited();
    let (handle, name) = (handle(&edited, "cohesion"), KnobName::Gain);
    let number = ParamValue::Number;
    let is = |value_is: f32| {
        let (handle, name) = (handle.clone(), name.clone());
        move |app: &App| value(app, &handle, &name).0 == number(value_is)
    };
    let tune = |value: f32| SessionAction::Tune(handle.clone(), name.clone(), number(value));
    edited.act(tune(2.5));
    edited.act(SessionAction::SaveSnapshot("kept".to_owned()));
    assert_eq!(edited.session.snapshot_names, ["kept"], "a group may have `=` in its name");
    edited.act(SessionAction::ResetValue(handle.clone(), name.clone()));
    edited.save();
    assert_eq!(edited.read("a.ron"), SCENE);
    edited.act(SessionAction::Undo);
    edited.until(is(2.5));
    edited.act(tune(1.5));
    edited.act(SessionAction::LoadSnapshot("kept".to_owned()));
    edited.until(is(2.5));
    edited.save();
    edited.act(SessionAction::Undo);
    edited.until(is(1.5));
    edited.save();
    edited.act(SessionAction::Redo);
    edited.until(is(2.5));
    // The snapshot, the second value and the first one; the undone edit that cleared it is dropped.
    for before in [1.5, 2.5, 0.8] {
        edited.act(SessionAction::Undo);
        edited.until(is(before));
    }
    edited.save();
    assert_eq!(edited.read("a.ron"), SCENE);
}

#[test]
fn a_switch_by_a_key_over_a_tuned_one_is_undone_to_the_tuned_one() {
    let mut edited = edited();
    let (handle, name) = (handle(&edited, "wander"), KnobName::Enabled);
    let on = ParamValue::Switch(true);
    edited.act(SessionAction::Tune(handle.clone(), name.clone(), on.clone()));
    let key = steerbox_scene::KeyAction::Switch(vec!["wander".to_owned()]);
    edited.act(SessionAction::SceneKey(key));
    assert_eq!(value(&edited, &handle, &name), (ParamValue::Switch(false), false));
    edited.save();
    assert!(edited.read("a.ron").contains("enabled: false"), "a key's switch is not written");
    edited.act(SessionAction::Undo);
    edited.save();
    assert_eq!(value(&edited, &handle, &name).0, on);
    assert!(!edited.read("a.ron").contains("enabled: false"), "{}", edited.read("a.ron"));
}

/// Random edits of every kind.
fn edit(edited: &mut Stage, dice: &mut impl FnMut(usize) -> usize) {
    let place = |dice: &mut dyn FnMut(usize) -> usize| Vec3::new(dice(200) as f32, dice(150) as f32, 0.0);
    let generation = edited.session.run.newest().clone();
    let obstacles = &generation.scene.world.obstacles;
    let at = dice(obstacles.len().max(1));
    let units = edited.world().units.len();
    let action: Action = match dice(17) {
        0..5 => {
            let planned: Vec<_> = generation.planned().collect();
            let planned = planned[dice(planned.len())];
            let knob = &planned.knobs[dice(planned.knobs.len())];
            let share = dice(100) as f32 / 100.0;
            let value = match &knob.range {
                ParamRange::Number(least, most) => ParamValue::Number(least + (most - least) * share),
                ParamRange::Integer(least, most) => ParamValue::Integer(least + (most - least) / 2),
                ParamRange::Choice(words) => ParamValue::Choice(words[dice(words.len())].clone()),
                ParamRange::Switch => ParamValue::Switch(dice(2) == 0),
            };
            match dice(5) {
                0 => SessionAction::ResetValue(planned.handle.clone(), knob.name.clone()).into(),
                _ => SessionAction::Tune(planned.handle.clone(), knob.name.clone(), value).into(),
            }
        }
        5 => {
            let to = Some(Solid::ball(place(dice), 3.0).into());
            SessionAction::EditScene(SceneEdit::Obstacle { at: obstacles.len(), from: None, to }).into()
        }
        6 if !obstacles.is_empty() => {
            let (from, by) = (&obstacles[at], Vec3::new(3.0, -2.0, 0.0));
            SessionAction::EditScene(SceneEdit::Obstacle {
                at,
                from: Some(from.clone()),
                to: shifted(from, by),
            })
            .into()
        }
        7 | 8 if !obstacles.is_empty() => {
            SessionAction::EditScene(SceneEdit::Obstacle { at, from: Some(obstacles[at].clone()), to: None })
                .into()
        }
        9 => {
            let paths = &generation.scene.world.paths;
            let name = ["way", "new"][dice(2)].to_owned();
            let from = paths.iter().find(|path| path.name == name).map(|path| path.path.clone());
            let to = Path::new(vec![place(dice), place(dice), Vec3::new(5.0, 5.0, 0.0)], false, 4.0);
            SessionAction::EditScene(SceneEdit::Path { name, from, to }).into()
        }
        10 => SessionAction::RemoveUnits(vec![dice(units)]).into(),
        11 => {
            edited.act(ViewAction::Select(vec![dice(units)]));
            ViewAction::DuplicateSelected.into()
        }
        12 => SessionAction::SetView(dice(2), [None, Some(0), Some(1)][dice(3)]).into(),
        13 => SessionAction::SaveSnapshot(["one", "two"][dice(2)].to_owned()).into(),
        14 => SessionAction::LoadSnapshot(["one", "two"][dice(2)].to_owned()).into(),
        15 => SessionAction::SceneKey(steerbox_scene::KeyAction::Switch(vec!["wander".to_owned()])).into(),
        _ => SessionAction::Step.into(),
    };
    edited.act(action);
    if dice(3) == 0 {
        edited.idle(1);
    }
}

/// Pseudorandom numbers below a limit, the same on every machine.
fn dice(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |limit| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit.max(1)
    }
}

#[test]
fn random_edits_and_saves_are_undone_to_the_values_of_the_original_file() {
    let folder = tempfile::tempdir().unwrap();
    let original = folder.path().join("a.ron");
    std::fs::write(&original, SCENE).unwrap();
    let begun = content(&original);
    for seed in 0..6 {
        let (mut edited, mut dice) = (edited(), dice(seed));
        for _ in 0..60 {
            match dice(12) {
                0 => edited.save(),
                1 => edited.act(SessionAction::Undo),
                2 => edited.act(SessionAction::Redo),
                _ => edit(&mut edited, &mut dice),
            }
        }
        edited.save();
        let ended = values(edited.session.run.newest());
        let mut count = 0;
        while edited.session.edits.can_undo() {
            edited.act(SessionAction::Undo);
            count += 1;
            if dice(8) == 0 {
                edited.save();
            }
        }
        edited.save();
        let log = edited.log();
        assert_eq!(
            content(&edited.path("a.ron")),
            begun,
            "seed {seed}: {}\n{}",
            edited.read("a.ron"),
            log.join("\n")
        );
        assert_eq!(edited.session.tuned(), 0, "seed {seed}");
        (0..count).for_each(|_| edited.act(SessionAction::Redo));
        edited.save();
        assert_eq!(values(edited.session.run.newest()), ended, "seed {seed}: {}", edited.read("a.ron"));
    }
}

#[test]
fn undo_of_a_restart_continues_the_run_before_it_with_its_past_and_the_present_rules() {
    let mut edited = edited();
    let hash = |edited: &Stage| {
        let simulation = &edited.session.run.simulation;
        (simulation.world().steps, simulation.hash())
    };
    (0..9).for_each(|_| _ = edited.press(Key::Period));
    let ended = hash(&edited);
    edited.act(SessionAction::Restart);
    let begun = hash(&edited);
    assert_eq!(begun.0, 0);
    for _ in 0..2 {
        edited.act(SessionAction::Undo);
        assert_eq!(hash(&edited), ended);
        edited.act(SessionAction::Redo);
        assert_eq!(hash(&edited), begun);
    }
    // Rules that changed since are those of both runs.
    let handle = handle(&edited, "separation");
    let gain = ParamValue::Number(2.5);
    edited.session.run.set_value(&handle, &KnobName::Gain, &gain, true);
    edited.save();
    (0..3).for_each(|_| _ = edited.press(Key::Period));
    edited.act(SessionAction::Undo);
    assert_eq!((hash(&edited), value(&edited, &handle, &KnobName::Gain).0), (ended, gain));
    edited.act(SessionAction::GoToStep(4));
    edited.until(|app| app.world().steps == 4);
    // A second restart does not discard the run before the first.
    (0..2).for_each(|_| edited.act(SessionAction::Restart));
    edited.act(SessionAction::Undo);
    assert_eq!(hash(&edited).0, 0);
    edited.act(SessionAction::Undo);
    assert_eq!(hash(&edited), ended);
}

#[test]
fn hours_of_edits_use_bounded_memory() {
    let (mut edited, mut dice) = (edited(), dice(99));
    let most = edited.world().units.len() * 4;
    let mut inputs = 0;
    for round in 0..1200 {
        match dice(14) {
            0 => edited.save(),
            1 | 2 => edited.act(SessionAction::Undo),
            3 => edited.act(SessionAction::Redo),
            4 => edited.act(SessionAction::Compare(CompareWith::Files)),
            5 => edited.act(SessionAction::ToggleCompare),
            6 => edited.act(SessionAction::ContinueRun(dice(2) == 0)),
            7 => edited.act(ViewAction::Select(vec![dice(10)])),
            8 => edited.act(SessionAction::TogglePause),
            _ => edit(&mut edited, &mut dice),
        }
        if dice(2) == 0 {
            edited.idle(1);
        }
        let session = &edited.session;
        if session.run.simulation.world().units.len() > most {
            edited.act(SessionAction::Restart);
        }
        // Edits wait only until the loader answers.
        if round % 50 == 49 {
            edited.save();
            let session = &edited.session;
            assert!(session.run.waiting_edits() <= 1, "{}", session.run.waiting_edits());
            let (edits, bytes) = session.edits.kept();
            assert!(edits <= 500 && bytes <= 2 << 20, "{edits} edits, {bytes} bytes");
            assert!(session.log.lines().count() <= 1000, "{}", session.log.lines().count());
            assert!(session.run.recorded_bytes() <= 5 << 20, "{}", session.run.recorded_bytes());
            inputs = inputs.max(session.run.inputs().count());
        }
    }
    assert!((1..2000).contains(&inputs), "{inputs} inputs");
}

#[test]
fn edits_are_not_stored_for_a_loader_that_has_ended() {
    let mut edited = edited();
    edited.session.run.send(steerbox_project::reload::Command::Quit);
    edited.until(|app| !app.session.run.send(steerbox_project::reload::Command::Look));
    for round in 0..40 {
        let to = Some(Solid::ball(Vec3::new(round as f32, 9.0, 0.0), 3.0).into());
        let at = edited.session.run.newest().scene.world.obstacles.len();
        edited.act(SessionAction::EditScene(SceneEdit::Obstacle { at, from: None, to }));
    }
    assert_eq!(edited.session.run.newest().scene.world.obstacles.len(), 44);
    assert_eq!(edited.session.run.waiting_edits(), 0);
}

#[test]
fn a_faulty_values_file_is_never_overwritten() {
    let mut edited = edited();
    let values = edited.path("a.values.ron");
    let handle = handle(&edited, "cohesion");
    edited.act(SessionAction::Tune(handle, KnobName::Gain, ParamValue::Number(2.0)));
    for faulty in ["{\"a\": [\"nonsense\"]}", "{\"a\": [", "{\"a\": [3]}", "{\"a\": [], \"a\": []}", "\u{1}"]
    {
        std::fs::write(&values, faulty).unwrap();
        for action in
            [SessionAction::SaveSnapshot("b".to_owned()), SessionAction::DeleteSnapshot("a".to_owned())]
        {
            edited.act(action);
            assert_eq!(std::fs::read_to_string(&values).unwrap(), faulty);
        }
    }
}

#[test]
fn the_copied_command_parses_to_the_tuned_values() {
    let mut edited = edited();
    let handle = handle(&edited, "separation");
    for (name, value) in [
        (KnobName::Gain, ParamValue::Number(2.25)),
        (KnobName::Enabled, ParamValue::Switch(false)),
        (KnobName::Param("DISTANCE".to_owned()), ParamValue::Number(33.5)),
    ] {
        edited.act(SessionAction::Tune(handle.clone(), name, value));
    }
    let words: Vec<_> = edited.session.run.newest().tuned().collect();
    let texts: Vec<_> = words.iter().map(steerbox_project::session::written_setting).collect();
    assert!(edited.session.command().contains(" --set a=b.separation.gain=2.25"));
    let read: Vec<_> =
        texts.iter().map(|text| steerbox_project::session::parse_setting(text).unwrap()).collect();
    assert_eq!(read, words);
    let (_, generation) = Loader::load(Place::of_scene(&edited.path("a.ron")), read.clone()).unwrap();
    assert_eq!(generation.tuned().collect::<Vec<_>>(), words);
}

#[test]
fn the_log_names_the_value_that_undo_restores_and_the_edit_that_it_undoes() {
    let mut edited = edited();
    let handle = edited.rule(0);
    edited.act(SessionAction::Tune(handle, KnobName::Gain, ParamValue::Number(2.5)));
    edited.act(SessionAction::RemoveUnits(vec![0, 1]));
    for action in [SessionAction::Undo, SessionAction::Undo, SessionAction::Redo, SessionAction::Redo] {
        edited.act(action);
    }
    let lines = edited.log();
    let logged: Vec<_> =
        lines.iter().filter(|line| line.starts_with("undid") || line.starts_with("redid")).collect();
    let expected = [
        "undid: 2 units removed",
        "undid: a=b.cohesion.gain is 0.8 again",
        "redid: a=b.cohesion.gain is 2.5",
        "redid: 2 units removed",
    ];
    assert_eq!(logged, expected);
}

#[test]
fn a_copied_command_names_what_it_does_not_include() {
    let mut edited = edited();
    let from = edited.session.run.generation.scene.world.obstacles.get(1).cloned();
    edited.act(SessionAction::EditScene(SceneEdit::Obstacle { at: 1, from, to: None }));
    edited.act(SessionAction::RemoveUnits(vec![0]));
    edited.idle(1);
    edited.act(SessionAction::CopyCommand);
    let last = edited.log().pop().unwrap();
    assert_eq!(last, "the command does not include: obstacle 2 removed, added and removed units");
}
