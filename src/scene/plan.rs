//! What a scene holds once it is read and checked.

use std::{fmt, sync::Arc};

use glam::{UVec3, Vec2, Vec3};

use super::{
    color::Color,
    span::{Span, Spans},
    words::{MOST_FAULTS, quoted},
};
use crate::{
    diagnostics::{Fault, suggestion},
    world::{Arena, Domain, Flow, Group, World},
};

/// A scene in which every name is resolved and every number is finite and within its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The file as the user would name it.
    pub path: String,
    /// Its text, without a byte order mark; spans are ranges of its bytes.
    pub source: Arc<str>,
    /// What the window is called.
    pub title: String,
    /// What the user can do in it, in one line of at most [`Scene::LONGEST_HINT`] characters.
    pub hint: Option<String>,
    /// The world at its start, but for its groups, its units and its scattered obstacles. Flow fields
    /// that scripts fill are zero in it.
    pub world: World,
    /// Simulated seconds per real second, above zero.
    pub speed: f32,
    /// Where the vectors of the world's flow fields come from, in the same order.
    pub flows: Vec<FlowPlan>,
    /// Groups in the file's order; the player's, if any, is the last.
    pub groups: Vec<GroupPlan>,
    /// Obstacles to be placed at random.
    pub scatter: Vec<Scatter>,
    /// Color of all obstacles, if not the usual one.
    pub obstacle_color: Option<Color>,
    /// What keys switch.
    pub keys: Vec<KeyPlan>,
    /// Where parts stand that a warning may point at.
    pub spans: Spans,
    /// Warnings that reading found, in the order of reading.
    pub warnings: Vec<Fault>,
}

impl Scene {
    /// Most characters of a hint.
    pub const LONGEST_HINT: usize = 120;

    /// A scene without anything in it, for a file at `path` that does not work yet.
    pub fn empty(path: impl Into<String>) -> Self {
        let path = path.into();
        Self {
            title: path.clone(),
            hint: None,
            path,
            source: "".into(),
            world: World {
                arena: Arena { domain: Domain::Plane { size: Vec2::new(800.0, 600.0) }, ..Arena::default() },
                ..World::default()
            },
            speed: 1.0,
            flows: Vec::new(),
            groups: Vec::new(),
            scatter: Vec::new(),
            obstacle_color: None,
            keys: Vec::new(),
            spans: Spans::default(),
            warnings: Vec::new(),
        }
    }

    /// A fault at `span`, with the source line as its excerpt.
    pub fn fault(&self, span: &Span, message: impl Into<String>) -> Fault {
        let at = (span.line, span.column);
        Fault::at(&self.path, &self.source, at, message).wide(span.width)
    }

    /// A fault for every behavior whose script is not among `known`, with the one likely meant; at
    /// most 100.
    pub fn unknown_scripts(&self, known: &[&str]) -> Vec<Fault> {
        self.scripts()
            .filter(|behavior| !known.contains(&behavior.script.as_str()))
            .map(|behavior| {
                let name = &behavior.script;
                let message = format!("there is no script {}", quoted(name));
                let fault = self.fault(&behavior.span, message);
                let add = || "add it to the folder of scripts, as NAME.rhai".to_owned();
                fault.help(suggestion(name, known.iter().copied()).unwrap_or_else(add))
            })
            .take(MOST_FAULTS)
            .collect()
    }

    /// Every use of a script: by behaviors, then by flow fields.
    pub fn scripts(&self) -> impl Iterator<Item = &ScriptUse> {
        let behaviors = self.groups.iter().flat_map(|group| &group.behaviors);
        let flows = self.flows.iter().filter_map(|flow| match &flow.source {
            FlowSource::Script { used, .. } => Some(&**used),
            FlowSource::Grid(_) => None,
        });
        behaviors.chain(flows)
    }

    /// How many units all groups have together.
    pub fn unit_count(&self) -> usize {
        self.groups.iter().map(|group| group.count).sum()
    }
}

