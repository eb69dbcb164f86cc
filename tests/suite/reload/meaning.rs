//! Changes of scripts, scenes and tables while a scene runs, and their meaning.

use std::fmt::Write as _;
use std::fs;

use super::{RULE, Row, SCENE, STEPS, Seen, run};

/// The scene with a replacement.
fn scene(from: &str, to: &str) -> (&'static str, String) {
    let text = SCENE.replace(from, to);
    assert_ne!(text, SCENE, "{from}");
    ("scenes/s.ron", text)
}

/// The rule with a replacement.
fn rule(from: &str, to: &str) -> (&'static str, String) {
    let text = RULE.replace(from, to);
    assert_ne!(text, RULE, "{from}");
    ("scripts/z.rhai", text)
}

/// A row without further files and arguments.
fn row(
    change: &'static str,
    meaning: &'static str,
    saves: Vec<(&'static str, String)>,
    check: fn(&Seen),
) -> Row {
    Row { change, meaning, files: Vec::new(), args: &[], saves, check }
}

/// Asserts that the first unit stays where it is.
fn rests(seen: &Seen) {
    for step in 1..=seen.last() {
        assert_eq!(seen.line(step, 0).unwrap()["position"][0], 20.0, "step {step}");
    }
}

fn memory() -> Vec<Row> {
    vec![
        row(
            "a field of `MEMORY` added",
            "the others continue; the new one has its initial value",
            vec![rule("n: 0.0 }", "n: 0.0, c: 9.0 }")],
            Seen::counts_on,
        ),
        row(
            "fields of `MEMORY` reordered",
            "values stay with their names",
            vec![rule("n: 0.0 }", "c: 9.0, n: 0.0 }")],
            Seen::counts_on,
        ),
        row(
            "the initial value of a field of `MEMORY`",
            "holds from the next start, and for new units",
            vec![rule("n: 0.0", "n: 500.0")],
            Seen::counts_on,
        ),
        row(
            "a field of `MEMORY` renamed",
            "the value stays, if one field is gone and one of its type is new",
            vec![("scripts/z.rhai", RULE.replace("n: 0.0", "sum: 0.0").replace("this.n", "this.sum"))],
            Seen::counts_on,
        ),
        row(
            "the type of a field of `MEMORY`",
            "it has its initial value; the log reports it",
            vec![(
                "scripts/z.rhai",
                RULE.replace("n: 0.0", "n: vec(5, 0)")
                    .replace("this.n += 1.0", "this.n.x += 1.0")
                    .replace("vec(this.n,", "vec(this.n.x,"),
            )],
            |seen| {
                assert_eq!(seen.rule(seen.saved[0] + 1)[0], 6.0);
                seen.lists("continue: 3 units; start anew: n of a.z; gone: n of a.z");
            },
        ),
        row(
            "a fault, then its repair",
            "memory continues throughout",
            vec![rule("vec(this.n, K)", "vec(this.n, K"), rule("vec(this.n, K)", "vec(this.n, 2)")],
            |seen| {
                assert_eq!(seen.kinds(), ["rejected", "live"]);
                seen.counts_on();
            },
        ),
        row(
            "a comment",
            "nothing changes",
            vec![("scripts/z.rhai", format!("// a comment\n{RULE}"))],
            Seen::counts_on,
        ),
    ]
}

fn parameters() -> Vec<Row> {
    let set = || scene("gain: 0", "gain: 0, params: {\"K\": 3}");
    vec![
        row(
            "the default of a parameter",
            "the new default at once, unless scene or user set a value",
            vec![rule("param(1.0", "param(2.0")],
            |seen| {
                assert_eq!((seen.rule(seen.saved[0])[1], seen.rule(seen.saved[0] + 1)[1]), (1.0, 2.0));
                seen.counts_on();
            },
        ),
        Row {
            files: vec![set()],
            ..row(
                "the default of a parameter that the scene sets",
                "the value of the scene remains",
                vec![rule("param(1.0", "param(2.0")],
                |seen| assert_eq!(seen.rule(seen.last())[1], 3.0),
            )
        },
        row("a value of a parameter in the scene", "the new value at once", vec![set()], |seen| {
            assert_eq!(seen.rule(seen.saved[0] + 1)[1], 3.0);
            seen.counts_on();
        }),
        Row {
            args: &["--set", "a.z.K=6"],
            ..row(
                "the file's value under a tuned one",
                "the file's value replaces the tuned one for good; the log reports it",
                vec![rule("param(1.0", "param(2.0"), rule("fn steer", "// the default of before\nfn steer")],
                |seen| {
                    let values = [0, 1, STEPS / 2].map(|after| seen.rule(seen.saved[0] + after)[1]);
                    assert_eq!(values, [6.0, 2.0, 2.0]);
                    assert_eq!(seen.rule(seen.last())[1], 1.0);
                    assert!(seen.stderr.contains("replaces the tuned 6"), "{}", seen.stderr);
                },
            )
        },
    ]
}

fn groups() -> Vec<Row> {
    let more = || scene(", (position: (60, 50))]", ", (position: (60, 50)), (position: (80, 50))]");
    vec![
        row(
            "the number of units raised",
            "new ones start at their places with new memory; the others continue",
            vec![(more().0, more().1.replace("count: 3", "count: 4"))],
            |seen| {
                seen.counts_on();
                let new = seen.rule_of(seen.saved[0] + 1, 3, "z");
                assert_eq!(new[0], 1.0);
                rests(seen);
            },
        ),
        row(
            "the number of units lowered",
            "the last ones are removed",
            vec![(SCENE_FILE, SCENE.replace("count: 3", "count: 2").replace(", (position: (60, 50))]", "]"))],
            |seen| {
                seen.counts_on();
                assert!(seen.line(seen.last(), 2).is_none());
                seen.lists("continue: 2 units, memory of a.z; gone: 1 unit");
            },
        ),
        row(
            "the number of units lowered, then raised",
            "the new ones have keys, and so random draws, that no removed unit had",
            vec![
                (SCENE_FILE, SCENE.replace("count: 3", "count: 2").replace(", (position: (60, 50))]", "]")),
                (more().0, more().1.replace("count: 3", "count: 4")),
            ],
            |seen| {
                let key = |step: u64, unit: u64| seen.line(step, unit).unwrap()["key"].clone();
                let (first, last) = (seen.saved[0], seen.last());
                for unit in 0..2 {
                    assert_eq!(key(first, unit), key(last, unit));
                }
                for unit in 2..4 {
                    assert_ne!(key(first, 2), key(last, unit));
                    assert_eq!(seen.line(last, unit).unwrap()["position"][0], 20.0 * (unit + 1) as f64);
                }
            },
        ),
        row(
            "a group renamed",
            "its units remain, if one group is gone and one with as many units and the same scripts is new",
            vec![scene("name: \"a\"", "name: \"b\"")],
            |seen| {
                seen.counts_on();
                seen.lists("continue: 3 units, memory of b.z");
            },
        ),
        row(
            "a rule removed from a group, and added again",
            "its memory returns within 10 simulated seconds; later it starts anew",
            vec![scene("(script: \"z\", gain: 0)", ""), (SCENE_FILE, SCENE.to_owned())],
            |seen| assert_eq!(seen.rule(seen.saved[1] + 1)[0], seen.rule(seen.saved[0])[0] + 1.0),
        ),
        row(
            "a rule disabled, and enabled again",
            "its memory stays",
            vec![scene("gain: 0", "gain: 0, enabled: false"), (SCENE_FILE, SCENE.to_owned())],
            |seen| assert_eq!(seen.rule(seen.saved[1] + 1)[0], seen.rule(seen.saved[0])[0] + 1.0),
        ),
        Row {
            files: vec![scene(
                "(script: \"z\", gain: 0)",
                "(script: \"z\", gain: 0, params: {\"K\": 1}), (script: \"z\", gain: 0, enabled: false, params: {\"K\": 2}), (script: \"z\", gain: 0, params: {\"K\": 3})",
            )],
            ..row(
                "one of several uses of a script removed",
                "each other use retains its memory: uses are matched by parameters, then by order",
                vec![scene(
                    "(script: \"z\", gain: 0)",
                    "(script: \"z\", gain: 0, params: {\"K\": 2}), (script: \"z\", gain: 0, params: {\"K\": 3})",
                )],
                |seen| {
                    let (before, after) = (seen.saved[0], seen.saved[0] + 1);
                    assert_eq!(seen.rule_of(after, 0, "z#2")[0], seen.rule_of(before, 0, "z#3")[0] + 1.0);
                    assert_eq!(seen.rule_of(after, 0, "z")[0], 1.0, "it was disabled");
                },
            )
        },
    ]
}

const SCENE_FILE: &str = "scenes/s.ron";

fn worlds() -> Vec<Row> {
    vec![
        row(
            "`step`",
            "time goes on from its value; what happened retains its time",
            vec![scene("step: 0.01", "step: 0.002")],
            |seen| {
                let time = |step: u64| seen.line(step, 0).unwrap()["time"].as_f64().unwrap();
                let at = seen.saved[0];
                assert!((time(at) - at as f64 * 0.01).abs() < 1e-9);
                for step in at + 1..=seen.last() {
                    assert!((time(step) - time(step - 1) - 0.002).abs() < 1e-7, "step {step}");
                }
            },
        ),
        Row {
            files: vec![("scripts/z.rhai", "fn steer(me, world) { vec(me.age, world.time) }".to_owned())],
            ..row(
                "`step`, read by rules",
                "`world.time` and `me.age` go on",
                vec![scene("step: 0.01", "step: 0.1")],
                |seen| {
                    let at = seen.saved[0];
                    for part in [0, 1] {
                        let passed = seen.rule(at + 1)[part] - seen.rule(at)[part];
                        assert!((passed - 0.01).abs() < 1e-5 || (passed - 0.1).abs() < 1e-5, "{passed}");
                    }
                },
            )
        },
        row(
            "`title`, `hint`, `notes`, `look` of the scene or of a group",
            "nothing else changes",
            vec![scene("step: 0.01", "title: \"t\", notes: \"n\", look: (background: \"navy\"), step: 0.01")],
            Seen::counts_on,
        ),
        row(
            "`seed`",
            "new units have places, parameters and draws of the new one; the others continue",
            vec![scene("step: 0.01", "seed: 7, step: 0.01")],
            Seen::counts_on,
        ),
        row(
            "the world from `Plane` to `Space`",
            "every unit starts anew",
            vec![(SCENE_FILE, SCENE.replace("Plane(size: (100, 100))", "Space(radius: 100)"))],
            |seen| assert_eq!(seen.rule(seen.saved[0] + 1)[0], 1.0),
        ),
    ]
}

fn names() -> Vec<Row> {
    let signal = |number: usize| {
        (
            "scripts/z.rhai",
            format!("fn steer(me, world) {{ me.signal(\"s{number}\", 1.0); vec({number}, 0) }}"),
        )
    };
    let deposit = |grid: &str| {
        ("scripts/z.rhai", RULE.replace("this.n +=", &format!("me.deposit(\"{grid}\", 1); this.n +=")))
    };
    let grid = |grid: &str| scene("views:", &format!("grids: {{\"{grid}\": (cell: 10)}}, views:"));
    vec![
        Row {
            files: vec![signal(0)],
            ..row("signals and marks renamed, any number of times", "only names of the present files count toward the limits", (1..20).map(signal).collect(), |seen| {
                assert!(seen.kinds().iter().all(|kind| *kind == "live"), "{:?}", seen.events);
                assert_eq!(seen.rule(seen.last())[0], 19.0);
            })
        },
        Row {
            files: vec![deposit("t"), grid("t")],
            ..row("a grid, view, path, field, zone or group renamed that an enabled rule uses", "rejected, until the script fits: both go live together", vec![
                grid("u"), deposit("u"),
            ], |seen| {
                assert_eq!(seen.kinds(), ["rejected", "reconciled", "live"]);
                seen.counts_on();
            })
        },
        Row {
            files: vec![(
                "scripts/z.rhai",
                "const MEMORY = #{ n: 0.0 };\nfn steer(me, world) { this.n += 1.0; if this.n > 5 { 1 / to_int(0.2) } vec(this.n, 1) }".to_owned(),
            )],
            ..row("the cause of a suspension repaired, in any file", "the rule resumes with its memory", vec![
                ("scripts/z.rhai", RULE.to_owned()),
            ], |seen| {
                assert_eq!(seen.rule(seen.saved[0] + 2)[0], seen.rule(seen.saved[0] + 1)[0] + 1.0);
                assert!(seen.kinds().contains(&"failed"), "{:?}", seen.events);
            })
        },
    ]
}

fn more_scripts() -> Vec<Row> {
    let import = |value: &str| ("scripts/h.rhai", format!("const C = {value}; fn c() {{ C }}"));
    let uses = || {
        (
            "scripts/z.rhai",
            format!("import \"h\" as h;\n{}", RULE.replace("vec(this.n, K)", "vec(this.n, h::c())")),
        )
    };
    let range = |range: &str| ("scripts/z.rhai", RULE.replace("0.0, 9.0", range));
    vec![
        Row {
            files: vec![import("1.0"), uses()],
            ..row(
                "an imported file",
                "every script that imports it follows in the same step, with its memory",
                vec![import("4.0"), import("("), import("5.0")],
                |seen| {
                    let values: Vec<_> = seen.saved.iter().map(|step| seen.rule(step + 1)[1]).collect();
                    assert_eq!(values, [4.0, 4.0, 5.0]);
                    seen.counts_on();
                },
            )
        },
        Row {
            files: vec![scene("gain: 0", "gain: 0, params: {\"K\": 7}")],
            ..row(
                "the range of a parameter, below the value in the scene",
                "rejected with the place in the scene, until it fits",
                vec![range("0.0, 5.0"), scene("gain: 0", "gain: 0, params: {\"K\": 4}")],
                |seen| {
                    assert_eq!(seen.kinds(), ["rejected", "reconciled", "live"]);
                    assert_eq!(seen.rule(seen.last())[1], 4.0);
                    seen.counts_on();
                },
            )
        },
        Row {
            files: vec![
                scene("(script: \"z\", gain: 0)", "(script: \"z\", gain: 0), (script: \"y\", gain: 0)"),
                ("scripts/y.rhai", "fn steer(me, world) { vec(me.random(), 0) }".to_owned()),
            ],
            ..row(
                "random draws added to a rule, or the order of rules",
                "the draws of other rules are the same",
                vec![
                    ("scripts/z.rhai", RULE.replace("K)", "me.random())")),
                    scene("(script: \"z\", gain: 0)", "(script: \"y\", gain: 0), (script: \"z\", gain: 0)"),
                ],
                |seen| {
                    let last = STEPS + 4;
                    let other = run(&Row {
                        saves: Vec::new(),
                        files: vec![
                            scene(
                                "(script: \"z\", gain: 0)",
                                "(script: \"z\", gain: 0), (script: \"y\", gain: 0)",
                            ),
                            ("scripts/y.rhai", "fn steer(me, world) { vec(me.random(), 0) }".to_owned()),
                        ],
                        ..row("", "", Vec::new(), |_| {})
                    });
                    for step in 1..=last.min(other.last()) {
                        assert_eq!(seen.rule_of(step, 0, "y"), other.rule_of(step, 0, "y"), "step {step}");
                    }
                    seen.counts_on();
                },
            )
        },
    ]
}

#[allow(clippy::too_many_lines, reason = "a table")]
fn more_scenes() -> Vec<Row> {
    let obstacles = |text: &str| scene("views:", &format!("obstacles: [{text}], views:"));
    let moving = |speed: u32| {
        scene(
            "views:",
            &format!(
                "paths: {{\"p\": (points: [(0, 10), (100, 10)])}}, obstacles: [Circle(center: (0, 10), radius: 2, path: \"p\", speed: {speed})], views:"
            ),
        )
    };
    let nearest =
        ("scripts/z.rhai", "fn steer(me, world) { vec(world.obstacles[0].position.x, 0) }".to_owned());
    let grid = |fields: &str| scene("views:", &format!("grids: {{\"t\": (cell: 10, {fields})}}, views:"));
    let reads = (
        "scripts/z.rhai",
        "fn steer(me, world) { me.deposit(\"t\", 1); vec(world.grid(\"t\").value(me.position), 0) }"
            .to_owned(),
    );
    let zone = |center: &str| {
        scene("views:", &format!("zones: {{\"q\": Circle(center: {center}, radius: 5)}}, views:"))
    };
    let counts = || {
        (
        "scripts/z.rhai",
        "const MEMORY = #{ ins: 0.0, outs: 0.0 };\nfn entered(zone) { this.ins += 1.0; }\nfn left(zone) { this.outs += 1.0; }\nfn steer(me, world) { vec(this.ins, this.outs) }".to_owned(),
    )
    };
    let table = |rows: &str| ("scenes/t.csv", format!("x,y,z.K\n{rows}"));
    vec![
        row(
            "an obstacle added on top of a unit",
            "contacts apply in the next step",
            vec![(
                SCENE_FILE,
                obstacles("Circle(center: (20, 50), radius: 4)")
                    .1
                    .replace("views:", "contacts: (obstacles: Separate), views:"),
            )],
            |seen| assert_ne!(seen.line(seen.last(), 0).unwrap()["position"][0], 20.0),
        ),
        Row {
            files: vec![moving(20), nearest],
            ..row(
                "`speed` of a moving obstacle, or `step`",
                "it goes on from its place",
                vec![moving(60)],
                |seen| {
                    for step in 2..=seen.last() {
                        let moved = (seen.rule(step)[0] - seen.rule(step - 1)[0]).abs();
                        assert!(moved < 0.7, "step {step}: {moved}");
                    }
                },
            )
        },
        Row {
            files: vec![grid("initial: 2"), reads.clone()],
            ..row(
                "a grid's `initial`",
                "holds from the next start; the cells keep their values",
                vec![grid("initial: 50")],
                |seen| {
                    let rise = |step: u64| seen.rule(step + 1)[0] - seen.rule(step)[0];
                    assert!((rise(seen.saved[0]) - rise(2)).abs() < 1e-3);
                },
            )
        },
        Row {
            files: vec![grid("initial: 2"), reads],
            ..row(
                "a grid's `cell`",
                "the total is preserved: each value is distributed over the new cells",
                vec![(SCENE_FILE, grid("initial: 2").1.replace("cell: 10", "cell: 20"))],
                |seen| {
                    let at = seen.saved[0];
                    // Four cells of 2 and the deposits D become one: the value at the unit is 2 + D / 4 before, 8 + D / 2 after.
                    let [before, after] = [(at, 2.0, 4.0), (at + 1, 8.0, 2.0)]
                        .map(|(step, initial, share)| (seen.rule(step)[0] - initial) * share);
                    assert!((after - before - 1.0).abs() < 1e-3, "{before} {after}");
                },
            )
        },
        Row {
            files: vec![scene("size: (100, 100)", "edges: Bounce, size: (100, 100)")],
            ..row(
                "a smaller world with the edges `Bounce`",
                "units beyond the new edge move onto it",
                vec![scene("size: (100, 100)", "edges: Bounce, size: (45, 100)")],
                |seen| {
                    let place = |unit: u64| seen.line(seen.last(), unit).unwrap()["position"][0].clone();
                    assert_eq!([place(0), place(1), place(2)], [20.0, 40.0, 45.0]);
                    seen.counts_on();
                },
            )
        },
        Row {
            files: vec![zone("(90, 90)"), counts()],
            ..row(
                "a zone moved, renamed, added or removed",
                "`left` and `entered` are called after the next step, as if the units had moved",
                vec![
                    zone("(20, 50)"),
                    (SCENE_FILE, zone("(20, 50)").1.replace("\"q\"", "\"w\"")),
                    (SCENE_FILE, SCENE.to_owned()),
                ],
                |seen| {
                    for (save, counts) in seen.saved.iter().zip([[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]]) {
                        assert_eq!(seen.rule(save + 1), counts, "{save}");
                    }
                    assert_eq!(seen.rule(seen.last()), [2.0, 2.0]);
                },
            )
        },
        Row {
            files: vec![
                (
                    SCENE_FILE,
                    SCENE.replace("count: 3, ", "").replace(
                        "At([(position: (20, 50)), (position: (40, 50)), (position: (60, 50))])",
                        "File(\"t.csv\")",
                    ),
                ),
                table("20,50,5\n40,50,6\n60,50,7\n"),
            ],
            ..row(
                "a row of a table of starts removed",
                "its unit is removed; the others retain their rows",
                vec![table("40,50,6\n60,50,7\n")],
                |seen| {
                    let values: Vec<_> =
                        (0..2).map(|unit| seen.rule_of(seen.saved[0] + 1, unit, "z")[1]).collect();
                    assert_eq!(values, [6.0, 7.0]);
                    assert_eq!(seen.line(seen.last(), 0).unwrap()["position"][0], 40.0);
                    assert!(seen.line(seen.last(), 2).is_none());
                },
            )
        },
        row(
            "the order of groups",
            "units continue; their numbers change, which the log reports",
            vec![scene(
                "groups: [",
                "groups: [(name: \"first\", body: \"m\", count: 1, spawn: At([(position: (90, 90))])), ",
            )],
            |seen| {
                let count = seen.rule_of(seen.saved[0] + 1, 1, "z")[0];
                assert_eq!(count, seen.rule(seen.saved[0])[0] + 1.0);
            },
        ),
        row(
            "`max_speed`, `view`, `contacts`, gains and other values",
            "hold from the next step on",
            vec![scene("max_speed: 30", "max_speed: 3")],
            Seen::counts_on,
        ),
        row(
            "a scene with an error, then its repair",
            "the last good version runs in between",
            vec![scene("groups: [", "groups: [[, "), scene("step: 0.01", "title: \"t\", step: 0.01")],
            |seen| {
                assert_eq!(seen.kinds(), ["rejected", "reconciled"]);
                seen.counts_on();
            },
        ),
    ]
}

fn rows() -> Vec<Row> {
    [memory(), parameters(), more_scripts(), groups(), worlds(), more_scenes(), names()]
        .into_iter()
        .flatten()
        .collect()
}

#[test]
fn every_change_means_what_the_documentation_states() {
    let mut failed = Vec::new();
    for row in rows() {
        let seen = run(&row);
        let panics = std::thread::scope(|scope| scope.spawn(|| (row.check)(&seen)).join().is_err());
        if panics {
            failed.push(format!("{}\n{}", row.change, seen.stderr));
        }
    }
    assert!(failed.is_empty(), "{} rows:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn the_documentation_lists_every_change() {
    let mut table = "| change | meaning |\n|---|---|\n".to_owned();
    for row in rows() {
        let _ = writeln!(table, "| {} | {} |", row.change, row.meaning);
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scenes.md");
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(&table), "docs/scenes.md lacks the table:\n{table}");
}
