//! Misspelled words and values of the wrong kind.

use super::*;

#[test]
fn misspelled_words_are_answered_with_what_was_meant() {
    assert_faults(&[
        (with("§sed: 3"), "a scene has no field `sed`", Some("did you mean `seed`?")),
        (group("§spwan: 1"), "a group has no field `spwan`", Some("did you mean `spawn`?")),
        (group("view: §\"wied\""), "there is no view `wied`", Some("did you mean `wide`?")),
        (group("enemies: [§\"flok\"]"), "no group is of the kind `flok`", Some("did you mean `flock`?")),
        (group("friends: [§\"bird\"]"), "no group is of the kind `bird`", Some("known: flock")),
        (group("look: (color: §\"bleu\")"), "there is no color `bleu`", Some("did you mean `blue`?")),
        (group("look: (color: §\"#12\")"), "`#12` is not a color", Some("write #rgb, #rrggbb or #rrggbbaa")),
        (
            group("look: (shape: §Dert)"),
            "`shape` must be Craft, Fish, Dart, Pie or Dot, not `Dert`",
            Some("did you mean `Dart`?"),
        ),
        (
            group("look: (shape: §\"Dart\")"),
            "`shape` must be Craft, Fish, Dart, Pie or Dot, not \"Dart\"",
            Some("write Dart without quotes"),
        ),
        (
            group("spawn: §Disk(center: (1, 2), radius: 3)"),
            "`Disk` is not a spawn here: expected Disc, Rect or At",
            Some("did you mean `Disc`?"),
        ),
        (
            with("obstacles: [§Ball(center: (1, 2), radius: 3)]"),
            "`Ball` is not an obstacle here: expected Circle, Capsule, Box or Polygon",
            Some("did you mean `Circle`?"),
        ),
        (
            in_space("obstacles: [§Circle(center: (1, 2), radius: 3)]"),
            "`Circle` is not an obstacle here: expected Ball, Capsule or Box",
            Some("did you mean `Ball`?"),
        ),
        (
            with("views: {\"a\": §Wde(radius: 3)}"),
            "`Wde` is not a view here: expected Wide, Limited, Narrow, Cone or Around",
            Some("did you mean `Wide`?"),
        ),
        (
            with("contacts: (obstacles: §Bonce)"),
            "`Bonce` is not a contact here: expected None, Block, Separate or Bounce",
            Some("did you mean `Bounce`?"),
        ),
        (
            with("contacts: (§unit: Block)"),
            "contacts has no field `unit`",
            Some("did you mean `units`?"),
        ),
        (
            with("contacts: (units: Bounce(§restitutoin: 1))"),
            "Bounce has no field `restitutoin`",
            Some("did you mean `restitution`?"),
        ),
        (
            with("contacts: (units: Block(§restitution: 1))"),
            "Block has no field `restitution`",
            None,
        ),
        (
            with("player: (body: §\"crafd\")"),
            "there is no body `crafd`",
            Some("did you mean `craft`?"),
        ),
        (
            with("player: (body: \"craft\", keys: §Arows)"),
            "`keys` must be Arrows, not `Arows`",
            Some("did you mean `Arrows`?"),
        ),
        (
            "(world: Plane(size: (9, 9), §egdes: Open), bodies: {\"a\": Rigid()}, player: (body: \"a\"))".into(),
            "Plane has no field `egdes`",
            Some("did you mean `edges`?"),
        ),
        (
            "(world: Plane(size: (9, 9), edges: §Warp), bodies: {\"a\": Rigid()}, player: (body: \"a\"))".into(),
            "`edges` must be Wrap, Bounce or Open, not `Warp`",
            Some("did you mean `Wrap`?"),
        ),
    ]);
}

