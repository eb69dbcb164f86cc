//! Runs a script as a measure: one call of `measure` per group and state.

use std::sync::Arc;

use glam::Vec3;
use rhai::{Array, Dynamic};
use steerbox_core::diagnostics::caught;
use steerbox_core::sim::{Failure, Frozen, GroupMeasure, MeasureValue, UnitContext, work};

use crate::api::values::{Members, World};
use crate::budget;
use crate::checks::functions::Role;
use crate::front::program::Program;
use crate::interpret::call::{self, Limits};
use crate::interpret::explain;

/// A measure that a script computes.
#[derive(Debug)]
pub struct ScriptMeasure(Arc<Program>);

impl ScriptMeasure {
    /// Creates the measure of a program with `fn measure`.
    pub fn new(program: Arc<Program>) -> Self {
        Self(program)
    }
}

impl GroupMeasure for ScriptMeasure {
    fn value(&self, frozen: &Arc<Frozen>, group: usize) -> Result<Option<MeasureValue>, Failure> {
        let (program, place) = (&self.0, self.0.entry.place);
        let mut context = UnitContext::new(Arc::clone(frozen));
        context.set_behavior(0, 0);
        let limits =
            Limits { rate: budget::INTERPRETED, work: work::share(frozen.world.groups[group].units.len()) };
        let called = call::enter_limited(&program.environment, &mut context, &mut [], limits, || {
            // Functions of the deciding unit return nothing here.
            caught(|| {
                let value = program.call(Role::Measure.entry(), (Members::of_measure(frozen, group), World));
                let failed = |error: Box<_>| {
                    let source = call::with(|call| call.context.main_source());
                    explain::with_work_source(explain::failure(&error, place), source)
                };
                value.map_err(failed).and_then(|value| converted(&value, program))
            })
        });
        called.unwrap_or_else(|| Err(explain::internal_error(place)))
    }
}

/// Returns the value of a measure; `None` for `()`.
fn converted(value: &Dynamic, program: &Program) -> Result<Option<MeasureValue>, Failure> {
    if value.is_unit() {
        return Ok(None);
    }
    let place = program.entry.place;
    let other = |kind: &str| {
        let message = format!("measure returned {kind} instead of a number, a vector or an array of numbers");
        explain::failure_at(place, message, None)
    };
    let finite = |is_finite: bool, what: &str| {
        let message = format!("measure returned {what} that is not finite");
        let failure = || explain::failure_at(place, message, Some(program.entry.not_finite.clone()));
        if is_finite { Ok(()) } else { Err(failure()) }
    };
    if let Some(number) = number(value) {
        return finite(number.is_finite(), "a number").map(|()| Some(MeasureValue::Number(number)));
    }
    if let Some(vector) = value.read_lock::<Vec3>() {
        return finite(vector.is_finite(), "a vector").map(|()| Some(MeasureValue::Vector(*vector)));
    }
    let list = value.read_lock::<Array>().ok_or_else(|| other(&explain::kind_of(value)))?;
    let numbers: Option<Vec<f32>> = list.iter().map(number).collect();
    let numbers = numbers.ok_or_else(|| other("an array with other values"))?;
    finite(numbers.iter().all(|number| number.is_finite()), "a list with a number")?;
    Ok(Some(MeasureValue::List(numbers.into())))
}

fn number(value: &Dynamic) -> Option<f32> {
    let integer = || value.as_int().ok().map(|integer| integer as f32);
    value.as_float().ok().or_else(integer)
}
