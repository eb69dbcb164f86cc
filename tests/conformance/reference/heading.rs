//! Units whose heading is their velocity, with a mouse target.

use glam::{DVec2, DVec3};

use super::Doubt;

const RADIUS: f64 = 100.0;
/// Cosine of the angle off the heading beyond which a unit is not seen.
const REAR: f64 = -0.86;
/// Directions of shorter offsets are ill-conditioned.
const LEAST_OFFSET: f64 = 0.5;

/// A unit: its heading is its displacement in an update.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pie {
    pub(crate) position: DVec2,
    pub(crate) heading: DVec2,
}

/// The weights of all units.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// Distance, least and most.
    pub(crate) separation: [f64; 3],
    pub(crate) heading: f64,
    pub(crate) center: f64,
    /// Minimum and maximum.
    pub(crate) goal: [f64; 2],
    /// Distance, least and most.
    pub(crate) collision: [f64; 3],
}

/// The contribution of each rule to the heading, before its gain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) separation: DVec2,
    pub(crate) alignment: DVec2,
    pub(crate) cohesion: DVec2,
    pub(crate) goal: DVec2,
    pub(crate) obstacle: DVec2,
}

/// `circles` are centers and radii.
pub(crate) fn rules(
    all: &[Pie],
    index: usize,
    target: Option<DVec2>,
    circles: &[(DVec2, f64)],
    weights: &Weights,
    doubt: &Doubt,
) -> Rules {
    let me = &all[index];
    let others = || (0..).zip(all).filter(|(other, _)| *other != index).map(|(_, it)| it);
    let visible: Vec<_> = others().filter(|it| sees(me, it, doubt)).collect();
    let mut rules = Rules { obstacle: obstacle(me, circles, weights, doubt), ..Rules::default() };
    if let Some(target) = target {
        rules.goal = goal(target - me.position, weights, doubt);
    }
    let distances = visible.iter().map(|it| (it.position.distance(me.position), *it));
    if let Some((distance, nearest)) = doubt.nearest(distances) {
        let toward = direction(nearest.position - me.position, doubt);
        rules.separation = toward * separation(distance, weights, doubt);
        rules.alignment = nearest.heading.normalize_or_zero() * weights.heading;
        let sum: DVec2 = visible.iter().map(|it| it.position).sum();
        let center = sum / visible.len() as f64 - me.position;
        rules.cohesion = direction(center, doubt) * weights.center;
    }
    rules
}

fn direction(v: DVec2, doubt: &Doubt) -> DVec2 {
    doubt.direction(DVec3::from((v, 0.0)), LEAST_OFFSET).truncate()
}

fn sees(me: &Pie, it: &Pie, doubt: &Doubt) -> bool {
    let d = it.position - me.position;
    let cosine = d.normalize_or_zero().dot(me.heading.normalize_or_zero());
    !doubt.less(RADIUS, d.length()) && !doubt.less(cosine, REAR)
}

fn separation(distance: f64, weights: &Weights, doubt: &Doubt) -> f64 {
    let [apart, least, most] = weights.separation;
    let weight = distance.clamp(least, most);
    if doubt.less(apart, distance) {
        weight
    } else if distance < apart {
        -weight
    } else {
        0.0
    }
}

fn goal(f: DVec2, weights: &Weights, doubt: &Doubt) -> DVec2 {
    let [least, most] = weights.goal;
    let past = f.length() - least;
    let sign = doubt.sign(past, least);
    f.normalize_or_zero() * past.abs().clamp(least, most) * sign
}

fn obstacle(me: &Pie, circles: &[(DVec2, f64)], weights: &Weights, doubt: &Doubt) -> DVec2 {
    let [reach, least, most] = weights.collision;
    let near = circles
        .iter()
        .map(|circle| (circle.0.distance(me.position), circle))
        .filter(|(distance, _)| doubt.less(*distance, reach));
    // Only the nearest one acts; if it is behind, none does.
    let Some((distance, (center, radius))) = doubt.nearest(near) else {
        return DVec2::ZERO;
    };
    let toward = (center - me.position).normalize_or_zero();
    let ahead = me.heading.normalize_or_zero();
    let dot = toward.dot(ahead);
    if doubt.sign(dot, 1.0) < 0.0 {
        return DVec2::ZERO;
    }
    let urgency = ((1.0 - dot) * (reach - distance + radius) / reach).clamp(least, most);
    doubt.note((ahead - toward).length() < 0.01);
    (ahead - toward).normalize_or_zero() * urgency
}

/// The next heading and position, ignoring circles in the way.
pub(crate) fn advance(me: &Pie, sum: DVec2) -> Pie {
    let heading = (me.heading + sum).clamp_length_max(1.0);
    Pie { position: me.position + heading, heading }
}
