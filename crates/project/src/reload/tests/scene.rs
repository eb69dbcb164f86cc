//! Saves of the scene, and their events.

use super::*;

#[test]
fn faults_of_the_scene_have_place_and_remedy() {
    let mut case = Case::new();
    for (from, to, message, help) in [
        ("\"two\"", "\"too\"", "no script", "two"),
        ("\"K\": 2", "\"K\": 20", "allows 0 to 9", ""),
        ("body: \"m\"", "body: \"n\"", "", ""),
        ("count: 3,", "count: 3", "", ""),
    ] {
        let (events, _) = case.save_scene(&SCENE.replace(from, to));
        assert_eq!(events, rejected("s.ron"), "{to}");
        let fault = case.error();
        assert!(fault.line >= 1 && fault.column > 1, "{fault:?}");
        assert!(fault.message.contains(message), "{fault:?}");
        assert!(fault.help.clone().unwrap_or_default().contains(help), "{fault:?}");
    }
    assert_eq!(case.generation.number, 1);
}

#[test]
fn a_misspelled_parameter_has_a_suggestion() {
    let mut case = Case::new();
    let (events, _) = case.save_scene(&SCENE.replace("\"K\": 2", "\"k\": 2"));
    assert_eq!(events, [(EventKind::Reconciled, "s.ron".to_owned())]);
    assert_eq!(case.first(), turn(1.0), "its default");
    let reported = &case.generation.events[0].others;
    let message = "one.rhai has no parameter \"k\": its value is ignored";
    assert_eq!((reported.len(), reported[0].message.as_str()), (1, message));
    assert_eq!(reported[0].help.as_deref(), Some("did you mean \"K\"?"));
}

#[test]
fn scripts_and_parameters_of_a_faulty_scene_are_checked() {
    let text_of = |name: &str, fault: &str| {
        let scene = SCENE.replace("\"two\")]", "\"too\"), (script: \"one\", params: {\"k\": 2})]");
        scene.replace("\"K\": 2", "\"K\": 20").replace(name, fault)
    };
    for (from, to) in
        [("", ""), ("count: 3", "cuont: 3"), ("count: 3", "count: 3 view: #f00"), ("(100, 100)", "(1, 1")]
    {
        let mut case = Case::new();
        let (events, _) = case.save_scene(&text_of(from, to));
        assert_eq!(events, rejected("s.ron"), "{to}");
        let event = &case.generation.events[0];
        let all: Vec<_> = event.error.iter().chain(&event.others).collect();
        for (message, underlined) in [
            ("the script allows 0 to 9", "20"),
            ("there is no script `too`", "\"too\""),
            ("has no parameter \"k\"", "\"k\""),
        ] {
            let found = all.iter().find(|fault| fault.message.contains(message));
            let found = found.unwrap_or_else(|| panic!("{to}: {message}: {all:?}"));
            assert!(found.underlines(underlined), "{to}: {found:?}");
        }
        assert!(all.iter().all(|fault| !fault.message.contains("`two`")));
    }
}

#[test]
fn a_scene_swap_retains_units_and_reports_changes() {
    let mut case = Case::new();
    case.step();
    let before = case.simulation.world().units.position.clone();
    let (events, notes) = case.save_scene(&SCENE.replace("count: 3", "count: 5"));
    assert_eq!(events, [(EventKind::Reconciled, "s.ron".to_owned())]);
    assert!(notes.iter().any(|note| note.contains("2 units added to a")), "{notes:?}");
    assert_eq!(case.simulation.world().units.position[..3], before[..]);
    assert_eq!(case.simulation.world().units.len(), 5);
    case.save("one", &ONE.replace("1; K", "1; this.n"));
    assert_eq!(case.first(), turn(2.0), "memory survived both swaps");
}

#[test]
fn a_project_whose_scene_does_not_read_does_not_start() {
    let mut project = Project::new(Place::of_scene(Path::new("/p/scenes/s.ron")));
    project.set_scene(text("(world: Plain)"));
    let LoadError(faults) = project.compose().map(|_| ()).unwrap_err();
    assert_eq!(faults[0].line, 1, "{faults:?}");
}

#[test]
fn the_default_scene_is_in_the_binary_and_all_its_scripts_work() {
    let mut project = Project::new(Place::built_in("flock.ron"));
    let generation = project.compose().unwrap();
    // Imports count as used.
    let files = &generation.files;
    assert!(files.iter().any(|file| file.path == "steering.rhai"), "{files:?}");
    assert!(files.iter().all(|file| file.status == Status::Live && file.used), "{files:?}");
    let mut simulation = generation.start(None);
    for _ in 0..30 {
        simulation.step();
    }
    assert_eq!(simulation.reports(), []);
    assert!(simulation.world().units.len() >= 300);
}

