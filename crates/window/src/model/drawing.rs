//! The polygon or path that is being drawn.

use glam::{Vec2, Vec3};
use steerbox_core::world::{Polygon, PolygonError};

/// The kind of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Drawn {
    /// An obstacle.
    Polygon,
    /// A new path, or the points of an existing one, by its name.
    Path(Option<String>),
}

/// A drawing in progress.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    pub(crate) what: Drawn,
    pub(crate) corners: Vec<Vec3>,
    /// The position to which keys moved the cursor; `None` if it follows the pointer.
    pub(crate) cursor: Option<Vec3>,
    /// True if the last corner leads back to the first.
    pub(crate) closes: bool,
}

impl Drawing {
    /// Instructions for the next step.
    pub(crate) fn hint(&self) -> String {
        let what = match &self.what {
            Drawn::Polygon => "polygon".to_owned(),
            Drawn::Path(None) => "path".to_owned(),
            Drawn::Path(Some(name)) => format!("path {name}"),
        };
        let corner = "Click: add a corner";
        let end = match self.corners.len() {
            0 => "Esc: cancel",
            1 => "Backspace: remove it, Esc: cancel",
            _ => "Enter or double-click: finish, Backspace: remove the last, Esc: cancel",
        };
        format!("{what}: {corner}, {end}")
    }

    /// True if the corners so far cannot form a polygon.
    pub(crate) fn is_wrong(&self, cursor: Option<Vec3>) -> bool {
        let corners: Vec<Vec2> = self.corners.iter().copied().chain(cursor).map(Vec3::truncate).collect();
        let is_crossing = || matches!(Polygon::new(corners), Err(PolygonError::Crossing(..)));
        self.what == Drawn::Polygon && is_crossing()
    }
}
