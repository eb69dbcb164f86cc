//! The rules written in Rust, as behaviors over the same senses that scripts have.

use std::hint::black_box;
use std::sync::Arc;

use glam::Vec3;
use steerbox::perception::List;
use steerbox::sim::{Behavior, Contribution, Senses};

use crate::form::Form;
use crate::senses::{crowd, read};
use crate::workload::{ALIGNMENT, ALL, CLOSE, COHESION, SEPARATION};

/// The rules over means and counts.
pub(crate) fn over_means() -> Vec<Arc<dyn Behavior>> {
    vec![
        Arc::new(|senses: &mut Senses| {
            let own = position(senses);
            push((crowd(senses, ALL).position - own) * COHESION)
        }),
        Arc::new(|senses: &mut Senses| {
            let own = velocity(senses);
            push((crowd(senses, ALL).velocity - own) * ALIGNMENT)
        }),
        Arc::new(|senses: &mut Senses| {
            let own = position(senses);
            let near = crowd(senses, CLOSE);
            push((own - near.position) * (SEPARATION * near.count as f32))
        }),
    ]
}

/// The rules as loops over the neighbors.
pub(crate) fn as_loops() -> Vec<Arc<dyn Behavior>> {
    vec![
        Arc::new(|senses: &mut Senses| {
            let own = position(senses);
            let (sum, count) = sum(senses, ALL, |_, position| position - own);
            push(sum * (COHESION / count.max(1.0)))
        }),
        Arc::new(|senses: &mut Senses| {
            let own = velocity(senses);
            let (sum, count) = sum(senses, ALL, |velocity, _| velocity - own);
            push(sum * (ALIGNMENT / count.max(1.0)))
        }),
        Arc::new(|senses: &mut Senses| {
            let own = position(senses);
            let (sum, _) = sum(senses, CLOSE, |_, position| own - position);
            push(sum * SEPARATION)
        }),
    ]
}

/// What the rules ask of the host, and no rules: how much of the time is not theirs.
pub(crate) fn host_alone(form: Form) -> Vec<Arc<dyn Behavior>> {
    let asking = |list| -> Arc<dyn Behavior> {
        match form {
            Form::Means => Arc::new(move |senses: &mut Senses| {
                black_box(crowd(senses, list));
                push(Vec3::ZERO)
            }),
            Form::Loops => Arc::new(move |senses: &mut Senses| {
                read(senses, list, |_, seen| {
                    black_box(seen);
                });
                push(Vec3::ZERO)
            }),
        }
    };
    [ALL, ALL, CLOSE].map(asking).into()
}

/// The sum of `term`, of velocity and position, over a list, and how many are in it.
fn sum(senses: &mut Senses, list: List, term: impl Fn(Vec3, Vec3) -> Vec3) -> (Vec3, f32) {
    read(senses, list, |world, seen| {
        let terms = seen
            .iter()
            .map(|seen| term(world.units.velocity[seen.unit], seen.position));
        (terms.sum(), seen.len() as f32)
    })
}

fn position(senses: &Senses) -> Vec3 {
    senses.world().units.position[senses.unit()]
}

fn velocity(senses: &Senses) -> Vec3 {
    senses.world().units.velocity[senses.unit()]
}

fn push(push: Vec3) -> Contribution {
    Contribution::Push(push)
}
