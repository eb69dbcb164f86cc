//! The sums of cohesion, alignment and separation, hand-written for this case.

#![allow(clippy::inline_always, reason = "compiled for the instruction set of the caller")]

use std::time::Instant;

use pulp::Simd;
use steerbox_core::world::World;

const LANES: usize = 8;
/// Units sorted by cell, as arrays by field.
struct Sorted {
    side: f32,
    cells: [usize; 2],
    starts: Vec<u32>,
    x: Vec<f32>,
    y: Vec<f32>,
    vx: Vec<f32>,
    vy: Vec<f32>,
}

/// The sums for the rules, for each unit.
#[derive(Clone, Copy, Default)]
#[allow(dead_code, reason = "computed to be timed")]
struct Means {
    near: [f32; 5],
    close: [f32; 3],
}

/// Returns nanoseconds per unit and step for sorting and summing.
pub(crate) fn nanoseconds(world: &World, radius: f32, apart: f32, steps: usize) -> f64 {
    let start = Instant::now();
    let mut means = vec![Means::default(); world.units.len()];
    for _ in 0..steps {
        let sorted = Sorted::of(world, radius);
        pulp::Arch::new().dispatch(Work { sorted: &sorted, radius, apart, means: &mut means });
        std::hint::black_box(&means);
    }
    start.elapsed().as_secs_f64() * 1e9 / (steps * world.units.len()) as f64
}

struct Work<'a> {
    sorted: &'a Sorted,
    radius: f32,
    apart: f32,
    means: &'a mut [Means],
}

impl pulp::WithSimd for Work<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { sorted, radius, apart, means } = self;
        for row in 0..sorted.cells[1] {
            let from = sorted.starts[row * sorted.cells[0]] as usize;
            let to = sorted.starts[(row + 1) * sorted.cells[0]] as usize;
            for (means, slot) in means[from..to].iter_mut().zip(from..) {
                *means = one(simd, sorted, row, slot, [radius, apart]);
            }
        }
    }
}

