//! News of a connection.

use super::message::State;

/// News of a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// A state of the window; the first one follows a connection.
    State(Box<State>),
    /// The result of the command of a number.
    Done(u64, Result<(), String>),
    /// The end of the connection.
    Lost,
}
