//! Warnings about parts of a scene outside its world, across its edges and in obstacles.

use glam::{DVec3, Vec3};
use steerbox_core::world::{Arena, Domain, Edges, Extrema, Obstacle};

use super::Reader;
use crate::node::Node;

impl Reader<'_> {
    /// Adds a warning if `what` is outside a world with closed edges. `nearest` is its point nearest to the center of
    /// the world, and `radius` its extent about that point. Adds an error if `what` is too far from a seamless world.
    pub(in super::super) fn inside(&mut self, node: Node<'_>, what: &str, nearest: Vec3, radius: f32) {
        self.near(node, what, nearest);
        if self.arena.is_some_and(|arena| is_bounded(&arena) && arena.distance_to(nearest) > radius) {
            self.warn_outside(node, &format!("{what} is"));
        }
    }

    /// Adds an error if `what` is too far from a seamless world.
    pub(in super::super) fn near(&mut self, node: Node<'_>, what: &str, point: Vec3) {
        if self.arena.is_some_and(|arena| arena.is_remote(point)) {
            let message = format!("{what} is more than 1000 periods of the seamless world away");
            self.fault_help(
                node,
                message,
                "subtract a multiple of the size of `world`, where it has an image",
            );
        }
    }

    fn warn_outside(&mut self, node: Node<'_>, what: &str) {
        let Some(arena) = self.arena else { return };
        let extent = match arena.domain {
            Domain::Plane { size } => {
                let (least, most) = (arena.origin, arena.origin + size.extend(0.0).as_dvec3());
                format!("from ({}, {}) to ({}, {})", least.x, least.y, most.x, most.y)
            }
            Domain::Space { center, radius } => {
                let DVec3 { x, y, z } = arena.origin + center.as_dvec3();
                format!("{radius} from its center, ({x}, {y}, {z})")
            }
        };
        let message = format!("{what} outside the world, which reaches {extent}");
        self.warn(node, message, "move it inside, or make `world` larger");
    }

    /// Adds a warning if units of a group start in obstacles, and if most start outside a world with closed edges, by their
    /// shares.
    pub(in super::super) fn misplaced(&mut self, node: Node<'_>, [blocked, outside]: [f32; 2]) {
        let units = |share: f32| format!("about {:.0} % of the units", (100.0 * share).greater(1.0));
        if blocked > 0.0 {
            let message = format!("{} find no free place: they start in an obstacle", units(blocked));
            self.warn(node, message, "make `spawn` larger, or move it away from the obstacles");
        }
        if outside > 0.5 && self.arena.is_some_and(|arena| is_bounded(&arena)) {
            self.warn_outside(node, &format!("{} start", units(outside)));
        }
    }

    /// Adds a warning if a shape whose center is at most `reach` from the world extends across an edge where units wrap, but
    /// has no image there. Adds an error if it is too long for its images in a seamless world.
    pub(in super::super) fn uncut(&mut self, node: Node<'_>, what: &str, shape: &Obstacle, reach: f32) {
        if self.arena.is_some_and(|arena| arena.is_overlong(shape.solid.bounds())) {
            let message = format!("{what} extends over more than 8 periods of the seamless world");
            return self.fault_help(
                node,
                message,
                "make it shorter: its images continue it beyond each edge",
            );
        }
        let is_cut = |arena: &Arena| {
            let is_inside = arena.distance_to(shape.position()) <= reach;
            !shape.inside_out && is_inside && arena.is_cut(shape.solid.bounds())
        };
        if self.arena.as_ref().is_some_and(is_cut) {
            let message =
                format!("{what} extends across an edge, and is not on the opposite side, where units enter");
            let help = "write `seamless: true` in `world`, or move it inside";
            self.warn_fixed(node, message, help, self.make_seamless.clone());
        }
    }
}

/// Returns true if no unit stays outside a world, whose parts have no images.
fn is_bounded(arena: &Arena) -> bool {
    arena.edges != Edges::Open && arena.period().is_none()
}
