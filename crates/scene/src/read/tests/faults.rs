//! Faulty scenes: misspelled words, values of a wrong type or out of range, missing parts.

use super::*;

#[test]
fn misspelled_words_have_suggestions() {
    assert_faults(
        r##"
scene | §sed: 3 | a scene has no field `sed` | did you mean `seed`?
group | §spwan: 1 | a group has no field `spwan` | did you mean `spawn`?
group | view: §"wied" | there is no view `wied` | did you mean `wide`?
group | enemies: [§"flok"] | no group is of the kind `flok` | did you mean `flock`?
group | friends: [§"bird"] | no group is of the kind `bird` | known: flock
group | look: (color: §"bleu") | there is no color `bleu` | did you mean `blue`?
group | look: (color: §"#12") | `#12` is not a color | write #rgb, #rrggbb or #rrggbbaa
scene | notes: §7 | `notes` must be a text in quotes, not `7` | write "7"
scene | notes: File(§"../lesson.md") | a file is named relative to the folder of the scene, and is in it or in a folder there | for example File("lesson.md"), relative to the folder of the scene
scene | notes: File("a.md", §scale: 2) | File has no field `scale`
scene | look: (background: §"nvay") | there is no color `nvay` | did you mean `navy`?
scene | look: (background: ("red", §"#12")) | `#12` is not a color | write #rgb, #rrggbb or #rrggbbaa
scene | look: (background: §("red")) | `background` is one color, or two in parentheses | for example "navy", or ("navy", "black") from the top to the bottom
scene | look: (§bal: false) | the look of a world has no field `bal` | did you mean `ball`?
group | look: (shape: §Dert) | `shape` must be Craft, Fish, Dart, Pie or Dot, not `Dert` | did you mean `Dart`?
group | look: (shape: §"Dart") | `shape` must be Craft, Fish, Dart, Pie or Dot, not "Dart" | write Dart without quotes
group | look: (color_by: §Sped) | `Sped` is not what a color shows here: expected Speed, TurnRate, Neighbors, Disagreement or Signal | did you mean `Speed`?
group | look: (color_by: Signal("a", §form: 1)) | Signal has no field `form` | did you mean `from`?
group | look: (color_by: §Signal(from: 1)) | Signal needs the name of one signal | write Signal("fear", from: 0, to: 1)
group | look: (color_by: §Signal("a", "b")) | Signal needs the name of one signal | write Signal("fear", from: 0, to: 1)
group | look: (color_by: §Signal("a", from: 1)) | `from` and `to` must differ
group | spawn: §Disk(center: (1, 2), radius: 3) | `Disk` is not a spawn here: expected Disc, Ring, Rect, At or File | did you mean `Disc`?
scene | obstacles: [§Ball(center: (1, 2), radius: 3)] | `Ball` is not an obstacle here: expected Circle, Capsule, Box or Polygon | did you mean `Circle`?
space | obstacles: [§Circle(center: (1, 2), radius: 3)] | `Circle` is not an obstacle here: expected Ball, Capsule or Box | did you mean `Ball`?
scene | views: {"a": §Wde(radius: 3)} | `Wde` is not a view here: expected Wide, Limited, Narrow, Cone or Around | did you mean `Wide`?
scene | grids: {"a": (cell: 1, §difusion: 1)} | a grid has no field `difusion` | did you mean `diffusion`?
scene | grids: {"a": (cell: 1, color: §("red"))} | `color` is one color, or two in parentheses | for example "green", or ("green", "brown") from 0 to the greatest value
scene | grids: {"a": (cell: 1, initial: §Unifrom(0, 1))} | `Unifrom` is not an initial value here: expected Normal, LogNormal, Uniform, Choice or File | did you mean `Uniform`?
scene | grids: {"a": (cell: 1, initial: Uniform(§a, 1))} | `least` must be a number, not `a`
scene | grids: {"a": (cell: 1, initial: §Choice([true]))} | `initial` must be a number, not `Choice([true])`
scene | grids: {"a": (cell: 1, initial: §File())} | File needs the name of one file | for example File("food.png"), relative to the folder of the scene
scene | grids: {"a": (cell: 1, initial: File(§"/x.png"))} | a file is named relative to the folder of the scene, and is in it or in a folder there | for example File("food.png"), relative to the folder of the scene
scene | grids: {"a": (cell: 1, initial: File("x.png", §skale: 2))} | File has no field `skale` | did you mean `scale`?
scene | obstacles: [Circle(center: (1, 2), radius: 3, path: §"way", speed: 2)] | there is no path `way`
scene | obstacles: [Circle(center: (1, 2), radius: 3, §speed: 2)] | an obstacle has a `speed` along a path, but no `path` | add the name of a path, for example path: "patrol"
scene | obstacles: [Circle(center: (1, 2), radius: 3, attached: §"flocks")] | there is no group `flocks` | did you mean `flock`?
scene | obstacles: [Circle(center: (1, 2), radius: 3, attached: "flock", unit: §1)] | the group `flock` has 1 unit, and no unit 1 | units are counted from 0: `unit` is at most 0
scene | obstacles: [Circle(center: (1, 2), radius: 3, unit: §1)] | an obstacle has the `unit` of a carrier, but is not `attached` | add the name of its group, for example attached: "carriers"
scene | paths: {"p": (points: [(0, 0), (1, 0)])}, obstacles: [Circle(center: (1, 2), radius: 3, path: "p", speed: 2, §attached: "flock")] | an obstacle follows a `path` or is `attached` to a unit, not both | leave out one of them
scene | zones: {"a": Circle(center: (1, 2), radius: 3, §attached: "flock")} | Circle has no field `attached` | known: center, radius, inside_out
scene | zones: {"a": Circle(center: (1, 2), radius: 3, §path: "way")} | Circle has no field `path` | known: center, radius, inside_out
scene | contacts: (obstacles: §Bonce) | `Bonce` is not a contact here: expected None, Block, Separate or Bounce | did you mean `Bounce`?
scene | contacts: (§unit: Block) | contacts has no field `unit` | did you mean `units`?
scene | contacts: (units: Bounce(§restitutoin: 1)) | Bounce has no field `restitutoin` | did you mean `restitution`?
scene | contacts: (units: Block(§restitution: 1)) | Block has no field `restitution`
scene | player: (body: §"crafd") | there is no body `crafd` | did you mean `craft`?
scene | player: (body: "craft", keys: §Arows) | `keys` must be Arrows, not `Arows` | did you mean `Arrows`?
whole | (world: Plane(size: (9, 9), §egdes: Open), bodies: {"a": Rigid()}, player: (body: "a")) | Plane has no field `egdes` | did you mean `edges`?
whole | (world: Plane(size: (9, 9), edges: §Warp), bodies: {"a": Rigid()}, player: (body: "a")) | `edges` must be Wrap, Bounce or Open, not `Warp` | did you mean `Wrap`?
"##,
    );
}

