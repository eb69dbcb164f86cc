//! Polygons and paths drawn corner by corner, with the pointer or by keys.

use glam::Vec3;
use steerbox_core::world::{Path, Polygon, PolygonError, Solid};
use steerbox_picture::render::picture::Sketch;
use steerbox_scene::{MAX_CORNERS, SceneEdit};

use super::handles::CORNER_REACH;
use super::rounding::{round_place, rounded};
use crate::commands::action::{DrawStep, SessionAction};
use crate::model::drawing::{Drawing, Drawn};
use crate::model::live_session::LiveSession;
use crate::model::log::Tone;
use crate::model::view_state::ViewState;

/// Points from the middle to the rim of a new path.
const RADIUS: f32 = 14.0;

impl ViewState {
    /// The position of the next corner.
    pub(crate) fn drawing_cursor(&self) -> Option<Vec3> {
        let by_keys = self.drawing.as_ref()?.cursor;
        by_keys.or_else(|| Some(self.rounded_place(self.camera.to_world(self.pointing.place()?))))
    }

    fn rounded_place(&self, place: Vec3) -> Vec3 {
        round_place(place, self.camera.unit_at(place))
    }

    /// The sketch of the drawing in progress, or of the path whose point is dragged.
    pub(crate) fn sketch(&self) -> Option<Sketch> {
        let Some(drawing) = self.drawing.as_ref() else {
            return self.pointing.sketch.clone();
        };
        let cursor = self.drawing_cursor();
        // A click at the last or the first corner adds no corner.
        let reach = cursor.map_or(0.0, |cursor| self.corner_reach(cursor));
        let ends = || drawing.corners.first().into_iter().chain(drawing.corners.last());
        let next = cursor.filter(|cursor| ends().all(|corner| corner.distance(*cursor) > reach));
        let (corners, is_wrong) = (drawing.corners.clone(), drawing.is_wrong(next));
        Some(Sketch { corners, cursor, closes: drawing.closes, is_wrong })
    }

    /// Executes a step of drawing.
    pub(crate) fn draw_step(&mut self, step: &DrawStep, session: &mut LiveSession) {
        let cursor = self.drawing_cursor();
        let cursor = cursor.unwrap_or_else(|| self.rounded_place(self.pointed_place()));
        if let DrawStep::Begin(what) = step {
            self.begin_drawing(what, session);
            return;
        }
        let Some(drawing) = &mut self.drawing else {
            return;
        };
        match step {
            DrawStep::Corner(place) => self.add_corner(self.rounded_place(*place), session),
            DrawStep::CornerHere => self.add_corner(cursor, session),
            DrawStep::Move(way) => {
                let way = self.camera.across(*way * self.camera.pixels_per_point(), cursor);
                drawing.cursor = Some(round_place(cursor + way, self.camera.unit_at(cursor)));
            }
            DrawStep::Back => _ = drawing.corners.pop(),
            DrawStep::End => self.end_drawing(session),
            DrawStep::Cancel | DrawStep::Begin(_) => self.drawing = None,
        }
    }

    fn begin_drawing(&mut self, what: &Drawn, session: &LiveSession) {
        let closes = match what {
            Drawn::Polygon => true,
            Drawn::Path(name) => path(name.as_deref(), session).is_some_and(Path::is_closed),
        };
        self.selection.replace([]);
        self.drawing = Some(Drawing { what: what.clone(), corners: Vec::new(), cursor: None, closes });
    }

    /// Distance from a corner within which a click hits it, world units.
    fn corner_reach(&self, place: Vec3) -> f32 {
        CORNER_REACH * self.camera.pixels_per_point() * self.camera.unit_at(place)
    }

    /// Adds a corner. A click at the last corner, such as a double click, finishes; one at the first closes the shape.
    fn add_corner(&mut self, place: Vec3, session: &mut LiveSession) {
        let reach = self.corner_reach(place);
        let Some(drawing) = &mut self.drawing else {
            return;
        };
        let is_at = |corner: Option<&Vec3>| corner.is_some_and(|corner| corner.distance(place) <= reach);
        if drawing.corners.len() > 2 && is_at(drawing.corners.first()) {
            drawing.closes = true;
            self.end_drawing(session);
        } else if is_at(drawing.corners.last()) {
            // The first corner alone is not a shape: the second click is ignored.
            if drawing.corners.len() > 1 {
                self.end_drawing(session);
            }
        } else if drawing.corners.len() < MAX_CORNERS {
            drawing.corners.push(place);
        } else {
            session.refuse(&format!("a drawing has at most {MAX_CORNERS} corners: press Enter to finish"));
        }
    }

    /// Finishes the drawing; if the shape is invalid, logs the reason and continues.
    fn end_drawing(&mut self, session: &mut LiveSession) {
        let Some(drawing) = &self.drawing else {
            return;
        };
        let made = match &drawing.what {
            Drawn::Polygon => polygon(&drawing.corners, session),
            Drawn::Path(name) => self.drawn_path(name.as_deref(), drawing, session),
        };
        match made {
            Err(why) => session.refuse(&why),
            Ok(edit) => {
                self.drawing = None;
                self.act(session, SessionAction::EditScene(edit.clone()));
                match &edit {
                    SceneEdit::Obstacle { at, .. } => self.select_obstacle(Some(*at), session),
                    SceneEdit::Path { name, from: None, .. } => {
                        let text = format!("added {name}: groups with `path: \"{name}\"` follow it");
                        let step = session.run.simulation.world().steps;
                        session.log.add(Tone::Plain, step, text);
                    }
                    SceneEdit::Path { .. } => {}
                }
            }
        }
    }

    fn drawn_path(
        &self,
        name: Option<&str>,
        drawing: &Drawing,
        session: &LiveSession,
    ) -> Result<SceneEdit, String> {
        let unit = drawing.corners.first().map_or(1.0, |corner| self.camera.unit_at(*corner));
        let from = path(name, session).cloned();
        let radius = rounded(RADIUS * self.camera.pixels_per_point() * unit, unit);
        let radius = from.as_ref().map_or(radius, Path::radius);
        let to = Path::new(drawing.corners.clone(), drawing.closes, radius);
        let to = Some(to.ok_or("a path needs at least 2 points: add another")?);
        let paths = &session.run.newest().scene.world.paths;
        let is_free = |name: &String| paths.iter().all(|path| path.name != *name);
        let mut free = (1..).map(|number| format!("path{number}")).filter(is_free);
        let name = name.map(str::to_owned).or_else(|| free.next()).unwrap_or_default();
        Ok(SceneEdit::Path { name, from, to })
    }
}

/// A path of the scene.
fn path<'a>(name: Option<&str>, session: &'a LiveSession) -> Option<&'a Path> {
    let mut paths = session.run.newest().scene.world.paths.iter();
    paths.find(|path| Some(path.name.as_str()) == name).map(|path| &path.path)
}

fn polygon(corners: &[Vec3], session: &LiveSession) -> Result<SceneEdit, String> {
    let polygon = Polygon::new(corners.iter().map(|corner| corner.truncate()).collect());
    let polygon = polygon.map_err(|error| match error {
        // The file counts edges from 0.
        PolygonError::Crossing(a, b) => {
            format!("edges {} and {} cross: remove corners with Backspace", a + 1, b + 1)
        }
        error => error.to_string(),
    })?;
    let (at, to) = (session.run.newest().scene.world.obstacles.len(), Solid::Polygon(polygon).into());
    Ok(SceneEdit::Obstacle { at, from: None, to: Some(to) })
}
