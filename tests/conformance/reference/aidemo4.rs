//! Rigid bodies that flock, avoid, follow leaders, chase and intercept: their steering.

use std::f64::consts::PI;

use glam::DVec2;

use super::Doubt;

const LENGTH: f64 = 4.0;
pub(crate) const STEERING_FORCE: f64 = 6.0;
pub(crate) const OBSTACLE_RADIUS: f64 = 8.0 * LENGTH;
const SEPARATION: f64 = 5.0 * LENGTH;
const FEELER: f64 = 25.0 * LENGTH;
const WIDE_RADIUS: f64 = 200.0 * LENGTH;
const LIMITED_RADIUS: f64 = 30.0 * LENGTH;
const NARROW_RADIUS: f64 = 50.0 * LENGTH;
/// Offsets and velocities below these lengths are means with too few accurate digits.
const LEAST_OFFSET: f64 = 3.0;
const LEAST_VELOCITY: f64 = 1.0;

/// A unit in the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Craft {
    pub(crate) position: DVec2,
    pub(crate) velocity: DVec2,
    /// A unit vector.
    pub(crate) heading: DVec2,
    /// Counter-clockwise.
    pub(crate) spin: f64,
    pub(crate) interceptor: bool,
}

impl Craft {
    /// Converts a world vector to the body frame: x to starboard, y forward.
    pub(crate) fn local(&self, d: DVec2) -> DVec2 {
        DVec2::new(self.starboard().dot(d), self.heading.dot(d))
    }

    pub(crate) fn starboard(&self) -> DVec2 {
        DVec2::new(self.heading.y, -self.heading.x)
    }

    fn course(&self) -> DVec2 {
        self.velocity.normalize_or_zero()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    Wide,
    Limited,
    Narrow,
    Off,
}

/// All data that steering depends on.
pub(crate) struct Scene {
    /// All units except the player.
    pub(crate) units: Vec<Craft>,
    pub(crate) player: Craft,
    pub(crate) obstacles: Vec<DVec2>,
    pub(crate) sight: Sight,
    pub(crate) chase: bool,
}

/// The contribution of each rule to the steering force, positive to starboard.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) cohesion: f64,
    pub(crate) alignment: f64,
    pub(crate) separation: f64,
    pub(crate) obstacles: f64,
    /// Chase or intercept.
    pub(crate) pursuit: f64,
    pub(crate) leader: bool,
}

pub(crate) fn rules(scene: &Scene, index: usize, doubt: &Doubt) -> Rules {
    let me = &scene.units[index];
    let others = || (0..).zip(&scene.units).filter(|(other, _)| *other != index).map(|(_, it)| it);
    let seen: Vec<_> = others().filter(|it| sees(me, it, scene.sight, doubt)).collect();
    let own: Vec<_> = seen.iter().copied().filter(|it| it.interceptor == me.interceptor).collect();
    let mut rules = Rules {
        separation: seen.iter().map(|it| separation(me, it, doubt)).sum(),
        obstacles: scene.obstacles.iter().map(|at| avoidance(me, *at, doubt)).sum(),
        ..Rules::default()
    };
    if !own.is_empty() {
        let mean =
            |part: fn(&Craft) -> DVec2| own.iter().map(|it| part(it)).sum::<DVec2>() / own.len() as f64;
        let center = mean(|it| it.position) - me.position;
        rules.cohesion = toward(me, center, LEAST_OFFSET, doubt);
        rules.alignment = toward(me, mean(|it| it.velocity), LEAST_VELOCITY, doubt);
    }
    if scene.chase {
        let in_front = others().filter(|it| sees(me, it, Sight::Narrow, doubt)).count();
        rules.leader = in_front == 0;
        if rules.leader || scene.sight == Sight::Off {
            rules.pursuit = pursuit(me, &scene.player, doubt);
        }
    }
    rules
}

fn sees(me: &Craft, it: &Craft, sight: Sight, doubt: &Doubt) -> bool {
    let d = it.position - me.position;
    let w = me.local(d);
    let ahead = |doubt: &Doubt| doubt.sign(w.y, d.length()) > 0.0;
    let (inside, radius) = match sight {
        Sight::Off => return false,
        // Abeam it is in view for either sign of w.y; only exactly abeam it is not.
        Sight::Wide => {
            let inside = w.y > 0.0 || (w.y < 0.0 && !doubt.less(w.x.abs(), w.y.abs()));
            doubt.note(w.y.abs() < 1e-4);
            (inside, WIDE_RADIUS)
        }
        Sight::Limited => (ahead(doubt), LIMITED_RADIUS),
        Sight::Narrow => {
            let inside = ahead(doubt) && doubt.less(w.x.abs(), w.y.abs());
            (inside, NARROW_RADIUS)
        }
    };
    inside && !doubt.less(radius, d.length())
}

/// −1 if a world vector points to port, +1 if to starboard.
fn side(me: &Craft, d: DVec2, doubt: &Doubt) -> f64 {
    doubt.sign(me.local(d).x, d.length())
}

fn separation(me: &Craft, it: &Craft, doubt: &Doubt) -> f64 {
    let d = it.position - me.position;
    if doubt.less(SEPARATION, d.length()) {
        return 0.0;
    }
    -side(me, d, doubt) * STEERING_FORCE * SEPARATION / d.length()
}

/// Steers to a direction in proportion to the angle between it and the course.
fn toward(me: &Craft, v: DVec2, least: f64, doubt: &Doubt) -> f64 {
    doubt.note(v.length() < least);
    let cosine = me.course().dot(v.normalize_or_zero());
    // There the angle has half the digits of its cosine.
    doubt.note(1.0 - cosine.abs() < 1e-4);
    if cosine.abs() >= 1.0 {
        return 0.0;
    }
    side(me, v, doubt) * STEERING_FORCE * cosine.acos() / PI
}

fn avoidance(me: &Craft, center: DVec2, doubt: &Doubt) -> f64 {
    let a = center - me.position;
    let p = me.course() * a.dot(me.course());
    let b = p - a;
    let near = doubt.less(b.length(), OBSTACLE_RADIUS);
    if !(near && doubt.less(p.length(), FEELER)) {
        return 0.0;
    }
    -side(me, a, doubt) * STEERING_FORCE * FEELER / a.length()
}

fn pursuit(me: &Craft, player: &Craft, doubt: &Doubt) -> f64 {
    let range = player.position - me.position;
    let mut d = range;
    if me.interceptor {
        let closing = (player.velocity - me.velocity).length();
        doubt.note(closing < 0.1);
        d += player.velocity * (range.length() / closing);
    }
    doubt.note(d.length() < 1.0);
    side(me, d, doubt) * STEERING_FORCE
}