#[test]
fn values_of_a_wrong_type_are_faults() {
    assert_faults(
        r#"
scene | step: §"fast" | `step` must be a number, not "fast"
scene | seed: §-1 | `seed` must be a whole number from 0 up, not `-1`
group | count: §2.5 | `count` must be a whole number from 0 up, not `2.5`
scene | title: §Flock | `title` must be a text in quotes, not `Flock` | write "Flock"
group | behaviors: §(script: "a") | `behaviors` must be a list, not ( … ) | write behaviors: [(script: "a")]
group | behaviors: [§"cohesion"] | a behavior needs fields with names, not "cohesion" | write (script: "cohesion")
group | behaviors: [(script: "a", enabled: §1)] | `enabled` must be true or false, not `1` | write true
group | behaviors: [(script: "a", params: §[1])] | `params` must be a map, not a list | write params: {"name": …}
group | behaviors: [(script: "a", params: {"X": §[1]})] | the parameter `X` must be a number, true, false, a text or a distribution, not a list
group | behaviors: [(script: "a", params: {"X": §Norml(1, 2)})] | `Norml` is not a distribution here: expected Normal, LogNormal, Uniform or Choice | did you mean `Normal`?
group | behaviors: [(script: "a", params: {"X": Normal(1, §-2)})] | `deviation` must not be negative, not -2
group | behaviors: [(script: "a", params: {"X": LogNormal(§0, 2)})] | `mean` must be above zero, not 0
group | behaviors: [(script: "a", params: {"X": Uniform(1, §inf)})] | `most` must be a finite number
group | behaviors: [(script: "a", params: {"X": §Uniform(2, 1)})] | `least` must not be above `most`, as 2 is above 1 | write Uniform(1, 2)
group | behaviors: [(script: "a", params: {"X": §Choice([])})] | `Choice` needs at least one value
group | behaviors: [(script: "a", params: {"X": §Choice(1, 2)})] | `Choice` needs a list of values: Choice([-1, 1]) | write Choice([1, 2])
group | behaviors: [(script: "a", params: {"X": Choice([§"wide", "near"])})] | units draw numbers or switches, not texts | declare a number or a switch in the script, and select by it
group | behaviors: [(script: "a", params: {"X": Choice([1, §true])})] | `Choice` must be a number, not `true`
group | behaviors: [(script: §"../a")] | `../a` cannot be the name of a script | a script is named by letters, digits, _ and - only, without its folder
group | behaviors: [(script: §"a.rhai")] | `a.rhai` has the ending of a file | write "a"
"#,
    );
}

