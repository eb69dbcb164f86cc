//! The picture of a world: a function of canvas, camera and state, independent of the window.

pub mod grids;
pub mod look;
mod notes;
mod obstacles;
#[cfg(test)]
mod reference;
mod routes;
mod scenery;
pub mod shapes;
mod sketch;
mod space;
mod units;
pub(super) mod vectors;

use std::sync::OnceLock;

use glam::{Vec2, Vec3};
use steerbox_core::sim::Simulation;
use steerbox_core::world::World;
use steerbox_scene::{ColorBy, Scene, SceneLook};

use super::camera::{Camera, PlaneCamera, Sight};
use super::canvas::{Canvas, PixelRect};
use super::interpolated_poses::{EXACT, InterpolatedPoses};
use super::theme::{DARK, SceneColors, WorldColors};
use super::trails::Trails;
use crate::render::unit_set::{self, UnitSet};

/// Maximum number of units of a plane whose grid is shown by default.
const GRID_UNITS: usize = 200;

/// Returns the look of a world in which the user has shown or hidden the grid of a plane, or sphere and floor of a space.
pub fn world_look(scene: &Scene, world: &World, grid: Option<bool>) -> SceneLook {
    let look = scene.look;
    let is_small = world.units.len() <= GRID_UNITS;
    let of_plane = grid.or(look.grid).unwrap_or(is_small);
    let [ball, floor] = [look.ball, look.floor].map(|shown| grid.unwrap_or(shown));
    SceneLook { grid: Some(of_plane), ball, floor, ..look }
}

/// Below this number of units, drawing uses one thread.
const WORTH_SHARING: usize = 200;

/// Neighbor counts of all units, computed when a look first needs them.
pub(crate) type NeighborCounts = OnceLock<Vec<u32>>;

/// A polygon or a path that is being drawn.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    /// The corners that are set.
    pub corners: Vec<Vec3>,
    /// The position of the next corner.
    pub cursor: Option<Vec3>,
    /// True if the last corner is connected to the first.
    pub closes: bool,
    /// True if the shape is invalid.
    pub is_wrong: bool,
}

/// A view of a world through a camera.
pub struct Picture<'a, C = Camera> {
    /// The scene, with the looks of its groups.
    pub scene: &'a Scene,
    /// The simulation whose state is drawn.
    pub simulation: &'a Simulation,
    /// The projection of the world into the picture.
    pub camera: &'a C,
    /// The colors of groups and marks in the theme.
    pub colors: &'a SceneColors,
    /// Pixels per point, the unit of widths and least sizes.
    pub scale: f32,
    /// The poses at which units are drawn.
    pub poses: &'a InterpolatedPoses,
    /// The surroundings of units and obstacles.
    pub world_look: SceneLook,
    /// True if units and their trails are drawn without the rest of the world.
    pub units_only: bool,
    /// Trails, unless they are hidden.
    pub trails: Option<&'a Trails>,
    /// True if velocities and contributions of all units are shown.
    pub vectors: bool,
    /// The value that colors show instead of looks.
    pub color_by: Option<&'a ColorBy>,
    /// The units that are selected; the last is inspected.
    pub selection: &'a UnitSet,
    /// Units whose figures stay visible.
    pub pinned: &'a [usize],
    /// The unit under the pointer.
    pub hovered: Option<usize>,
    /// The target, if it is visible.
    pub target: Option<Vec3>,
    /// The edited obstacles.
    pub changed: &'a [usize],
    /// The selected obstacle.
    pub picked: Option<usize>,
    /// A drawing in progress.
    pub sketch: Option<&'a Sketch>,
    /// Neighbor counts for looks that show them.
    pub neighbors: NeighborCounts,
    /// The neighbors of the inspected unit in the last step.
    pub inspected_neighbors: &'a [usize],
}

impl<'a, C> Picture<'a, C> {
    /// A plain picture: no trails and nothing selected.
    pub fn new(scene: &'a Scene, simulation: &'a Simulation, camera: &'a C, colors: &'a SceneColors) -> Self {
        Self {
            scene,
            simulation,
            camera,
            colors,
            scale: 1.0,
            poses: &EXACT,
            world_look: world_look(scene, simulation.world(), None),
            units_only: false,
            trails: None,
            vectors: false,
            color_by: None,
            selection: &unit_set::NONE,
            pinned: &[],
            hovered: None,
            target: simulation.world().target,
            changed: &[],
            picked: None,
            sketch: None,
            neighbors: NeighborCounts::new(),
            inspected_neighbors: &[],
        }
    }

