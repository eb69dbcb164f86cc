//! Operations that rows mean and machine code has instructions for.

#![cfg_attr(not(feature = "native"), allow(dead_code, reason = "machine code is made of them"))]

/// The operation of a row, for machine code. A row without one is a call of its Rust function.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) enum Intrinsic {
    // Numbers and vectors.
    /// Some parts of the first argument: from the first index up to but without the second.
    Parts(usize, usize),
    /// The parts of all arguments.
    Concat,
    /// Two components and a z of 0.
    InPlane,
    /// A function of one number.
    One(extern "C" fn(f32) -> f32),
    /// A function of two numbers.
    Two(extern "C" fn(f32, f32) -> f32),
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
    /// Between units, points, or both.
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
    OfGroup(usize),
    ToLocal,
    ToWorld,
    Side,
    IsOfKind,
    HasMark,
    Signal,
    // The unit that decides.
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
    OfWorld(usize),
    /// A vector, by its offset in [`crate::sim::Arrays`].
    VectorOfWorld(usize),
}

/// The operation of a function of one number.
macro_rules! one {
    ($function:path) => {{
        extern "C" fn call(x: f32) -> f32 {
            $function(x)
        }
        Intrinsic::One(call)
    }};
}
pub(super) use one;

/// The operation of a function of two numbers.
macro_rules! two {
    ($function:path) => {{
        extern "C" fn call(x: f32, y: f32) -> f32 {
            $function(x, y)
        }
        Intrinsic::Two(call)
    }};
}
pub(super) use two;
