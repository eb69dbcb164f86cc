use glam::{Vec2, Vec3};
use steerbox_core::world::{Obstacle, ParamValue, Path, Polygon, Solid};

use super::*;
use crate::{SceneEdit, read as read_scene, shifted};

/// Rewrites a scene's text without edits of obstacles and paths.
fn rewrite(name: &str, text: &str, edits: &[Edit]) -> Result<String, Vec<Fault>> {
    super::rewrite(name, text, edits, &SceneEdits::default())
}

/// Rewrites a scene's text with successive edits of obstacles and paths.
fn apply(text: &str, edits: impl Fn(&Scene) -> Vec<SceneEdit>) -> Result<String, Vec<Fault>> {
    let scene = read_scene("a.ron", text).unwrap();
    let edits = edits(&scene).into_iter();
    let all = edits.fold(SceneEdits::default(), |all, edit| all.edited(&scene, &edit).unwrap());
    super::rewrite("a.ron", text, &[], &all)
}

/// A change of an obstacle.
fn changed(scene: &Scene, at: usize, make: impl Fn(&Obstacle) -> Obstacle) -> SceneEdit {
    let from = scene.world.obstacles[at].clone();
    SceneEdit::Obstacle { at, to: Some(make(&from)), from: Some(from) }
}

fn removed(scene: &Scene, at: usize) -> SceneEdit {
    SceneEdit::Obstacle { at, from: Some(scene.world.obstacles[at].clone()), to: None }
}

fn added(solid: Solid) -> SceneEdit {
    SceneEdit::Obstacle { at: 99, from: None, to: Some(solid.into()) }
}

/// A scene with the given text of its second behavior and its obstacles.
fn scene(behavior: &str, obstacles: &str) -> String {
    format!(
        "// top\n(world: Plane(size: (200, 100)), bodies: {{\"m\": Mover()}},\n    groups: [(name: \"g\", \
         body: \"m\", behaviors: [\n        (script: \"other\", gain: 1), // keep\n        {behavior}, // mine\n    \
         ])],\n    obstacles: [{obstacles}], /* end */\n)\n"
    )
}

fn set(set: Set) -> Edit {
    Edit::Behavior { group: "g".to_owned(), script: "s".to_owned(), occurrence: 0, set }
}

fn param(name: &str, value: ParamValue) -> Edit {
    set(Set::Param(name.to_owned(), value))
}

/// Rewrites `text` and returns the replacement of `before`; the rest must be unchanged.
fn rewritten(text: &str, before: &str, edits: &[Edit]) -> String {
    let edited = rewrite("a.ron", text, edits).unwrap();
    let (head, tail) = text.split_once(before).unwrap();
    let after = edited.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
    after.expect("nothing else is touched").to_owned()
}

fn behavior(before: &str, edits: &[Edit]) -> String {
    rewritten(&scene(before, ""), before, edits)
}

/// Returns the new text of an obstacle after a move; the rest must be unchanged.
fn obstacle(before: &str, shift: Vec3) -> String {
    let text = scene("(script: \"s\")", before);
    let edited = apply(&text, |scene| vec![changed(scene, 0, |it| shifted(it, shift).unwrap())]).unwrap();
    let (head, tail) = text.split_once(before).unwrap();
    let after = edited.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
    after.expect("nothing else is touched").to_owned()
}

/// A table of texts before and after, separated by `=>`.
fn pairs(table: &str) -> impl Iterator<Item = (String, String)> {
    let rows = table.trim().lines();
    let rows = rows.map(|row| row.split_once(" => ").expect("two columns"));
    let plain = |text: &str| text.replace("\\n", "\n").replace("\\t", "\t");
    rows.map(move |(before, after)| (plain(before), plain(after)))
}

#[test]
fn numbers_are_replaced_in_their_own_style() {
    let gain = |before: &str, value| {
        let before = format!("(script: \"s\", gain: {before} /* g */)");
        let after = behavior(&before, &[set(Set::Gain(value))]);
        let value = after.strip_prefix("(script: \"s\", gain: ").unwrap();
        value.strip_suffix(" /* g */)").unwrap().to_owned()
    };
    assert_eq!(gain("6", 6.5), "6.5");
    assert_eq!(gain("6", 7.0), "7");
    assert_eq!(gain("6.0", 7.0), "7.0");
    assert_eq!(gain("6", 0.3), "0.3");
    assert_eq!(gain("6", 0.1 + 0.2), "0.3");
    assert_eq!(gain("1.50", 1.5), "1.50");
    assert_eq!(gain("6", -0.0), "0");
    assert_eq!(gain("6", 1e-9), "1e-9");
    assert_eq!(gain("6", -65536.0), "-65536");
    assert_eq!(gain("6", -1e11), "-100000000000.0");
}

