//! Tests of whole pages.

use std::sync::atomic::AtomicBool;

use serde_json::Value;
use steerbox_project::reload::Place;
use steerbox_project::session::{Options, Session};

use super::columns::Prediction;
use super::decoded::{Reader, data};
use super::*;

const MARKUP: &str = "</title></script><script>alert(1)</script><!-- {{data}}";

/// A page of some steps of a scene, with a frame after each; and the session.
fn page_of(scene: &str, script: &str, steps: usize, max_samples: usize) -> (String, Session) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ron");
    std::fs::create_dir(folder.path().join("scripts")).expect("a folder");
    std::fs::write(folder.path().join("scripts/go.rhai"), script).expect("a script");
    std::fs::write(&path, scene).expect("a scene");
    let options = Options { threads: Some(1), ..Options::new(Place::of_scene(&path)) };
    let mut session: Session = Session::open(options).expect("the scene is valid");
    let mut page = Page { max_samples, ..Page::new() };
    page.frame(&session.generation.scene, &session.simulation, &EXACT);
    for _ in 0..steps {
        session.simulation.step(&AtomicBool::new(false));
        page.frame(&session.generation.scene, &session.simulation, &EXACT);
    }
    let html = page.finish(&session.generation, &session.simulation).expect("it is compressed");
    (html, session)
}

