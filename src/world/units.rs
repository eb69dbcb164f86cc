//! Units as arrays by field; entry i of every array belongs to unit i.

use glam::Vec3;

/// The state of every unit. All arrays have one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Units {
    /// Center of mass.
    pub position: Vec<Vec3>,
    /// Velocity of the center of mass.
    pub velocity: Vec<Vec3>,
    /// Forward axis, a unit vector.
    pub heading: Vec<Vec3>,
    /// Upward axis, a unit vector square to the heading.
    pub up: Vec<Vec3>,
    /// Radians a second about the world's axes.
    pub angular_velocity: Vec<Vec3>,
    /// Marks that behaviors set in the last step, as bits.
    pub marks: Vec<u64>,
    /// Which group.
    pub group: Vec<u16>,
    /// What random draws know the unit by: the same for a group's name and an index in it,
    /// whatever else the scene holds.
    pub key: Vec<u64>,
}

impl Units {
    /// How many units there are.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Adds a unit at rest in body and mind: no spin and no marks.
    pub fn push(
        &mut self,
        position: Vec3,
        velocity: Vec3,
        (heading, up): (Vec3, Vec3),
        group: u16,
        key: u64,
    ) {
        self.position.push(position);
        self.velocity.push(velocity);
        self.heading.push(heading);
        self.up.push(up);
        self.angular_velocity.push(Vec3::ZERO);
        self.marks.push(0);
        self.group.push(group);
        self.key.push(key);
    }

    /// Adds unit `unit` of `other` as it is, but in group `group`.
    ///
    /// # Panics
    /// When `other` has no such unit.
    pub fn push_from(&mut self, other: &Self, unit: usize, group: u16) {
        let axes = (other.heading[unit], other.up[unit]);
        self.push(
            other.position[unit],
            other.velocity[unit],
            axes,
            group,
            other.key[unit],
        );
        let last = self.len() - 1;
        self.angular_velocity[last] = other.angular_velocity[unit];
        self.marks[last] = other.marks[unit];
    }

    /// The starboard axis of a unit: heading × up.
    ///
    /// # Panics
    /// When there is no such unit.
    pub fn starboard(&self, unit: usize) -> Vec3 {
        self.heading[unit].cross(self.up[unit])
    }
}

/// What random draws know unit `index` of the group called `group` by.
pub fn unit_key(group: &str, index: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(group.as_bytes(), index as u64)
}
