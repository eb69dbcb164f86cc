//! `world`: time, extent, target, player, obstacles.

use glam::Vec3;
use rhai::{Dynamic, Engine};

use super::handles::{Obstacles, Unit, Universe};
use super::register::property;
use crate::script::call::with;
use crate::world::World;

pub(super) fn register(engine: &mut Engine) {
    fn read<R>(read: impl FnOnce(&World) -> R) -> R {
        with(|call| read(call.senses.world()))
    }
    property(engine, "time", |_: &mut Universe| read(World::time));
    property(engine, "step", |_: &mut Universe| read(|world| world.step));
    property(engine, "center", |_: &mut Universe| {
        read(|world| world.arena.center())
    });
    property(engine, "size", |_: &mut Universe| {
        read(|world| world.arena.size())
    });
    property(engine, "radius", |_: &mut Universe| {
        read(|world| world.arena.radius())
    });
    property(engine, "obstacles", |_: &mut Universe| Obstacles);
    property(engine, "target", |_: &mut Universe| {
        read(|world| world.target).map_or(Dynamic::UNIT, |target| Dynamic::from(apparent(target)))
    });
    property(engine, "player", |_: &mut Universe| {
        let player = read(|world| world.player.map(|unit| (unit, world.units.position[unit])));
        player.map_or(Dynamic::UNIT, |(unit, position)| {
            Dynamic::from(Unit {
                unit,
                position: apparent(position),
            })
        })
    });
}

/// A point where the deciding unit sees it: across the edge where that is nearer and views reach
/// across it.
fn apparent(point: Vec3) -> Vec3 {
    with(|call| {
        let world = call.senses.world();
        let me = world.units.position[call.senses.unit()];
        match world.arena.period() {
            Some(_) => me + world.arena.shortest(point - me),
            None => point,
        }
    })
}
