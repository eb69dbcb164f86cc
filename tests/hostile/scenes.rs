//! Oversized scenes by name, with parts of the message if they must be rejected.
#![allow(clippy::too_many_lines, reason = "tables")]
#![allow(clippy::format_collect, reason = "texts that are created once")]

use steerbox_scene::MAX_LENGTH;

/// Name, text, part of the first message; a scene without one may be valid or not.
pub(crate) type Row = (&'static str, String, Option<&'static str>);

/// Maximum number of values in a scene, counted by commas.
const VALUES: usize = 100_000;

/// A scene with one group and `parts`.
fn scene(parts: &str) -> String {
    format!("(bodies: {{\"b\": Mover()}}, groups: [(name: \"a\", body: \"b\", count: 5)], {parts})")
}

const PLANE: &str = "world: Plane(size: (100, 100))";

/// A plane with `parts`.
fn plane(parts: &str) -> String {
    scene(&format!("{PLANE}, {parts}"))
}

/// A scene in a plane with one group with `fields`.
fn group(fields: &str) -> String {
    format!(
        "({PLANE}, bodies: {{\"b\": Mover()}}, views: {{\"v\": Around(radius: 0.001)}}, groups: [(name: \"a\", body: \"b\", {fields})])"
    )
}

/// Repeats `part` until the scene has the maximum number of bytes or values.
fn long(before: &str, part: impl Fn(usize) -> String, after: &str) -> String {
    let commas = |text: &str| text.matches(',').count();
    let (mut text, mut values) = (before.to_owned(), commas(before) + commas(after));
    for index in 0.. {
        let part = part(index);
        values += commas(&part);
        if text.len() + part.len() + after.len() > MAX_LENGTH || values > VALUES {
            break;
        }
        text += &part;
    }
    text + after
}

/// Every row.
pub(crate) fn rows() -> Vec<Row> {
    [nested(), numbers(), lists()].concat()
}

fn nested() -> Vec<Row> {
    let wrap =
        |open: &str, close: &str| plane(&format!("x: {}{}", open.repeat(100_000), close.repeat(100_000)));
    vec![
        ("100,000 parentheses", wrap("(", ")"), Some("")),
        ("100,000 lists", wrap("[", "]"), Some("")),
        ("100,000 maps", wrap("{1:", "}"), Some("")),
        ("100,000 options", wrap("Some(", ")"), Some("")),
        ("4 MiB of one bracket", "(".repeat(MAX_LENGTH - 1), Some("")),
        ("4 MiB of comments", long("", |_| "/**/".to_owned(), ""), Some("")),
        ("4 MiB of nested comments", "/*".repeat(MAX_LENGTH / 2 - 1), Some("")),
        ("4 MiB of blanks", " ".repeat(MAX_LENGTH - 1), Some("the scene is empty")),
        ("more than 4 MiB", " ".repeat(MAX_LENGTH + 1), Some("are read")),
        ("4 MiB of a name", plane(&format!("x{}: 1", "x".repeat(4_000_000))), Some("no field")),
        ("4 MiB of a text", plane(&format!("title: \"{}\"", "x".repeat(4_000_000))), None),
        ("4 MiB of an open text", plane(&format!("title: \"{}", "x".repeat(4_000_000))), Some("")),
        ("4 MiB of digits", plane(&format!("seed: {}", "9".repeat(4_000_000))), Some("")),
    ]
}

fn numbers() -> Vec<Row> {
    let wide = |view: &str| {
        format!(
            "(world: Plane(size: (1e12, 1e12)), bodies: {{\"b\": Mover()}}, views: {{\"v\": {view}}}, groups: [(name: \"a\", body: \"b\", count: 100, view: \"v\")])"
        )
    };
    vec![
        ("a billion units", group("count: 1000000000"), Some("at most 1000000")),
        ("as many units as allowed", group("count: 1000000"), None),
        ("more units than numbers", group("count: 18446744073709551616"), Some("whole number")),
        ("less than no units", group("count: -1"), Some("whole number")),
        ("a billion obstacles", plane("scatter: [(count: 1000000000, radius: 1)]"), Some("")),
        ("as many obstacles as allowed", plane("scatter: [(count: 10000, radius: 1)]"), None),
        ("obstacles without room", plane("scatter: [(count: 10000, radius: 100)]"), None),
        ("a radius of 1e30", plane("obstacles: [Circle(center: (0, 0), radius: 1e30)]"), Some("1e12")),
        (
            "a radius past all numbers",
            plane("obstacles: [Circle(center: (0, 0), radius: 1e999)]"),
            Some("too large"),
        ),
        ("a radius that is none", plane("obstacles: [Circle(center: (0, 0), radius: NaN)]"), Some("finite")),
        ("an infinite plane", scene("world: Plane(size: (inf, 1))"), Some("finite")),
        ("a plane of 1e30", scene("world: Plane(size: (1e30, 1e30))"), Some("1e12")),
        ("a huge plane and a tiny view", wide("Around(radius: 0.000001)"), None),
        ("a huge plane and a huge view", wide("Around(radius: 1e12)"), None),
        ("a tiny plane and a huge view", group("count: 1000, view: \"v\", sense: 1e12"), None),
        (
            "a flow field of a billion cells",
            plane("fields: {\"f\": Script(script: \"swirl\", cells: 1000000000)}"),
            Some("at most"),
        ),
        (
            "a flow field of as many cells as allowed",
            plane("fields: {\"f\": Script(script: \"swirl\", cells: 300)}"),
            None,
        ),
        ("a step of no time", plane("step: 1e-30"), Some("at least")),
        ("a step of ages", plane("step: 1e12"), None),
    ]
}

