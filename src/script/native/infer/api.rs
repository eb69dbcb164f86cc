//! What scripts can name, by kind: the same names as the interpreter's API has.

use super::super::form::{Builtin, Math, Source, UnitFact, WorldFact};
use super::super::kind::{Kind, Type};

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) to: Builtin,
    pub(super) of: Type,
    /// Whether integers among the arguments, from the `first` on, are made numbers.
    pub(super) numbers: bool,
    pub(super) first: usize,
}

/// Arguments as they are.
#[allow(clippy::unnecessary_wraps, reason = "an arm of the tables below")]
fn plain(to: Builtin, of: impl Into<Type>) -> Option<Found> {
    Some(Found {
        to,
        of: of.into(),
        numbers: false,
        first: 0,
    })
}

/// Arguments from the `first` on are numbers.
#[allow(clippy::unnecessary_wraps, reason = "an arm of the tables below")]
fn numbers(to: Builtin, of: impl Into<Type>) -> Option<Found> {
    Some(Found {
        to,
        of: of.into(),
        numbers: true,
        first: 0,
    })
}

/// `value.name`.
pub(super) fn property(kind: Kind, name: &str) -> Option<Found> {
    match kind {
        Kind::Me => own(name).or_else(|| unit(name)),
        Kind::Unit => unit(name),
        Kind::Vector => vector(name),
        Kind::Integer => integer(name),
        Kind::Number if name == "is_zero" => plain(Builtin::IsZero, Kind::Switch),
        Kind::Range | Kind::RangeThrough => range(kind, name),
        Kind::List => list(name),
        Kind::World => world(name),
        Kind::Obstacles => obstacles(name),
        Kind::Obstacle => obstacle(name),
        Kind::Path => path(name),
        _ => None,
    }
}

fn unit(name: &str) -> Option<Found> {
    use UnitFact as Fact;
    let (fact, of) = match name {
        "position" => (Fact::Position, Kind::Vector),
        "velocity" => (Fact::Velocity, Kind::Vector),
        "speed" => (Fact::Speed, Kind::Number),
        "heading" => (Fact::Heading, Kind::Vector),
        "up" => (Fact::Up, Kind::Vector),
        "starboard" => (Fact::Starboard, Kind::Vector),
        "angular_velocity" => (Fact::AngularVelocity, Kind::Vector),
        "length" => (Fact::Length, Kind::Number),
        "width" => (Fact::Width, Kind::Number),
        "radius" => (Fact::Radius, Kind::Number),
        "mass" => (Fact::Mass, Kind::Number),
        "max_speed" => (Fact::MaxSpeed, Kind::Number),
        "desired_speed" => (Fact::DesiredSpeed, Kind::Number),
        "steering_force" => (Fact::SteeringForce, Kind::Number),
        "thrust" => (Fact::Thrust, Kind::Number),
        "id" => (Fact::Id, Kind::Integer),
        "index" => (Fact::Index, Kind::Integer),
        "group" => (Fact::Group, Kind::Group),
        _ => return None,
    };
    plain(Builtin::Unit(fact), of)
}

fn own(name: &str) -> Option<Found> {
    match name {
        "neighbors" => plain(Builtin::Units(Source::Neighbors), Kind::List),
        "others" => plain(Builtin::Units(Source::Others), Kind::List),
        "enemies" => plain(Builtin::Units(Source::Enemies), Kind::List),
        "has_view" => plain(Builtin::HasView, Kind::Switch),
        "path" => plain(Builtin::OwnPath, Type::or_nothing(Kind::Path)),
        "field" => plain(Builtin::OwnField, Type::or_nothing(Kind::Field)),
        _ => None,
    }
}

fn vector(name: &str) -> Option<Found> {
    match name {
        "x" => plain(Builtin::Part(0), Kind::Number),
        "y" => plain(Builtin::Part(1), Kind::Number),
        "z" => plain(Builtin::Part(2), Kind::Number),
        "length" => plain(Builtin::Length, Kind::Number),
        "normalized" => plain(Builtin::Normalized, Kind::Vector),
        _ => None,
    }
}

fn integer(name: &str) -> Option<Found> {
    match name {
        "is_zero" => plain(Builtin::IsZero, Kind::Switch),
        "is_odd" => plain(Builtin::IsOdd, Kind::Switch),
        "is_even" => plain(Builtin::IsEven, Kind::Switch),
        _ => None,
    }
}

fn range(kind: Kind, name: &str) -> Option<Found> {
    match name {
        "start" => plain(Builtin::RangeStart, Kind::Integer),
        "end" => plain(Builtin::RangeEnd, Kind::Integer),
        "is_empty" => plain(Builtin::IsEmpty, Kind::Switch),
        "is_inclusive" => plain(
            Builtin::MeansCache(kind == Kind::RangeThrough),
            Kind::Switch,
        ),
        "is_exclusive" => plain(Builtin::MeansCache(kind == Kind::Range), Kind::Switch),
        _ => None,
    }
}

