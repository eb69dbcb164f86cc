//! The encoding of arguments and results as slots of 64 bits, one per machine value. Interpreter and machine code
//! share it.

use std::ops::{Range, RangeInclusive};

use glam::{Vec2, Vec3};
use rhai::INT;

pub(crate) use super::super::handles::{
    Any, Field, Grid, Group, Hit, Me, Members, Memory, Obstacle, Obstacles, Path, Text, Turn, Unit, Units,
    World, ZoneName,
};
use steerbox_core::perception::{List, Neighbor, Source};

use super::super::types::{Kind, Type};

/// The flag of a text that is a group's name.
pub(crate) const GROUP: u64 = 1 << 32;

/// The flag of a text that is a zone's name.
pub(crate) const ZONE: u64 = 1 << 33;

/// Arguments or results of one call, which never need more.
pub(crate) type Slots = [u64; 10];

/// Reads slots in order.
pub(crate) struct Reader<'a> {
    slots: &'a Slots,
    at: usize,
}

/// Writes slots in order.
pub(crate) struct Writer<'a> {
    slots: &'a mut Slots,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(slots: &'a Slots) -> Self {
        Self { slots, at: 0 }
    }

    fn next(&mut self) -> u64 {
        let slot = self.slots.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        slot
    }
}

impl<'a> Writer<'a> {
    pub(crate) fn new(slots: &'a mut Slots) -> Self {
        Self { slots, at: 0 }
    }

    fn push(&mut self, slot: u64) {
        if let Some(to) = self.slots.get_mut(self.at) {
            *to = slot;
        }
        self.at += 1;
    }

    /// Sets the remaining slots to 0. Machine code may read properties of a unit before it tests for `()`, for
    /// example when it hoists a load out of a loop; unit 0 always exists.
    fn clear(&mut self) {
        if let Some(rest) = self.slots.get_mut(self.at..) {
            rest.fill(0);
        }
    }
}