#[test]
fn values_of_the_wrong_kind_are_named() {
    assert_faults(&[
        (
            with("step: §\"fast\""),
            "`step` must be a number, not \"fast\"",
            None,
        ),
        (
            with("seed: §-1"),
            "`seed` must be a whole number from 0 up, not `-1`",
            None,
        ),
        (
            group("count: §2.5"),
            "`count` must be a whole number from 0 up, not `2.5`",
            None,
        ),
        (
            with("title: §Flock"),
            "`title` must be a text in quotes, not `Flock`",
            Some("write \"Flock\""),
        ),
        (
            group("behaviors: §(script: \"a\")"),
            "`behaviors` must be a list, not ( … )",
            Some("write behaviors: [(script: \"a\")]"),
        ),
        (
            group("behaviors: [§\"cohesion\"]"),
            "a behavior needs fields with names, not \"cohesion\"",
            Some("write (script: \"cohesion\")"),
        ),
        (
            group("behaviors: [(script: \"a\", enabled: §1)]"),
            "`enabled` must be true or false, not `1`",
            Some("write true"),
        ),
        (
            group("behaviors: [(script: \"a\", params: §[1])]"),
            "`params` must be a map, not a list",
            Some("write params: {\"name\": …}"),
        ),
        (
            group("behaviors: [(script: \"a\", params: {\"X\": §[1]})]"),
            "the parameter `X` must be a number, true, false or a text, not a list",
            None,
        ),
        (
            group("behaviors: [(script: §\"../a\")]"),
            "`../a` cannot be the name of a script",
            Some("a script is named by letters, digits, _ and - only, without its folder"),
        ),
        (
            group("behaviors: [(script: §\"a.rhai\")]"),
            "`a.rhai` has the ending of a file",
            Some("write \"a\""),
        ),
    ]);
}

#[test]
fn points_and_shapes_of_the_wrong_kind_are_named() {
    let numbers = Some("write center: (1, 2)");
    assert_faults(&[
        (
            group("spawn: Disc(center: §5, radius: 1)"),
            "`center` must be numbers in parentheses, not `5`",
            numbers,
        ),
        (
            group("spawn: Disc(center: §[5, 5], radius: 1)"),
            "`center` must be numbers in parentheses, not a list",
            Some("write center: (5, 5)"),
        ),
        (
            group("spawn: Disc(center: §(x: 5), radius: 1)"),
            "`center` must be numbers in parentheses, not ( … )",
            numbers,
        ),
        (
            group("spawn: Disc(center: §(5, 5, 0, 0), radius: 1)"),
            "`center` needs 2 numbers, (x, y), not 4",
            None,
        ),
        (
            group("spawn: Disc(center: (5, 5, §1), radius: 1)"),
            "the z of `center` must be 0 in a plane",
            Some("leave it out: (x, y)"),
        ),
        (
            in_space("obstacles: [Box(center: (0, 0), size: §(1, 2))]"),
            "`size` needs 3 numbers, not 2",
            None,
        ),
        (
            with("obstacles: [Box(center: (0, 0), size: §(1, 2, 3))]"),
            "`size` needs 2 numbers, not 3",
            None,
        ),
        (
            with("obstacles: [§5]"),
            "an obstacle must be Circle, Capsule, Box or Polygon, not `5`",
            Some("write Circle( … )"),
        ),
        (
            group("spawn: At(§(position: (0, 0)))"),
            "At needs a list of starts, not ( … )",
            Some(AT),
        ),
    ]);
}

/// A scene with a mark at the fault, what is said of it, and the remedy.
type Answered = (String, &'static str, &'static str);

fn check_answers(cases: impl IntoIterator<Item = Answered>) {
    for (marked, message, help) in cases {
        let found = faults(&marked);
        let told = (found[0].message.as_str(), found[0].help.as_deref());
        assert_eq!(told, (message, Some(help)), "{marked}");
    }
}

