//! The polygon or path that is being drawn.

use glam::{Vec2, Vec3};

use crate::world::{Polygon, PolygonError};

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum Drawn {
    /// An obstacle.
    Polygon,
    /// A path that is new, or the points of one that is there, by its name.
    Path(Option<String>),
}

/// What is being drawn.
#[derive(Clone, Debug)]
pub(in crate::app) struct Drawing {
    pub(in crate::app) what: Drawn,
    pub(in crate::app) corners: Vec<Vec3>,
    /// Where keys have moved the cursor to; else it is where the pointer is.
    pub(in crate::app) cursor: Option<Vec3>,
    /// Whether the last corner leads back to the first.
    pub(in crate::app) closes: bool,
}

impl Drawing {
    /// What to do, in words.
    pub(in crate::app) fn hint(&self) -> String {
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

    /// Whether what is drawn so far cannot be a polygon.
    pub(in crate::app) fn is_wrong(&self, cursor: Option<Vec3>) -> bool {
        let corners: Vec<Vec2> = self.corners.iter().copied().chain(cursor).map(Vec3::truncate).collect();
        let is_crossing = || matches!(Polygon::new(corners), Err(PolygonError::Crossing(..)));
        self.what == Drawn::Polygon && is_crossing()
    }
}
