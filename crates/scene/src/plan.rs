//! The content of a validated scene.

use std::{collections::BTreeMap, sync::Arc};

use glam::{UVec3, Vec2};
use steerbox_core::diagnostics::{Fault, Fix, closest, did_you_mean};
use steerbox_core::enum_with_all;
use steerbox_core::world::{Arena, Distribution, Domain, Flow, Group, ParamValue, Route, World};

use super::color::Color;
use super::expectation::Expectation;
use super::span::{Span, Spans};
use super::starts::Spawn;
use super::words::{MAX_FAULTS, quoted};

/// A scene with all names resolved and all numbers finite and within range.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The path of the file, as in messages.
    pub path: String,
    /// Its text, without a byte order mark; spans are ranges of its bytes.
    pub source: Arc<str>,
    /// Title of the window.
    pub title: String,
    /// One line of at most [`Scene::MAX_HINT_LENGTH`] characters about interactions.
    pub hint: Option<String>,
    /// Notes in Markdown, such as a lesson; at most [`Scene::MAX_NOTES_LENGTH`] bytes.
    pub notes: Option<Arc<str>>,
    /// The initial world without groups, units and scattered obstacles. Flow fields filled by scripts are zero.
    pub world: World,
    /// Simulated seconds per real second, above zero.
    pub speed: f32,
    /// The sources of the world's flow fields, in the same order.
    pub flows: Vec<FlowPlan>,
    /// For each grid of the world, the distribution of its initial values; `None` if the world contains them.
    pub initial: Vec<Option<Distribution>>,
    /// Groups in the order of the file; the player's group, if any, is the last.
    pub groups: Vec<GroupPlan>,
    /// Obstacles to be placed at random.
    pub scatter: Vec<Scatter>,
    /// Color of all obstacles, unless default.
    pub obstacle_color: Option<Color>,
    /// The colors of each grid at 0 and at its greatest value; those of the theme if `None`.
    pub grid_colors: Vec<Option<[Color; 2]>>,
    /// The appearance of the world.
    pub look: SceneLook,
    /// Key bindings.
    pub keys: Vec<KeyPlan>,
    /// Expectations about runs. The existence of their measures is not checked.
    pub expect: Vec<Expectation>,
    /// Positions of parts, for warnings.
    pub spans: Spans,
    /// Texts of the files that it names, as they were read.
    pub data: BTreeMap<String, Arc<str>>,
    /// Warnings found while reading, in order.
    pub warnings: Vec<Fault>,
}

