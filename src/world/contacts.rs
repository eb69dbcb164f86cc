//! What happens when units touch obstacles or each other.

/// What happens at a touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Contact {
    /// Nothing.
    #[default]
    None,
    /// Who would touch stays put, with the velocity that it has.
    Block,
    /// They part: the move goes on along the surface, and the velocity into it is lost.
    Separate,
    /// They part, and the velocity into the surface comes back.
    Bounce {
        /// Share of it that comes back, 0 to 1.
        restitution: f32,
    },
}

/// The contacts of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contacts {
    /// Units against obstacles.
    pub obstacles: Contact,
    /// Units against units.
    pub units: Contact,
    /// Factor on half a unit's length, not negative, that gives the radius of the ball which touches;
    /// 0 makes units points.
    pub reach: f32,
}

impl Default for Contacts {
    /// None.
    fn default() -> Self {
        Self {
            obstacles: Contact::None,
            units: Contact::None,
            reach: 1.0,
        }
    }
}

impl Contacts {
    /// Whether there are any.
    pub fn any(&self) -> bool {
        self.obstacles != Contact::None || self.units != Contact::None
    }
}
