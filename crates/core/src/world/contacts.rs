//! Contact responses of units.

/// The response of a unit to a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Contact {
    /// It passes through.
    #[default]
    None,
    /// Its position is unchanged until it turns away; velocity and heading are unaffected.
    Block,
    /// It moves up to the contact and slides: the velocity loses its component into the surface.
    Separate,
    /// Its velocity is reflected.
    Bounce {
        /// Coefficient of restitution, from 0 to 1.
        restitution: f32,
    },
}

impl Contact {
    /// Coefficient of restitution, from 0 to 1; 0 except for [`Contact::Bounce`].
    pub fn restitution(self) -> f32 {
        match self {
            Self::Bounce { restitution } => restitution,
            _ => 0.0,
        }
    }
}

/// Contact responses of units to obstacles and to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contacts {
    /// Units against obstacles.
    pub obstacles: Contact,
    /// Units against units.
    pub units: Contact,
    /// Factor on the body's radius, not negative; with 0 a unit is a point.
    pub reach: f32,
}

impl Default for Contacts {
    fn default() -> Self {
        Self { obstacles: Contact::None, units: Contact::None, reach: 1.0 }
    }
}

impl Contacts {
    /// Returns true if any contact has a response.
    pub fn any(&self) -> bool {
        self.obstacles != Contact::None || self.units != Contact::None
    }
}