/// A group of units and how they start, behave and look.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupPlan {
    /// What its units have in common in the world, where they get their place among all units. The
    /// player's is called "player".
    pub common: Group,
    /// How many units; 1 for the player.
    pub count: usize,
    /// Where and how its units start.
    pub spawn: Spawn,
    /// Its behaviors in the file's order.
    pub behaviors: Vec<ScriptUse>,
    /// How its units are drawn.
    pub look: Look,
    /// Whether the keyboard steers its one unit.
    pub is_player: bool,
}

/// A flow field and where its vectors come from.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowPlan {
    /// Its name.
    pub name: String,
    /// Where its vectors come from.
    pub source: FlowSource,
}

impl FlowPlan {
    /// Whether `other` asks for the same, wherever either stands in its file.
    pub fn same_as(&self, other: &Self) -> bool {
        use FlowSource::Script;
        let same = match (&self.source, &other.source) {
            (Script { used: a, nodes: m }, Script { used: b, nodes: n }) => a.same_as(b) && m == n,
            (a, b) => a == b,
        };
        self.name == other.name && same
    }
}

/// Where the vectors of a flow field come from.
#[derive(Clone, Debug, PartialEq)]
pub enum FlowSource {
    /// They stand in the file.
    Grid(Flow),
    /// A script with a function `flow(point, world)` gives one for each node.
    Script {
        /// The script and its parameters.
        used: Box<ScriptUse>,
        /// Nodes along each axis.
        nodes: UVec3,
    },
}

/// A key and what it switches.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyPlan {
    /// A capital letter or a digit.
    pub key: char,
    /// What it does.
    pub action: KeyAction,
}

/// What a key of a scene does.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyAction {
    /// All groups but the player's look through this view, or none.
    View(Option<usize>),
    /// The behaviors with these scripts are switched on, or off again.
    Switch(Vec<String>),
    /// Simulated time runs this many times as fast.
    Speed(f32),
}

/// A behavior of a group, or a flow field's script.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptUse {
    /// The script's name: letters, digits, `_` and `-`. Whether it exists is not checked.
    pub script: String,
    /// Weight of what it returns; any sign.
    pub gain: f32,
    /// Whether it runs.
    pub enabled: bool,
    /// Parameters that differ from the script's defaults. Whether they exist is not checked.
    pub params: Vec<ParamSetting>,
    /// The script's name in the file, with its quotes.
    pub span: Span,
    /// The whole entry, from `(` to `)`.
    pub entry: Span,
    /// The value of `gain`, if it is in the file.
    pub gain_span: Option<Span>,
    /// The value of `enabled`, if it is in the file.
    pub enabled_span: Option<Span>,
    /// The whole map of `params`, if it is in the file.
    pub params_span: Option<Span>,
}

impl ScriptUse {
    /// Whether `other` asks for the same, wherever either stands in its file.
    pub fn same_as(&self, other: &Self) -> bool {
        let same = |(a, b): (&ParamSetting, &ParamSetting)| a.name == b.name && a.value == b.value;
        self.script == other.script
            && self.gain == other.gain
            && self.enabled == other.enabled
            && self.params.len() == other.params.len()
            && self.params.iter().zip(&other.params).all(same)
    }
}

/// A value for a script's parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamSetting {
    /// The parameter's name.
    pub name: String,
    /// Its value.
    pub value: ParamValue,
    /// The name in the file, with its quotes.
    pub span: Span,
    /// The value in the file.
    pub value_span: Span,
}

/// A parameter's value as the file gives it.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// A finite number with a decimal point or an exponent.
    Number(f32),
    /// A whole number; it also stands for the same [`ParamValue::Number`].
    Integer(i64),
    /// On or off.
    Switch(bool),
    /// One of the script's choices, or a text that is none.
    Choice(String),
}

impl fmt::Display for ParamValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => value.fmt(formatter),
            Self::Integer(value) => value.fmt(formatter),
            Self::Switch(on) => on.fmt(formatter),
            Self::Choice(word) => formatter.write_str(word),
        }
    }
}