#[test]
fn points_and_shapes_of_a_wrong_type_are_faults() {
    assert_faults(
        r"
group | spawn: Disc(center: §5, radius: 1) | `center` must be numbers in parentheses, not `5` | write numbers in parentheses, for example center: (1, 2)
group | spawn: Disc(center: §[5, 5], radius: 1) | `center` must be numbers in parentheses, not a list | write center: (5, 5)
group | spawn: Disc(center: §(x: 5), radius: 1) | `center` must be numbers in parentheses, not ( … ) | write numbers in parentheses, for example center: (1, 2)
group | spawn: Disc(center: §(5, 5, 0, 0), radius: 1) | `center` needs 2 numbers, (x, y), not 4
group | spawn: Disc(center: (5, 5, §1), radius: 1) | the z of `center` must be 0 in a plane | leave it out: (x, y)
space | obstacles: [Box(center: (0, 0), size: §(1, 2))] | `size` needs 3 numbers, not 2
scene | obstacles: [Box(center: (0, 0), size: §(1, 2, 3))] | `size` needs 2 numbers, not 3
scene | obstacles: [§5] | an obstacle must be Circle, Capsule, Box or Polygon, not `5` | write Circle( … )
group | spawn: At(§(position: (0, 0))) | At needs a list of starts, not ( … ) | for example At([(position: (0, 0), heading: 90)])
",
    );
}

#[test]
fn values_without_names_or_brackets_have_complete_suggestions() {
    assert_first_faults(
        r#"
scene | obstacles: [Circle§(200, 150, 32)] | Circle needs fields with names, not ( … ) | write Circle(center: (200, 150), radius: 32)
scene | obstacles: [Circle§((200, 150), 32)] | Circle needs fields with names, not ( … ) | write Circle(center: (200, 150), radius: 32)
scene | obstacles: [Circle§(200, 150, 32, 1, 1, 1, 1)] | Circle needs fields with names, not ( … ) | write Circle(center: …, radius: …)
scene | views: {"a": Around§(60)} | Around needs fields with names, not ( … ) | write Around(radius: 60)
scene | views: {"a": Cone§(60, 90)} | Cone needs fields with names, not ( … ) | write Cone(radius: 60, angle: 90)
scene | contacts: (units: Bounce§(0.5)) | Bounce needs fields with names, not ( … ) | write Bounce(restitution: 0.5)
scene | contacts: §Block | contacts needs fields with names, not `Block` | write (obstacles: Block)
scene | scatter: [§8] | an entry of scatter needs fields with names, not `8` | write (count: 8)
scene | paths: {"a": §[(0, 0), (9, 9)]} | a path needs fields with names, not a list | write (points: [(0, 0), (9, 9)])
scene | step: §(0.02) | `step` must be a number, not ( … ) | write 0.02
scene | title: §5 | `title` must be a text in quotes, not `5` | write "5"
scene | views: §(around: Around(radius: 9)) | `views` must be a map, not ( … ) | write views: {"around": Around(radius: 9)}
scene | target: §vec(3, 4) | `target` must be numbers in parentheses, not `vec(3, 4)` | write target: (3, 4)
scene | target: §(x: 3, y: 4) | `target` must be numbers in parentheses, not ( … ) | write target: (3, 4)
scene | target: §3, 4 | `target` takes one value | write target: (3, 4)
scene | obstacles: [Circle(center: §1, 2, radius: 3)] | `center` takes one value | write center: (1, 2)
group | kinds: §"bird" | `kinds` must be a list, not "bird" | write kinds: ["bird"]
group | kinds: §("a", "b") | `kinds` must be a list, not ( … ) | write kinds: ["a", "b"]
group | kinds: §"a", "b" | `kinds` takes one value | write kinds: ["a", "b"]
group | look: §"red" | a look needs fields with names, not "red" | write (color: "red")
group | look: §Dart | a look needs fields with names, not `Dart` | write (shape: Dart)
group | spawn: At([§(3, 4)]) | a start needs fields with names, not ( … ) | write (position: (3, 4))
group | behaviors: [(script: "a", enabled: §"off")] | `enabled` must be true or false, not "off" | write false
group | behaviors: [(script: "a", params: §(REACH: 4))] | `params` must be a map, not ( … ) | write params: {"REACH": 4}
group | view: §Around(radius: 9) | `view` must be a text in quotes, not `Around(radius: 9)` | give it a name in the scene, and write that name here, in quotes
"#,
    );
}

