//! Edits of obstacles and paths in the window, as an overlay on the scene file.
//!
//! An edit results in a changed scene, which runs immediately as a generation and is sent to the loader. Flow fields,
//! restarts and events therefore need no second mechanism.

use std::collections::BTreeMap;

use steerbox_core::world::{NamedPath, Obstacle, Obstacles, Path};

use super::plan::Scene;
use super::read::MAX_OBSTACLES;
use super::words::quoted;

/// A change of one item: from `None` it is added, to `None` it is removed.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneEdit {
    /// An obstacle listed in the scene.
    Obstacle {
        /// Its index. If other obstacles were added or removed, it is found by its value.
        at: usize,
        /// Its old value.
        from: Option<Obstacle>,
        /// Its new value.
        to: Option<Obstacle>,
    },
    /// A path.
    Path {
        /// Its name.
        name: String,
        /// Its old value.
        from: Option<Path>,
        /// Its new value.
        to: Option<Path>,
    },
}

impl SceneEdit {
    /// Returns the inverse edit.
    #[must_use]
    pub fn reversed(&self) -> Self {
        match self.clone() {
            Self::Obstacle { at, from, to } => Self::Obstacle { at, from: to, to: from },
            Self::Path { name, from, to } => Self::Path { name, from: to, to: from },
        }
    }

    /// Describes the edit to the user.
    pub fn words(&self) -> String {
        match self {
            Self::Obstacle { at, from, to } => {
                let what = match (from, to) {
                    (Some(from), Some(to)) => difference(from, to),
                    (None, _) => " added".to_owned(),
                    (_, None) => " removed".to_owned(),
                };
                format!("obstacle {}{what}", at + 1)
            }
            Self::Path { name, from, to } => {
                let what = match (from, to) {
                    (_, None) => "removed",
                    (None, _) => "added",
                    _ => "changed",
                };
                format!("path {name} {what}")
            }
        }
    }
}

/// Describes the difference between two obstacles.
fn difference(from: &Obstacle, to: &Obstacle) -> String {
    let place = to.position();
    let place = match (place != from.position(), place.to_array()) {
        (false, _) => String::new(),
        (_, [x, y, 0.0]) => format!(" at ({x}, {y})"),
        (_, [x, y, z]) => format!(" at ({x}, {y}, {z})"),
    };
    // The radius of a moved shape is equal up to rounding.
    let is_as_large = (from.radius() - to.radius()).abs() <= 1e-4 * from.radius();
    match (from.solid.defining_radius(), to.solid.defining_radius()) {
        (Some(before), Some(radius)) if radius != before => format!("{place} with radius {radius}"),
        _ if is_as_large && !place.is_empty() => place,
        _ => " changed".to_owned(),
    }
}

/// All edits of the obstacles and paths of a scene file. An edit is dropped when the file changes the item that it
/// changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneEdits {
    /// Changed obstacles of the file, by index in the file.
    changed: BTreeMap<usize, Changed>,
    /// Added obstacles, each with the index in the file of the obstacle before which it is inserted, or [`BEHIND`]; sorted
    /// by that index.
    added: Vec<(usize, Obstacle)>,
    paths: BTreeMap<String, ChangedPath>,
}

/// The insertion index behind all obstacles of the file.
const BEHIND: usize = usize::MAX;

/// A changed obstacle of the file.
#[derive(Clone, Debug, PartialEq)]
struct Changed {
    /// Its value in the file.
    file: Obstacle,
    /// Its current value, or the last one before it was removed.
    now: Obstacle,
    removed: bool,
}

/// A path that was changed, added or removed.
#[derive(Clone, Debug, PartialEq)]
struct ChangedPath {
    file: Option<Path>,
    now: Option<Path>,
}

/// The origin of an obstacle of the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Origin {
    File(usize),
    Added(usize),
}