    /// The same picture through another camera.
    fn through<D>(&'a self, camera: &'a D) -> Picture<'a, D> {
        Picture {
            scale: self.scale,
            poses: self.poses,
            world_look: self.world_look,
            units_only: self.units_only,
            trails: self.trails,
            vectors: self.vectors,
            color_by: self.color_by,
            selection: self.selection,
            pinned: self.pinned,
            hovered: self.hovered,
            target: self.target,
            changed: self.changed,
            picked: self.picked,
            sketch: self.sketch,
            inspected_neighbors: self.inspected_neighbors,
            ..Picture::new(self.scene, self.simulation, camera, self.colors)
        }
    }
}

impl<C> Picture<'_, C> {
    /// Converts points of the screen to pixels.
    fn px(&self, points: f32) -> f32 {
        points * self.scale
    }

    /// The position at which a unit is drawn.
    fn position(&self, unit: usize) -> Vec3 {
        self.poses.position(self.simulation.world(), unit)
    }

    /// The forward axis with which a unit is drawn.
    fn heading(&self, unit: usize) -> Vec3 {
        self.poses.heading(self.simulation.world(), unit)
    }

    fn palette(&self) -> &WorldColors {
        &self.colors.world
    }

    /// The time that is drawn, simulated seconds.
    fn time(&self) -> f32 {
        self.poses.time(self.simulation.world())
    }
}

impl Picture<'_> {
    /// Draws the whole picture into the camera's part of the canvas.
    pub fn draw(&self, canvas: &mut Canvas) {
        let world = self.simulation.world();
        let is_shared = world.units.len() >= WORTH_SHARING || !world.grids.is_empty();
        match self.camera.sight() {
            Sight::Plane(camera) => {
                let picture = self.through(camera);
                in_parts(canvas, is_shared, |canvas| picture.draw_plane(canvas));
            }
            Sight::Space(eye) => {
                let picture = self.through(&eye);
                in_parts(canvas, is_shared, |canvas| picture.draw_space(canvas));
            }
        }
        canvas.reset_clip();
    }
}

impl Picture<'_, PlaneCamera> {
    /// Calls `draw` for each image of a box between two corners in a seamless world, else once, with the picture shifted to it.
    fn each_image(&self, bounds: (Vec3, Vec3), mut draw: impl FnMut(&Picture<'_, PlaneCamera>)) {
        for shift in self.simulation.world().arena.images(bounds) {
            draw(&self.through(&self.camera.shifted(shift)));
        }
    }

    fn draw_plane(&self, canvas: &mut Canvas) {
        let [top, bottom] = self.palette().ground;
        canvas.fill_gradient(top, bottom);
        canvas.set_clip(clip(self.camera.view()));
        if !self.units_only {
            self.draw_scenery(canvas);
            self.draw_target(canvas);
        }
        if let Some(trails) = self.trails {
            self.draw_trails(canvas, trails);
        }
        self.draw_units(canvas);
        self.draw_drawings(canvas);
        self.draw_rings(canvas);
        self.draw_inspected(canvas);
        self.draw_picked(canvas);
        if let Some(sketch) = self.sketch {
            self.draw_sketch(canvas, sketch);
        }
    }
}

/// Draws on two threads, if there are enough units.
fn in_parts(canvas: &mut Canvas, is_shared: bool, draw: impl Fn(&mut Canvas) + Sync) {
    if is_shared {
        canvas.draw_halves(draw);
    } else {
        draw(canvas);
    }
}

/// The whole pixels of a view.
fn clip((min, max): (Vec2, Vec2)) -> PixelRect {
    PixelRect {
        x0: min.x.max(0.0) as usize,
        y0: min.y.max(0.0) as usize,
        x1: max.x.max(0.0) as usize,
        y1: max.y.max(0.0) as usize,
    }
}

/// A picture of a simulation, `width` by `height` pixels, with the whole world in view: a plane from
/// straight above, space obliquely from above.
pub fn picture(scene: &Scene, simulation: &Simulation, width: usize, height: usize) -> Canvas {
    let mut canvas = Canvas::new(width, height);
    let mut camera = Camera::default();
    camera.set_view(Vec2::ZERO, Vec2::new(width as f32, height as f32), 1.0, simulation.world());
    let colors = SceneColors::new(scene, &DARK);
    Picture::new(scene, simulation, &camera, &colors).draw(&mut canvas);
    canvas
}

