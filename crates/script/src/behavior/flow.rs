//! Evaluates a script as a flow field: one call of `flow` per node.

use std::sync::Arc;

use glam::Vec3;
use steerbox_core::diagnostics::{Fault, caught};
use steerbox_core::sim::{Failure, Frozen, UnitContext, work};

use crate::api::values::World;
use crate::budget;
use crate::front::program::Program;
use crate::front::script::Script;
use crate::interpret::{call, explain};

/// The maximum work of all calls together.
const MAX_WORK: u64 = 20 * work::CALL;

/// Returns the vectors of a script's function `flow(point, world)` at `points` of a world.
///
/// # Errors
/// If a call fails or returns no vector, or if all calls together exceed the work limit.
pub fn flow(
    script: &Script,
    program: &Arc<Program>,
    frozen: &Arc<Frozen>,
    points: impl Iterator<Item = Vec3>,
) -> Result<Vec<Vec3>, Fault> {
    let mut left = MAX_WORK;
    let mut context = UnitContext::new(Arc::clone(frozen));
    let mut vectors = Vec::new();
    for point in points {
        context.set_behavior(0, 0);
        let vector = call::enter(&program.environment, &mut context, &mut [], budget::INTERPRETED, || {
            // Functions of the deciding unit return nothing here.
            let called = caught(|| vector_at(program, point));
            called.unwrap_or_else(|| Err(explain::internal_error(program.entry.place)))
        });
        let fault =
            |failure: Failure| script.fault(&explain::with_work_source(failure, context.main_source()));
        vectors.push(vector.map_err(fault)?);
        left = left.saturating_sub(context.work());
        if left == 0 {
            let message = "the field takes too long to fill";
            let fault = script.source().fault(script.entry(), message);
            return Err(fault.help("give it fewer cells in the scene, or less work for each"));
        }
    }
    Ok(vectors)
}

fn vector_at(program: &Program, point: Vec3) -> Result<Vec3, Failure> {
    let value = program.call("flow", (point, World));
    let value = value.map_err(|error| explain::failure(&error, program.entry.place))?;
    let vector = value.read_lock::<Vec3>().map(|vector| *vector);
    vector.filter(|vector| vector.is_finite()).ok_or_else(|| {
        let kind = explain::kind_of(&value);
        let message = format!("flow returned {kind} instead of a vector of finite numbers");
        explain::failure_at(program.entry.place, message, None)
    })
}