impl SceneEdits {
    /// Returns true if there are no edits.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Iterates over the obstacles of the edited scene and their origins.
    fn current<'a>(&'a self, file: &'a [Obstacle]) -> impl Iterator<Item = (Origin, &'a Obstacle)> {
        let mut added = self.added.iter().enumerate().peekable();
        let mut before = move |place: usize| {
            let next = added.next_if(|(_, (before, _))| *before <= place)?;
            Some((Origin::Added(next.0), &next.1.1))
        };
        (0..=file.len()).flat_map(move |at| {
            let place = if at == file.len() { BEHIND } else { at };
            let mut here: Vec<_> = std::iter::from_fn(|| before(place)).collect();
            here.extend(match (self.changed.get(&at), file.get(at)) {
                (Some(changed), Some(_)) => (!changed.removed).then_some((Origin::File(at), &changed.now)),
                (_, file) => file.map(|obstacle| (Origin::File(at), obstacle)),
            });
            here
        })
    }

    /// Returns the index in the scene of an obstacle of the file, or of one that is added before it. `added` returns true
    /// for the insertion indices of added obstacles that precede it.
    fn place(&self, file: usize, added: impl Fn(usize) -> bool) -> usize {
        let removed = self.changed.range(..file).filter(|(_, changed)| changed.removed).count();
        file - removed + self.added.iter().filter(|(before, _)| added(*before)).count()
    }

    /// Returns the scene of `file` with the edits applied.
    pub fn applied(&self, file: &Scene) -> Scene {
        let mut scene = file.clone();
        let current = self.current(&file.world.obstacles);
        let (current, period) = (current.map(|(_, obstacle)| obstacle), file.world.arena.period());
        for (name, changed) in &self.paths {
            set_path(&mut scene, name, changed.now.as_ref());
        }
        // Edits change obstacles without their motions, which depend on the place and on the path.
        let paths = &scene.world.paths;
        let path = |it: &Obstacle| {
            let name = &it.path()?.path;
            paths.iter().find(|path| path.name == *name)
        };
        let driven = current.map(|it| it.clone().driven(path(it)));
        scene.world.obstacles = Obstacles::new(driven.collect(), period);
        scene
    }

    /// Returns the edits with one more, to the scene of `file`.
    ///
    /// # Errors
    /// A message if the edit does not match the current scene.
    pub fn edited(&self, file: &Scene, edit: &SceneEdit) -> Result<Self, String> {
        let mut edited = self.clone();
        match edit {
            SceneEdit::Obstacle { at, from: None, to } => {
                let count = file.world.obstacles.len() + self.added.len();
                let scattered = file.scatter.iter().map(|entry| entry.count).sum::<usize>();
                if (count + scattered) as u64 >= MAX_OBSTACLES {
                    return Err(format!("a scene has at most {MAX_OBSTACLES} obstacles"));
                }
                if let Some(to) = to {
                    edited.add(&file.world.obstacles, *at, to);
                }
            }
            SceneEdit::Obstacle { at, from: Some(from), to } => {
                let list: Vec<_> = self.current(&file.world.obstacles).collect();
                let is_it = |(_, obstacle): &&(Origin, &Obstacle)| *obstacle == from;
                let it = list.get(*at).filter(is_it).or_else(|| list.iter().find(is_it));
                let (origin, _) = it.ok_or_else(|| format!("obstacle {} is no longer as it was", at + 1))?;
                if let (Some(carrier), Some(_)) = (from.carrier(), to) {
                    let (number, unit, group) = (at + 1, carrier.unit, quoted(&carrier.group));
                    return Err(format!(
                        "obstacle {number} is attached to unit {unit} of {group}: change its place in the scene's file"
                    ));
                }
                edited.set(&file.world.obstacles, *origin, from, to.as_ref());
            }
            SceneEdit::Path { name, from, to } => edited.set_path(file, name, from.as_ref(), to.as_ref())?,
        }
        Ok(edited)
    }

    /// Adds an obstacle; a removed obstacle with the same value is restored in its place.
    fn add(&mut self, file: &[Obstacle], at: usize, new: &Obstacle) {
        let gone = self.changed.iter_mut().find(|(_, changed)| changed.removed && changed.now == *new);
        if let Some((place, changed)) = gone {
            changed.removed = false;
            let place = *place;
            self.changed.retain(|at, changed| *at != place || changed.now != changed.file);
        } else {
            let next = self.current(file).nth(at).map(|(origin, _)| origin);
            let (before, at) = match next {
                Some(Origin::File(next)) => (next, self.added.partition_point(|(before, _)| *before <= next)),
                Some(Origin::Added(next)) => (self.added[next].0, next),
                None => (BEHIND, self.added.len()),
            };
            self.added.insert(at, (before, new.clone()));
        }
    }

    fn set(&mut self, file: &[Obstacle], origin: Origin, from: &Obstacle, to: Option<&Obstacle>) {
        match (origin, to) {
            (Origin::Added(at), Some(to)) => self.added[at].1 = to.clone(),
            (Origin::Added(at), None) => _ = self.added.remove(at),
            (Origin::File(at), Some(to)) if *to == file[at] => _ = self.changed.remove(&at),
            (Origin::File(at), to) => {
                let (now, removed) = (to.unwrap_or(from).clone(), to.is_none());
                self.changed.insert(at, Changed { file: file[at].clone(), now, removed });
            }
        }
    }

    fn set_path(
        &mut self,
        scene: &Scene,
        name: &str,
        from: Option<&Path>,
        to: Option<&Path>,
    ) -> Result<(), String> {
        let file = path(scene, name).map(|(_, path)| path);
        let now = self.paths.get(name).map_or(file, |changed| changed.now.as_ref());
        if now != from {
            return Err(format!("the path {} is no longer as it was", quoted(name)));
        }
        let at = path(scene, name).map(|(at, _)| at);
        if let Some(group) = follower(scene, at).filter(|_| to.is_none()) {
            let group = quoted(group);
            return Err(format!("the group {group} follows the path {}", quoted(name)));
        }
        let follows = |(_, it): (Origin, &Obstacle)| it.path().is_some_and(|drive| drive.path == name);
        let obstacle = self.current(&scene.world.obstacles).position(follows);
        if let Some(at) = obstacle.filter(|_| to.is_none()) {
            return Err(format!("obstacle {} follows the path {}", at + 1, quoted(name)));
        }
        if to == file {
            self.paths.remove(name);
        } else {
            let changed = ChangedPath { file: file.cloned(), now: to.cloned() };
            self.paths.insert(name.to_owned(), changed);
        }
        Ok(())
    }

    /// Returns the edits that are still valid for another version of the file. Obstacles are identified by their values
    /// in the file, so they are found after others were added or removed before them.
    #[must_use]
    pub fn resolved(&self, file: &Scene) -> Self {
        let obstacles = &file.world.obstacles;
        let mut found: BTreeMap<usize, Changed> = BTreeMap::new();
        for (at, changed) in &self.changed {
            let known = |at: &usize| !found.contains_key(at) && obstacles.get(*at) == Some(&changed.file);
            let at = Some(*at).filter(known).or_else(|| (0..obstacles.len()).find(known));
            if let Some(at) = at {
                found.insert(at, changed.clone());
            }
        }
        let is_as_before = |(name, changed): &(&String, &ChangedPath)| {
            let (at, now) = path(file, name).unzip();
            // A group of the file may follow a removed path.
            now == changed.file.as_ref() && (changed.now.is_some() || follower(file, at).is_none())
        };
        let paths = self.paths.iter().filter(is_as_before);
        let paths = paths.map(|(name, changed)| (name.clone(), changed.clone()));
        let added = self
            .added
            .iter()
            .map(|(before, new)| (if *before < obstacles.len() { *before } else { BEHIND }, new.clone()));
        Self { changed: found, added: added.collect(), paths: paths.collect() }
    }

    /// Returns the edits one by one: for each the current value in the scene and the value in the file.
    pub fn changes(&self, file: &Scene) -> Vec<SceneEdit> {
        let mut changes = Vec::new();
        for (place, Changed { file, now, removed }) in &self.changed {
            // A removed obstacle had the index of its successor.
            let at = self.place(*place, |before| before <= *place);
            let (from, to) = (Some(file.clone()), Some(now.clone()));
            changes.push(match removed {
                true => SceneEdit::Obstacle { at, from: to, to: None },
                false => SceneEdit::Obstacle { at, from, to },
            });
        }
        let added = self.added.iter().enumerate().map(|(number, (before, new))| {
            let at = self.place((*before).min(file.world.obstacles.len()), |_| false) + number;
            SceneEdit::Obstacle { at, from: None, to: Some(new.clone()) }
        });
        changes.extend(added);
        changes.extend(self.paths.iter().map(|(name, ChangedPath { file, now })| SceneEdit::Path {
            name: name.clone(),
            from: file.clone(),
            to: now.clone(),
        }));
        changes
    }

    /// Returns the number of changed items.
    pub fn count(&self) -> usize {
        self.changed.len() + self.added.len() + self.paths.len()
    }

    /// Iterates over the changed obstacles of the file by index; `None` for removed ones.
    pub(super) fn changed(&self) -> impl Iterator<Item = (usize, Option<&Obstacle>)> {
        self.changed.iter().map(|(at, changed)| (*at, (!changed.removed).then_some(&changed.now)))
    }

    /// The added obstacles with their insertion indices in the file.
    pub(super) fn added(&self) -> &[(usize, Obstacle)] {
        &self.added
    }

    /// The changed paths by name: value in the file and new value.
    pub(super) fn paths(&self) -> impl Iterator<Item = (&str, Option<&Path>, Option<&Path>)> {
        let paths = self.paths.iter();
        paths.map(|(name, changed)| (name.as_str(), changed.file.as_ref(), changed.now.as_ref()))
    }
}

