//! Functions of numbers for which the processor has no instruction.

use glam::Vec3;
use steerbox_core::world::lengths;

use super::super::vm::VmContext;

/// [`lengths::length`] of the first three numbers.
pub(in super::super) extern "C" fn length([x, y, z, _]: &mut [f32; 4]) {
    *x = lengths::length(Vec3::new(*x, *y, *z));
}

/// [`lengths::direction`], or zero.
pub(in super::super) extern "C" fn direction([x, y, z, _]: &mut [f32; 4]) {
    [*x, *y, *z] = lengths::direction(Vec3::new(*x, *y, *z)).unwrap_or_default().into();
}

/// [`lengths::shortened`] to the fourth number.
pub(in super::super) extern "C" fn shortened([x, y, z, max]: &mut [f32; 4]) {
    [*x, *y, *z] = lengths::shortened(Vec3::new(*x, *y, *z), *max).into();
}

/// The script engine's `**`, which calls the platform's function.
#[allow(clippy::disallowed_methods, reason = "machine code and the interpreter must agree")]
pub(in super::super) extern "C" fn powf(x: f32, y: f32) -> f32 {
    x.powf(y)
}

pub(in super::super) extern "C" fn remainder(x: f32, y: f32) -> f32 {
    x % y
}

/// The shift of the script language: a negative distance shifts in the other direction.
pub(in super::super) extern "C" fn shift_left(x: i64, by: i64) -> i64 {
    match by {
        64.. => 0,
        0..64 => x << by,
        _ => shift_right(x, by.saturating_abs()),
    }
}

pub(in super::super) extern "C" fn shift_right(x: i64, by: i64) -> i64 {
    match by {
        0..64 => x >> by,
        64.. => x >> 63,
        _ => shift_left(x, by.saturating_abs()),
    }
}

/// A power of integers; stores 1 as the count if it overflows.
pub(in super::super) extern "C" fn power(vm: &mut VmContext<'_>, x: i64, y: i64) -> i64 {
    let power = u32::try_from(y).ok().and_then(|y| x.checked_pow(y));
    vm.count = i64::from(power.is_none());
    power.unwrap_or(0)
}

/// Returns the number of integers between two by a step that is not zero. A step past the range of integers ends the
/// loop one iteration early, as in the script engine.
pub(in super::super) extern "C" fn steps(from: i64, to: i64, step: i64) -> i64 {
    let way = i128::from(to) - i128::from(from);
    let step = i128::from(step);
    if way.signum() != step.signum() {
        return 0;
    }
    let count = (way.abs() + step.abs() - 1) / step.abs();
    let end = i128::from(from) + count * step;
    let fits = i64::try_from(end).is_ok();
    i64::try_from(if fits { count } else { count - 1 }).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_of_steps_equals_the_iterations() {
        assert_eq!(steps(0, 10, 3), 4);
        assert_eq!(steps(0, 9, 3), 3);
        assert_eq!(steps(10, 0, -4), 3);
        assert_eq!(steps(0, 10, -1), 0);
        assert_eq!(steps(5, 5, 1), 0);
        assert_eq!(steps(i64::MAX - 3, i64::MAX, 2), 1);
    }

    #[test]
    fn negative_shifts_have_the_opposite_direction() {
        assert_eq!(shift_left(1, 3), 8);
        assert_eq!(shift_left(8, -3), 1);
        assert_eq!(shift_right(-8, 100), -1);
        assert_eq!(shift_left(1, 64), 0);
    }
}
