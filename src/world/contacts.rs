//! What happens when units touch something solid.

/// What a unit does when it touches something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Contact {
    /// It goes through.
    #[default]
    None,
    /// It stays where it was until it turns away; velocity and heading stay as they are.
    Block,
    /// It goes as far as there is room and slides; the velocity loses the part that goes in.
    Separate,
    /// It is mirrored.
    Bounce {
        /// The share of the approaching speed that comes back, from 0 to 1.
        restitution: f32,
    },
}

impl Contact {
    /// The share of an approaching speed that comes back; 0 unless it bounces.
    pub fn restitution(self) -> f32 {
        match self {
            Self::Bounce { restitution } => restitution,
            _ => 0.0,
        }
    }
}

/// What units do when they touch obstacles and each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contacts {
    /// Units against obstacles.
    pub obstacles: Contact,
    /// Units against units.
    pub units: Contact,
    /// Factor on a body's radius, not negative; with 0 a unit is a point.
    pub reach: f32,
}

impl Default for Contacts {
    fn default() -> Self {
        Self { obstacles: Contact::None, units: Contact::None, reach: 1.0 }
    }
}

impl Contacts {
    /// Whether anything stops a unit.
    pub fn any(&self) -> bool {
        self.obstacles != Contact::None || self.units != Contact::None
    }
}