fn lists() -> Vec<Row> {
    let path = |points: String| plane(&format!("paths: {{\"p\": (points: [{points}])}}"));
    let points = |count: usize| (0..count).map(|i| format!("({},{}),", i % 90, i % 7)).collect::<String>();
    let groups = format!("({PLANE}, bodies: {{\"b\": Mover()}}, groups: [");
    let list = |name: &str| plane(name).trim_end_matches(')').to_owned();
    vec![
        ("a path of many points", path(points(300_000)), Some("at most")),
        ("a path of as many points as allowed", path(points(10_000)), None),
        (
            "a polygon of many corners",
            plane(&format!("obstacles: [Polygon(points: [{}])]", points(300_000))),
            Some(""),
        ),
        (
            "the maximum of groups",
            long(&groups, |i| format!("(name:\"{i}\",body:\"b\"),"), "])"),
            Some("at most 10000 groups"),
        ),
        (
            "as many groups as allowed",
            format!(
                "{groups}{}])",
                (0..10_000).map(|i| format!("(name:\"{i}\",body:\"b\"),")).collect::<String>()
            ),
            None,
        ),
        (
            "the maximum of behaviors",
            long(&group("behaviors: [").replace(")])", ""), |_| "(script:\"x\"),".to_owned(), "])])"),
            Some("at most 1000 behaviors"),
        ),
        (
            "the maximum of starts",
            long(&group("spawn: At([").replace(")])", ""), |_| "(position:(1,2)),".to_owned(), "]))])"),
            None,
        ),
        (
            "the maximum of views",
            long(&list("views: {"), |i| format!("\"{i}\":Wide(radius:1),"), "})"),
            Some("at most 1000 views"),
        ),
        (
            "the maximum of bodies",
            long(
                &format!("({PLANE}, groups: [(name: \"a\", body: \"1\")], bodies: {{"),
                |i| format!("\"{i}\":Mover(),"),
                "})",
            ),
            None,
        ),
        (
            "the maximum of one name twice",
            long(
                &format!("({PLANE}, groups: [(name: \"a\", body: \"1\")], bodies: {{"),
                |_| "\"1\":Mover(),".to_owned(),
                "})",
            ),
            Some("given twice"),
        ),
        (
            "the maximum of paths",
            long(&list("paths: {"), |i| format!("\"{i}\":(points:[(0,0),(1,1)]),"), "})"),
            None,
        ),
        (
            "the maximum of grids",
            long(&list("fields: {"), |i| format!("\"{i}\":Grid(columns:1,vectors:[(1,0)]),"), "})"),
            None,
        ),
        (
            "the maximum of obstacles",
            long(&list("obstacles: ["), |_| "Circle(center:(1,2),radius:1),".to_owned(), "])"),
            Some(""),
        ),
        (
            "the maximum of unknown obstacles",
            long(&list("obstacles: ["), |_| "Cirkle(),".to_owned(), "])"),
            Some(""),
        ),
        (
            "the maximum of scatter",
            long(&list("scatter: ["), |_| "(count:1,radius:1),".to_owned(), "])"),
            None,
        ),
        ("the maximum of keys", long(&list("keys: {"), |i| format!("\"{i}\":Toggle(\"x\"),"), "})"), None),
        ("the maximum of unknown fields", long("(", |i| format!("x{i}:1,"), ")"), Some("")),
        (
            "the maximum of kinds",
            long(&group("kinds: [").replace(")])", ""), |i| format!("\"{i}\","), "])])"),
            Some(""),
        ),
    ]
}