#[test]
fn an_event_is_one_line_of_json() {
    let error = Some(Fault::at("u.rhai", "let x", (1, 5), "a `;` is missing").help("end it"));
    let event = Event {
        kind: EventKind::Rejected,
        path: "u.rhai".into(),
        generation: 7,
        error,
        others: vec![Fault::at("u.rhai", "let x", (1, 1), "odd").warning()],
        is_unsaved: false,
    };
    let json: serde_json::Value = serde_json::from_str(&event.to_json(1234, &[])).unwrap();
    assert_eq!(json["event"], "rejected");
    assert_eq!((&json["generation"], &json["step"]), (&7.into(), &1234.into()));
    assert_eq!((&json["error"]["line"], &json["error"]["column"]), (&1.into(), &5.into()));
    let other = &json["others"][0];
    assert_eq!((&other["message"], &other["severity"]), (&"odd".into(), &"warning".into()));
    let live = Event { kind: EventKind::Live, error: None, ..event };
    let json = live.to_json(1, &["K: lost".to_owned()]);
    assert!(json.contains("\"error\":null") && json.contains("\"notes\":[\"K: lost\"]"), "{json}");
}

#[test]
fn a_scene_that_does_not_work_is_waited_for_and_reported_once_a_save() {
    let mut project = Project::new(Place { scene: Some("a.ron".into()), ..Place::built_in("a.ron") });
    assert!(project.compose_or_wait().is_err(), "there is no file");
    let good = "(world: Plane(size: (9, 9)), bodies: {\"m\": Mover()}, groups: [
        (name: \"a\", body: \"m\", behaviors: [(script: \"wander\")])])";
    for (saved, expected) in [
        (Some("("), &[(EventKind::Rejected, 0)][..]),
        (None, &[(EventKind::Missing, 0)]),
        (Some("(world: 3)"), &[(EventKind::Rejected, 0)]),
        (Some(good), &[(EventKind::Live, 1), (EventKind::Live, 1)]),
    ] {
        project.set_scene(saved.and_then(text));
        assert!(project.has_news(), "{saved:?}");
        let generation = project.compose_or_wait().unwrap();
        assert!(!project.has_news(), "{saved:?}");
        let events = generation.events.iter();
        let events: Vec<_> = events.map(|event| (event.kind, event.generation)).collect();
        assert_eq!(events, expected);
        let rejected = matches!(generation.files[0].status, Status::Rejected(_));
        assert_eq!(rejected, expected[0].0 == EventKind::Rejected);
        assert_eq!(rejected, generation.events[0].error.is_some());
        assert_eq!(generation.number, expected[0].1);
        let groups = usize::try_from(generation.number).unwrap();
        assert_eq!(generation.start(None).world().groups.len(), groups);
    }
}

#[test]
fn a_renamed_group_keeps_its_units() {
    let mut case = Case::new();
    case.step();
    let before = case.simulation.world().units.clone();
    let (_, notes) = case.save_scene(&SCENE.replace("\"a\"", "\"b\""));
    // Its kind is its name.
    assert_eq!(notes, ["group a is b now", "kinds of b changed"]);
    assert_eq!(case.simulation.world().units, before);
    let memory: Vec<_> = case.simulation.memory(2).flat_map(|(.., words)| words.to_vec()).collect();
    assert_eq!(memory, [1.0_f32.to_bits()]);
}

#[test]
fn a_unit_that_is_added_under_another_seed_is_that_of_a_start() {
    let one = "const K = param(1.0, 0.0, 9.0);\nfn steer(me, world) { vec(K, me.random()) }";
    let scene = SCENE.replace("\"K\": 2", "\"K\": Normal(5, 1)").replace("(world", "(seed: 1, world");
    let mut case = Case::open(&scene, one);
    case.save_scene(&scene.replace("seed: 1", "seed: 2"));
    case.save_scene(&scene.replace("seed: 1", "seed: 2").replace("count: 3", "count: 4"));
    let mut fresh = case.generation.start(None);
    let place = |simulation: &Simulation, unit: usize| simulation.world().units.position[unit];
    assert_eq!(place(&case.simulation, 3), place(&fresh, 3));
    case.simulation.step();
    fresh.step();
    let first = |simulation: &Simulation, unit: usize| simulation.decisions(unit).next().map(|(_, it)| it);
    assert_eq!(first(&case.simulation, 3), first(&fresh, 3));
    assert_ne!(first(&case.simulation, 2), first(&fresh, 2));
}
