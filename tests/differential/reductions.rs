//! Reductions over units iterate in slot order: alone or after any queries of other behaviors, compiled or interpreted,
//! on any number of threads.

use std::sync::Arc;

use glam::Vec3;
use steerbox_core::perception::{Grid, List, Neighbor, Source};
use steerbox_core::sim::{Behavior, Contribution, Simulation, Slot, UnitContext, slot_key};
use steerbox_core::world::{Edges, World, testing};

use crate::common::on_threads;
use crate::stage::Both;
use crate::watch::Log;

/// The radius of the view.
const VIEW: f32 = 2.0;
/// Ranges that are answered from near units, from all units, and that cover the whole view.
const REACHES: [f32; 4] = [0.4, 1.1, 1.9, 100.0];

fn world() -> World {
    let mut world = testing::world(&[150, 150], VIEW, |_, draw| {
        (Vec3::new(draw(0), draw(1), 0.0) * 10.0, Vec3::new(draw(2), draw(3), 0.0))
    });
    world.arena = testing::plane(10.0, 10.0, Edges::Wrap);
    world.arena.seamless = true;
    world
}

/// Returns the results of each unit's last behavior in the first step, after the others.
fn outcomes(before: &[Arc<dyn Behavior>], last: &Arc<dyn Behavior>, threads: usize) -> Vec<Contribution> {
    let slot = |(at, behavior): (usize, &Arc<dyn Behavior>)| {
        let name = format!("rule {at}");
        Slot::new(&*name, slot_key(&name, 0), Some(Arc::clone(behavior)))
    };
    let slots: Vec<_> = before.iter().chain([last]).enumerate().map(slot).collect();
    let (log, last) = (Log::default(), slots.len() - 1);
    let mut simulation = Simulation::new(world(), log.watch(&[slots.clone(), slots]));
    on_threads(threads, || simulation.step());
    let deeds = log.take().into_iter().filter(|deed| deed.slot == last);
    deeds.map(|deed| deed.result.expect("it does not fail")).collect()
}

/// Sums the offsets to all units within a range, in slot order.
fn fold(reach: f32) -> Arc<dyn Behavior> {
    Arc::new(move |context: &mut UnitContext| {
        let mut grid = Grid::default();
        grid.rebuild(context.world());
        let own = context.world().units.position[context.unit()];
        let near: Vec<Neighbor> = context.units(List { source: Source::Others, within: reach }).collect();
        let in_slots =
            grid.order().iter().filter_map(|unit| near.iter().find(|it| it.unit == *unit as usize));
        Contribution::Push(in_slots.fold(Vec3::ZERO, |sum, it| sum + (it.position - own)))
    })
}

fn compiled(text: &str) -> Both {
    let both = Both::of(text, &[]).unwrap_or_else(|faults| panic!("{}", faults[0].summary()));
    assert_eq!(both.unsupported, None, "it is compiled");
    both
}

/// The same in a script, which also counts.
fn summed(reach: f32) -> Both {
    compiled(&format!(
        "fn steer(me, world) {{
            let near = me.others.within({reach:?});
            let sum = vec(0, 0);
            let count = 0;
            for o in near {{ sum += o.position - me.position; count += 1; }}
            if count != near.len {{ return (); }}
            sum
        }}"
    ))
}

#[test]
fn sums_are_folds_in_slot_order_after_any_behaviors() {
    let asks = [
        "let s = 0; for o in me.others { s = s * 2 + o.id % 2; } ()",
        "let s = 0; for o in me.others.within(0.9) { s = s * 2 + o.id % 2; } ()",
        "let d = 0.0; for o in me.others.within(1.3) { d = max(d, o.speed); } ()",
        "me.draw_line(me.position, me.others.mean_position + me.others.within(0.3).mean_heading); ()",
        "if me.others.nearest == () { 0 } else { me.others[0].speed * 0 }",
    ];
    let asks: Vec<_> =
        asks.iter().map(|body| compiled(&format!("fn steer(me, world) {{ {body} }}"))).collect();
    let native = |both: &Both| Arc::clone(&both.native);
    let interpreted = |both: &Both| Arc::clone(&both.interpreted);
    for reach in REACHES {
        let expected = outcomes(&[], &fold(reach), 1);
        let both = summed(reach);
        assert_eq!(both.reductions, 1);
        for first in 0..=asks.len() {
            let threads = [1, 2, 4][first % 3];
            let before: Vec<_> = asks[..first].iter().rev().collect();
            let of_native: Vec<_> = before.iter().map(|both| native(both)).collect();
            let of_interpreted: Vec<_> = before.iter().map(|both| interpreted(both)).collect();
            for found in [
                outcomes(&of_native, &both.native, threads),
                outcomes(&of_interpreted, &both.interpreted, threads),
            ] {
                let same = found.iter().zip(&expected).all(|(found, expected)| found.has_bits_of(expected));
                assert!(same && found.len() == expected.len(), "within {reach}, after {first} others");
            }
        }
    }
}

#[test]
fn the_cost_does_not_depend_on_earlier_queries() {
    let charged = |before: &[Arc<dyn Behavior>]| {
        let last: Arc<dyn Behavior> = Arc::new(|context: &mut UnitContext| {
            let list = List { source: Source::Others, within: 1.1 };
            context.in_slots(list);
            let first = context.work();
            context.in_slots(list);
            Contribution::Push(Vec3::new(first as f32, (context.work() - first) as f32, 0.0))
        });
        outcomes(before, &last, 1)
    };
    let alone = charged(&[]);
    let ordered: Arc<dyn Behavior> = Arc::new(|context: &mut UnitContext| {
        context.ordered(List::all(Source::Others));
        Contribution::None
    });
    assert_eq!(charged(&[ordered]), alone);
    for charge in alone {
        let Contribution::Push(charge) = charge else { panic!("a push") };
        // Every loop has the same cost.
        assert!(charge.x > 0.0 && charge.x == charge.y, "{charge}");
    }
}