fn list(name: &str) -> Option<Found> {
    match name {
        "len" => plain(Builtin::Count, Kind::Integer),
        "is_empty" => plain(Builtin::IsEmpty, Kind::Switch),
        "nearest" => plain(Builtin::Nearest, Type::or_nothing(Kind::Unit)),
        "mean_position" => plain(Builtin::MeanPosition, Kind::Vector),
        "mean_velocity" => plain(Builtin::MeanVelocity, Kind::Vector),
        _ => None,
    }
}

fn obstacles(name: &str) -> Option<Found> {
    match name {
        "len" => plain(Builtin::Count, Kind::Integer),
        "is_empty" => plain(Builtin::IsEmpty, Kind::Switch),
        "nearest" => plain(Builtin::Nearest, Type::or_nothing(Kind::Obstacle)),
        _ => None,
    }
}

fn world(name: &str) -> Option<Found> {
    let fact = |fact, of: Kind| plain(Builtin::World(fact), of);
    match name {
        "time" => fact(WorldFact::Time, Kind::Number),
        "step" => fact(WorldFact::Step, Kind::Number),
        "center" => fact(WorldFact::Center, Kind::Vector),
        "size" => fact(WorldFact::Size, Kind::Vector),
        "radius" => fact(WorldFact::Radius, Kind::Number),
        "obstacles" => fact(WorldFact::Obstacles, Kind::Obstacles),
        "target" => plain(Builtin::Target, Type::or_nothing(Kind::Vector)),
        "player" => plain(Builtin::Player, Type::or_nothing(Kind::Unit)),
        _ => None,
    }
}

fn obstacle(name: &str) -> Option<Found> {
    match name {
        "position" => plain(Builtin::ObstaclePosition, Kind::Vector),
        "radius" => plain(Builtin::ObstacleRadius, Kind::Number),
        "inside_out" => plain(Builtin::ObstacleInsideOut, Kind::Switch),
        _ => None,
    }
}

fn path(name: &str) -> Option<Found> {
    match name {
        "length" => plain(Builtin::PathLength, Kind::Number),
        "radius" => plain(Builtin::PathRadius, Kind::Number),
        "is_closed" => plain(Builtin::PathIsClosed, Kind::Switch),
        _ => None,
    }
}

/// `name(a, b)`, or `a.name(b)`.
pub(super) fn function(name: &str, arguments: &[Kind]) -> Option<Found> {
    let is_number = |kind: &Kind| matches!(kind, Kind::Number | Kind::Integer);
    if !arguments.is_empty() && arguments.iter().all(is_number) {
        let whole = arguments.iter().all(|kind| *kind == Kind::Integer);
        return number_function(name, arguments.len(), whole);
    }
    if let ("contains", [Kind::Range | Kind::RangeThrough, Kind::Integer]) = (name, arguments) {
        return plain(Builtin::RangeContains, Kind::Switch);
    }
    // From here on the kinds tell enough with integers read as numbers.
    let read = |kind: &Kind| if is_number(kind) { Kind::Number } else { *kind };
    let kinds: Vec<_> = arguments.iter().map(read).collect();
    vector_function(name, &kinds)
        .or_else(|| unit_function(name, &kinds))
        .or_else(|| own_function(name, &kinds))
        .or_else(|| other_function(name, &kinds))
        .map(|found| Found { first: 1, ..found })
}

/// Functions of numbers alone; `whole` if all are integers.
fn number_function(name: &str, count: usize, whole: bool) -> Option<Found> {
    let kind = if whole { Kind::Integer } else { Kind::Number };
    let keep = |to| {
        if whole {
            plain(to, kind)
        } else {
            numbers(to, kind)
        }
    };
    let math = |math| numbers(Builtin::Math(math), Kind::Number);
    match (name, count) {
        ("vec", 2 | 3) => numbers(Builtin::MakeVector, Kind::Vector),
        ("turn", 2) => numbers(Builtin::MakeTurn, Kind::Turn),
        ("sin", 1) => math(Math::Sin),
        ("cos", 1) => math(Math::Cos),
        ("tan", 1) => math(Math::Tan),
        ("asin", 1) => math(Math::Asin),
        ("acos", 1) => math(Math::Acos),
        ("atan", 1) => math(Math::Atan),
        ("atan2", 2) => math(Math::Atan2),
        ("exp", 1) => math(Math::Exp),
        ("ln", 1) => math(Math::Ln),
        ("pow", 2) => math(Math::Pow),
        ("round", 1) => math(Math::Round),
        ("sqrt", 1) => numbers(Builtin::Sqrt, Kind::Number),
        ("floor", 1) => numbers(Builtin::Floor, Kind::Number),
        ("ceil", 1) => numbers(Builtin::Ceil, Kind::Number),
        ("lerp", 3) => numbers(Builtin::Lerp, Kind::Number),
        ("min", 2) => keep(Builtin::Min),
        ("max", 2) => keep(Builtin::Max),
        ("clamp", 3) => keep(Builtin::Clamp),
        ("abs", 1) => keep(Builtin::Abs),
        ("sign", 1) => keep(Builtin::Sign),
        ("to_int", 1) => plain(Builtin::ToInteger, Kind::Integer),
        ("to_float", 1) => numbers(Builtin::ToNumber, Kind::Number),
        ("is_zero" | "is_odd" | "is_even", 1) if whole => integer(name),
        ("is_zero", 1) => plain(Builtin::IsZero, Kind::Switch),
        ("range", 2) if whole => plain(Builtin::MakeRange, Kind::Range),
        _ => None,
    }
}

