//! The columns of a state: position, heading and velocity.

use glam::{DVec3, Vec3};

use super::row::{FrameFault, Row};
use crate::points::{direction, unit};
use crate::starts::Start;

/// Names of the components of position, velocity and heading, and of the heading in degrees and the speed.
pub(super) const NAMES: [&str; 11] = ["x", "y", "z", "vx", "vy", "vz", "hx", "hy", "hz", "heading", "speed"];
const HEADING: usize = 9;
const SPEED: usize = 10;

/// The cells of a unit in a row, in the order of [`NAMES`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Columns(pub(super) [Option<usize>; NAMES.len()]);

impl Columns {
    /// Checks that the columns form a state. `suffix` follows each name in the header.
    pub(super) fn check(&self, header: &Row, suffix: &str, is_plane: bool) -> Result<(), FrameFault> {
        let line = (header.number, 1);
        let missing = |name: &str, of: &str| {
            let message = format!("the table has a column {of}{suffix}, but no column {name}{suffix}");
            Err(FrameFault::new(line, message, format!("add the column {name}{suffix}")))
        };
        for first in [0, 3, 6] {
            let cells = &self.0[first..first + 3];
            let known = cells.iter().position(Option::is_some);
            for (at, _) in cells[..2].iter().enumerate().filter(|(_, cell)| cell.is_none()) {
                if let Some(known) = known {
                    return missing(NAMES[first + at], NAMES[first + known]);
                }
            }
            if let (true, Some(cell)) = (is_plane, cells[2]) {
                let name = format!("{}{suffix}", NAMES[first + 2]);
                let message = format!("the world is a plane, but the table has a column {name}");
                return Err(FrameFault::new(header.at(cell), message, "leave out the column, or use Space"));
            }
        }
        let [heading, speed] = [HEADING, SPEED].map(|at| self.0[at]);
        let twice = |cell: usize, what: &str, other: &str| {
            let message = format!("the table has a column {what}{suffix} in addition to {other}{suffix}");
            Err(FrameFault::new(header.at(cell), message, "leave out one of them"))
        };
        match (heading, speed) {
            (Some(cell), _) if self.0[6].is_some() => twice(cell, "heading", "hx"),
            (_, Some(cell)) if self.0[3].is_some() => twice(cell, "speed", "vx"),
            (None, Some(_)) if self.0[6].is_none() => missing("heading", "speed"),
            _ => Ok(()),
        }
    }

    /// Returns true if a row states velocities, or headings and speeds.
    pub(super) fn has_velocity(&self) -> bool {
        self.0[3].is_some() || self.0[SPEED].is_some()
    }

    /// Returns the start in a row, or the first cell without a number.
    pub(super) fn start(
        &self,
        row: &Row,
        suffix: &str,
        origin: DVec3,
    ) -> Result<Result<Start, usize>, FrameFault> {
        let mut numbers = [0.0; NAMES.len()];
        for (at, cell) in self.0.iter().enumerate() {
            let Some(cell) = *cell else { continue };
            let origin = if at < 3 { origin[at] } else { 0.0 };
            match row.coordinate((cell, &format!("{}{suffix}", NAMES[at])), origin)? {
                Some(number) => numbers[at] = number,
                None => return Ok(Err(cell)),
            }
        }
        let vector = |first: usize| Vec3::new(numbers[first], numbers[first + 1], numbers[first + 2]);
        let has = |at: usize| self.0[at].is_some();
        let heading = match (has(HEADING), self.0[6]) {
            (true, _) => Some(direction(numbers[HEADING])),
            (_, Some(cell)) => {
                let zero = || {
                    let message = format!("the heading hx{suffix}, hy{suffix} has no direction");
                    FrameFault::new(row.at(cell), message, "write a direction that is not zero")
                };
                Some(unit(vector(6)).ok_or_else(zero)?)
            }
            _ => None,
        };
        let along = heading.filter(|_| has(SPEED)).map(|heading| heading * numbers[SPEED]);
        let velocity = if has(3) { Some(vector(3)) } else { along };
        Ok(Ok(Start { position: vector(0), heading, velocity }))
    }
}