/// A type of arguments and results.
pub(crate) trait Value: Sized {
    const KIND: Kind;
    fn read(slots: &mut Reader<'_>) -> Self;
    fn write(self, slots: &mut Writer<'_>);
}

/// The result type of a function.
pub(crate) trait Outcome {
    const TYPE: Type;
    /// True if it may fail with a message for the user.
    const CAN_FAIL: bool = false;
    fn store(self, slots: &mut Writer<'_>) -> Result<(), String>;
}

impl<V: Value> Outcome for V {
    const TYPE: Type = Type { kind: V::KIND, maybe: false };

    fn store(self, slots: &mut Writer<'_>) -> Result<(), String> {
        self.write(slots);
        Ok(())
    }
}

/// `()` for `None`. The first slot is 1 if there is a value.
impl<V: Value> Outcome for Option<V> {
    const TYPE: Type = Type::or_nothing(V::KIND);

    fn store(self, slots: &mut Writer<'_>) -> Result<(), String> {
        slots.push(u64::from(self.is_some()));
        match self {
            Some(value) => value.write(slots),
            None => slots.clear(),
        }
        Ok(())
    }
}

impl<V: Value> Outcome for Result<V, String> {
    const TYPE: Type = V::TYPE;
    const CAN_FAIL: bool = true;

    fn store(self, slots: &mut Writer<'_>) -> Result<(), String> {
        self.map(|value| value.write(slots))
    }
}

/// Implements [`Value`] for values of one slot and values without data.
macro_rules! value {
    ($of:ty, $kind:ident, |$slot:ident| $read:expr, |$value:ident| $write:expr) => {
        impl Value for $of {
            const KIND: Kind = Kind::$kind;

            fn read(slots: &mut Reader<'_>) -> Self {
                let $slot = slots.next();
                $read
            }

            fn write(self, slots: &mut Writer<'_>) {
                let $value = self;
                slots.push($write);
            }
        }
    };
    ($of:ty, $kind:ident, $value:expr) => {
        impl Value for $of {
            const KIND: Kind = Kind::$kind;

            fn read(_: &mut Reader<'_>) -> Self {
                $value
            }

            fn write(self, _: &mut Writer<'_>) {}
        }
    };
}

value!((), Nothing, ());
value!(Me, Me, Me);
value!(World, World, World);
value!(f32, Number, |slot| f32::from_bits(slot as u32), |value| u64::from(value.to_bits()));
value!(INT, Integer, |slot| slot as INT, |value| value as u64);
value!(bool, Bool, |slot| slot as u8 != 0, |value| u64::from(value));
value!(Obstacle, Obstacle, |slot| Obstacle(slot as usize), |value| value.0 as u64);
value!(Obstacles, Obstacles, |slot| Obstacles(f32::from_bits(slot as u32)), |value| u64::from(
    value.0.to_bits()
));
value!(Path, Path, |slot| Path(slot as usize), |value| value.0 as u64);
value!(Field, Field, |slot| Field(slot as usize), |value| value.0 as u64);
value!(Grid, Grid, |slot| Grid(slot as usize), |value| value.0 as u64);
value!(Group, Group, |slot| Group(slot as usize), |value| value.0 as u64);

value!(ZoneName, Zone, |slot| ZoneName(slot as usize), |value| value.0 as u64);

impl Text {
    /// Decodes a text.
    pub(crate) fn of(slot: u64) -> Self {
        let index = (slot & (GROUP - 1)) as usize;
        match slot & (GROUP | ZONE) {
            0 => Self::Written(index),
            GROUP => Self::Group(index),
            _ => Self::Zone(index),
        }
    }
}

impl Value for Text {
    const KIND: Kind = Kind::Text;

    fn read(slots: &mut Reader<'_>) -> Self {
        Self::of(slots.next())
    }

    fn write(self, slots: &mut Writer<'_>) {
        slots.push(match self {
            Self::Written(index) => index as u64,
            Self::Group(index) => index as u64 | GROUP,
            Self::Zone(index) => index as u64 | ZONE,
        });
    }
}

impl Value for Vec3 {
    const KIND: Kind = Kind::Vector;

    fn read(slots: &mut Reader<'_>) -> Self {
        let [x, y, z] = [(); 3].map(|()| f32::read(slots));
        Self::new(x, y, z)
    }

    fn write(self, slots: &mut Writer<'_>) {
        for part in self.to_array() {
            part.write(slots);
        }
    }
}

impl Value for Turn {
    const KIND: Kind = Kind::Turn;

    fn read(slots: &mut Reader<'_>) -> Self {
        let [starboard, up] = [(); 2].map(|()| f32::read(slots));
        Self(Vec2::new(starboard, up))
    }

    fn write(self, slots: &mut Writer<'_>) {
        for part in self.0.to_array() {
            part.write(slots);
        }
    }
}

impl Value for Unit {
    const KIND: Kind = Kind::Unit;

    fn read(slots: &mut Reader<'_>) -> Self {
        let index = slots.next() as usize;
        let position = Vec3::read(slots);
        Self { index, position }
    }

    fn write(self, slots: &mut Writer<'_>) {
        slots.push(self.index as u64);
        self.position.write(slots);
    }
}

impl Value for Members {
    const KIND: Kind = Kind::Members;

    fn read(slots: &mut Reader<'_>) -> Self {
        let index = slots.next() as usize;
        let origin = Vec3::read(slots);
        Self { index, origin }
    }

    fn write(self, slots: &mut Writer<'_>) {
        slots.push(self.index as u64);
        self.origin.write(slots);
    }
}

impl Value for Hit {
    const KIND: Kind = Kind::Hit;

    fn read(slots: &mut Reader<'_>) -> Self {
        let distance = f32::read(slots);
        let [point, normal] = [(); 2].map(|()| Vec3::read(slots));
        let obstacle = Obstacle::read(slots);
        Self { distance, point, normal, obstacle }
    }

    fn write(self, slots: &mut Writer<'_>) {
        self.distance.write(slots);
        self.point.write(slots);
        self.normal.write(slots);
        self.obstacle.write(slots);
    }
}

impl From<Neighbor> for Unit {
    fn from(neighbor: Neighbor) -> Self {
        Self { index: neighbor.unit, position: neighbor.position }
    }
}

/// The index of a source, and the radius.
impl Value for Units {
    const KIND: Kind = Kind::List;

    fn read(slots: &mut Reader<'_>) -> Self {
        let source = Source::from_index(slots.next() as u32 as usize);
        let within = f32::read(slots);
        Self(List { source, within })
    }

    fn write(self, slots: &mut Writer<'_>) {
        slots.push(self.0.source.index() as u64);
        self.0.within.write(slots);
    }
}

/// Two integers: start and end.
impl Value for Range<INT> {
    const KIND: Kind = Kind::Range;

    fn read(slots: &mut Reader<'_>) -> Self {
        let start = INT::read(slots);
        start..INT::read(slots)
    }

    fn write(self, slots: &mut Writer<'_>) {
        self.start.write(slots);
        self.end.write(slots);
    }
}

impl Value for RangeInclusive<INT> {
    const KIND: Kind = Kind::RangeThrough;

    fn read(slots: &mut Reader<'_>) -> Self {
        let start = INT::read(slots);
        start..=INT::read(slots)
    }

    fn write(self, slots: &mut Writer<'_>) {
        self.start().write(slots);
        self.end().write(slots);
    }
}

impl Any {
    /// Returns the tag of a value of any kind.
    pub(crate) fn tag(kind: Kind) -> u64 {
        let all = [Kind::Number, Kind::Integer, Kind::Bool, Kind::Vector];
        let at = all.iter().position(|known| *known == kind);
        at.map_or(0, |at| at as u64 + 1)
    }
}

/// A tag and the value.
impl Value for Any {
    const KIND: Kind = Kind::Any;

    fn read(slots: &mut Reader<'_>) -> Self {
        match slots.next() {
            1 => Self::Number(Value::read(slots)),
            2 => Self::Integer(Value::read(slots)),
            3 => Self::Bool(Value::read(slots)),
            4 => Self::Vector(Value::read(slots)),
            _ => Self::Text(Value::read(slots)),
        }
    }

    fn write(self, slots: &mut Writer<'_>) {
        let mut tagged = |kind| slots.push(Self::tag(kind));
        match self {
            Self::Number(value) => {
                tagged(Kind::Number);
                value.write(slots);
            }
            Self::Integer(value) => {
                tagged(Kind::Integer);
                value.write(slots);
            }
            Self::Bool(value) => {
                tagged(Kind::Bool);
                value.write(slots);
            }
            Self::Vector(value) => {
                tagged(Kind::Vector);
                value.write(slots);
            }
            Self::Text(value) => {
                tagged(Kind::Text);
                value.write(slots);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_unit_is_stored_as_index_0() {
        let mut slots = [u64::MAX; 10];
        None::<Unit>.store(&mut Writer::new(&mut slots)).unwrap();
        assert_eq!(slots[..5], [0; 5]);
    }
}
