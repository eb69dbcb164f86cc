//! A trace as a table in the wide form of idtracker.ai: a row per state, and columns for each unit.
//!
//! The columns are those of the units at the start of the trace. A unit is identified by its key, so that its columns
//! remain its own when units are added or removed.

use std::io::{self, Write as _};

use glam::Vec3;
use steerbox_core::text::number_cell;
use steerbox_core::world::{Units, World, absolute};

use super::selection::{Field, UnitSelection};
use crate::cli::usage::UsageError;

/// A table in progress.
pub(in crate::cli) struct Table {
    vectors: Vec<Vector>,
    /// Key and last index of each unit with columns.
    units: Vec<(u64, usize)>,
    has_header: bool,
}

/// A vector of each unit.
struct Vector {
    field: Field,
    /// The names of the components.
    names: [&'static str; 3],
    of: fn(&Units) -> &[Vec3],
}

impl Table {
    /// Starts a table of these fields; none is the position.
    ///
    /// # Errors
    /// If a field is not a vector.
    pub(super) fn new(fields: &[Field]) -> Result<Self, UsageError> {
        let fields = if fields.is_empty() { &[Field::Position] } else { fields };
        let vectors = fields.iter().map(|field| Vector::of(*field)).collect::<Result<_, _>>()?;
        Ok(Self { vectors, units: Vec::new(), has_header: false })
    }

    /// Writes a state as a row, after the header if it is the first one. The numbers of a unit that no longer exists are
    /// `nan`, as those of a lost animal.
    pub(super) fn write(
        &mut self,
        text: &mut Vec<u8>,
        world: &World,
        selection: &UnitSelection,
        flips_y: bool,
    ) -> io::Result<()> {
        let Self { vectors, units, has_header } = self;
        let axes = if world.arena.is_plane() { 2 } else { 3 };
        if !*has_header {
            *units = selection.of(world).map(|unit| (world.units.key[unit], unit)).collect();
            write_header(text, vectors, units, axes)?;
            *has_header = true;
        }
        for (key, unit) in units.iter_mut() {
            *unit = world.units.index_of(*key, *unit);
        }
        write!(text, "{}", number_cell(world.decimal_time(), false))?;
        for vector in vectors {
            let values = (vector.of)(&world.units);
            for (_, unit) in units.iter() {
                let value = values.get(*unit).copied().unwrap_or(Vec3::NAN);
                let value = if flips_y { vector.field.flip_y(value, &world.arena) } else { value };
                let is_position = vector.field == Field::Position;
                for (axis, component) in value.to_array().into_iter().enumerate().take(axes) {
                    let origin = if is_position { world.arena.origin[axis] } else { 0.0 };
                    match component.is_nan() {
                        true => text.extend_from_slice(b",nan"),
                        false if origin == 0.0 => write!(text, ",{}", number_cell(component, false))?,
                        false => write!(text, ",{}", number_cell(absolute(component, origin), false))?,
                    }
                }
            }
        }
        text.push(b'\n');
        Ok(())
    }
}

/// Writes the names of the columns; units are numbered from 1, as animals are.
fn write_header(
    text: &mut Vec<u8>,
    vectors: &[Vector],
    units: &[(u64, usize)],
    axes: usize,
) -> io::Result<()> {
    text.extend_from_slice(b"seconds");
    for vector in vectors {
        for (_, unit) in units {
            for name in &vector.names[..axes] {
                write!(text, ",{name}{}", unit + 1)?;
            }
        }
    }
    text.push(b'\n');
    Ok(())
}

impl Vector {
    fn of(field: Field) -> Result<Self, UsageError> {
        let vector = |names, of| Ok(Self { field, names, of });
        match field {
            Field::Position => vector(["x", "y", "z"], |units| &units.position),
            Field::Velocity => vector(["vx", "vy", "vz"], |units| &units.velocity),
            Field::Heading => vector(["hx", "hy", "hz"], |units| &units.heading),
            _ => Err(UsageError(
                "--trace-fields: a table has position, velocity and heading; a trace to .jsonl has all fields".to_owned(),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::{Edges, Group, testing};

    use super::*;

    #[test]
    fn a_unit_has_the_same_columns_when_others_are_added_and_removed() {
        let arena = testing::plane(10.0, 10.0, Edges::Wrap);
        let places = [Vec3::new(1.0, 2.0, 0.0), Vec3::new(0.5, 0.25, 0.0)];
        let mut world = World { arena, step: 0.5, ..World::default() }.with_group(Group::default(), places);
        world.units.velocity[1] = Vec3::new(-1.0, 3.0, 0.0);
        world.units.key = vec![7, 9];
        let all = UnitSelection::parse(&[], &world).expect("all units");
        let mut table = Table::new(&[Field::Position, Field::Velocity]).expect("vectors");
        let mut text = Vec::new();
        table.write(&mut text, &world, &all, false).expect("a row");
        // The first unit is removed, and the second one has its index.
        let mut later = World { arena: world.arena, step: 0.5, steps: 3, ..World::default() }
            .with_group(Group::default(), [places[1], Vec3::ZERO]);
        later.units.key = vec![9, 11];
        table.write(&mut text, &later, &all, true).expect("a row");
        let expected = "seconds,x1,y1,x2,y2,vx1,vy1,vx2,vy2\n0.0,1.0,2.0,0.5,0.25,0.0,0.0,-1.0,3.0\n1.5,nan,nan,0.5,9.75,nan,nan,0.0,0.0\n";
        assert_eq!(String::from_utf8(text).expect("text"), expected);
    }

    #[test]
    fn fields_that_are_no_vectors_have_no_columns() {
        let error = Table::new(&[Field::Position, Field::Steering]).err().expect("steering has no columns");
        assert!(error.to_string().contains(".jsonl has all fields"), "{error}");
    }
}
