//! What units can follow: paths and flow fields.

use glam::Vec3;
use rhai::{Dynamic, Engine, INT, ImmutableString};

use super::handles::{Field, Me, Route, Universe};
use super::register::{Number, def, property};
use crate::script::call::{Fallible, with};
use crate::script::{meaning, tolls};
use crate::world::Path;

pub(super) fn register(engine: &mut Engine) {
    lookup(engine);
    paths(engine);
    distances::<f32>(engine);
    distances::<INT>(engine);
    let about = "The vector of the field at a point.";
    let signature = ["field: Field", "point: Vector", "Vector"];
    def(
        engine,
        "at",
        &signature,
        about,
        |field: Field, point: Vec3| with(|call| call.context.world().flows[field.0].flow.at(point)),
    );
}

/// The group's own, and any by its name.
fn lookup(engine: &mut Engine) {
    property(engine, "path", |_: &mut Me| {
        let path = with(|call| call.context.world().group_of(call.context.unit()).path);
        path.map_or(Dynamic::UNIT, |at| Dynamic::from(Route(at)))
    });
    property(engine, "field", |_: &mut Me| {
        let flow = with(|call| call.context.world().group_of(call.context.unit()).flow);
        flow.map_or(Dynamic::UNIT, |at| Dynamic::from(Field(at)))
    });
    let about = "A path that the scene names.";
    let signature = ["world: World", "name: string", "Path"];
    def(
        engine,
        "path",
        &signature,
        about,
        |_: Universe, name: ImmutableString| -> Fallible<Route> {
            let path = with(|call| {
                tolls::look_up_path(&mut call.context);
                meaning::path(&call.context, &name)
            });
            path.map(Route).map_err(Into::into)
        },
    );
    let about = "A flow field that the scene names.";
    let signature = ["world: World", "name: string", "Field"];
    def(
        engine,
        "field",
        &signature,
        about,
        |_: Universe, name: ImmutableString| -> Fallible<Field> {
            let field = with(|call| {
                tolls::look_up_field(&mut call.context);
                meaning::field(&call.context, &name)
            });
            field.map(Field).map_err(Into::into)
        },
    );
}

fn read<R>(route: Route, read: impl FnOnce(&Path) -> R) -> R {
    with(|call| read(&call.context.world().paths[route.0].path))
}

/// The nearest point of a path, and how far along that is.
fn nearest(path: Route, point: Vec3) -> (Vec3, f32) {
    with(|call| tolls::search_path(&mut call.context, path.0));
    read(path, |path| path.nearest(point))
}

fn paths(engine: &mut Engine) {
    property(engine, "length", |path: &mut Route| {
        read(*path, Path::length)
    });
    property(engine, "radius", |path: &mut Route| {
        read(*path, Path::radius)
    });
    property(engine, "is_closed", |path: &mut Route| {
        read(*path, Path::is_closed)
    });
    let signature = ["path: Path", "point: Vector", "Vector"];
    let about = "The point of the path nearest to a point.";
    def(
        engine,
        "nearest_point",
        &signature,
        about,
        |path: Route, point: Vec3| nearest(path, point).0,
    );
    let signature = ["path: Path", "point: Vector", "float"];
    let about = "How far along the path its point nearest to a point is.";
    def(
        engine,
        "distance_along",
        &signature,
        about,
        |path: Route, point: Vec3| nearest(path, point).1,
    );
}

/// What a distance along the path leads to.
fn distances<N: Number + rhai::Variant>(engine: &mut Engine) {
    let signature = ["path: Path", "distance: float", "Vector"];
    let about = "The point of the path at a distance from its start.";
    def(
        engine,
        "point_at",
        &signature,
        about,
        |path: Route, distance: N| {
            read(path, |path| {
                path.point_at(meaning::along(distance.number()))
            })
        },
    );
    let about = "The direction of the path at a distance from its start, a unit vector.";
    def(
        engine,
        "direction_at",
        &signature,
        about,
        |path: Route, distance: N| {
            read(path, |path| {
                path.direction_at(meaning::along(distance.number()))
            })
        },
    );
}
