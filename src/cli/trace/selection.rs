//! The units and fields of a trace.

use std::ops::RangeInclusive;

use clap::ValueEnum;
use glam::Vec3;
use steerbox_core::diagnostics::quoted_suggestion;
use steerbox_core::world::{Arena, World};

use crate::cli::usage::{UsageError, require};

/// A field of a unit in a trace, or the environment grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(in crate::cli) enum Field {
    Position,
    Velocity,
    Heading,
    AngularVelocity,
    /// In JSON lines only
    Marks,
    /// The contribution of each rule; in JSON lines only
    Steering,
    /// A text that identifies the unit, also after births and deaths; in JSON lines only, if requested
    Key,
    /// The total of each environment grid, in an object per grid; in JSON lines only
    Grids,
    /// The same with the values of all cells; in JSON lines only
    GridValues,
}

impl Field {
    /// The fields of JSON lines by default, in their order.
    pub(super) const DEFAULT: [Self; 6] =
        [Self::Position, Self::Velocity, Self::Heading, Self::AngularVelocity, Self::Marks, Self::Steering];

    /// Returns a vector of this field with y down in place of up, as images have it.
    pub(super) fn flip_y(self, vector: Vec3, arena: &Arena) -> Vec3 {
        match self {
            Self::Position => arena.flip_y(vector),
            Self::AngularVelocity => Vec3::new(0.0 - vector.x, vector.y, 0.0 - vector.z),
            _ => vector.with_y(0.0 - vector.y),
        }
    }

    /// Returns true for a field of units.
    pub(super) fn is_of_units(self) -> bool {
        !matches!(self, Self::Grids | Self::GridValues)
    }
}

/// The units of a trace: those of some groups and with some numbers, or all.
#[derive(Debug)]
pub(in crate::cli) struct UnitSelection {
    groups: Vec<String>,
    numbers: Vec<RangeInclusive<usize>>,
}

impl UnitSelection {
    /// Parses names of groups, numbers of units, and ranges such as `10..19`; none are all units.
    ///
    /// # Errors
    /// If the world has no such group or unit.
    pub(in crate::cli) fn parse(texts: &[String], world: &World) -> Result<Self, UsageError> {
        let (mut groups, mut numbers) = (Vec::new(), Vec::new());
        for text in texts.iter().map(|text| text.trim()) {
            if world.groups.iter().any(|group| group.name == text) {
                groups.push(text.to_owned());
                continue;
            }
            let range = range(text).ok_or_else(|| unknown(text, world))?;
            let count = world.units.len();
            require(*range.end() < count && range.start() <= range.end(), || {
                format!("--trace-of {text}: units are numbered from 0 to {}", count.saturating_sub(1))
            })?;
            numbers.push(range);
        }
        Ok(Self { groups, numbers })
    }

    /// Returns the chosen units of a state, in order.
    pub(super) fn of<'a>(&'a self, world: &'a World) -> impl Iterator<Item = usize> + 'a {
        let is_all = self.groups.is_empty() && self.numbers.is_empty();
        world.groups.iter().flat_map(move |group| {
            let has_all = is_all || self.groups.contains(&group.name);
            let is_numbered = |unit: &usize| self.numbers.iter().any(|range| range.contains(unit));
            group.units.clone().filter(move |unit| has_all || is_numbered(unit))
        })
    }
}

fn range(text: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
}

fn unknown(text: &str, world: &World) -> UsageError {
    let names = || world.groups.iter().map(|group| group.name.as_str());
    let remedy = quoted_suggestion(text, names());
    let remedy = remedy.unwrap_or_else(|| {
        format!(
            "it has {}; units are chosen by numbers, such as 7 or 10..19",
            names().collect::<Vec<_>>().join(", ")
        )
    });
    UsageError(format!("--trace-of {text}: the scene has no group called \"{text}\": {remedy}"))
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::Group;

    use super::*;

    fn world() -> World {
        let group = |name: &str| Group { name: name.to_owned(), ..Group::default() };
        World::default().with_group(group("a"), [Vec3::ZERO; 3]).with_group(group("b"), [Vec3::ZERO; 4])
    }

    #[test]
    fn groups_numbers_and_ranges_are_units_in_their_order() {
        let chosen = |texts: &[&str]| {
            let texts: Vec<_> = texts.iter().map(|text| (*text).to_owned()).collect();
            let selection = UnitSelection::parse(&texts, &world()).expect("it is valid");
            selection.of(&world()).collect::<Vec<_>>()
        };
        assert_eq!(chosen(&[]), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(chosen(&["b"]), [3, 4, 5, 6]);
        assert_eq!(chosen(&["5", " a"]), [0, 1, 2, 5]);
        assert_eq!(chosen(&["2..4", "3..6", "0"]), [0, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn unknown_units_are_named() {
        for (text, part) in [
            ("birds", "no group called \"birds\": it has a, b; units are chosen by numbers"),
            ("B", "did you mean \"b\"?"),
            ("7", "numbered from 0 to 6"),
            ("3..7", "numbered from 0 to 6"),
            ("4..2", "numbered from 0 to 6"),
            ("-1", "no group"),
        ] {
            let error = UnitSelection::parse(&[text.to_owned()], &world()).expect_err(text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