impl Sorted {
    fn of(world: &World, radius: f32) -> Self {
        let side = world.arena.size().x;
        let rows = (side / radius).floor().max(1.0) as usize;
        let cells = [rows * 4, rows];
        let per = [cells[0] as f32 / side, cells[1] as f32 / side];
        let positions = &world.units.position;
        let cell = |x: f32, y: f32| {
            let column = ((x * per[0]) as usize).min(cells[0] - 1);
            ((y * per[1]) as usize).min(cells[1] - 1) * cells[0] + column
        };
        let mut starts = vec![0_u32; cells[0] * cells[1] + 1];
        let of: Vec<u32> = positions.iter().map(|p| cell(p.x, p.y) as u32).collect();
        for cell in &of {
            starts[*cell as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut order = vec![0_u32; positions.len()];
        for (unit, cell) in of.iter().enumerate().rev() {
            let start = &mut starts[*cell as usize];
            *start -= 1;
            order[*start as usize] = unit as u32;
        }
        let velocities = &world.units.velocity;
        let room = positions.len() + LANES;
        let [mut x, mut y, mut vx, mut vy] = [(); 4].map(|()| vec![0.0; room]);
        let columns = x.iter_mut().zip(&mut y).zip(vx.iter_mut().zip(&mut vy));
        for (((x, y), (vx, vy)), unit) in columns.zip(&order) {
            let (position, velocity) = (positions[*unit as usize], velocities[*unit as usize]);
            [*x, *y, *vx, *vy] = [position.x, position.y, velocity.x, velocity.y];
        }
        Self { side, cells, starts, x, y, vx, vy }
    }
}

/// Returns the means of one unit: both in one pass over three rows.
#[inline(always)]
fn one<S: Simd>(simd: S, sorted: &Sorted, row: usize, slot: usize, reach: [f32; 2]) -> Means {
    let [columns, rows] = sorted.cells.map(|cells| cells as isize);
    let (x, y, radius) = (sorted.x[slot], sorted.y[slot], reach[0]);
    let per = columns as f32 / sorted.side;
    let first = ((x - radius) * per + 16.0) as isize - 16;
    let last = ((x + radius) * per) as isize;
    let seam = first < 0 || last >= columns || row == 0 || row as isize + 1 == rows;
    let mut runs = [[0; 2]; 9];
    let mut count = 0;
    for step in -1..=1 {
        let start = ((row as isize + step + rows) % rows) * columns;
        for lap in [0, columns, -columns] {
            let from = (first + lap).max(0);
            let to = (last + 1 + lap).min(columns);
            if from < to && (lap == 0 || seam) {
                let slots = [start + from, start + to];
                runs[count] = slots.map(|cell| sorted.starts[cell as usize] as usize);
                count += 1;
            }
        }
    }
    if seam {
        sum::<S, true>(simd, sorted, [x, y], slot, &runs[..count], reach)
    } else {
        sum::<S, false>(simd, sorted, [x, y], slot, &runs[..count], reach)
    }
}

#[inline(always)]
fn sum<S: Simd, const SEAM: bool>(
    simd: S,
    sorted: &Sorted,
    [x, y]: [f32; 2],
    me: usize,
    runs: &[[usize; 2]],
    [radius, apart]: [f32; 2],
) -> Means {
    let all = |number| simd.splat_f32s(number);
    let (zero, one) = (all(0.0), all(1.0));
    let (mut near, mut close) = ([zero; 5], [zero; 3]);
    let room = sorted.x.len();
    let [xs, ys, us, vs] = [&sorted.x, &sorted.y, &sorted.vx, &sorted.vy].map(|c| &c[..room]);
    let lanes: S::u32s = S::as_simd_u32s(&[0, 1, 2, 3, 4, 5, 6, 7][..S::F32_LANES]).0[0];
    let (x, y, me) = (all(x), all(y), simd.splat_u32s(me as u32));
    let (radius, apart) = (all(radius * radius), all(apart * apart));
    let (side, half) = (sorted.side, 0.5 * sorted.side);
    let wrap = |offset| {
        if !SEAM {
            return offset;
        }
        let back = simd.select_f32s(simd.less_than_or_equal_f32s(offset, all(-half)), all(-side), zero);
        let lap = simd.select_f32s(simd.greater_than_or_equal_f32s(offset, all(half)), all(side), back);
        simd.sub_f32s(offset, lap)
    };
    for [from, to] in runs {
        let mut at = *from;
        while at < *to {
            let load = |column: &[f32]| S::as_simd_f32s(&column[at..at + S::F32_LANES]).0[0];
            let dx = wrap(simd.sub_f32s(load(xs), x));
            let dy = wrap(simd.sub_f32s(load(ys), y));
            let square = simd.add_f32s(simd.mul_f32s(dx, dx), simd.mul_f32s(dy, dy));
            let slots = simd.add_u32s(lanes, simd.splat_u32s(at as u32));
            let before = simd.less_than_u32s(slots, simd.splat_u32s(*to as u32));
            let other = simd.and_m32s(before, simd.not_m32s(simd.equal_u32s(slots, me)));
            let sees = simd.and_m32s(simd.less_than_or_equal_f32s(square, radius), other);
            let feels = simd.and_m32s(simd.less_than_or_equal_f32s(square, apart), other);
            for (sum, value) in near.iter_mut().zip([one, dx, dy, load(us), load(vs)]) {
                *sum = simd.add_f32s(*sum, simd.select_f32s(sees, value, zero));
            }
            for (sum, value) in close.iter_mut().zip([one, dx, dy]) {
                *sum = simd.add_f32s(*sum, simd.select_f32s(feels, value, zero));
            }
            at += S::F32_LANES;
        }
    }
    let total = |lanes| simd.reduce_sum_f32s(lanes);
    let [n, x, y, u, v] = near;
    let mut near = [total(n), total(x), total(y), total(u), total(v)];
    let [n, x, y] = close;
    let mut close = [total(n), total(x), total(y)];
    let (count, some) = (1.0 / near[0].max(1.0), 1.0 / close[0].max(1.0));
    near[1..].iter_mut().for_each(|sum| *sum *= count);
    close[1..].iter_mut().for_each(|sum| *sum *= some);
    Means { near, close }
}