#[test]
fn a_field_that_returns_to_its_default_is_not_removed() {
    let before = "(script: \"s\", gain: 2, enabled: false)";
    let edits = [set(Set::Gain(1.0)), set(Set::Enabled(true))];
    assert_eq!(behavior(before, &edits), "(script: \"s\", gain: 1, enabled: true)");
}

#[test]
fn parameters_of_every_kind_are_replaced() {
    let before = "(script: \"s\", params: {\"N\": 1.0, \"I\": 3, \"ON\": true, \"W\": \"a\" /* w */})";
    let edits = [
        param("N", ParamValue::Number(2.0)),
        param("I", ParamValue::Integer(-4)),
        param("ON", ParamValue::Switch(false)),
        param("W", ParamValue::Choice("b\"\\\u{7}ü".to_owned())),
    ];
    assert_eq!(
        behavior(before, &edits),
        "(script: \"s\", params: {\"N\": 2.0, \"I\": -4, \"ON\": false, \"W\": \"b\\\"\\\\\\u{7}ü\" /* w */})"
    );
    let before = "(script: \"s\", params: {\"N\": Normal(1.0, 0.2) /* n */})";
    let moved =
        ParamValue::Number(1.25).replacing(&ParamValue::Distribution("Normal(1, 0.2)".parse().unwrap()));
    let edits = [param("N", moved)];
    assert_eq!(behavior(before, &edits), "(script: \"s\", params: {\"N\": Normal(1.25, 0.2) /* n */})");
    let before = "(script: \"s\", params: {\"N\": Uniform( /* low */ 0, // high\n 1)})";
    let after = "(script: \"s\", params: {\"N\": 2 /* low */ // high\n        })";
    assert_eq!(behavior(before, &[param("N", ParamValue::Number(2.0))]), after);
    let before = "(script: \"s\", params: {\"I\": 3.0, \"N\": 3})";
    let edits = [param("I", ParamValue::Integer(4)), param("N", ParamValue::Number(3.0))];
    assert_eq!(behavior(before, &edits), "(script: \"s\", params: {\"I\": 4.0, \"N\": 3})");
}

#[test]
fn missing_fields_are_inserted_in_the_line() {
    let all = [
        set(Set::Enabled(false)),
        param("K", ParamValue::Number(2.5)),
        param("B", ParamValue::Switch(true)),
        set(Set::Gain(1.5)),
    ];
    for (before, after) in pairs(
        r#"
(script: "s") => (script: "s", gain: 1.5, enabled: false, params: {"K": 2.5, "B": true})
(script: "s" /* c */ ,) => (script: "s" /* c */, gain: 1.5, enabled: false, params: {"K": 2.5, "B": true} ,)
(params: {}, script:"s") => (params: {"K":2.5, "B":true}, script:"s", gain:1.5, enabled:false)
(script: "s", params: { }, gain: 1) => (script: "s", params: { "K": 2.5, "B": true }, gain: 1.5, enabled: false)
(script: "s", params: {"A": 1 /* a */, /* z */}, gain: 1, enabled: true) => (script: "s", params: {"A": 1 /* a */, "K": 2.5, "B": true, /* z */}, gain: 1.5, enabled: false)
(script: "s", params: {/* none */}, gain: 1, enabled: true) => (script: "s", params: {"K": 2.5, "B": true/* none */}, gain: 1.5, enabled: false)
"#,
    ) {
        assert_eq!(behavior(&before, &all), after);
    }
}

