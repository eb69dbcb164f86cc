//! Lists of units.

use rhai::{Dynamic, Engine, INT};

use super::handles::{Unit, Units};
use super::register::{Number, def, property};
use crate::perception::{List, Neighbor, NeighborMeans};
use crate::script::call::{Fallible, with};
use crate::script::meaning;

impl From<Neighbor> for Unit {
    fn from(seen: Neighbor) -> Self {
        Self {
            unit: seen.unit,
            position: seen.position,
        }
    }
}

/// The units of a list, nearest first.
#[derive(Clone, Debug)]
pub(in crate::script) struct NearestFirst {
    list: List,
    next: usize,
}

impl Iterator for NearestFirst {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let seen = with(|call| call.context.nth(self.list, self.next))?;
        self.next += 1;
        Some(seen.into())
    }
}

impl IntoIterator for Units {
    type Item = Unit;
    type IntoIter = NearestFirst;

    fn into_iter(self) -> NearestFirst {
        NearestFirst {
            list: self.0,
            next: 0,
        }
    }
}

fn count(list: List) -> usize {
    means(list).count as usize
}

fn means(list: List) -> NeighborMeans {
    with(|call| {
        call.context.pay_look(list.source);
        call.context.means(list)
    })
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_iterator::<Units>();
    property(engine, "len", |list: &mut Units| count(list.0) as INT);
    property(engine, "is_empty", |list: &mut Units| count(list.0) == 0);
    let about = "How many units there are.";
    def(
        engine,
        "len",
        &["list: List", "int"],
        about,
        |list: Units| count(list.0) as INT,
    );
    let about = "Whether there is no unit.";
    def(
        engine,
        "is_empty",
        &["list: List", "bool"],
        about,
        |list: Units| count(list.0) == 0,
    );
    property(engine, "nearest", |list: &mut Units| {
        let nearest = with(|call| call.context.nearest(list.0));
        nearest.map_or(Dynamic::UNIT, |seen| Dynamic::from(Unit::from(seen)))
    });
    property(engine, "mean_position", |list: &mut Units| {
        means(list.0).position
    });
    property(engine, "mean_velocity", |list: &mut Units| {
        means(list.0).velocity
    });
    within::<f32>(engine);
    within::<INT>(engine);
    engine.register_indexer_get(|list: &mut Units, index: INT| at(list.0, index));
    // What a unit remembers is a number, also where it counts.
    engine.register_indexer_get(|list: &mut Units, index: f32| at(list.0, index as INT));
}

/// The `index`-th nearest unit.
fn at(list: List, index: INT) -> Fallible<Unit> {
    let index_from_0 = usize::try_from(index).ok();
    let seen = index_from_0.and_then(|index| with(|call| call.context.nth(list, index)));
    seen.map(Unit::from)
        .ok_or_else(|| format!("there is no [{index}] in a list of {}", count(list)).into())
}

fn within<N: Number + rhai::Variant>(engine: &mut Engine) {
    let signature = ["list: List", "radius: float", "List"];
    let about = "The units of the list no farther than `radius`.";
    def(
        engine,
        "within",
        &signature,
        about,
        |list: Units, radius: N| {
            let within = meaning::within(list.0.within, radius.number());
            Units(List { within, ..list.0 })
        },
    );
}