#[cfg(test)]
mod tests {
    use super::*;
    use steerbox_scene as scene;

    /// Number of pixels that one distant unit changes, at a scale.
    fn spots(units: usize, scale: f32) -> usize {
        let text = format!(
            "(world: Plane(size: (9000, 9000)), bodies: {{ \"m\": Mover(length: 1) }},
            groups: [(name: \"a\", body: \"m\", count: {units}, look: (color: \"#ff0000\"))])"
        );
        let scene = scene::read("a.ron", &text).unwrap();
        let simulation = Simulation::new(scene::build(&scene, None), Vec::new());
        let mut camera = Camera::default();
        let mut canvas = Canvas::new(300, 300);
        camera.set_view(Vec2::ZERO, Vec2::splat(300.0), scale, simulation.world());
        let colors = SceneColors::new(&scene, &DARK);
        let world_look = steerbox_scene::SceneLook::BARE;
        let picture = Picture { scale, world_look, ..Picture::new(&scene, &simulation, &camera, &colors) };
        picture.draw(&mut canvas);
        canvas.pixels().iter().filter(|pixel| **pixel >> 16 > 120).count()
    }

    #[test]
    fn a_unit_is_visible_at_every_scale_and_units_of_a_crowd_are_distinct() {
        let (one, twice) = (spots(1, 1.0), spots(1, 2.0));
        assert!((8..40).contains(&one), "{one}");
        assert!(twice as f32 > 3.0 * one as f32 && (twice as f32) < 6.0 * one as f32, "{one} {twice}");
        let many = spots(5000, 1.0);
        assert!(many < 5000 * 8, "{many}");
    }

    #[test]
    fn both_halves_of_what_crosses_a_seamless_edge_are_drawn() {
        let picture_of = |seamless: bool| {
            let text = format!(
                "(world: Plane(size: (100, 100), seamless: {seamless}), bodies: {{ \"m\": Mover(length: 20, width: 14) }},
                obstacles: [Circle(center: (0, 20), radius: 9)], zones: {{ \"z\": Box(center: (100, 80), size: (16, 8)) }},
                paths: {{ \"p\": (points: [(80, 34), (115, 34)], radius: 2) }},
                groups: [(name: \"a\", body: \"m\", spawn: At([(position: (99.9, 50), heading: 90)]),
                look: (shape: Dot, color: \"#ff0000\"))])"
            );
            let scene = scene::read("a.ron", &text).unwrap();
            picture(&scene, &Simulation::new(scene::build(&scene, None), Vec::new()), 200, 200)
        };
        // Points in units of the world; the world has a margin of 3 % of the picture.
        let pixel = |canvas: &Canvas, x: f32, y: f32| {
            let [x, y] = [x, 100.0 - y].map(|at| (100.0 + (at - 50.0) * 1.88) as usize);
            canvas.pixel(x, y).unwrap()
        };
        let [seamless, plain] = [true, false].map(picture_of);
        for (y, is_left) in [(20.0, true), (80.0, false), (35.0, false), (50.0, false)] {
            let drawn = if is_left { 4.0 } else { 96.0 };
            let hue = |canvas: &Canvas, x: f32| pixel(canvas, x, y) >> 18 & 0x3f;
            let (own, image) = (hue(&seamless, drawn), hue(&seamless, 100.0 - drawn));
            assert!(own.abs_diff(image) <= 1, "{y}: {own:x} {image:x}");
            assert_eq!(own, hue(&plain, drawn), "{y}");
            assert_ne!(pixel(&seamless, 100.0 - drawn, y), pixel(&plain, 100.0 - drawn, y), "{y}");
        }
    }

    #[test]
    fn a_plane_has_the_background_frame_and_grid_of_its_look() {
        let picture_of = |look: &str| {
            let text = format!(
                "(world: Plane(size: (100, 100), edges: Open), bodies: {{ \"m\": Mover(length: 2) }},
                groups: [(name: \"a\", body: \"m\", spawn: At([(position: (50, 50))]))], look: ({look}))"
            );
            let scene = scene::read("a.ron", &text).unwrap();
            picture(&scene, &Simulation::new(scene::build(&scene, None), Vec::new()), 200, 200)
        };
        let others = |look: &str, color: u32| {
            let canvas = picture_of(&format!("background: \"#405060\", {look}"));
            canvas.pixels().iter().filter(|pixel| **pixel != color).count()
        };
        let [bare, framed, lined] =
            ["frame: false, grid: false", "grid: false", "frame: false"].map(|look| others(look, 0x40_5060));
        assert!(bare < 200 && framed > bare + 4 * 188 && lined > bare + 1000, "{bare} {framed} {lined}");
        let canvas = picture_of("background: (\"#200000\", \"#000080\"), frame: false, grid: false");
        assert_eq!([canvas.pixel(3, 0), canvas.pixel(3, 199)], [Some(0x20_0000), Some(0x80)]);
    }

    #[test]
    fn a_picture_of_units_only_does_not_depend_on_the_rest_of_the_world() {
        let plane =
            ("Plane(size: (100, 100), edges: Open)", "(50, 50)", "Circle(center: (50, 50), radius: 9)");
        let space = ("Space(radius: 60)", "(5, 5, 5)", "Ball(center: (5, 5, 5), radius: 9)");
        for (world, at, shape) in [plane, space] {
            let picture_of = |parts: &str, units_only: bool| {
                let text = format!(
                    "(world: {world}, bodies: {{ \"m\": Mover(length: 9) }}, {parts}
                    groups: [(name: \"a\", body: \"m\", spawn: At([(position: {at})]))])"
                );
                let scene = scene::read("a.ron", &text).unwrap();
                let simulation = Simulation::new(scene::build(&scene, None), Vec::new());
                let (mut camera, mut canvas) = (Camera::default(), Canvas::new(200, 200));
                camera.set_view(Vec2::ZERO, Vec2::splat(200.0), 1.0, simulation.world());
                let colors = SceneColors::new(&scene, &DARK);
                let world_look = SceneLook::BARE;
                let picture = Picture::new(&scene, &simulation, &camera, &colors);
                Picture { world_look, units_only, ..picture }.draw(&mut canvas);
                canvas.pixels().to_vec()
            };
            let parts = [
                format!("obstacles: [{shape}],"),
                format!("zones: {{ \"z\": {shape} }},"),
                "grids: { \"g\": (cell: 10, initial: 1) },".to_owned(),
                format!("target: {at},"),
                format!("paths: {{ \"p\": (points: [{at}, {}], radius: 2) }},", at.replace('5', "8")),
            ];
            let units = picture_of("", true);
            assert_ne!(units, vec![units[0]; units.len()]);
            for parts in parts {
                assert!(picture_of(&parts, true) == units && picture_of(&parts, false) != units, "{parts}");
            }
        }
    }

    #[test]
    fn a_grid_without_a_value_has_the_color_of_zero() {
        let picture_of = |color: &str| {
            let text = format!(
                "(world: Plane(size: (100, 100)), bodies: {{ \"m\": Mover() }}, groups: [(name: \"a\", body: \"m\", spawn: At([(position: (5, 5))]))], look: (frame: false, grid: false), grids: {{ \"g\": (cell: 10, {color}) }})"
            );
            let scene = scene::read("a.ron", &text).unwrap();
            picture(&scene, &Simulation::new(scene::build(&scene, None), Vec::new()), 200, 200)
                .pixel(100, 100)
        };
        assert_eq!(picture_of("color: (\"#204060\", \"red\")"), Some(0x20_4060));
        assert_eq!(picture_of("initial: 3, color: (\"#204060\", \"#ff0102\")"), Some(0xff_0102));
        assert_eq!(picture_of("initial: 3, color: \"#ff0102\""), Some(0xff_0102));
        assert_eq!(picture_of("color: \"red\""), picture_of(""));
    }

    #[test]
    fn a_unit_is_drawn_at_its_position_in_its_color() {
        let text = "(world: Plane(size: (100, 100)), bodies: { \"m\": Mover(length: 20, width: 14) },
            groups: [(name: \"a\", body: \"m\", spawn: At([(position: (50, 50), heading: 90)]),
            look: (shape: Dot, color: \"#ff0000\"))])";
        let scene = scene::read("a.ron", text).unwrap();
        let simulation = Simulation::new(scene::build(&scene, None), Vec::new());
        let canvas = picture(&scene, &simulation, 200, 200);
        let red = |x, y| canvas.pixel(x, y).unwrap() >> 16 & 255;
        assert!(red(100, 100) > 200, "{:x}", canvas.pixel(100, 100).unwrap());
        assert!(red(20, 20) < 60);
    }
}