/// Where and how the units of a group start. In a plane every z is 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Spawn {
    /// Anywhere in a disc square to z, evenly.
    Disc {
        /// Its center.
        center: Vec3,
        /// Its radius, above zero.
        radius: f32,
        /// Speed at the start, not negative; without one, a mover's desired speed, or 0.
        speed: Option<f32>,
    },
    /// Anywhere in a ring square to z, evenly, headed counter-clockwise along it.
    Ring {
        /// Its center.
        center: Vec3,
        /// Its outer radius, above zero.
        radius: f32,
        /// Its inner radius, from zero to the outer one.
        inner: f32,
        /// Speed at the start, as for a disc.
        speed: Option<f32>,
    },
    /// Anywhere in a rectangle or, in space, a box, evenly.
    Rect {
        /// Its center.
        center: Vec3,
        /// Its extent, not negative.
        size: Vec3,
        /// Speed at the start, as for a disc.
        speed: Option<f32>,
    },
    /// Anywhere in a ball of space, evenly.
    Ball {
        /// Its center.
        center: Vec3,
        /// Its radius, above zero.
        radius: f32,
        /// Speed at the start, as for a disc.
        speed: Option<f32>,
    },
    /// One place for each unit, at least as many as there are units.
    At(Vec<Start>),
}

/// Where and how one unit starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Center of mass.
    pub position: Vec3,
    /// Forward axis, a unit vector; without one, along the velocity, or else +x.
    pub heading: Option<Vec3>,
    /// Velocity; without one, none.
    pub velocity: Option<Vec3>,
}

/// How the units of a group are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Their outline.
    pub shape: UnitShape,
    /// Their color, if the file gives one.
    pub color: Option<Color>,
    /// What their colors show instead, if they do.
    pub color_by: Option<ColorBy>,
    /// Colors of units with a mark, the first that a unit has counts.
    pub marks: Vec<(String, Color)>,
    /// Factor on the drawn size, above zero.
    pub scale: f32,
    /// Seconds of path drawn behind a unit, not negative.
    pub trail: f32,
}

/// What the color of a unit shows.
#[derive(Clone, Debug, PartialEq)]
pub enum ColorBy {
    /// Its speed, from 0 to its body's top speed.
    Speed,
    /// How fast it turns, from 0 to [`ColorBy::TURN_RATE`].
    TurnRate,
    /// How many neighbors it has, from 0 to [`ColorBy::NEIGHBORS`].
    Neighbors,
    /// How much its behaviors oppose each other: the share of their contributions times gains that cancels
    /// out, from 0 to 1.
    Disagreement,
    /// A signal that scripts set.
    Signal {
        /// Its name.
        name: String,
        /// The value with the first color.
        from: f32,
        /// The value with the last color, another than `from`.
        to: f32,
    },
}

impl ColorBy {
    /// The turn rate with the last color, radians a second: half a turn.
    pub const TURN_RATE: f32 = std::f32::consts::PI;
    /// The number of neighbors with the last color.
    pub const NEIGHBORS: f32 = 20.0;
}

/// Outline of a drawn unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitShape {
    /// A hull with a pointed bow.
    Craft,
    /// A fish with a tail.
    Fish,
    /// A slender triangle.
    Dart,
    /// A disc with a mouth.
    Pie,
    /// A disc.
    Dot,
}

impl UnitShape {
    /// Every shape and its name in a file.
    pub const ALL: [(&'static str, Self); 5] = [
        ("Craft", Self::Craft),
        ("Fish", Self::Fish),
        ("Dart", Self::Dart),
        ("Pie", Self::Pie),
        ("Dot", Self::Dot),
    ];
}

/// Balls (circles in a plane) to be placed at random where they overlap nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// How many.
    pub count: usize,
    /// Radius of each, above zero.
    pub radius: f32,
    /// Least distance of each center from the world's edge, not negative.
    pub margin: f32,
}
