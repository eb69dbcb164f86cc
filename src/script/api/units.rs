//! What can be asked of a unit, and what the deciding unit alone can do.

use glam::Vec3;
use rhai::{Dynamic, Engine, ImmutableString};

use super::handles::{Me, Unit, Units};
use super::register::{Number, def, property};
use crate::perception::{List, Source};
use crate::script::call::{Call, Fallible, with};
use crate::script::{meaning, tolls};
use crate::sim::Shape;
use crate::world::Body;

/// A handle to one unit.
trait Someone: Copy + rhai::Variant {
    /// Index and apparent position.
    fn place(self, call: &Call) -> (usize, Vec3);
}

impl Someone for Me {
    fn place(self, call: &Call) -> (usize, Vec3) {
        let unit = call.context.unit();
        (unit, call.context.world().units.position[unit])
    }
}

impl Someone for Unit {
    fn place(self, _: &Call) -> (usize, Vec3) {
        (self.unit, self.position)
    }
}

pub(super) fn register(engine: &mut Engine) {
    motion::<Me>(engine);
    motion::<Unit>(engine);
    body::<Me>(engine);
    body::<Unit>(engine);
    questions::<Me>(engine);
    questions::<Unit>(engine);
    identity(engine);
    perception(engine);
    chance(engine);
    traces(engine);
}

fn motion<U: Someone>(engine: &mut Engine) {
    fn axis<U: Someone>(unit: U, read: impl FnOnce(&crate::world::Units, usize) -> Vec3) -> Vec3 {
        with(|call| read(&call.context.world().units, unit.place(call).0))
    }
    property(engine, "position", |unit: &mut U| {
        with(|call| unit.place(call).1)
    });
    property(engine, "velocity", |unit: &mut U| {
        axis(*unit, |units, at| units.velocity[at])
    });
    property(engine, "speed", |unit: &mut U| {
        axis(*unit, |units, at| units.velocity[at]).length()
    });
    property(engine, "heading", |unit: &mut U| {
        axis(*unit, |units, at| units.heading[at])
    });
    property(engine, "up", |unit: &mut U| {
        axis(*unit, |units, at| units.up[at])
    });
    property(engine, "starboard", |unit: &mut U| {
        axis(*unit, crate::world::Units::starboard)
    });
    property(engine, "angular_velocity", |unit: &mut U| {
        axis(*unit, |units, at| units.angular_velocity[at])
    });
}

fn body<U: Someone>(engine: &mut Engine) {
    fn read<U: Someone>(unit: U, read: impl FnOnce(&Body) -> f32) -> f32 {
        with(|call| read(&call.context.world().group_of(unit.place(call).0).body))
    }
    property(engine, "length", |unit: &mut U| read(*unit, Body::length));
    property(engine, "width", |unit: &mut U| read(*unit, Body::width));
    property(engine, "radius", |unit: &mut U| read(*unit, Body::radius));
    property(engine, "mass", |unit: &mut U| read(*unit, Body::mass));
    property(engine, "max_speed", |unit: &mut U| {
        read(*unit, Body::max_speed)
    });
    property(engine, "desired_speed", |unit: &mut U| {
        read(*unit, Body::desired_speed)
    });
    property(engine, "steering_force", |unit: &mut U| {
        read(*unit, Body::steering_force)
    });
    property(engine, "thrust", |unit: &mut U| read(*unit, Body::thrust));
    property(engine, "id", |unit: &mut U| {
        with(|call| unit.place(call).0 as rhai::INT)
    });
    property(engine, "index", |unit: &mut U| {
        with(|call| {
            let (unit, world) = (unit.place(call).0, call.context.world());
            (unit - world.group_of(unit).units.start) as rhai::INT
        })
    });
    property(engine, "group", |unit: &mut U| -> ImmutableString {
        with(|call| {
            call.context
                .world()
                .group_of(unit.place(call).0)
                .name
                .as_str()
                .into()
        })
    });
}

fn questions<U: Someone>(engine: &mut Engine) {
    let about = "Whether the unit is of a kind.";
    def(
        engine,
        "is",
        &["unit: Unit", "kind: string", "bool"],
        about,
        |unit: U, kind: ImmutableString| {
            with(|call| meaning::is(&call.context, unit.place(call).0, &kind))
        },
    );
    let about = "Whether a behavior marked the unit in the last step.";
    def(
        engine,
        "has_mark",
        &["unit: Unit", "name: string", "bool"],
        about,
        |unit: U, name: ImmutableString| {
            with(|call| meaning::has_mark(&call.context, unit.place(call).0, &name))
        },
    );
    let about = "Distance between centers.";
    def(
        engine,
        "distance_to",
        &["unit: Unit", "point: Vector", "float"],
        about,
        |unit: U, point: Vec3| with(|call| unit.place(call).1.distance(point)),
    );
    distance_between::<U, Me>(engine);
    distance_between::<U, Unit>(engine);
    let about = "World axes to the unit's: x to starboard, y forward, z up.";
    def(
        engine,
        "to_local",
        &["unit: Unit", "v: Vector", "Vector"],
        about,
        |unit: U, v: Vec3| {
            with(|call| {
                let (units, at) = (&call.context.world().units, unit.place(call).0);
                Vec3::new(
                    v.dot(units.starboard(at)),
                    v.dot(units.heading[at]),
                    v.dot(units.up[at]),
                )
            })
        },
    );
    let about = "The unit's axes to the world's.";
    def(
        engine,
        "to_world",
        &["unit: Unit", "v: Vector", "Vector"],
        about,
        |unit: U, v: Vec3| {
            with(|call| {
                let (units, at) = (&call.context.world().units, unit.place(call).0);
                units.starboard(at) * v.x + units.heading[at] * v.y + units.up[at] * v.z
            })
        },
    );
    let about = "On which side a point lies: −1 port, +1 starboard, 0 dead ahead or astern.";
    def(
        engine,
        "side",
        &["unit: Unit", "point: Vector", "float"],
        about,
        |unit: U, point: Vec3| {
            with(|call| {
                let (at, position) = unit.place(call);
                let across = (point - position).dot(call.context.world().units.starboard(at));
                if across > 0.0 {
                    1.0_f32
                } else if across < 0.0 {
                    -1.0
                } else {
                    0.0
                }
            })
        },
    );
}

