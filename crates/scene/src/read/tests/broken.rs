//! Syntax faults, many faults at once, hostile and random input.

use proptest::prelude::*;

use super::*;
use crate::build;

#[test]
fn syntax_faults_are_explained() {
    assert_faults(
        r#"
scene | step: §1\n seed: 2 | a comma is missing between this and `seed`
scene | title: §My flock | a comma is missing between this and `flock` | a text of several words is written in "quotes"
scene | step: §1 // one\n\n seed: 2 | a comma is missing between this and `seed`
whole | (world: Plane(size: (9, 9)), bodies: {"a": Rigid()}, player: (body: "a"),\n contacts: §(reach: 2,\n  units: Block | the file ends before this `(` is closed
scene | scatter: [(count: 1, radius: 2)§), step: 3 | expected `]` to close the `[` of line 4, not `)`
scene | step: §, seed: 3 | expected a value here, not `,`
scene | contacts: (§reach 1) | a colon or a comma is missing between this and `1`
scene | title: §"x | a text that begins with `"` is not closed
scene | hint: §"x\n, seed: 1, obstacle_color: "red" | a text in this line is not closed | every text begins and ends with `"`
whole | (world: Plane(size: (9, 9)), bodies: {"a": Rigid()}, player: (body: "a")) §/* x | a comment that begins with `/*` is not closed
whole | (a: 1) §(b: 2) | the scene has ended, but more text follows
whole | §#![enable(implicit_some)]\n(world: Plane(size: (9, 9)), bodies: {"a": Rigid()}, player: (body: "a")) | a scene takes no attributes | leave out this line
"#,
    );
    assert_eq!(faults(" \n")[0].message, "the scene is empty");
}

#[test]
fn all_faults_are_reported_at_once_in_the_order_of_the_file() {
    let found = faults(
        "(
 world: Plane(size: (100, 0)),
 step: -1,
 bodies: {\"craft\": Rigid(mas: 1, length: 0)},
 groups: [
  (name: \"a\", body: \"crafd\", behaviours: []),
  (name: \"a\", body: \"craft\", look: (color: \"gren\")),
 ],
 sead: 5,
)",
    );
    let lines: Vec<usize> = found.iter().map(|fault| fault.line).collect();
    assert_eq!(lines, [2, 3, 4, 4, 6, 6, 7, 7, 9], "{found:#?}");
}

#[test]
fn oversized_input_ends_soon_with_a_fault() {
    assert!(faults(&" ".repeat(MAX_LENGTH + 1))[0].message.contains("at most 4194304"));
    for open in ["(", "[", "{", "A(", "/*", "(a:"] {
        let found = faults(&open.repeat(100_000));
        assert_eq!(found.len(), 1, "{open} {found:#?}");
    }
    let many = with(&format!("obstacles: [{}]", "Oops,".repeat(2_000)));
    let found = faults(&many);
    assert_eq!(found.len(), 101);
    assert_eq!(found[100].message, "1900 more faults follow");
    let fields: Vec<String> = (0..100_001).map(|n| format!("a{n}: 1")).collect();
    assert_eq!(faults(&with(&fields[..20_000].join(","))).len(), 101);
    let found = faults(&with(&fields.join(",")));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message, "a scene has at most 100000 values");
}

proptest! {
    // `fuzz` runs many more.
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn mutations_of_a_scene_never_panic_and_faults_point_into_the_text(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..8_usize, "(/\\*x\\*/|//x\n|[(){}\\[\\],:\"/*0-9.eNa-z§é \n]{0,3})"), 1..6),
    ) {
        let mut text = CONTRACT.to_owned();
        for (at, length, insert) in edits {
            let start = text.floor_char_boundary(at.index(text.len()));
            let end = text.floor_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &insert);
        }
        match read("mutant.ron", &text) {
            Ok(scene) => {
                prop_assume!(scene.unit_count() <= 1000);
                let world = build(&scene, None);
                prop_assert!(world.units.position.iter().all(|p| p.is_finite()));
            }
            Err(faults) => {
                prop_assert!(!faults.is_empty());
                let lines = text.lines().count().max(1);
                for fault in faults {
                    prop_assert!(fault.line <= lines + 1 && !fault.message.is_empty());
                    let _ = (fault.excerpt(), fault.summary());
                }
            }
        }
    }
}
