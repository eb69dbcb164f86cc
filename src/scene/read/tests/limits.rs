//! Numbers out of range, names given twice, parts that are missing.

use super::*;

#[test]
fn numbers_out_of_range_are_refused() {
    assert_faults(&[
        (with("step: §0"), "`step` must be above zero, not 0", None),
        (
            with("speed: §-2"),
            "`speed` must be above zero, not -2",
            None,
        ),
        (with("step: §NaN"), "`step` must be a finite number", None),
        (with("step: §-inf"), "`step` must be a finite number", None),
        (with("step: §1e999"), "`step` is too large a number", None),
        (
            with("step: §1e-9"),
            "`step` must be at least 0.000001, not 1e-9",
            None,
        ),
        (
            group("spawn: Disc(center: (§1e30, 1), radius: 1)"),
            "`center` must be within ±1e12, not 1e30",
            None,
        ),
        (
            group("sense: §-1"),
            "`sense` must not be negative, not -1",
            None,
        ),
        (
            group("behaviors: [(script: \"a\", gain: §inf)]"),
            "`gain` must be a finite number",
            None,
        ),
        (
            group("behaviors: [(script: \"a\", params: {\"X\": §1e39})]"),
            "`X` is too large a number",
            None,
        ),
        (
            group("look: (scale: §0)"),
            "`scale` must be above zero, not 0",
            None,
        ),
        (
            group("spawn: Disc(center: (1, 1), radius: §0)"),
            "`radius` must be above zero, not 0",
            None,
        ),
        (
            group("spawn: Rect(center: (1, 1), size: §(5, -5))"),
            "`size` must not be negative",
            None,
        ),
        (
            with("obstacles: [Circle(center: (1, 1), radius: §-3)]"),
            "`radius` must be above zero, not -3",
            None,
        ),
        (
            with("views: {\"a\": Cone(radius: 3, angle: §400)}"),
            "`angle` must be from 0 to 360, not 400",
            None,
        ),
        (
            with("scatter: [§(count: 1, radius: 2, margin: 30)]"),
            "a margin of 30 leaves no room in this world",
            Some("at most 25 fits"),
        ),
        (
            with("scatter: [§(count: 20000, radius: 2)]"),
            "a scene has at most 10000 obstacles, these make 20000",
            None,
        ),
        (
            group("count: §500001"),
            "a scene has at most 500000 units, up to here 500001",
            None,
        ),
        (
            group("count: §3, spawn: At([(position: (0, 0))])"),
            "`count` is 3, but At lists 1",
            Some("add starts, or leave out `count`"),
        ),
        (
            group("spawn: At(§[])"),
            "At needs at least one start",
            Some(AT),
        ),
    ]);
    for field in ["mass", "inertia", "length", "width", "height"] {
        let text = format!(
            "(world: Plane(size: (9, 9)), bodies: {{\"a\": Rigid({field}: §0)}}, player: (body: \"a\"))"
        );
        assert_eq!(
            faults(&text)[0].message,
            format!("`{field}` must be above zero, not 0")
        );
    }
    let text = "(world: Plane(size: (9, §0)), bodies: {\"a\": Mover()}, player: (body: \"a\"))";
    assert_eq!(faults(text)[0].message, "`size` must be above zero, not 0");
}

