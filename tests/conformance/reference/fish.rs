//! Schools of fish with groups and enemies, in space.

use glam::DVec3;

use super::Doubt;

/// The direction to a mean nearer than this is ill-conditioned.
const LEAST_OFFSET: f64 = 0.2;

/// A fish, or the player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fish {
    pub(crate) group: usize,
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
}

/// The settings of all fish of a group.
#[derive(Clone, Debug)]
pub(crate) struct School {
    pub(crate) kinds: u64,
    pub(crate) enemies: u64,
    pub(crate) sense: f64,
    pub(crate) max_speed: f64,
    pub(crate) desired_speed: f64,
    pub(crate) max_velocity_change: f64,
    pub(crate) axes: DVec3,
    /// Distance, least and most.
    pub(crate) separation: [f64; 3],
    /// Distance and speed.
    pub(crate) avoidance: [f64; 2],
    pub(crate) cohesion: f64,
    pub(crate) alignment: f64,
    /// Chances along x, y and z, least random move, most and least rate.
    pub(crate) cruising: [f64; 6],
    /// True if the minimum rate replaces the rate, as originally printed.
    pub(crate) as_printed: bool,
    pub(crate) center: DVec3,
    pub(crate) radius: f64,
}

/// The contribution of each rule to the desired move, before its gain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) separation: DVec3,
    pub(crate) avoidance: DVec3,
    pub(crate) cohesion: DVec3,
    pub(crate) alignment: DVec3,
    pub(crate) cruising: DVec3,
    pub(crate) sphere: DVec3,
}

/// `draw` is the unit's random number of this step.
pub(crate) fn rules(all: &[Fish], schools: &[School], index: usize, draw: f64, doubt: &Doubt) -> Rules {
    let me = &all[index];
    let school = &schools[me.group];
    let others = || (0..).zip(all).filter(|(other, _)| *other != index).map(|(_, it)| it);
    let distance = |it: &Fish| (it.position - me.position).length();
    let visible = |it: &&Fish| doubt.less(distance(it), school.sense);
    let mates: Vec<_> = others().filter(|it| it.group == me.group).filter(visible).collect();
    let enemies = others().filter(|it| schools[it.group].kinds & school.enemies != 0);

    let mut rules = Rules {
        cruising: cruising(me, school, draw, doubt),
        sphere: sphere(me, school, doubt),
        ..Rules::default()
    };
    if let Some((r, mate)) = doubt.nearest(mates.iter().map(|it| (distance(it), *it))) {
        rules.separation = separation(mate.position - me.position, r, school, doubt);
        rules.alignment = doubt.direction(mate.velocity, 0.0) * school.alignment;
        let sum: DVec3 = mates.iter().map(|it| it.position).sum();
        let offset = sum / mates.len() as f64 - me.position;
        rules.cohesion = doubt.direction(offset, LEAST_OFFSET) * school.cohesion;
    }
    let [reach, speed] = school.avoidance;
    let enemies = enemies.filter(visible).map(|it| (distance(it), it));
    if let Some((r, enemy)) = doubt.nearest(enemies)
        && doubt.less(r, reach)
    {
        let away = me.position - enemy.position;
        rules.avoidance = doubt.direction(away, LEAST_OFFSET) * speed;
    }
    rules
}

fn separation(offset: DVec3, r: f64, school: &School, doubt: &Doubt) -> DVec3 {
    let [distance, least, most] = school.separation;
    let k = (r / distance).clamp(least, most);
    let toward = doubt.direction(offset, LEAST_OFFSET);
    if doubt.less(r, distance) {
        -k * toward
    } else if r > distance {
        k * toward
    } else {
        DVec3::ZERO
    }
}

fn cruising(me: &Fish, school: &School, draw: f64, doubt: &Doubt) -> DVec3 {
    let [x, y, z, least_move, most, least] = school.cruising;
    let speed = me.velocity.length();
    let sign = if doubt.less(school.desired_speed, speed) { -1.0 } else { 1.0 };
    let rate = ((speed - school.desired_speed).abs() / school.max_speed).clamp(least, most);
    let rate = if school.as_printed { least } else { rate };
    let axis = if draw < x {
        DVec3::X
    } else if draw < y {
        DVec3::Y
    } else if draw < z {
        DVec3::Z
    } else {
        DVec3::ZERO
    };
    (axis * least_move * sign).normalize_or_zero() * rate * sign
}

fn sphere(me: &Fish, school: &School, doubt: &Doubt) -> DVec3 {
    let home = school.center - me.position;
    if doubt.less(school.radius, home.length()) { home.normalize() * school.max_speed } else { DVec3::ZERO }
}

/// Position, velocity and attitude of a fish after a step.
pub(crate) struct Next {
    pub(crate) position: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) heading: DVec3,
    pub(crate) up: DVec3,
}

pub(crate) fn advance(me: &Fish, school: &School, desired: DVec3, step: f64) -> Next {
    let change = desired.clamp_length_max(school.max_velocity_change);
    let velocity = ((me.velocity + change) * school.axes).clamp_length_max(school.max_speed);
    let yaw = f64::atan2(velocity.x, velocity.z);
    let pitch = f64::atan2(-velocity.y, velocity.x.hypot(velocity.z));
    // The z axis and the y axis, first pitched about x, then yawed about y.
    let turned = |y: f64, z: f64| DVec3::new(z * yaw.sin(), y, z * yaw.cos());
    Next {
        position: me.position + velocity * step,
        velocity,
        heading: turned(-pitch.sin(), pitch.cos()),
        up: turned(pitch.cos(), pitch.sin()),
    }
}
