//! Shipped scenes in random formatting, with random values written into them.

use glam::Vec3;
use proptest::prelude::*;
use steerbox_core::world::{ParamValue, Path, testing};
use steerbox_project::reload::embedded_scenes;
use steerbox_scene::{self as scene, Edit, Scene, SceneEdit, SceneEdits, ScriptUse, Set, shifted};

/// Blanks between two tokens without effect on the meaning.
const BLANKS: [&str; 7] = [" ", "\n", "\n\t\t", " /* why */ ", " // because\n", "\r\n", "/* a, (b] \"c */"];

/// Random choices that are independent of the number of alternatives.
type Dice = Vec<u32>;

/// Inserts blanks after some of the brackets and commas of `text`.
fn reformatted(text: &str, dice: &Dice) -> String {
    let (mut out, mut in_text, mut in_comment) = (String::new(), false, false);
    let mut dice = dice.iter().cycle();
    let mut before = ' ';
    for c in text.chars() {
        out.push(c);
        in_comment = (in_comment || (!in_text && before == '/' && c == '/')) && c != '\n';
        in_text ^= c == '"' && !in_comment;
        before = c;
        if in_text || in_comment || !"(){}[],".contains(c) {
            continue;
        }
        let throw = dice.next().copied().unwrap_or(0) as usize;
        if throw.is_multiple_of(4) {
            out.push_str(BLANKS[throw / 4 % BLANKS.len()]);
        }
    }
    out
}

fn uses(scene: &Scene) -> Vec<(String, usize, &ScriptUse)> {
    let mut uses: Vec<(String, usize, &ScriptUse)> = Vec::new();
    for group in &scene.groups {
        for used in &group.behaviors {
            let same = |known: &&(String, usize, &ScriptUse)| {
                known.0 == group.common.name && known.2.script == used.script
            };
            let occurrence = uses.iter().filter(same).count();
            uses.push((group.common.name.clone(), occurrence, used));
        }
    }
    uses
}

/// Returns a random edit of an existing item.
fn edit(scene: &Scene, (kind, which, number): (u32, u32, f32)) -> Option<Edit> {
    let which = which as usize;
    let uses = uses(scene);
    let (group, occurrence, used) = uses.get(which % uses.len().max(1))?;
    let name = match used.params.get(which % 3) {
        Some(param) => param.name.clone(),
        None => format!("NEW_{}", which % 3),
    };
    let set = match kind {
        1 => Set::Enabled(which.is_multiple_of(2)),
        2 => Set::Param(name, ParamValue::Number(number)),
        3 => Set::Param(name, ParamValue::Integer(number as i64)),
        4 => Set::Param(name, ParamValue::Choice(format!("a \"{number}\"\n\\"))),
        5 => Set::Param(name, ParamValue::Switch(number > 0.0)),
        _ => Set::Gain(number),
    };
    Some(Edit::Behavior { group: group.clone(), script: used.script.clone(), occurrence: *occurrence, set })
}

/// Returns random edits of obstacles and paths; with `removes`, also removals.
fn scene_edits(scene: &Scene, throws: &[(u32, u32, f32)], removes: bool) -> SceneEdits {
    let mut scene_edits = SceneEdits::default();
    for (kind, which, number) in throws {
        let now = scene_edits.applied(scene);
        let which = *which as usize;
        let shift = Vec3::new((number % 1e4 * 10.0).round() / 10.0, which as f32 % 9.0, 0.0);
        let at = which % now.world.obstacles.len().max(1);
        let from = now.world.obstacles.get(at).cloned();
        let edit = match (kind, from) {
            (0, Some(from)) => {
                let mut to = shifted(&from, shift).expect("it is near");
                let resized = to.solid.with_radius((number % 50.0).abs().max(0.5));
                to.solid = resized.filter(|_| which.is_multiple_of(2)).unwrap_or(to.solid);
                SceneEdit::Obstacle { at, from: Some(from), to: Some(to) }
            }
            (1, Some(from)) if removes => SceneEdit::Obstacle { at, from: Some(from), to: None },
            (2, from) => {
                let is_plane = scene.world.arena.is_plane();
                let kinds = testing::solid_kinds(is_plane);
                let points = [Vec3::ZERO, Vec3::X, Vec3::Y].map(|way| shift.with_y(4.0) + way);
                let half = Vec3::new(2.5, 1.0, 0.5);
                let new = || testing::solid(kinds[which % kinds.len()], &points, half, 0.5, is_plane).into();
                let to = from.and_then(|from| shifted(&from, shift)).unwrap_or_else(new);
                SceneEdit::Obstacle { at: now.world.obstacles.len(), from: None, to: Some(to) }
            }
            (3, _) => {
                let paths = &now.world.paths;
                let known = paths.get(which % (paths.len() + 1)).cloned();
                let name = known.as_ref().map_or_else(|| format!("new {which}"), |path| path.name.clone());
                let flat = Vec3::new(1.0, 1.0, if scene.world.arena.is_plane() { 0.0 } else { 0.5 });
                let points = (0..2 + which % 3).map(|at| shift * flat + Vec3::X * at as f32).collect();
                let to = Path::new(points, which.is_multiple_of(2), 1.0 + (which % 9) as f32);
                SceneEdit::Path { name, from: known.map(|path| path.path), to }
            }
            (4, _) if removes && !now.world.paths.is_empty() => {
                let known = now.world.paths[which % now.world.paths.len()].clone();
                SceneEdit::Path { name: known.name, from: Some(known.path), to: None }
            }
            _ => continue,
        };
        scene_edits = scene_edits.edited(scene, &edit).unwrap_or(scene_edits);
    }
    scene_edits
}

