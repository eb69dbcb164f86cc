//! Operations of rows for which machine code has instructions.

#![cfg_attr(not(feature = "native"), allow(dead_code, reason = "only machine code uses it"))]

/// The operation of a row in machine code. Rows without one are called through their Rust function.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Intrinsic {
    Value(ValueOp),
    Integer(IntegerOp),
    Unit(UnitOp),
    List(ListOp),
    Special(SpecialOp),
}

/// Implements conversions, so that rows name only the operation.
macro_rules! into_intrinsic {
    ($($kind:ident: $of:ident),*) => {
        $(impl From<$of> for Intrinsic {
            fn from(to: $of) -> Self {
                Self::$kind(to)
            }
        })*
    };
}

into_intrinsic![Value: ValueOp, Integer: IntegerOp, Unit: UnitOp, List: ListOp, Special: SpecialOp];

/// An operation of numbers and vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueOp {
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
    Length,
    Normalized,
    Dot,
    Cross,
    Limit,
}

/// An operation of integers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum IntegerOp {
    Same,
    Min,
    Max,
    Clamp,
    IsZero,
    IsOdd,
    IsEven,
    ToNumber,
}

/// An operation of units.
#[derive(Clone, Copy, Debug)]
pub(crate) enum UnitOp {
    Position,
    /// Between units, points, or a unit and a point.
    Distance,
    /// A vector of a unit, by the offset of its array in [`steerbox_core::sim::Arrays`].
    Vector(usize),
    Starboard,
    Speed,
    /// A number of the unit's body, by its offset in [`steerbox_core::sim::BodyNumbers`].
    BodyNumber(usize),
    ToLocal,
    ToWorld,
    Side,
    IsOfKind,
    HasMark,
    // The deciding unit.
    SteerToward,
    HasView,
    /// The path or flow field of the group, by its offset in [`steerbox_core::sim::GroupConstants`].
    Route(usize),
    Random,
    RandomBetween,
    RandomNormal,
    RandomWalk,
}

/// An operation of lists, or of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ListOp {
    /// The source of the row.
    Source,
    Count,
    IsEmpty,
    /// A mean, by its offset in [`steerbox_core::perception::NeighborMeansX8`].
    Mean(usize),
    Within,
    AllObstacles,
    ObstaclesWithin,
    /// A number of the world, by its offset in [`steerbox_core::sim::Arrays`].
    WorldNumber(usize),
    /// A vector of the world, by its offset in [`steerbox_core::sim::Arrays`].
    WorldVector(usize),
}

/// An operation that code for one unit and code for eight implement separately, or only one of them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SpecialOp {
    ToInteger,
    Id,
    Group,
    IndexInGroup,
    Signal,
    SetMark,
    Nearest,
    /// The unit at an index of a list, nearest first.
    Nth,
    /// The number of steps of the world.
    Steps,
}

/// The operation of a function of one number.
macro_rules! unary {
    ($function:path) => {{
        extern "C" fn call(x: f32) -> f32 {
            $function(x)
        }
        ValueOp::Unary(call)
    }};
}
pub(super) use unary;

/// The operation of a function of two numbers.
macro_rules! binary {
    ($function:path) => {{
        extern "C" fn call(x: f32, y: f32) -> f32 {
            $function(x, y)
        }
        ValueOp::Binary(call)
    }};
}
pub(super) use binary;
