//! The picture of space: a ball of water in perspective, drawn from far to near.

mod globe;
mod obstacles;
mod paths;
mod shapes;
mod solid;
mod units;
mod water;

use steerbox_core::world::Obstacle;
use steerbox_scene::SceneLook;

use super::{Picture, clip};
use crate::render::camera::Eye;
use crate::render::canvas::Canvas;
use water::Water;

/// An object that may cover or be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Thing {
    Obstacle(usize),
    /// A segment of a path.
    Path(usize, usize),
    Unit(usize),
}

impl Picture<'_, Eye> {
    pub(super) fn draw_space(&self, canvas: &mut Canvas) {
        let water = Water::new(self.camera, &self.simulation.world().arena, (self.palette(), self.scale));
        water.draw_behind(canvas);
        canvas.set_clip(clip(self.camera.view()));
        let SceneLook { ball, floor, water: has_water, .. } = self.world_look;
        if has_water {
            water.draw_light(canvas, self.camera, self.time());
        }
        if ball {
            self.draw_globe(canvas, &water);
        }
        if floor {
            self.draw_floor(canvas, &water);
            self.draw_shadows(canvas, &water);
        }
        if has_water {
            water.draw_motes(canvas, self.camera, self.time());
        }
        if !self.units_only {
            self.draw_grids(canvas);
            self.draw_zones(canvas);
        }
        for thing in self.far_to_near() {
            match thing {
                Thing::Obstacle(index) => self.draw_obstacle(canvas, &water, index),
                Thing::Path(path, piece) => self.draw_path_piece(canvas, &water, path, piece),
                Thing::Unit(unit) => self.draw_unit(canvas, &water, unit),
            }
        }
        if self.vectors {
            for unit in 0..self.simulation.world().units.len() {
                self.draw_motion(canvas, unit);
            }
        }
        if !self.units_only {
            self.draw_target(canvas);
        }
        self.draw_drawings(canvas);
        self.draw_rings(canvas);
        self.draw_inspected(canvas);
        self.draw_picked(canvas);
        if let Some(sketch) = self.sketch {
            self.draw_sketch(canvas, sketch);
        }
    }

    /// The objects in front of the eye, sorted by depth; of two at the same depth, the first is drawn first.
    fn far_to_near(&self) -> Vec<Thing> {
        let world = self.simulation.world();
        let obstacles = world.obstacles.iter().map(Obstacle::position);
        let obstacles = obstacles.enumerate().map(|(index, position)| (position, Thing::Obstacle(index)));
        let units = (0..world.units.len()).map(|unit| (self.position(unit), Thing::Unit(unit)));
        let paths = world.paths.iter().enumerate().flat_map(|(path, named)| {
            let pieces = named.path.points().windows(2).enumerate();
            pieces.map(move |(piece, ends)| (ends[0].midpoint(ends[1]), Thing::Path(path, piece)))
        });
        let scenery = paths.chain(obstacles).filter(|_| !self.units_only);
        let things = scenery.chain(units);
        let mut things: Vec<_> =
            things.map(|(position, thing)| (self.camera.depth(position), thing)).collect();
        things.sort_by(|a, b| b.0.total_cmp(&a.0));
        things.into_iter().map(|(_, thing)| thing).collect()
    }
}

#[cfg(test)]
mod tests;