/// Returns true if `scene` has the value of `edit`.
fn holds(after: &Scene, edit: &Edit) -> bool {
    match edit {
        Edit::Behavior { group, script, occurrence, set } => {
            let uses = uses(after);
            let mut found = uses.iter().filter(|known| known.0 == *group && known.1 == *occurrence);
            let Some((_, _, used)) = found.find(|known| known.2.script == *script) else {
                return false;
            };
            match set {
                Set::Gain(gain) => used.gain == *gain,
                Set::Enabled(enabled) => used.enabled == *enabled,
                Set::Param(name, value) => {
                    let number = |value: &ParamValue| match value {
                        ParamValue::Integer(v) => ParamValue::Number(*v as f32),
                        value => value.clone(),
                    };
                    let mut params = used.params.iter().filter(|param| param.name == *name);
                    params.any(|param| number(&param.value) == number(value))
                }
            }
        }
    }
}

/// Returns the comments that `reformatted` inserted, in order.
fn comments(text: &str) -> Vec<&str> {
    let pieces = text.split_inclusive("*/").flat_map(|piece| piece.split('\n'));
    let comments = pieces.filter_map(|piece| {
        let starts = [piece.find("/*"), piece.find("//")];
        starts.into_iter().flatten().min().map(|at| piece[at..].trim_end())
    });
    comments.collect()
}

fn dice() -> impl Strategy<Value = Dice> {
    proptest::collection::vec(any::<u32>(), 40..200)
}

fn throws() -> impl Strategy<Value = Vec<(u32, u32, f32)>> {
    let number = prop_oneof![
        -9.0_f32..9.0,
        (-900_i32..900).prop_map(|v| v as f32 / 100.0),
        (-9_i32..9).prop_map(|v| v as f32),
        -1e11_f32..1e11,
    ];
    proptest::collection::vec((0..7_u32, any::<u32>(), number), 0..9)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_values_are_read_back_and_every_comment_is_preserved(which in any::<prop::sample::Index>(), dice in dice(), throws in throws(), by_chance in throws(), removes in any::<bool>()) {
        let shipped: Vec<_> = embedded_scenes().collect();
        let (name, text) = shipped[which.index(shipped.len())];
        let text = reformatted(text, &dice);
        let before = scene::read(name, &text).expect("blanks change nothing");
        let edits: Vec<Edit> = throws.iter().filter_map(|throw| edit(&before, *throw)).collect();
        let changes = scene_edits(&before, &by_chance, removes);
        let edited = scene::rewrite(name, &text, &edits, &changes);
        prop_assert!(edited.is_ok(), "{text}\n{edits:?}\n{changes:?}\n{:?}", edited.unwrap_err());
        let edited = edited.unwrap();
        let after = scene::read(name, &edited).expect("it was read before");
        let counts = |at: usize| edits[at + 1..].iter().all(|later| !same_target(&edits[at], later));
        for (at, edit) in edits.iter().enumerate().filter(|(at, _)| counts(*at)) {
            prop_assert!(holds(&after, edit), "{at}: {edit:?}\n{edited}");
        }
        let wanted = changes.applied(&before);
        prop_assert_eq!(&after.world.obstacles, &wanted.world.obstacles);
        prop_assert_eq!(&after.world.paths, &wanted.world.paths);
        // Comments of removed or rewritten items are removed as well.
        let is_in_place = !removes && after.world.paths.iter().zip(&before.world.paths).all(|(a, b)| a == b);
        prop_assert!(!is_in_place || comments(&edited) == comments(&text), "{text}\n{edited}");
        prop_assert_eq!(scene::rewrite(name, &edited, &edits, &SceneEdits::default()).unwrap(), edited);
    }

    #[test]
    fn no_text_and_no_edit_causes_a_panic(which in any::<prop::sample::Index>(), cuts in proptest::collection::vec((any::<prop::sample::Index>(), "[(){}\\[\\],:\"/*0-9a-zé \n]{0,4}"), 1..4), throws in throws(), by_chance in throws()) {
        let shipped: Vec<_> = embedded_scenes().collect();
        let (name, whole) = shipped[which.index(shipped.len())];
        let mut text = whole.to_owned();
        for (at, new) in &cuts {
            let at = text.floor_char_boundary(at.index(text.len().max(1)));
            let end = text.ceil_char_boundary((at + new.len()).min(text.len()));
            text.replace_range(at..end, new);
        }
        let scene = scene::read(name, whole).expect("it ships");
        let edits: Vec<Edit> = throws.iter().filter_map(|throw| edit(&scene, *throw)).collect();
        let changes = scene_edits(&scene, &by_chance, true);
        if let Ok(edited) = scene::rewrite(name, &text, &edits, &changes) {
            prop_assert!(scene::read(name, &edited).is_ok());
        }
    }
}

fn same_target(a: &Edit, b: &Edit) -> bool {
    let target = |edit: &Edit| match edit {
        Edit::Behavior { group, script, occurrence, set } => {
            let what = match set {
                Set::Gain(_) => "gain".to_owned(),
                Set::Enabled(_) => "enabled".to_owned(),
                Set::Param(name, _) => format!("param {name}"),
            };
            (group.clone(), script.clone(), *occurrence, what)
        }
    };
    target(a) == target(b)
}
