//! A copy of a script value for display, which outlives the call.

use std::fmt;
use std::ops::{Range, RangeInclusive};

use glam::Vec3;
use rhai::{Array, Dynamic, INT, ImmutableString, Map};
use steerbox_core::diagnostics::counted;
use steerbox_core::sim::{rounded, rounded_vector};

use super::super::api::Host;
use super::super::api::obstacles;
use super::super::api::values::{Field, Hit, Me, Obstacle, Obstacles, Path, Turn, Unit, Units};
use crate::interpret::call;

/// The maximum number of stored characters of a text.
const MAX_TEXT: usize = 80;

/// A recorded value.
#[derive(Clone, Debug, PartialEq)]
pub enum ProbedValue {
    /// `()`.
    Nothing,
    /// A number.
    Number(f32),
    /// An integer.
    Integer(i64),
    /// A bool.
    Switch(bool),
    /// A vector.
    Vector(Vec3),
    /// A turn: starboard and up, as fractions of the steering force.
    Turn(f32, f32),
    /// A unit, by its index in the world.
    Unit(usize),
    /// A list of this number of units.
    Units(usize),
    /// An obstacle, by its index in the world.
    Obstacle(usize),
    /// A list of this number of obstacles.
    Obstacles(usize),
    /// The hit of a ray: its obstacle, by the index in the world, and its distance.
    Hit(usize, f32),
    /// A text.
    Text(String),
    /// A value of another kind, formatted.
    Other(String),
}

impl ProbedValue {
    /// Copies a value of the call in progress.
    pub(super) fn new(value: &Dynamic) -> Self {
        if let Ok(number) = value.as_float() {
            return Self::Number(number);
        }
        if let Ok(integer) = value.as_int() {
            return Self::Integer(integer);
        }
        if let Ok(switch) = value.as_bool() {
            return Self::Switch(switch);
        }
        if value.is_unit() {
            return Self::Nothing;
        }
        if let Some(vector) = get::<Vec3>(value) {
            return Self::Vector(vector);
        }
        if let Some(Turn(turn)) = get(value) {
            return Self::Turn(turn.x, turn.y);
        }
        Self::from_handle(value).unwrap_or_else(|| Self::from_container(value))
    }

    /// Copies a handle of an object in the world.
    fn from_handle(value: &Dynamic) -> Option<Self> {
        if let Some(unit) = get::<Unit>(value) {
            return Some(Self::Unit(unit.index));
        }
        if let Some(Units(list)) = get(value) {
            return Some(Self::Units(call::with(|call| call.context.count(list))));
        }
        if get::<Me>(value).is_some() {
            return Some(Self::Unit(call::with(|call| call.context.unit())));
        }
        if let Some(Obstacle(index)) = get(value) {
            let zone = call::with(|call| {
                let world = call.context.world();
                Some(world.zones.get(index.checked_sub(world.obstacles.len())?)?.name.clone())
            });
            let zone = zone.map(|name| Self::Other(format!("zone {name}")));
            return Some(zone.unwrap_or(Self::Obstacle(index)));
        }
        if let Some(list) = get::<Obstacles>(value) {
            let count = |host: &mut Host<'_>| obstacles::count(host, list);
            let count = call::with(|call| count(&mut Host { context: &mut call.context, texts: &[] }));
            return Some(Self::Obstacles(count as usize));
        }
        if let Some(hit) = get::<Hit>(value) {
            return Some(Self::Hit(hit.obstacle.0, hit.distance));
        }
        if let Some(Path(index)) = get(value) {
            let name = call::with(|call| Some(call.context.world().paths.get(index)?.name.clone()));
            return Some(Self::Other(format!("path {}", name.unwrap_or_default())));
        }
        let Field(index) = get(value)?;
        let name = call::with(|call| Some(call.context.world().flows.get(index)?.name.clone()));
        Some(Self::Other(format!("flow field {}", name.unwrap_or_default())))
    }

    /// Copies a container or a text.
    fn from_container(value: &Dynamic) -> Self {
        if let Some(text) = value.read_lock::<ImmutableString>() {
            return Self::Text(text.chars().take(MAX_TEXT).collect());
        }
        let count = |count: usize| Self::Other(counted(count, ["value", "values"]));
        if let Some(array) = value.read_lock::<Array>() {
            return count(array.len());
        }
        if let Some(map) = value.read_lock::<Map>() {
            return count(map.len());
        }
        if let Some(range) = get::<Range<INT>>(value) {
            return Self::Other(format!("{}..{}", range.start, range.end));
        }
        if let Some(range) = get::<RangeInclusive<INT>>(value) {
            return Self::Other(format!("{}..={}", range.start(), range.end()));
        }
        Self::Other(value.type_name().to_lowercase())
    }
}

fn get<T: rhai::Variant + Clone>(value: &Dynamic) -> Option<T> {
    value.read_lock::<T>().map(|value| value.clone())
}

impl fmt::Display for ProbedValue {
    /// Formats the value rounded.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("()"),
            Self::Number(value) => f.write_str(&rounded(*value)),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Switch(value) => write!(f, "{value}"),
            Self::Vector(value) => f.write_str(&rounded_vector(*value)),
            Self::Turn(starboard, up) if *up == 0.0 => write!(f, "turn {}", rounded(*starboard)),
            Self::Turn(starboard, up) => write!(f, "turn ({}, {})", rounded(*starboard), rounded(*up)),
            Self::Unit(unit) => write!(f, "unit {unit}"),
            Self::Units(count) => f.write_str(&counted(*count, ["unit", "units"])),
            Self::Obstacle(obstacle) => write!(f, "obstacle {}", obstacle + 1),
            Self::Hit(obstacle, distance) => write!(f, "hit of obstacle {} at {distance}", obstacle + 1),
            Self::Obstacles(count) => f.write_str(&counted(*count, ["obstacle", "obstacles"])),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Other(words) => f.write_str(words),
        }
    }
}