fn vector_function(name: &str, kinds: &[Kind]) -> Option<Found> {
    use Kind::{Number, Vector};
    match (name, kinds) {
        ("dot", [Vector, Vector]) => plain(Builtin::Dot, Number),
        ("cross", [Vector, Vector]) => plain(Builtin::Cross, Vector),
        ("angle_to", [Vector, Vector]) => plain(Builtin::AngleTo, Number),
        ("distance_to", [Vector, Vector]) => plain(Builtin::Distance, Number),
        ("limit", [Vector, Number]) => numbers(Builtin::Limit, Vector),
        ("rotated", [Vector, Number]) => numbers(Builtin::Rotated, Vector),
        ("lerp", [Vector, Vector, Number]) => numbers(Builtin::Lerp, Vector),
        _ => None,
    }
}

fn unit_function(name: &str, kinds: &[Kind]) -> Option<Found> {
    use Kind::{Group, Me, Text, Unit, Vector};
    let (Unit | Me) = *kinds.first()? else {
        return None;
    };
    match (name, &kinds[1..]) {
        ("is", [Text | Group]) => plain(Builtin::Is, Kind::Switch),
        ("has_mark", [Text | Group]) => plain(Builtin::HasMark, Kind::Switch),
        ("distance_to", [Vector | Unit | Me]) => plain(Builtin::Distance, Kind::Number),
        ("to_local", [Vector]) => plain(Builtin::ToLocal, Vector),
        ("to_world", [Vector]) => plain(Builtin::ToWorld, Vector),
        ("side", [Vector]) => plain(Builtin::Side, Kind::Number),
        _ => None,
    }
}

fn own_function(name: &str, kinds: &[Kind]) -> Option<Found> {
    use Kind::{Group, List, Me, Nothing, Number, Text, Vector};
    let Me = *kinds.first()? else {
        return None;
    };
    match (name, &kinds[1..]) {
        ("see", [Text | Group]) => plain(Builtin::See, List),
        ("random", []) => plain(Builtin::Random, Number),
        ("random_between", [Number, Number]) => numbers(Builtin::RandomBetween, Number),
        ("random_direction", []) => plain(Builtin::RandomDirection, Vector),
        ("mark", [Text | Group]) => plain(Builtin::Mark, Nothing),
        ("draw_line", [Vector, Vector]) => plain(Builtin::DrawLine, Nothing),
        ("draw_circle", [Vector, Number]) => numbers(Builtin::DrawCircle, Nothing),
        ("draw_text", [Vector, Text | Group | Number | Vector | Kind::Switch]) => {
            plain(Builtin::DrawText, Nothing)
        }
        _ => None,
    }
}

fn other_function(name: &str, kinds: &[Kind]) -> Option<Found> {
    use Kind::{Field, Group, List, Number, Obstacle, Obstacles, Path, Text, Vector, World};
    if let [of @ (Kind::Range | Kind::RangeThrough)] = *kinds {
        return range(of, name);
    }
    match (name, kinds) {
        ("len", [List | Obstacles]) => plain(Builtin::Count, Kind::Integer),
        ("is_empty", [List | Obstacles]) => plain(Builtin::IsEmpty, Kind::Switch),
        ("within", [List, Number]) => numbers(Builtin::Within, List),
        ("path", [World, Text | Group]) => plain(Builtin::PathNamed, Path),
        ("field", [World, Text | Group]) => plain(Builtin::FieldNamed, Field),
        ("distance_to", [Obstacle, Vector]) => plain(Builtin::ObstacleDistance, Number),
        ("nearest_point", [Obstacle, Vector]) => plain(Builtin::ObstacleNearestPoint, Vector),
        ("normal", [Obstacle, Vector]) => plain(Builtin::ObstacleNormal, Vector),
        ("ray", [Obstacle, Vector, Vector, Number]) => {
            numbers(Builtin::ObstacleRay, Type::or_nothing(Number))
        }
        ("nearest_point", [Path, Vector]) => plain(Builtin::PathNearestPoint, Vector),
        ("distance_along", [Path, Vector]) => plain(Builtin::PathDistanceAlong, Number),
        ("point_at", [Path, Number]) => numbers(Builtin::PathPointAt, Vector),
        ("direction_at", [Path, Number]) => numbers(Builtin::PathDirectionAt, Vector),
        ("at", [Field, Vector]) => plain(Builtin::FieldAt, Vector),
        _ => None,
    }
}