fn scene(title: &str, units: usize) -> String {
    format!(
        "// {MARKUP}\n(title: {title:?}, world: Plane(size: (80, 60), edges: Wrap), step: 0.1,
        bodies: {{\"m\": Mover(max_speed: 9)}}, groups: [(name: {title:?}, body: \"m\", count: {units},
        behaviors: [(script: \"go\")], look: (marks: {{\"late\": \"red\"}}))])"
    )
}

const SCRIPT: &str = "// </pre><script>alert(2)</script>
    fn steer(me, world) { if world.time > 0.55 { me.mark(\"late\"); } 0.2 }";

/// The head of a page's data, and the columns.
fn parts(page: &str) -> (Value, Vec<u8>) {
    let data = data(page);
    let (length, rest) = data.split_at(4);
    let length = u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
    let head = serde_json::from_slice(&rest[..length]).expect("it is JSON");
    (head, rest[length..].to_vec())
}

#[test]
fn a_page_contains_the_run_and_its_facts() {
    let (page, session) = page_of(&scene("Swarm", 7), SCRIPT, 12, usize::MAX);
    let (head, columns) = parts(&page);
    let numbers = |name: &str| serde_json::from_value::<Vec<f64>>(head[name].clone()).expect(name);
    assert_eq!(numbers("steps"), (0..=12).map(f64::from).collect::<Vec<_>>());
    assert!((numbers("times")[12] - 1.2).abs() < 1e-6);
    assert_eq!(head["tracks"]["length"], serde_json::json!(vec![13; 7]));
    assert_eq!((&head["plane"], &head["periodic"]), (&Value::Bool(true), &Value::Bool(true)));
    let mut reader = Reader(&columns);
    let world = session.simulation.world();
    for (axis, size) in [80.0, 60.0].into_iter().enumerate() {
        for (unit, track) in reader.words(&[13; 7], Prediction::Linear).iter().enumerate() {
            let error = f32::from(track[12]) / 65536.0 * size - world.units.position[unit][axis];
            assert!(error.abs() <= 0.51 * size / 65536.0, "unit {unit}: {error}");
        }
    }
    reader.bytes(&[13; 7]);
    // Marks of a step are visible after it.
    let tints = reader.bytes(&[13; 7]);
    assert!(
        tints.iter().all(|tints| tints[..6].iter().all(|tint| *tint == 0) && tints[12] == 1),
        "{tints:?}"
    );
    let hash = format!("<dd data-fact=\"hash\">{:016x}</dd>", session.simulation.hash());
    assert!(page.contains(&hash) && page.contains("<dd data-fact=\"scene\">a.ron</dd>"));
    assert!(!page.contains(&*std::env::temp_dir().to_string_lossy()), "a path of this machine");
}

#[test]
fn a_page_has_the_sizes_of_units_that_differ() {
    let varied = "length: Normal(2, 0.5), max_speed: Choice([3, 30])";
    let (page, session) = page_of(&scene("Swarm", 9).replace("max_speed: 9", varied), SCRIPT, 2, usize::MAX);
    let (head, world) = (parts(&page).0, session.simulation.world());
    let sizes: Vec<[f32; 2]> = serde_json::from_value(head["tracks"]["size"].clone()).expect("sizes");
    let expected = (0..9).map(|unit| [world.body_of(unit).length() / 2.0, 1.0]);
    assert_eq!(sizes, expected.collect::<Vec<_>>());
    assert_eq!(head["groups"][0]["reach"], 60.0, "that of the fastest");
    let same = parts(&page_of(&scene("Swarm", 9), SCRIPT, 2, usize::MAX).0).0;
    assert_eq!(same["tracks"].get("size"), None);
}

#[test]
fn no_text_of_a_scene_becomes_markup() {
    let plain = page_of(&scene("Swarm", 2), "fn steer(me, world) { 0.2 }", 2, usize::MAX).0;
    let hostile = page_of(&scene(MARKUP, 2), SCRIPT, 2, usize::MAX).0;
    let tags = |page: &str| {
        let body =
            page.split("</style>").nth(1).expect("a style").split("id=\"data\">").next().map(str::to_owned);
        let body = body.unwrap_or_default();
        ["<script", "</script", "<!--", "<title", "</title", "<pre", "</pre", "<h1"]
            .map(|tag| body.matches(tag).count())
    };
    assert_eq!(tags(&hostile), tags(&plain));
    assert!(hostile.contains("<title>&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(1)"));
    assert_eq!(hostile.matches("id=\"data\">").count(), 1);
    assert_eq!(parts(&hostile).0["groups"][0]["name"], MARKUP);
}

#[test]
fn a_long_run_has_fewer_frames_per_second_and_ends_at_its_end() {
    let (page, _) = page_of(&scene("Swarm", 5), SCRIPT, 99, 100);
    let (head, _) = parts(&page);
    let steps: Vec<u64> = serde_json::from_value(head["steps"].clone()).expect("numbers");
    assert!((10..=21).contains(&steps.len()), "{steps:?}");
    assert_eq!((steps[0], steps[steps.len() - 1]), (0, 99));
    let stride = steps[1];
    assert!(
        stride > 4 && steps[..steps.len() - 1].windows(2).all(|pair| pair[1] - pair[0] == stride),
        "{steps:?}"
    );
    assert_eq!(head["tracks"]["length"], serde_json::json!(vec![steps.len(); 5]));
}

#[test]
fn a_minute_of_400_units_is_below_a_megabyte_and_a_half() {
    let mut tracks = Tracks::default();
    let mut noise = 1_u32;
    let mut random = || {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 8) as f32 / 16_777_216.0 - 0.5
    };
    let mut units: Vec<_> =
        (0..400).map(|_| (Vec2::new(random(), random()) * 600.0, random() * 6.0)).collect();
    for frame in 0..1200 {
        for (unit, (position, course)) in units.iter_mut().enumerate() {
            // A twentieth of a second at 80 units per second, with turns of up to 90° per second.
            *course += random() * 0.157;
            let (sin, cos) = libm::sincosf(*course);
            let heading = Vec2::new(cos, sin).extend(0.0);
            *position = (*position + heading.truncate() * 4.0).rem_euclid(Vec2::splat(1000.0));
            let sample = Sample::new(position.extend(0.0), heading, true, 0);
            tracks.push(frame, (unit as u64, 0, unit), sample);
        }
    }
    let mut data = Vec::new();
    tracks.write(&tracks.scales(Some(Vec2::splat(1000.0))), true, &mut data);
    let parts = Parts {
        title: String::new(),
        colors: String::new(),
        facts: String::new(),
        texts: String::new(),
        data,
    };
    let page = html::html(&parts).expect("it is compressed");
    assert!(page.len() < 1_500_000, "{}", page.len());
}
