//! The kinds of files in this format.

/// The kind of a file in this format, which decides its fields and the words of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RonFile {
    /// A scene.
    Scene,
    /// The options of a sweep.
    Experiment,
}

/// A scene of one group, for an empty file.
const SCENE: &str = r#"(
    world: Plane(size: (800, 600)),
    bodies: {"dart": Mover(length: 8, max_speed: 80)},
    groups: [(name: "flock", body: "dart", count: 100)],
)
"#;

/// An experiment with a shipped scene, for an empty file.
const EXPERIMENT: &str = r#"(
    scene: "vicsek",
    vary: ["particles.vicsek.NOISE=0..5:11"],
    seeds: 4, steps: 1000,
    measure: ["polarization"],
)
"#;

impl RonFile {
    /// Its description with an article, as in the tables of fields.
    pub(super) fn owner(self) -> &'static str {
        match self {
            Self::Scene => "a scene",
            Self::Experiment => "an experiment",
        }
    }

    /// Its description without an article.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Scene => "scene",
            Self::Experiment => "experiment",
        }
    }

    /// Its outer form, for help.
    pub(super) fn form(self) -> &'static str {
        match self {
            Self::Scene => "( world: …, bodies: {…}, groups: […] )",
            Self::Experiment => "( scene: …, vary: […], steps: …, measure: […] )",
        }
    }

    /// A text for an empty file, and the title of its fix.
    pub(super) fn template(self) -> (&'static str, &'static str) {
        match self {
            Self::Scene => ("write a scene of one group", SCENE),
            Self::Experiment => ("write an experiment with one variable", EXPERIMENT),
        }
    }
}
