//! The rules in Rust, as behaviors with the same context as scripts.

use std::hint::black_box;
use std::sync::Arc;

use glam::Vec3;
use steerbox_core::perception::List;
use steerbox_core::sim::{Behavior, Contribution, UnitContext};

use crate::context::{means, read};
use crate::form::Form;
use crate::workload::{ALIGNMENT, ALL, CLOSE, COHESION, SEPARATION};

/// The rules with means and counts.
pub(crate) fn over_means() -> Vec<Arc<dyn Behavior>> {
    vec![
        Arc::new(|context: &mut UnitContext| {
            let own = position(context);
            push((means(context, ALL).position - own) * COHESION)
        }),
        Arc::new(|context: &mut UnitContext| {
            let own = velocity(context);
            push((means(context, ALL).velocity - own) * ALIGNMENT)
        }),
        Arc::new(|context: &mut UnitContext| {
            let own = position(context);
            let near = means(context, CLOSE);
            push((own - near.position) * (SEPARATION * near.count as f32))
        }),
    ]
}

/// The rules as loops over the neighbors.
pub(crate) fn as_loops() -> Vec<Arc<dyn Behavior>> {
    vec![
        Arc::new(|context: &mut UnitContext| {
            let own = position(context);
            let (sum, count) = sum(context, ALL, |_, position| position - own);
            push(sum * (COHESION / count.max(1.0)))
        }),
        Arc::new(|context: &mut UnitContext| {
            let own = velocity(context);
            let (sum, count) = sum(context, ALL, |velocity, _| velocity - own);
            push(sum * (ALIGNMENT / count.max(1.0)))
        }),
        Arc::new(|context: &mut UnitContext| {
            let own = position(context);
            let (sum, _) = sum(context, CLOSE, |_, position| own - position);
            push(sum * SEPARATION)
        }),
    ]
}

/// The queries of the rules without the rules: the time that is spent in the host.
pub(crate) fn host_alone(form: Form) -> Vec<Arc<dyn Behavior>> {
    let asking = |list| -> Arc<dyn Behavior> {
        match form {
            Form::Means => Arc::new(move |context: &mut UnitContext| {
                black_box(means(context, list));
                push(Vec3::ZERO)
            }),
            Form::Loops => Arc::new(move |context: &mut UnitContext| {
                read(context, list, |_, seen| {
                    black_box(seen);
                });
                push(Vec3::ZERO)
            }),
        }
    };
    [ALL, ALL, CLOSE].map(asking).into()
}

/// Returns the sum of `term`, of velocity and position, over a list, and the number of units in it.
fn sum(context: &mut UnitContext, list: List, term: impl Fn(Vec3, Vec3) -> Vec3) -> (Vec3, f32) {
    read(context, list, |world, seen| {
        let terms = seen.iter().map(|seen| term(world.units.velocity[seen.unit], seen.position));
        (terms.sum(), seen.len() as f32)
    })
}

fn position(context: &UnitContext) -> Vec3 {
    context.world().units.position[context.unit()]
}

fn velocity(context: &UnitContext) -> Vec3 {
    context.world().units.velocity[context.unit()]
}

fn push(push: Vec3) -> Contribution {
    Contribution::Push(push)
}