impl Scene {
    /// Returns the part of a file that the scene uses.
    pub fn used_data<'a>(&self, name: &str, text: &'a str) -> &'a str {
        let used = self.groups.iter().filter_map(|plan| match &plan.spawn {
            Spawn::File { name: of, used, .. } if of == name => Some(*used),
            _ => None,
        });
        used.max().and_then(|used| text.get(..used)).unwrap_or(text)
    }

    /// Maximum length of a hint in characters.
    pub const MAX_HINT_LENGTH: usize = 120;

    /// Maximum length of notes in bytes.
    pub const MAX_NOTES_LENGTH: usize = 1 << 18;

    /// An empty scene, for a file at `path` that has no valid version yet.
    pub fn empty(path: impl Into<String>) -> Self {
        let path = path.into();
        Self {
            title: path.clone(),
            hint: None,
            notes: None,
            path,
            source: "".into(),
            world: World {
                arena: Arena { domain: Domain::Plane { size: Vec2::new(800.0, 600.0) }, ..Arena::default() },
                ..World::default()
            },
            speed: 1.0,
            flows: Vec::new(),
            initial: Vec::new(),
            groups: Vec::new(),
            scatter: Vec::new(),
            obstacle_color: None,
            grid_colors: Vec::new(),
            look: SceneLook::default(),
            keys: Vec::new(),
            expect: Vec::new(),
            spans: Spans::default(),
            data: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// Creates a fault at `span`, with the source line as excerpt.
    pub fn fault(&self, span: &Span, message: impl Into<String>) -> Fault {
        let at = (span.line, span.column);
        Fault::at(&self.path, &self.source, at, message).wide(span.width)
    }

    /// Returns a fault with a suggestion for every behavior whose script is not in `known`; at most 100.
    pub fn unknown_scripts(&self, known: &[&str]) -> Vec<Fault> {
        self.scripts()
            .filter(|behavior| !known.contains(&behavior.script.as_str()))
            .map(|behavior| {
                let name = &behavior.script;
                let message = format!("there is no script {}", quoted(name));
                let fault = self.fault(&behavior.span, message);
                let add = || "add it to the folder of scripts, as NAME.rhai".to_owned();
                let near = closest(name, known.iter().copied());
                let fix = near.map(|near| {
                    let range = behavior.span.range.clone();
                    Fix::replace(format!("write `{near}`"), range, format!("\"{near}\""))
                });
                fault.help(near.map_or_else(add, did_you_mean)).fixed(fix)
            })
            .take(MAX_FAULTS)
            .collect()
    }

    /// All uses of scripts: by behaviors, then by flow fields.
    pub fn scripts(&self) -> impl Iterator<Item = &ScriptUse> {
        let behaviors = self.groups.iter().flat_map(|group| &group.behaviors);
        let flows = self.flows.iter().filter_map(|flow| match &flow.source {
            FlowSource::Script { used, .. } => Some(&**used),
            FlowSource::Grid(_) | FlowSource::Toward(_) => None,
        });
        behaviors.chain(flows)
    }

    /// The total number of units of all groups.
    pub fn unit_count(&self) -> usize {
        self.groups.iter().map(|group| group.count).sum()
    }
}

/// A group of units with its start, behaviors and appearance.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupPlan {
    /// Its properties in the world, without the range of units. The player's group is called "player".
    pub common: Group,
    /// Number of units; 1 for the player.
    pub count: usize,
    /// Initial positions and velocities of its units.
    pub spawn: Spawn,
    /// Its behaviors in the order of the file.
    pub behaviors: Vec<ScriptUse>,
    /// The appearance of its units.
    pub look: Look,
    /// True if the keyboard controls its single unit.
    pub is_player: bool,
}

/// A flow field and the source of its vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowPlan {
    /// Its name.
    pub name: String,
    /// The source of its vectors.
    pub source: FlowSource,
}

impl FlowPlan {
    /// Returns true if both have the same content, regardless of their positions in the files.
    pub fn same_as(&self, other: &Self) -> bool {
        use FlowSource::Script;
        let same = match (&self.source, &other.source) {
            (Script { used: a, nodes: m }, Script { used: b, nodes: n }) => a.same_as(b) && m == n,
            (a, b) => a == b,
        };
        self.name == other.name && same
    }
}

/// The source of the vectors of a flow field.
#[derive(Clone, Debug, PartialEq)]
pub enum FlowSource {
    /// Values listed in the file.
    Grid(Flow),
    /// A script with a function `flow(point, world)`, called for each node.
    Script {
        /// The script and its parameters.
        used: Box<ScriptUse>,
        /// Number of nodes along each axis.
        nodes: UVec3,
    },
    /// The shortest paths to a goal around the obstacles.
    Toward(Box<Route>),
}

/// A key binding.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyPlan {
    /// A capital letter or a digit.
    pub key: char,
    /// Its action.
    pub action: KeyAction,
}

/// The action of a key binding.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyAction {
    /// Sets the view of all groups except the player's, or removes it.
    View(Option<usize>),
    /// Enables or disables the behaviors with these scripts.
    Switch(Vec<String>),
    /// Multiplies the speed of simulated time.
    Speed(f32),
}

