//! Edits of the scene of a file.

use glam::Vec3;
use steerbox_core::world::Solid;

use super::*;
use crate::read;

fn scene(obstacles: &str) -> Scene {
    let text = format!(
        "(world: Plane(size: (100, 50)), bodies: {{\"m\": Mover()}},
         paths: {{\"a\": (points: [(0, 0), (9, 0)]), \"b\": (points: [(0, 0), (0, 9)])}},
         groups: [(name: \"g\", body: \"m\", path: \"b\")], obstacles: [{obstacles}])"
    );
    read("a.ron", &text).unwrap()
}

fn circle(x: f32) -> Obstacle {
    Solid::ball(Vec3::new(x, 5.0, 0.0), 2.0).into()
}

fn circles(xs: &[f32]) -> Scene {
    let texts = xs.iter().map(|x| format!("Circle(center: ({x}, 5), radius: 2)"));
    scene(&texts.collect::<Vec<_>>().join(", "))
}

fn xs(scene: &Scene) -> Vec<f32> {
    scene.world.obstacles.iter().map(|obstacle| obstacle.position().x).collect()
}

fn edit(at: usize, from: Option<f32>, to: Option<f32>) -> SceneEdit {
    SceneEdit::Obstacle { at, from: from.map(circle), to: to.map(circle) }
}

fn line(y: f32) -> Path {
    Path::new(vec![Vec3::ZERO, Vec3::new(5.0, y, 0.0)], false, 10.0).unwrap()
}

#[test]
fn every_edit_is_undone_by_its_inverse() {
    let file = circles(&[1.0, 2.0, 3.0]);
    let edits = [
        edit(1, Some(2.0), Some(7.0)),
        edit(1, Some(7.0), None),
        edit(2, None, Some(8.0)),
        edit(3, None, Some(9.0)),
        edit(2, Some(8.0), None),
        edit(0, Some(1.0), None),
        edit(0, Some(3.0), Some(4.0)),
        SceneEdit::Path { name: "new".to_owned(), from: None, to: Some(line(1.0)) },
        SceneEdit::Path { name: "new".to_owned(), from: Some(line(1.0)), to: Some(line(2.0)) },
    ];
    let mut states = vec![SceneEdits::default()];
    for edit in &edits {
        states.push(states[states.len() - 1].edited(&file, edit).unwrap());
    }
    let last = &states[edits.len()];
    assert_eq!(xs(&last.applied(&file)), [4.0, 9.0]);
    assert_eq!(last.applied(&file).world.paths.len(), 3);
    for (at, edit) in edits.iter().enumerate().rev() {
        assert_eq!(states[at + 1].edited(&file, &edit.reversed()).as_ref(), Ok(&states[at]), "{edit:?}");
    }
    // Each edit alone can be undone in the current scene as well.
    for change in last.changes(&file) {
        let without = last.edited(&file, &change.reversed()).unwrap();
        // The second one was moved before it was removed: its last value is restored.
        let is_back = xs(&without.applied(&file)).contains(&7.0);
        assert_eq!(without.count(), last.count() - usize::from(!is_back), "{change:?}");
    }
}

#[test]
fn a_removed_path_is_restored_if_a_group_of_the_file_follows_it() {
    let file = circles(&[]);
    let from = path(&file, "a").map(|(_, path)| path.clone());
    let removal = SceneEdit::Path { name: "a".to_owned(), from, to: None };
    let scene_edits = SceneEdits::default().edited(&file, &removal).unwrap();
    assert_eq!(scene_edits.resolved(&file), scene_edits);
    let applied = scene_edits.applied(&file);
    assert_eq!((applied.world.paths.len(), applied.groups[0].common.path), (1, Some(0)));
    let mut other = file.clone();
    other.groups[0].common.path = Some(0);
    assert!(scene_edits.resolved(&other).is_empty());
}

#[test]
fn a_moved_and_removed_obstacle_is_described_at_its_last_position() {
    let file = circles(&[1.0]);
    let moved = SceneEdits::default().edited(&file, &edit(0, Some(1.0), Some(7.0))).unwrap();
    let removed = moved.edited(&file, &edit(0, Some(7.0), None)).unwrap();
    assert_eq!(removed.changes(&file), [edit(0, Some(7.0), None)]);
}

#[test]
fn changes_of_the_file_replace_edits_of_the_same_items() {
    let file = circles(&[1.0, 2.0, 3.0]);
    let edits = [edit(0, Some(1.0), Some(5.0)), edit(1, Some(2.0), None), edit(2, None, Some(9.0))];
    let scene_edits = edits.iter().fold(SceneEdits::default(), |all, edit| all.edited(&file, edit).unwrap());
    let later = circles(&[0.5, 1.0, 2.0, 3.0]);
    let followed = scene_edits.resolved(&later);
    assert_eq!(xs(&followed.applied(&later)), [0.5, 5.0, 3.0, 9.0]);
    let changed = circles(&[1.5, 2.0, 3.0]);
    assert_eq!(xs(&scene_edits.resolved(&changed).applied(&changed)), [1.5, 3.0, 9.0]);
    assert_eq!(scene_edits.resolved(&file), scene_edits);
    assert!(
        scene_edits.edited(&file, &edit(0, Some(1.0), None)).unwrap_err().contains("no longer as it was")
    );
}

#[test]
fn a_path_can_be_removed_unless_a_group_follows_it() {
    let file = scene("");
    let remove = |at: usize| {
        let NamedPath { name, path } = file.world.paths[at].clone();
        SceneEdits::default().edited(&file, &SceneEdit::Path { name, from: Some(path), to: None })
    };
    assert_eq!(remove(1).unwrap_err(), "the group `g` follows the path `b`");
    let without = remove(0).unwrap().applied(&file);
    assert_eq!((without.world.paths.len(), without.groups[0].common.path), (1, Some(0)));
}

#[test]
fn words_describe_an_edit() {
    assert_eq!(edit(0, Some(1.0), Some(2.5)).words(), "obstacle 1 at (2.5, 5)");
    assert_eq!(edit(3, None, Some(2.0)).words(), "obstacle 4 added");
    assert_eq!(edit(3, None, Some(2.0)).reversed().words(), "obstacle 4 removed");
    let wide = Obstacle::from(Solid::ball(Vec3::new(1.0, 5.0, 0.0), 3.0));
    let resized = SceneEdit::Obstacle { at: 0, from: Some(circle(1.0)), to: Some(wide) };
    assert_eq!(resized.words(), "obstacle 1 with radius 3");
    let drawn = SceneEdit::Path { name: "track".to_owned(), from: Some(line(1.0)), to: Some(line(2.0)) };
    assert_eq!(drawn.words(), "path track changed");
}

#[test]
fn an_obstacle_that_the_file_no_longer_has_returns_to_its_place() {
    let file = circles(&[1.0, 3.0]);
    let edits = [edit(1, None, Some(2.0)), edit(1, None, Some(1.5)), edit(0, None, Some(0.5))];
    let mut states = vec![SceneEdits::default()];
    for edit in &edits {
        states.push(states[states.len() - 1].edited(&file, edit).unwrap());
    }
    let last = &states[edits.len()];
    assert_eq!(xs(&last.applied(&file)), [0.5, 1.0, 1.5, 2.0, 3.0]);
    assert_eq!(last.resolved(&file), *last);
    for (at, edit) in edits.iter().enumerate().rev() {
        assert_eq!(states[at + 1].edited(&file, &edit.reversed()).as_ref(), Ok(&states[at]), "{edit:?}");
    }
    // With other changed and removed ones; each edit has its index in the scene.
    let more = [edit(1, Some(1.0), Some(1.2)), edit(4, Some(3.0), None), edit(4, None, Some(9.0))];
    let all = more.iter().fold(last.clone(), |all, edit| all.edited(&file, edit).unwrap());
    assert_eq!(xs(&all.applied(&file)), [0.5, 1.2, 1.5, 2.0, 9.0]);
    let scene = all.applied(&file);
    for change in all.changes(&file) {
        if let SceneEdit::Obstacle { at, to: Some(to), .. } = &change {
            assert_eq!(scene.world.obstacles[*at], *to, "{change:?}");
        }
        assert!(all.edited(&file, &change.reversed()).is_ok(), "{change:?}");
    }
}

#[test]
fn attached_obstacles_are_removed_and_restored_but_not_moved() {
    let file = scene("Circle(center: (1, 2), radius: 3, attached: \"g\"), Circle(center: (9, 5), radius: 2)");
    let attached = file.world.obstacles[0].clone();
    let edits = SceneEdits::default();
    let to = |to| SceneEdit::Obstacle { at: 0, from: Some(attached.clone()), to };
    let moved = Obstacle { solid: Solid::ball(Vec3::X, 3.0), ..attached.clone() };
    let why = edits.edited(&file, &to(Some(moved))).unwrap_err();
    assert_eq!(why, "obstacle 1 is attached to unit 0 of `g`: change its place in the scene's file");
    let removed = edits.edited(&file, &to(None)).unwrap();
    assert_eq!(removed.applied(&file).world.obstacles.len(), 1);
    let restored = removed.edited(&file, &to(None).reversed()).unwrap();
    assert_eq!(restored.applied(&file).world.obstacles, file.world.obstacles);
}
