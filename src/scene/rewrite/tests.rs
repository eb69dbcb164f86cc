use glam::Vec3;

use super::*;
use crate::scene::{ParamValue, read as read_scene};

/// A scene whose one behavior and obstacles are written as given.
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

/// Rewrites `text`, and returns what stands then in the place of `before`; all else must be as it was.
fn rewritten(text: &str, before: &str, edits: &[Edit]) -> String {
    let edited = rewrite("a.ron", text, edits).unwrap();
    let (head, tail) = text.split_once(before).unwrap();
    let after = edited.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
    after.expect("nothing else is touched").to_owned()
}

fn behavior(before: &str, edits: &[Edit]) -> String {
    rewritten(&scene(before, ""), before, edits)
}

fn moved(at: usize, shift: Vec3) -> Edit {
    Edit::Obstacle { at, change: ObstacleChange { shift, radius: None } }
}

fn obstacle(before: &str, shift: Vec3) -> String {
    let text = scene("(script: \"s\")", before);
    rewritten(&text, before, &[moved(0, shift)])
}

/// A table of what is written before and after, with `=>` between.
fn pairs(table: &str) -> impl Iterator<Item = (String, String)> {
    let rows = table.trim().lines();
    let rows = rows.map(|row| row.split_once(" => ").expect("two columns"));
    let plain = |text: &str| text.replace("\\n", "\n").replace("\\t", "\t");
    rows.map(move |(before, after)| (plain(before), plain(after)))
}

#[test]
fn values_in_the_file_change_in_their_own_style() {
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
fn what_returns_to_the_default_keeps_its_field() {
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
    let before = "(script: \"s\", params: {\"I\": 3.0, \"N\": 3})";
    let edits = [param("I", ParamValue::Integer(4)), param("N", ParamValue::Number(3.0))];
    assert_eq!(behavior(before, &edits), "(script: \"s\", params: {\"I\": 4.0, \"N\": 3})");
}

#[test]
fn what_is_missing_is_added_in_the_line() {
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
fn what_is_missing_is_added_on_lines_of_its_own() {
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
fn obstacles_move_with_every_point_and_nothing_else() {
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
fn a_radius_changes_in_its_own_style_alone_or_with_the_place() {
    let text = scene("(script: \"s\")", "Circle(center: (1, 2), radius: 3.0 /* r */)");
    let resized = |shift, radius| {
        let change = ObstacleChange { shift, radius: Some(radius) };
        rewrite("a.ron", &text, &[Edit::Obstacle { at: 0, change }])
    };
    assert_eq!(resized(Vec3::ZERO, 7.0).unwrap(), text.replace("3.0 /*", "7.0 /*"));
    let both = text.replace("3.0 /*", "7.5 /*").replace("(1, 2)", "(2, 2)");
    assert_eq!(resized(Vec3::X, 7.5).unwrap(), both);
    assert!(resized(Vec3::ZERO, -1.0).is_err() && resized(Vec3::ZERO, f32::NAN).is_err());
    let text = scene("(script: \"s\")", "Box(center: (1, 2), size: (3, 4))");
    let change = ObstacleChange { shift: Vec3::ZERO, radius: Some(1.0) };
    let fault = rewrite("a.ron", &text, &[Edit::Obstacle { at: 0, change }]).unwrap_err();
    assert_eq!(fault[0].summary(), "a.ron: obstacle 1 cannot stand there");
}

#[test]
fn in_space_a_missing_z_is_added() {
    let text = scene("(script: \"s\")", "Ball(center: (1, 2), radius: 3)")
        .replace("Plane(size: (200, 100))", "Space(radius: 9)");
    let shift = Vec3::new(1.0, 1.0, 0.5);
    let edited = rewrite("a.ron", &text, &[moved(0, shift)]).unwrap();
    assert_eq!(edited, text.replace("(1, 2)", "(2, 3, 0.5)"));
}

#[test]
fn the_later_of_two_edits_counts_and_none_is_none() {
    let before = "(script: \"s\", gain: 2)";
    let edits = [set(Set::Gain(3.0)), set(Set::Gain(4.0))];
    assert_eq!(behavior(before, &edits), "(script: \"s\", gain: 4)");
    assert_eq!(behavior(before, &[]), before);
}

#[test]
fn the_named_use_of_a_script_is_meant_and_a_byte_order_mark_stays() {
    let both = "(script: \"s\", gain: 1), (script: \"s\", gain: 1)";
    let text = format!("\u{feff}{}", scene(both, ""));
    let edit =
        Edit::Behavior { group: "g".to_owned(), script: "s".to_owned(), occurrence: 1, set: Set::Gain(2.0) };
    let edited = rewrite("a.ron", &text, &[edit]).unwrap();
    let after = "(script: \"s\", gain: 1), (script: \"s\", gain: 2)";
    assert_eq!(edited, text.replace(both, after));
}

#[test]
fn what_does_not_fit_is_refused_in_plain_words() {
    let text = scene("(script: \"s\")", "Circle(center: (0, 0), radius: 3)");
    let refused = |edit: Edit| rewrite("a.ron", &text, &[edit]).unwrap_err()[0].summary();
    let other =
        Edit::Behavior { group: "g".to_owned(), script: "s".to_owned(), occurrence: 1, set: Set::Gain(1.0) };
    assert_eq!(refused(other), "a.ron: the group `g` has no behavior `s` to set a value of");
    let far = |at, x| moved(at, Vec3::X * x);
    assert_eq!(refused(far(1, 1.0)), "a.ron: there is no obstacle 2");
    assert_eq!(refused(far(0, f32::INFINITY)), "a.ron: obstacle 1 cannot stand there");
    assert!(refused(far(0, 1e13)).contains("`center` must be within ±1e12"));
    assert!(refused(set(Set::Gain(f32::NAN))).contains("`gain` must be a finite number"));
    assert!(refused(param(" ", ParamValue::Integer(1))).contains("must not be empty"));
    let broken = rewrite("a.ron", "(world: ", &[]).unwrap_err();
    assert_eq!(broken, read_scene("a.ron", "(world: ").unwrap_err());
}