/// A behavior of a group, or a flow field's script.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptUse {
    /// The script's name: letters, digits, `_` and `-`. Its existence is not checked.
    pub script: String,
    /// Weight of its result; any sign.
    pub gain: f32,
    /// True if it is enabled.
    pub enabled: bool,
    /// Parameters that differ from the script's defaults. Their existence is not checked.
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
    /// The fault of a gain that is a distribution, and the remedy.
    pub const ONE_GAIN: [&str; 2] = [
        "`gain` is the same number for all units of a group",
        "declare `const WEIGHT = param(1.0, 0.0, 3.0);` in the script, multiply its result by it, and write the \
        distribution as params: {\"WEIGHT\": Normal(1, 0.2)}",
    ];

    /// Returns true if both have the same content, regardless of their positions in the files.
    pub fn same_as(&self, other: &Self) -> bool {
        self.script == other.script
            && self.gain == other.gain
            && self.enabled == other.enabled
            && self.same_params(other)
    }

    /// Returns true if both set the same parameters to the same values, in the same order.
    pub(super) fn same_params(&self, other: &Self) -> bool {
        let same = |(a, b): (&ParamSetting, &ParamSetting)| a.name == b.name && a.value == b.value;
        self.params.len() == other.params.len() && self.params.iter().zip(&other.params).all(same)
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

/// The appearance of a world: its background, and what surrounds units and obstacles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the file")]
pub struct SceneLook {
    /// The colors of the background at the top and at the bottom; those of the theme if `None`.
    pub background: Option<[Color; 2]>,
    /// True if the border of a plane is shown.
    pub frame: bool,
    /// True if the grid of a plane is shown; in worlds of few units if `None`.
    pub grid: Option<bool>,
    /// True if the sphere of a space is shown.
    pub ball: bool,
    /// True if the floor of a space is shown, with the shadows of units.
    pub floor: bool,
    /// True if a space is filled with water: its colors, light shafts and motes.
    pub water: bool,
}

impl SceneLook {
    /// Units and obstacles only.
    pub const BARE: Self =
        Self { background: None, frame: false, grid: Some(false), ball: false, floor: false, water: false };
}

impl Default for SceneLook {
    fn default() -> Self {
        Self { background: None, frame: true, grid: None, ball: true, floor: true, water: true }
    }
}

/// The appearance of the units of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Their outline.
    pub shape: UnitShape,
    /// Their color, if the file gives one.
    pub color: Option<Color>,
    /// The quantity that colors represent, if any.
    pub color_by: Option<ColorBy>,
    /// Colors of units with a mark; the first matching mark applies.
    pub marks: Vec<(String, Color)>,
    /// Factor on the drawn size, above zero.
    pub scale: f32,
    /// Length of the drawn trail in seconds, not negative.
    pub trail: f32,
}

/// A quantity represented by the color of a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum ColorBy {
    /// Speed, from 0 to its body's maximum speed.
    Speed,
    /// Turn rate, from 0 to [`ColorBy::TURN_RATE`].
    TurnRate,
    /// Number of neighbors, from 0 to [`ColorBy::NEIGHBORS`].
    Neighbors,
    /// Disagreement of its behaviors: the fraction of their contributions times gains that cancels out, from 0 to 1.
    Disagreement,
    /// A signal that scripts set.
    Signal {
        /// Its name.
        name: String,
        /// The value of the first color.
        from: f32,
        /// The value of the last color, different from `from`.
        to: f32,
    },
}

impl ColorBy {
    /// The turn rate of the last color in radians per second: half a turn.
    pub const TURN_RATE: f32 = std::f32::consts::PI;
    /// The number of neighbors of the last color.
    pub const NEIGHBORS: f32 = 20.0;
}

enum_with_all! {
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
}

impl UnitShape {
    /// Returns its name in scenes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Craft => "Craft",
            Self::Fish => "Fish",
            Self::Dart => "Dart",
            Self::Pie => "Pie",
            Self::Dot => "Dot",
        }
    }
}

/// Balls (circles in a plane) to be placed at random without overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// The number of balls.
    pub count: usize,
    /// Radius of each, above zero.
    pub radius: f32,
    /// Minimum distance of each center from the world's edge, not negative.
    pub margin: f32,
}