/// Returns a path of a scene and its index.
fn path<'a>(scene: &'a Scene, name: &str) -> Option<(usize, &'a Path)> {
    let mut paths = scene.world.paths.iter().enumerate();
    paths.find(|(_, path)| path.name == name).map(|(at, path)| (at, &path.path))
}

/// Returns the name of a group that follows a path.
fn follower(scene: &Scene, path: Option<usize>) -> Option<&str> {
    let mut groups = scene.groups.iter();
    let plan = groups.find(|plan| path.is_some() && plan.common.path == path)?;
    Some(&plan.common.name)
}

fn set_path(scene: &mut Scene, name: &str, to: Option<&Path>) {
    let to = to.map(|path| path.clone().with_period(scene.world.arena.period()));
    let at = path(scene, name).map(|(at, _)| at);
    match (at, to) {
        (Some(at), Some(to)) => scene.world.paths[at].path = to,
        (None, Some(to)) => scene.world.paths.push(NamedPath { name: name.to_owned(), path: to }),
        (Some(at), None) => {
            scene.world.paths.remove(at);
            // Groups refer to paths by index; no group follows this one.
            for path in scene.groups.iter_mut().filter_map(|plan| plan.common.path.as_mut()) {
                *path -= usize::from(*path > at);
            }
        }
        (None, None) => {}
    }
}

#[cfg(test)]
mod tests;