#[test]
fn names_given_twice_or_taken_are_refused() {
    let first = |line| format!("the first one is in line {line}");
    let twice = with("seed: 1,\n §seed: 2");
    let views = with("views: {\"a\": Around(radius: 1),\n §\"a\": Around(radius: 2)}");
    let groups = "(world: Plane(size: (9, 9)), bodies: {\"a\": Rigid()},
        groups: [(name: \"x\", body: \"a\"),\n (name: §\"x\", body: \"a\")])";
    let player = "(world: Plane(size: (9, 9)), bodies: {\"a\": Rigid()},
        groups: [(name: §\"player\", body: \"a\")], player: (body: \"a\"))";
    let (four, two) = (first(4), first(2));
    assert_faults(&[
        (twice, "`seed` is given twice", Some(&four)),
        (views, "the name `a` is given twice", Some(&four)),
        (
            groups.into(),
            "a group called `x` is given twice",
            Some(&two),
        ),
        (
            player.into(),
            "the name `player` is the player's",
            Some("rename this group"),
        ),
    ]);
}

#[test]
fn what_is_missing_is_asked_for() {
    assert_faults(&[
        (
            "§(bodies: {\"a\": Rigid()}, player: (body: \"a\"))".into(),
            "a scene needs the field `world`",
            Some("add world: Plane(size: (800, 600))"),
        ),
        (
            "(world: Plane(size: (9, 9)), player: (body: §\"a\"))".into(),
            "there is no body `a`",
            Some("add bodies: {\"craft\": Rigid()} to the scene"),
        ),
        (
            "§(world: Plane(size: (9, 9)))".into(),
            "a scene needs at least one group, or a player",
            Some("add groups: [(name: \"flock\", body: \"craft\", count: 10)]"),
        ),
        (
            with("views: {\"a\": §Around}"),
            "Around needs the field `radius`",
            Some("add radius: 10"),
        ),
        (
            group("spawn: At([§(heading: 3)])"),
            "a start needs the field `position`",
            Some("add position: (0, 0)"),
        ),
        (
            group("behaviors: [§()]"),
            "a behavior needs the field `script`",
            Some("add script: \"cohesion\""),
        ),
        (
            with("player: §(keys: Arrows)"),
            "the player needs the field `body`",
            Some("add body: \"craft\""),
        ),
    ]);
}

#[test]
fn the_sixty_fifth_kind_is_refused() {
    let kinds: Vec<String> = (0..64).map(|n| format!("\"k{n}\"")).collect();
    let text = group(&format!("kinds: [{}, §\"one more\"]", kinds.join(", ")));
    assert_faults(&[(
        text,
        "no room for the kind `one more`: at most 64 different names",
        None,
    )]);
}

#[test]
fn parts_that_make_no_sense_are_refused() {
    assert_faults(&[
        (
            with("contacts: (units: Bounce(restitution: §2))"),
            "`restitution` must be from 0 to 1, not 2",
            None,
        ),
        (
            with("contacts: (obstacles: §Seperate)"),
            "`Seperate` is not a contact here: expected None, Block, Separate or Bounce",
            Some("did you mean `Separate`?"),
        ),
        (
            with("obstacles: [Polygon(points: §[(1, 1), (5, 5), (5, 1), (1, 4)])]"),
            "its edges 0 and 2 cross",
            Some("write the corners one after the other, in either direction"),
        ),
        (
            with("paths: {\"a\": (points: §[(1, 1), (1, 1)])}"),
            "a path needs two points that differ",
            None,
        ),
        (
            with("fields: {\"a\": Grid(columns: 2, vectors: §[(1, 1), (1, 1), (1, 1)])}"),
            "2 columns and 2 rows do not make 3 vectors",
            Some("write one vector for each node"),
        ),
        (
            with("fields: {\"a\": Script(script: \"s\", cells: §100000)}"),
            "a flow field has at most 100000 nodes, this one has 5000150001",
            None,
        ),
        (
            with("keys: {§\"Up\": NoView}"),
            "a key is one letter or digit",
            Some("write \"C\""),
        ),
        (
            with("keys: {\"U\": §Veiw(\"wide\")}"),
            "`Veiw` is not what a key does here: expected View, NoView, Switch or Speed",
            Some("did you mean `View`?"),
        ),
        (
            group("behaviors: [(script: \"chase\")])], keys: {\"C\": Switch(§\"chaes\")}, obstacles: [").replace("\n )])", "\n ])"),
            "no group runs the script `chaes`",
            Some("did you mean `chase`?"),
        ),
        (
            with("keys: {\"U\": View(§\"wide\")}"),
            "there is no view `wide`",
            None,
        ),
        (
            with("keys: {\"U\": §Switch}"),
            "`Switch` needs to be told what",
            Some(
                "write View(\"wide\"), NoView, Switch(\"chase\"), Switch([\"lead\", \"chase\"]) or Speed(1.25)",
            ),
        ),
        (group("path: §\"trakc\""), "there is no path `trakc`", None),
        (
            group("blend: Priority(budget: §0)"),
            "`budget` must be above zero, not 0",
            None,
        ),
    ]);
}