#[test]
fn missing_fields_are_inserted_on_separate_lines() {
    let edits = [set(Set::Gain(1.5)), param("K", ParamValue::Number(2.5))];
    for (before, after) in pairs(
        r#"
(\n\t\tscript: "s", // which\n\t\tparams: {\n\t\t\t"A": 1, /* a */ // b\n\t\t},\n\t) => (\n\t\tscript: "s", // which\n\t\tgain: 1.5,\n\t\tparams: {\n\t\t\t"A": 1, /* a */ // b\n\t\t\t"K": 2.5,\n\t\t},\n\t)
(\n  script: "s" // which\n) => (\n  script: "s", // which\n  gain: 1.5,\n  params: {"K": 2.5}\n)
(\n  script: "s",\n  params: {\n  }) => (\n  script: "s",\n  gain: 1.5,\n  params: {\n      "K": 2.5,\n  })
(script: "s", enabled: true,\n  params: {"A": 1,\n    "B": 2}) => (script: "s", gain: 1.5, enabled: true,\n  params: {"A": 1,\n    "B": 2,\n    "K": 2.5})
(script: "s" // open\n  , enabled: true) => (script: "s", gain: 1.5 // open\n  , enabled: true, params: {"K": 2.5})
"#,
    ) {
        assert_eq!(behavior(&before, &edits), after);
        let (before, after) = (before.replace('\n', "\r\n"), after.replace('\n', "\r\n"));
        let text = scene(&before, "").replace("\r\n", "\n").replace('\n', "\r\n");
        let edited = rewrite("a.ron", &text, &edits).unwrap();
        assert_eq!(edited, text.replace(&before, &after));
    }
}

#[test]
fn obstacles_move_with_all_points_and_nothing_else_changes() {
    let shift = Vec3::new(0.2, -5.0, 0.0);
    for (before, after) in pairs(
        r"
Circle(center: (0.1, 9 /* y */), radius: 3) => Circle(center: (0.3, 4 /* y */), radius: 3)
Capsule(radius: 1, to: (1, 2), from: (3.0, 4.0, 0)) => Capsule(radius: 1, to: (1.2, -3), from: (3.2, -1.0, 0))
Box(center: (1, 2), size: (3, 4), angle: 30, inside_out: true) => Box(center: (1.2, -3), size: (3, 4), angle: 30, inside_out: true)
Polygon(points: [(0, 0), // a\n (0, 7), (4.5, 0)]) => Polygon(points: [(0.2, -5), // a\n (0.2, 2), (4.7, -5)])
",
    ) {
        assert_eq!(obstacle(&before, shift), after);
    }
    let along = Vec3::X * 2.0;
    assert_eq!(
        obstacle("Circle(center: (1, 9.50), radius: 3)", along),
        "Circle(center: (3, 9.50), radius: 3)"
    );
}

#[test]
fn a_radius_changes_in_its_own_style_alone_or_with_the_position() {
    let text = scene("(script: \"s\")", "Circle(center: (1, 2), radius: 3.0 /* r */)");
    let ball = |x: f32, radius: f32| Obstacle::from(Solid::ball(Vec3::new(x, 2.0, 0.0), radius));
    let resized = |x, radius| apply(&text, |scene| vec![changed(scene, 0, |_| ball(x, radius))]);
    assert_eq!(resized(1.0, 7.0).unwrap(), text.replace("3.0 /*", "7.0 /*"));
    let both = text.replace("3.0 /*", "7.5 /*").replace("(1, 2)", "(2, 2)");
    assert_eq!(resized(2.0, 7.5).unwrap(), both);
    assert!(resized(1.0, -1.0).is_err() && resized(1.0, f32::NAN).is_err() && resized(1e13, 1.0).is_err());
}

#[test]
fn in_space_a_missing_z_is_added() {
    let text = scene("(script: \"s\")", "Ball(center: (1, 2), radius: 3)")
        .replace("Plane(size: (200, 100))", "Space(radius: 9)");
    let shift = Vec3::new(1.0, 1.0, 0.5);
    let edited = apply(&text, |scene| vec![changed(scene, 0, |it| shifted(it, shift).unwrap())]).unwrap();
    assert_eq!(edited, text.replace("(1, 2)", "(2, 3, 0.5)"));
}

/// Lists of obstacles after removals and insertions of first, last and other items.
#[test]
fn obstacles_are_removed_and_inserted_in_the_existing_layout() {
    const A: &str = "Circle(center: (1, 2), radius: 3)";
    const B: &str = "Box(center: (9, 9), size: (2, 4), angle: 30)";
    const C: &str = "Capsule(from: (5, 5), to: (8, 5), radius: 1.5)";
    let new = || {
        let (from, to) = (Vec3::new(5.0, 5.0, 0.0), Vec3::new(8.0, 5.0, 0.0));
        added(Solid::Capsule { from, to, radius: 1.5 })
    };
    let at = |place: usize, edit: SceneEdit| match edit {
        SceneEdit::Obstacle { from, to, .. } => SceneEdit::Obstacle { at: place, from, to },
        edit @ SceneEdit::Path { .. } => edit,
    };
    let check = |list: &str, edits: &dyn Fn(&Scene) -> Vec<SceneEdit>, expected: &str| {
        let named = |list: &str| list.replace("#1", A).replace("#2", B).replace("#3", C).replace("\\n", "\n");
        let text = scene("(script: \"s\")", "/**/").replace("[/**/]", &named(list));
        let written = scene("(script: \"s\")", "/**/").replace("[/**/]", &named(expected));
        assert_eq!(apply(&text, edits).unwrap(), written, "{list}");
    };
    let first = |scene: &Scene| vec![removed(scene, 0)];
    let last = |scene: &Scene| vec![removed(scene, 1)];
    let both = |scene: &Scene| vec![removed(scene, 0), removed(scene, 1)];
    let swapped = |scene: &Scene| vec![removed(scene, 1), new()];
    let others = |scene: &Scene| vec![removed(scene, 0), removed(scene, 1), new(), new()];
    let between = |scene: &Scene| vec![removed(scene, 0), at(0, new()), at(1, new())];
    check("[#1, #2]", &|_| vec![at(1, new())], "[#1, #3, #2]");
    check("[#1, #2]", &between, "[#3, #3, #2]");
    check("[#1 /* a */, #2 /* b */]", &between, "[#3, #3, #2 /* b */]");
    check(
        "[\n  #1, // a\n  // b\n  #2, // c\n  ]",
        &|_| vec![at(1, new())],
        "[\n  #1, // a\n  // b\n  #3,\n  #2, // c\n  ]",
    );
    check("[\n  #1, // a\n  #2 // b\n  ]", &between, "[\n  #3,\n  #3,\n  #2 // b\n  ]");
    check("[]", &|_| vec![new(), new()], "[#3, #3]");
    check("[#1, #2]", &first, "[#2]");
    check("[#1, #2]", &last, "[#1]");
    check("[#1, #2]", &both, "[]");
    check("[#1, #2]", &swapped, "[#1, #3]");
    check("[#1, #2]", &others, "[#3, #3]");
    check("[#1, #2,]", &last, "[#1, ]");
    check("[#1 /* a */, #2 /* b */]", &first, "[#2 /* b */]");
    check("[#1 /* a */, #2 /* b */]", &|_| vec![new()], "[#1 /* a */, #2 /* b */, #3]");
    check("[\n  #1, // a\n  #2,\n  ]", &first, "[\n  #2,\n  ]");
    check("[\n  #1, // a\n  // b\n  #2,\n  ]", &last, "[\n  #1, // a\n  // b\n  ]");
    check("[\n  #1, // a\n  #2 // b\n  ]", &last, "[\n  #1, // a\n  ]");
    check("[\n  #1, // a\n  #2 // b\n  ]", &swapped, "[\n  #1, // a\n  #3,\n  ]");
    check("[\n  #1,\n  #2,\n  ]", &both, "[\n  ]");
    check("[\n  #1, // a\n  #2,\n  ]", &others, "[\n  #3,\n  #3,\n  ]");
    check("[\n  #1,\n  #2, // b\n  ]", &|_| vec![new()], "[\n  #1,\n  #2, // b\n  #3,\n  ]");
}

#[test]
fn written_shapes_are_read_back_unchanged() {
    let shapes = [
        "Circle(center: (1, 2), radius: 3)",
        "Capsule(from: (3, 4), to: (1.2, -3), radius: 1)",
        "Box(center: (1, 2), size: (3, 4.5), angle: 33.3)",
        "Box(center: (1, 2), size: (3, 4))",
        "Polygon(points: [(0, 0), (4.5, 0), (0, 7)], inside_out: true)",
        "Circle(center: (1, 2), radius: 3, attached: \"g\")",
        "Circle(center: (1, 2), radius: 3, inside_out: true, attached: \"g\", unit: 1)",
    ];
    for shape in shapes {
        let text = scene("(script: \"s\")", shape).replace("name: \"g\"", "name: \"g\", count: 2");
        let twice = apply(&text, |scene| {
            vec![SceneEdit::Obstacle { at: 1, from: None, to: Some(scene.world.obstacles[0].clone()) }]
        });
        assert_eq!(twice.unwrap(), text.replace(shape, &format!("{shape}, {shape}")));
    }
}

#[test]
fn corners_change_in_place_and_additional_ones_rewrite_the_list() {
    let polygon = |corners: &[(f32, f32)]| {
        let corners = corners.iter().copied().map(Vec2::from).collect();
        Obstacle::from(Solid::Polygon(Polygon::new(corners).unwrap()))
    };
    // Clockwise, unlike the stored order.
    let text = scene("(script: \"s\")", "Polygon(points: [(0, 0), /* a */ (0, 7), (4, 0.0)])");
    let to =
        |corners: &[(f32, f32)]| apply(&text, |scene| vec![changed(scene, 0, |_| polygon(corners))]).unwrap();
    let moved = to(&[(4.0, 0.5), (0.0, 7.0), (0.0, 0.0)]);
    assert_eq!(moved, text.replace("(4, 0.0)", "(4, 0.5)"));
    let more = to(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 7.0)]);
    let listed = "[(0, 0), /* a */ (0, 7), (4, 0.0)]";
    assert_eq!(more, text.replace(listed, "[(0, 0), (4, 0), (4, 4), (0, 7)]"));
}

#[test]
fn a_missing_field_is_appended() {
    let text = "(world: Plane(size: (200, 100)), bodies: {\"m\": Mover()},\n    groups: [(name: \"g\", body: \"m\")])";
    let new = || vec![added(Solid::ball(Vec3::new(1.0, 2.0, 0.0), 3.0))];
    let circle = "Circle(center: (1, 2), radius: 3)";
    let expected = text.replace(")])", &format!(")],\n    obstacles: [\n        {circle},\n    ])"));
    assert_eq!(apply(text, |_| new()).unwrap(), expected);
    let (inline, expected) =
        (text.replace('\n', ""), expected.replace("\n    obstacles: [\n        ", " obstacles: ["));
    let expected = expected.replace(",\n    ])", "])").replace('\n', "");
    assert_eq!(apply(&inline, |_| new()).unwrap(), expected);
}

#[test]
fn paths_are_changed_inserted_and_removed() {
    let text = scene("(script: \"s\")", "").replace(
        "    obstacles",
        "    paths: {\n        \"a\": (points: [(0, 0), (9, 0)], radius: 4), // a\n        \"b\": (points: [(1, 1), \
         /* mid */ (5, 5)], closed: true),\n    },\n    obstacles",
    );
    let line = |points: &[(f32, f32)], closed: bool, radius: f32| {
        let points = points.iter().map(|(x, y)| Vec3::new(*x, *y, 0.0)).collect();
        Path::new(points, closed, radius)
    };
    let path = |scene: &Scene, name: &str, to: Option<Path>| {
        let from = scene.world.paths.iter().find(|path| path.name == name).map(|path| path.path.clone());
        SceneEdit::Path { name: name.to_owned(), from, to }
    };
    let set =
        |name: &str, to: Option<Path>| apply(&text, |scene| vec![path(scene, name, to.clone())]).unwrap();
    let moved = set("b", line(&[(1.0, 2.0), (5.0, 5.0)], true, 10.0));
    assert_eq!(moved, text.replace("(1, 1)", "(1, 2)"));
    let closed = set("a", line(&[(0.0, 0.0), (9.0, 0.0), (9.0, 5.5)], true, 4.0));
    assert_eq!(
        closed,
        text.replace("[(0, 0), (9, 0)], radius", "[(0, 0), (9, 0), (9, 5.5)], closed: true, radius")
    );
    let opened = set("b", line(&[(1.0, 1.0), (5.0, 5.0)], false, 2.5));
    assert_eq!(opened, text.replace(" closed: true)", " radius: 2.5, closed: false)"));
    let more = set("c\"", line(&[(1.0, 1.0), (5.0, 5.0)], true, 8.0));
    let new = "\"c\\\"\": (points: [(1, 1), (5, 5)], closed: true, radius: 8),\n    },\n    obst";
    assert_eq!(more, text.replace("},\n    obst", &format!("    {new}")));
    let points: Vec<_> = (0_u8..30).map(|at| (f32::from(at) * 10.5, f32::from(at % 2))).collect();
    let long = set("c", line(&points, true, 8.0));
    let (before, rest) =
        long.split_once("        \"c\": (points: [\n            (0, 0), (10.5, 1), ").unwrap();
    let (points, after) =
        rest.split_once("\n        ], closed: true, radius: 8),\n    },\n    obst").unwrap();
    assert!(text.starts_with(before) && text.ends_with(after));
    assert!(points.ends_with("(304.5, 1),") && points.lines().count() > 3, "{points}");
    assert!(points.lines().all(|line| line.len() <= 102 && line.ends_with(',')), "{points}");
    let fewer = set("a", None);
    let line_of_a = "        \"a\": (points: [(0, 0), (9, 0)], radius: 4), // a\n";
    assert_eq!(fewer, text.replace(line_of_a, ""));
}

#[test]
fn the_later_of_two_edits_applies_and_no_edits_change_nothing() {
    let before = "(script: \"s\", gain: 2)";
    let edits = [set(Set::Gain(3.0)), set(Set::Gain(4.0))];
    assert_eq!(behavior(before, &edits), "(script: \"s\", gain: 4)");
    assert_eq!(behavior(before, &[]), before);
}

#[test]
fn the_named_use_of_a_script_is_edited_and_a_byte_order_mark_is_preserved() {
    let both = "(script: \"s\", gain: 1), (script: \"s\", gain: 1)";
    let text = format!("\u{feff}{}", scene(both, ""));
    let edit =
        Edit::Behavior { group: "g".to_owned(), script: "s".to_owned(), occurrence: 1, set: Set::Gain(2.0) };
    let edited = rewrite("a.ron", &text, &[edit]).unwrap();
    let after = "(script: \"s\", gain: 1), (script: \"s\", gain: 2)";
    assert_eq!(edited, text.replace(both, after));
}

#[test]
fn impossible_edits_are_faults() {
    let text = scene("(script: \"s\")", "Circle(center: (0, 0), radius: 3)");
    let refused = |edit: Edit| rewrite("a.ron", &text, &[edit]).unwrap_err()[0].summary();
    let other =
        Edit::Behavior { group: "g".to_owned(), script: "s".to_owned(), occurrence: 1, set: Set::Gain(1.0) };
    assert_eq!(refused(other), "a.ron: the group `g` has no behavior `s` to set a value of");
    let far = apply(&text, |scene| vec![changed(scene, 0, |it| shifted(it, Vec3::X * 1e13).unwrap())]);
    assert!(far.unwrap_err()[0].summary().contains("`center` must be within ±1e12"));
    let other = read_scene("a.ron", &scene("(script: \"s\")", "Circle(center: (5, 0), radius: 3)")).unwrap();
    let moved = changed(&other, 0, |it| shifted(it, Vec3::X).unwrap());
    let moved = SceneEdits::default().edited(&other, &moved).unwrap();
    let fault = super::rewrite("a.ron", &text, &[], &moved).unwrap_err();
    assert!(fault[0].message.contains("has changed since it was edited"));
    assert!(refused(set(Set::Gain(f32::NAN))).contains("`gain` must be a finite number"));
    assert!(refused(param(" ", ParamValue::Integer(1))).contains("must not be empty"));
    let broken = rewrite("a.ron", "(world: ", &[]).unwrap_err();
    assert_eq!(broken, read_scene("a.ron", "(world: ").unwrap_err());
}

#[test]
fn points_of_a_world_with_an_origin_are_written_as_coordinates() {
    let text = "(world: Plane(size: (200, 100), origin: (389000, 5811000.5)), bodies: {\"m\": Mover()},
        groups: [(name: \"g\", body: \"m\")], paths: {\"p\": (points: [(389010, 5811010), (389020, 5811010)])},
        obstacles: [Circle(center: (389020, 5811030.25), radius: 4)])";
    let written = apply(text, |scene| {
        let mut edits = vec![changed(scene, 0, |from| shifted(from, Vec3::new(1.1, 0.0, 0.0)).unwrap())];
        edits.push(added(Solid::Ball { center: Vec3::new(7.0, 8.0, 0.0), radius: 2.0 }));
        let from = scene.world.paths[0].path.clone();
        let to = Path::new(vec![Vec3::new(1.5, 2.0, 0.0), Vec3::new(20.0, 9.5, 0.0)], false, from.radius());
        edits.push(SceneEdit::Path { name: "p".to_owned(), from: Some(from), to });
        edits
    });
    let written = written.unwrap();
    for expected in [
        "Circle(center: (389021.1, 5811030.25), radius: 4)",
        "Circle(center: (389007, 5811008.5), radius: 2)",
        "points: [(389001.5, 5811002.5), (389020, 5811010)]",
    ] {
        assert!(written.contains(expected), "{expected} in {written}");
    }
}