#[test]
fn numbers_out_of_range_are_faults() {
    assert_faults(
        r#"
scene | step: §0 | `step` must be above zero, not 0
scene | speed: §-2 | `speed` must be above zero, not -2
scene | step: §NaN | `step` must be a finite number
scene | step: §-inf | `step` must be a finite number
scene | step: §1e999 | `step` is too large a number
scene | step: §1e-9 | `step` must be at least 0.000001, not 1e-9
group | spawn: Disc(center: (§1e30, 1), radius: 1) | `center` must be within ±1e12, not 1e30
group | sense: §-1 | `sense` must not be negative, not -1
group | behaviors: [(script: "a", gain: §inf)] | `gain` must be a finite number
group | behaviors: [(script: "a", params: {"X": §1e39})] | `X` is too large a number
group | look: (scale: §0) | `scale` must be above zero, not 0
group | spawn: Ring(center: (1, 1), radius: 2, inner: §3) | `inner` must not be above `radius`
group | spawn: Disc(center: (1, 1), radius: §0) | `radius` must be above zero, not 0
group | spawn: Rect(center: (1, 1), size: §(5, -5)) | `size` must not be negative
scene | obstacles: [Circle(center: (1, 1), radius: §-3)] | `radius` must be above zero, not -3
scene | views: {"a": Cone(radius: 3, angle: §400)} | `angle` must be from 0 to 360, not 400
scene | scatter: [§(count: 1, radius: 2, margin: 30)] | a margin of 30 leaves no room in this world | at most 25 fits
scene | scatter: [§(count: 20000, radius: 2)] | a scene has at most 10000 obstacles, these make 20000
group | count: §1000001 | a scene has at most 1000000 units, up to here 1000001
group | count: §3, spawn: At([(position: (0, 0))]) | `count` is 3, but At lists 1 | add starts, or leave out `count`
whole | (world: Plane(size: (9, §0)), bodies: {"a": Mover()}, player: (body: "a")) | `size` must be above zero, not 0
group | spawn: At(§[]) | At needs at least one start | for example At([(position: (0, 0), heading: 90)])
"#,
    );
    for field in ["mass", "inertia", "length", "width", "height"] {
        assert_faults(&format!(
            "whole | (world: Plane(size: (9, 9)), bodies: {{\"a\": Rigid({field}: §0)}}, player: (body: \"a\")) \
             | `{field}` must be above zero, not 0"
        ));
    }
}

#[test]
fn duplicate_and_reserved_names_are_faults() {
    assert_faults(
        r#"
scene | seed: 1,\n §seed: 2 | `seed` is given twice | the first one is in line 4
scene | views: {"a": Around(radius: 1),\n §"a": Around(radius: 2)} | the name `a` is given twice | the first one is in line 4
whole | (world: Plane(size: (9, 9)), bodies: {"a": Rigid()},\n groups: [(name: "x", body: "a"),\n (name: §"x", body: "a")]) | a group called `x` is given twice | the first one is in line 2
whole | (world: Plane(size: (9, 9)), bodies: {"a": Rigid()}, groups: [(name: §"player", body: "a")], player: (body: "a")) | the name `player` is the player's | rename this group
"#,
    );
}

#[test]
fn missing_parts_are_faults() {
    assert_faults(
        r#"
whole | §(bodies: {"a": Rigid()}, player: (body: "a")) | a scene needs the field `world` | add it, for example world: Plane(size: (800, 600))
whole | (world: Plane(size: (9, 9)), player: (body: §"a")) | there is no body `a` | add a body to the scene, for example bodies: {"a": Rigid()}
whole | §(world: Plane(size: (9, 9))) | a scene needs at least one group, or a player | add a group, for example groups: [(name: "flock", body: "craft", count: 10)]
scene | views: {"a": §Around} | Around needs the field `radius` | add it, for example radius: 10
group | spawn: At([§(heading: 3)]) | a start needs the field `position` | add it, for example position: (0, 0)
group | behaviors: [§()] | a behavior needs the field `script` | add it, for example script: "cohesion"
scene | player: §(keys: Arrows) | the player needs the field `body` | add it, for example body: "craft"
"#,
    );
}

#[test]
fn the_sixty_fifth_kind_is_a_fault() {
    let kinds: Vec<String> = (0..64).map(|n| format!("\"k{n}\"")).collect();
    let kinds = kinds.join(", ");
    assert_faults(&format!(
        "group | kinds: [{kinds}, §\"one more\"] | no room for the kind `one more`: at most 64 different names"
    ));
}

