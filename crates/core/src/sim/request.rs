//! Requests of behaviors for births, deaths and headings.

use glam::Vec3;

/// A change that a behavior requests; it is carried out after the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Request {
    /// The deciding unit.
    pub(super) unit: usize,
    pub(super) kind: RequestKind,
}

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RequestKind {
    /// The unit dies.
    Die,
    /// The unit heads in this direction, if it is a mover at rest.
    Face(Vec3),
    /// The unit has a child in this group.
    Spawn { group: usize, start: Option<Start> },
}

/// The start of a child that a behavior specifies; by default it is that of the parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// Its position.
    pub position: Vec3,
    /// Its velocity.
    pub velocity: Vec3,
}

/// The treatment of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Requests {
    /// They have no effect: the call is repeated or a trial.
    #[default]
    Ignored,
    Recorded,
    /// They fail: those of a step are carried out already.
    Refused,
}