fn distance_between<U: Someone, V: Someone>(engine: &mut Engine) {
    let signature = ["unit: Unit", "other: Unit", "float"];
    def(
        engine,
        "distance_to",
        &signature,
        "Distance between centers.",
        |unit: U, other: V| with(|call| unit.place(call).1.distance(other.place(call).1)),
    );
}

/// Units are equal when they are the same unit.
fn identity(engine: &mut Engine) {
    fn same<A: Someone, B: Someone>(a: A, b: B) -> bool {
        with(|call| a.place(call).0 == b.place(call).0)
    }
    engine.register_fn("==", same::<Unit, Unit>);
    engine.register_fn("==", same::<Unit, Me>);
    engine.register_fn("==", same::<Me, Unit>);
    engine.register_fn("==", same::<Me, Me>);
    engine.register_fn("!=", |a: Unit, b: Unit| !same(a, b));
    engine.register_fn("!=", |a: Unit, b: Me| !same(a, b));
    engine.register_fn("!=", |a: Me, b: Unit| !same(a, b));
    engine.register_fn("!=", |a: Me, b: Me| !same(a, b));
}

fn perception(engine: &mut Engine) {
    const fn all(source: Source) -> Units {
        Units(List {
            source,
            within: f32::INFINITY,
        })
    }
    property(engine, "neighbors", |_: &mut Me| all(Source::Neighbors));
    property(engine, "others", |_: &mut Me| all(Source::Others));
    property(engine, "enemies", |_: &mut Me| all(Source::Enemies));
    property(engine, "has_view", |_: &mut Me| {
        with(|call| {
            let world = call.context.world();
            world.group_of(call.context.unit()).view.is_some()
        })
    });
    let about = "The units in a view that the scene names.";
    def(
        engine,
        "see",
        &["me: Me", "view: string", "List"],
        about,
        |_: Me, name: ImmutableString| {
            let view = with(|call| {
                tolls::look_up_view(&mut call.context);
                meaning::view(&call.context, &name)
            });
            let list = view.map(|view| all(Source::View(view)));
            list.map_err(Into::into) as Fallible<Units>
        },
    );
}

fn chance(engine: &mut Engine) {
    let about = "A random number from 0 (inside) to 1 (outside).";
    def(engine, "random", &["me: Me", "float"], about, |_: Me| {
        with(|call| call.context.random())
    });
    between::<f32, f32>(engine);
    between::<f32, rhai::INT>(engine);
    between::<rhai::INT, f32>(engine);
    between::<rhai::INT, rhai::INT>(engine);
    let about = "A random direction: in the plane, or in space.";
    def(
        engine,
        "random_direction",
        &["me: Me", "Vector"],
        about,
        |_: Me| with(|call| meaning::random_direction(&mut call.context)),
    );
}

fn between<A: Number + rhai::Variant, B: Number + rhai::Variant>(engine: &mut Engine) {
    let signature = ["me: Me", "from: float", "to: float", "float"];
    let about = "A random number between two.";
    def(
        engine,
        "random_between",
        &signature,
        about,
        |_: Me, from: A, to: B| {
            let (from, to) = (from.number(), to.number());
            from + (to - from) * with(|call| call.context.random())
        },
    );
}

fn traces(engine: &mut Engine) {
    let about = "Marks the unit: shown, and visible to all in the next step.";
    def(
        engine,
        "mark",
        &["me: Me", "name: string"],
        about,
        |_: Me, name: ImmutableString| {
            with(|call| {
                let bit = meaning::mark(&call.context, &name)?;
                call.context.mark(bit);
                Ok(())
            }) as Fallible<()>
        },
    );
    let about = "Draws a line in the window.";
    def(
        engine,
        "draw_line",
        &["me: Me", "a: Vector", "b: Vector"],
        about,
        |_: Me, a: Vec3, b: Vec3| {
            with(|call| call.context.draw(|| Shape::Line(a, b)));
        },
    );
    circle::<f32>(engine);
    circle::<rhai::INT>(engine);
    let about = "Writes in the window.";
    def(
        engine,
        "draw_text",
        &["me: Me", "point: Vector", "text: string"],
        about,
        |_: Me, point: Vec3, text: Dynamic| {
            with(|call| call.context.draw(|| Shape::Text(point, text.to_string())));
        },
    );
}

fn circle<N: Number + rhai::Variant>(engine: &mut Engine) {
    let signature = ["me: Me", "center: Vector", "radius: float"];
    def(
        engine,
        "draw_circle",
        &signature,
        "Draws a circle in the window.",
        |_: Me, center: Vec3, radius: N| {
            with(|call| call.context.draw(|| Shape::Circle(center, radius.number())));
        },
    );
}
