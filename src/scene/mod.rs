//! Scene files: their exact shape, every check, building and reconciling a world. Knows no script engine.

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// A number.
    Number(f32),
    /// An integer.
    Integer(i64),
    /// A switch.
    Switch(bool),
    /// One of several words.
    Choice(String),
}
