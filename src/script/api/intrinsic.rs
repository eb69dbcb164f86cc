//! Operations of rows for which machine code has instructions.

#![cfg_attr(not(feature = "native"), allow(dead_code, reason = "only machine code uses it"))]

/// The operation of a row in machine code. Rows without one are called through their Rust function.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) enum Intrinsic {
    // Numbers and vectors.
    /// Components of the first argument, from the first index up to the second, exclusive.
    Parts(usize, usize),
    /// The components of all arguments.
    Concat,
    /// Two components and a z of 0.
    InPlane,
    /// A function of one number.
    Unary(extern "C" fn(f32) -> f32),
    /// A function of two numbers.
    Binary(extern "C" fn(f32, f32) -> f32),
    SquareRoot,
    Abs,
    Sign,
    Min,
    Max,
    Clamp,
    Lerp,
    IsZero,
    IsOdd,
    IsEven,
    ToInteger,
    ToNumber,
    Length,
    Normalized,
    Dot,
    Cross,
    Limit,
    /// Between units, points, or a unit and a point.
    Distance,
    // Units.
    Position,
    /// A vector of a unit, by the offset of its array in [`crate::sim::Arrays`].
    Vector(usize),
    Starboard,
    Speed,
    Id,
    Group,
    IndexInGroup,
    /// A number of the unit's group, by its offset in [`crate::sim::GroupConstants`].
    GroupNumber(usize),
    ToLocal,
    ToWorld,
    Side,
    IsOfKind,
    HasMark,
    Signal,
    // The deciding unit.
    SteerToward,
    HasView,
    /// The path or flow field of the group, by its offset in [`crate::sim::GroupConstants`].
    Route(usize),
    Random,
    RandomBetween,
    SetMark,
    // Lists.
    Source,
    Count,
    IsEmpty,
    Nearest,
    /// A mean, by its offset in [`crate::perception::NeighborMeansX8`].
    Mean(usize),
    Within,
    // The world.
    AllObstacles,
    ObstaclesWithin,
    /// A number, by its offset in [`crate::sim::Arrays`].
    WorldNumber(usize),
    /// A vector, by its offset in [`crate::sim::Arrays`].
    WorldVector(usize),
}

/// The operation of a function of one number.
macro_rules! unary {
    ($function:path) => {{
        extern "C" fn call(x: f32) -> f32 {
            $function(x)
        }
        Intrinsic::Unary(call)
    }};
}
pub(super) use unary;

/// The operation of a function of two numbers.
macro_rules! binary {
    ($function:path) => {{
        extern "C" fn call(x: f32, y: f32) -> f32 {
            $function(x, y)
        }
        Intrinsic::Binary(call)
    }};
}
pub(super) use binary;