#[test]
fn values_without_their_names_or_brackets_are_answered_with_the_whole() {
    let unnamed = |part: &str, what, help| (with(part), what, help);
    check_answers([
        unnamed(
            "obstacles: [Circle§(200, 150, 32)]",
            "Circle needs fields with names, not ( … )",
            "write Circle(center: (200, 150), radius: 32)",
        ),
        unnamed(
            "obstacles: [Circle§((200, 150), 32)]",
            "Circle needs fields with names, not ( … )",
            "write Circle(center: (200, 150), radius: 32)",
        ),
        unnamed(
            "obstacles: [Circle§(200, 150, 32, 1, 1)]",
            "Circle needs fields with names, not ( … )",
            "write Circle(center: …, radius: …)",
        ),
        unnamed(
            "views: {\"a\": Around§(60)}",
            "Around needs fields with names, not ( … )",
            "write Around(radius: 60)",
        ),
        unnamed(
            "views: {\"a\": Cone§(60, 90)}",
            "Cone needs fields with names, not ( … )",
            "write Cone(radius: 60, angle: 90)",
        ),
        unnamed(
            "contacts: (units: Bounce§(0.5))",
            "Bounce needs fields with names, not ( … )",
            "write Bounce(restitution: 0.5)",
        ),
        unnamed(
            "contacts: §Block",
            "contacts needs fields with names, not `Block`",
            "write (obstacles: Block)",
        ),
        unnamed(
            "scatter: [§8]",
            "an entry of scatter needs fields with names, not `8`",
            "write (count: 8)",
        ),
        unnamed(
            "paths: {\"a\": §[(0, 0), (9, 9)]}",
            "a path needs fields with names, not a list",
            "write (points: [(0, 0), (9, 9)])",
        ),
        unnamed(
            "step: §(0.02)",
            "`step` must be a number, not ( … )",
            "write 0.02",
        ),
        unnamed(
            "title: §5",
            "`title` must be a text in quotes, not `5`",
            "write \"5\"",
        ),
        unnamed(
            "views: §(around: Around(radius: 9))",
            "`views` must be a map, not ( … )",
            "write views: {\"around\": Around(radius: 9)}",
        ),
        unnamed(
            "target: §vec(3, 4)",
            "`target` must be numbers in parentheses, not `vec(3, 4)`",
            "write target: (3, 4)",
        ),
        unnamed(
            "target: §(x: 3, y: 4)",
            "`target` must be numbers in parentheses, not ( … )",
            "write target: (3, 4)",
        ),
        // Here the parser stops already.
        unnamed(
            "target: §3, 4",
            "`target` takes one value",
            "write target: (3, 4)",
        ),
        unnamed(
            "obstacles: [Circle(center: §1, 2, radius: 3)]",
            "`center` takes one value",
            "write center: (1, 2)",
        ),
    ]);
}

#[test]
fn the_same_goes_for_values_in_groups() {
    let inside = |part: &str, what, help| (group(part), what, help);
    check_answers([
        inside(
            "kinds: §\"bird\"",
            "`kinds` must be a list, not \"bird\"",
            "write kinds: [\"bird\"]",
        ),
        inside(
            "kinds: §(\"a\", \"b\")",
            "`kinds` must be a list, not ( … )",
            "write kinds: [\"a\", \"b\"]",
        ),
        inside(
            "kinds: §\"a\", \"b\"",
            "`kinds` takes one value",
            "write kinds: [\"a\", \"b\"]",
        ),
        inside(
            "look: §\"red\"",
            "a look needs fields with names, not \"red\"",
            "write (color: \"red\")",
        ),
        inside(
            "look: §Dart",
            "a look needs fields with names, not `Dart`",
            "write (shape: Dart)",
        ),
        inside(
            "spawn: At([§(3, 4)])",
            "a start needs fields with names, not ( … )",
            "write (position: (3, 4))",
        ),
        inside(
            "behaviors: [(script: \"a\", enabled: §\"off\")]",
            "`enabled` must be true or false, not \"off\"",
            "write false",
        ),
        inside(
            "behaviors: [(script: \"a\", params: §(REACH: 4))]",
            "`params` must be a map, not ( … )",
            "write params: {\"REACH\": 4}",
        ),
        inside(
            "view: §Around(radius: 9)",
            "`view` must be a text in quotes, not `Around(radius: 9)`",
            "give it a name in the scene, and write that name here, in quotes",
        ),
    ]);
}