#[test]
fn a_group_whose_name_is_the_sixty_fifth_kind_has_a_remedy() {
    let groups: Vec<String> = (0..65).map(|n| format!("(name: \"g{n}\", body: \"a\")")).collect();
    let text =
        format!("(world: Plane(size: (9, 9)), bodies: {{\"a\": Mover()}}, groups: [{}])", groups.join(", "));
    let found = faults(&text);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.starts_with("no room for the kind `g64`"), "{}", found[0].message);
    assert!(found[0].help.as_deref().is_some_and(|help| help.contains("`kinds: []`")), "{:?}", found[0].help);
}

#[test]
fn more_behaviors_than_a_step_can_hold_are_a_fault() {
    let behaviors = |count: usize| format!("behaviors: [{}]", "(script: \"a\"), ".repeat(count));
    let refused = |text: &str| faults(&group(text))[0].message.clone();
    assert_eq!(refused(&behaviors(1001)), "a scene has at most 1000 behaviors, up to here 1001");
    let many = format!("count: 1000000, {}", behaviors(51));
    assert_eq!(refused(&many), "a scene has at most 50000000 units times behaviors, up to here 51000000");
    assert!(read("many.ron", &group(&behaviors(1000))).is_ok());
}

#[test]
fn inconsistent_parts_are_faults() {
    assert_faults(
        r#"
scene | contacts: (units: Bounce(restitution: §2)) | `restitution` must be from 0 to 1, not 2
scene | contacts: (obstacles: §Seperate) | `Seperate` is not a contact here: expected None, Block, Separate or Bounce | did you mean `Separate`?
scene | obstacles: [Polygon(points: §[(1, 1), (5, 5), (5, 1), (1, 4)])] | its edges 0 and 2 cross | write the corners one after the other, in either direction
scene | paths: {"a": (points: §[(1, 1), (1, 1)])} | a path needs two points that differ
scene | fields: {"a": Grid(columns: 2, vectors: §[(1, 1), (1, 1), (1, 1)])} | 2 columns and 2 rows do not make 3 vectors | write one vector for each node
scene | fields: {"a": Script(script: "s", cells: §100000)} | a flow field has at most 100000 nodes, this one has 5000150001
scene | fields: {"a": Script(script: "s", cells: 400), "b": Script(script: "s", cells: 400), "c": Script(script: "s", cells: 400), "d": Script(script: "s", cells: 400), "e": Script(script: "s", cells: 400), "f": Script(script: "s", cells: 400), "g": §Script(script: "s", cells: 400)} | scripts and routes fill at most 500000 nodes of all flow fields together | choose fewer `cells`, or a larger `cell`
scene | fields: {"a": §Toward(cell: 8)} | Toward needs the field `goal` | add it, for example goal: Point((100, 100))
scene | fields: {"a": Toward(goal: §Pont((1, 2)))} | `Pont` is not a goal here: expected Point or Zone | did you mean `Point`?
scene | fields: {"a": Toward(goal: §Point(1, 2))} | `Point` needs one value | write Point((100, 100)) or Zone("door")
scene | zones: {"door": Circle(center: (1, 1), radius: 1)}, fields: {"a": Toward(goal: Zone(§"dor"))} | there is no zone `dor` | did you mean `door`?
whole | (world: Plane(size: (9, 9)), bodies: {"a": Mover()}, fields: {"f": Toward(goal: Zone(§"door"))}, groups: [(name: "g", body: "a", field: "f")]) | there is no zone `door`
scene | fields: {"a": Toward(goal: Point((1, 2)), §cell: 0.001)} | a flow field has at most 100000 nodes, this one has 5000150001
scene | fields: {"a": Toward(goal: Point((1, 2)), margin: §-1)} | `margin` must not be negative, not -1
scene | keys: {§"Up": NoView} | a key is one letter or digit | write "C"
scene | keys: {"U": §Veiw("wide")} | `Veiw` is not what a key does here: expected View, NoView, Switch or Speed | did you mean `View`?
whole | (world: Plane(size: (9, 9)), bodies: {"a": Rigid()}, player: (body: "a", behaviors: [(script: "chase")]), keys: {"C": Switch(§"chaes")}) | no group runs the script `chaes` | did you mean `chase`?
scene | keys: {"U": View(§"wide")} | there is no view `wide`
scene | keys: {"U": §Switch} | `Switch` needs a value | write View("wide"), NoView, Switch("chase"), Switch(["lead", "chase"]) or Speed(1.25)
group | path: §"trakc" | there is no path `trakc`
group | blend: Priority(budget: §0) | `budget` must be above zero, not 0
"#,
    );
}
