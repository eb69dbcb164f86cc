//! `world`: time, extent, target, player, obstacles.

use rhai::{Dynamic, Engine};

use super::handles::{Obstacles, Unit, Universe};
use super::register::property;
use crate::script::call::with;
use crate::script::meaning;
use crate::world::World;

pub(super) fn register(engine: &mut Engine) {
    fn read<R>(read: impl FnOnce(&World) -> R) -> R {
        with(|call| read(call.context.world()))
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
        with(|call| meaning::target(&call.context)).map_or(Dynamic::UNIT, Dynamic::from)
    });
    property(engine, "player", |_: &mut Universe| {
        let player = with(|call| meaning::player(&call.context));
        player.map_or(Dynamic::UNIT, |(unit, position)| {
            Dynamic::from(Unit { unit, position })
        })
    });
}
