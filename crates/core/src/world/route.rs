//! Routes: flow fields along the shortest path to a goal around obstacles.

mod rules;
mod search;
mod shapes;
mod vertex;

use super::arena::Arena;
use super::extrema::Extrema;
use super::flow::Flow;
use super::obstacles::Obstacles;
use search::Search;

pub use rules::{Goal, Route};

/// Maximum number of passes with a margin.
const MAX_RINGS: f32 = 8.0;

impl Route {
    /// Computes the field over `arena` around `obstacles`. Vectors have the length `speed`; they are zero where no path leads
    /// to the goal, point away from its surface in an area, so that units do not block it, and away from the obstacle at
    /// nodes inside one. Distances are 0 in the goal and infinite without a path.
    ///
    /// Paths do not cross periodic edges, unless views do. The result does not depend on the platform.
    pub fn field(&self, arena: &Arena, obstacles: &Obstacles) -> Flow {
        let mut search = Search::new(self, (arena, obstacles));
        // Paths closer to obstacles than the margin continue those that are not, cell by cell.
        let rings = (self.margin / search.cell.max_element()).ceil().limited(0.0, MAX_RINGS);
        for ring in 0..=rings as u8 {
            search.open(self.margin * (1.0 - f32::from(ring) / rings.greater(1.0)));
            search.seed();
            search.run();
        }
        let ways = Flow::points(arena, self.nodes).enumerate().map(|(at, point)| search.way(at, point));
        Flow::with_ways(arena, self.nodes, ways.collect(), self.speed, obstacles.clone())
            .unwrap_or_else(|| Flow::still(arena))
    }
}

#[cfg(test)]
mod maps;
#[cfg(test)]
mod tests;
