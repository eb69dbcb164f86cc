//! The points of a path, which can be dragged.

use glam::Vec3;
use steerbox_core::world::Path;
use steerbox_picture::render::picture::Sketch;
use steerbox_scene::SceneEdit;

use crate::model::handle::PathPoint;

impl PathPoint {
    /// The path after the point has moved; `None` if the result is invalid.
    fn moved(&self, to: Vec3) -> Option<Path> {
        let mut points = self.path.points()[..point_count(&self.path)].to_vec();
        points[self.point] = to;
        Path::new(points, self.path.is_closed(), self.path.radius())
    }

    /// The edit that moves the point.
    pub(crate) fn edit(&self, to: Vec3) -> Option<SceneEdit> {
        let (name, from) = (self.name.clone(), Some(self.path.clone()));
        self.moved(to).map(|to| SceneEdit::Path { name, from, to: Some(to) })
    }

    /// The path with all its points, one of which has moved.
    pub(crate) fn sketch(&self, to: Vec3) -> Sketch {
        let moved = self.moved(to);
        let path = moved.as_ref().unwrap_or(&self.path);
        Sketch { corners: path.points().to_vec(), is_wrong: moved.is_none(), ..Sketch::default() }
    }
}

/// Number of distinct points of a path: a closed one repeats the first.
pub(super) fn point_count(path: &Path) -> usize {
    path.points().len() - usize::from(path.is_closed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dragged_point_moves_and_a_closed_path_stays_closed() {
        let points = vec![Vec3::ZERO, Vec3::X * 9.0, Vec3::new(9.0, 9.0, 0.0)];
        for closed in [false, true] {
            let path = Path::new(points.clone(), closed, 2.0).unwrap();
            let held = PathPoint { name: "a".to_owned(), path: path.clone(), point: 0 };
            let to = Vec3::new(-1.0, 2.0, 0.0);
            let moved = held.moved(to).unwrap();
            assert_eq!((moved.is_closed(), moved.radius(), point_count(&moved)), (closed, 2.0, 3));
            assert_eq!((moved.points()[0], moved.points()[1]), (to, points[1]));
            assert_eq!(moved.points().last() == Some(&to), closed);
        }
    }

    #[test]
    fn coinciding_points_are_rejected() {
        let path = Path::new(vec![Vec3::ZERO, Vec3::X], false, 2.0).unwrap();
        let held = PathPoint { name: "a".to_owned(), path, point: 1 };
        assert_eq!(held.edit(Vec3::ZERO), None);
        assert!(held.sketch(Vec3::ZERO).is_wrong);
    }
}
