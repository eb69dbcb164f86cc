//! Loops over obstacles: over all of them, in which every lane has the same, and over those near each unit, nearest
//! first, in which lanes differ.

use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types::{I32X4, I64};
use steerbox_core::sim::BatchObstacles;

use super::EmitLanes;
use super::context::{self, ObstacleSearch};
use super::loops::{RowMask, Rows};
use super::value::{Uniform, Varying};
use crate::typed::ir::{Expr, Loop};
use crate::types::Kind;

impl<'b> EmitLanes<'_, 'b, '_> {
    pub(super) fn each_obstacle(&mut self, local: usize, list: &'b Expr, looping: &'b Loop) {
        if list.is_all_obstacles() {
            self.each_of_all(local, looping);
            return;
        }
        // Only the first search of a call is charged.
        if self.loops > 0 || self.searches {
            self.refuse();
            return;
        }
        self.searches = true;
        let list = self.expr_as(list, Kind::Obstacles.into());
        if self.refused {
            return;
        }
        let slot = self.slot(size_of::<ObstacleSearch>());
        let reach = self.numbers(list[0]);
        self.store(reach, slot, offset_of!(ObstacleSearch, reach));
        let active = self.value_of(self.active);
        self.store(active, slot, offset_of!(ObstacleSearch, active));
        let none = self.integer(0);
        self.store(none, slot, offset_of!(ObstacleSearch, work));
        self.host_or_abort(context::obstacles as *const (), &[slot]);
        let work = self.load(I32X4, slot, offset_of!(ObstacleSearch, work));
        self.add_cost_per_lane(work);
        let start = self.read_at(slot, offset_of!(ObstacleSearch, first));
        let count = self.read_at(slot, offset_of!(ObstacleSearch, count));
        let rows = Rows { start, count, size: size_of::<BatchObstacles>() };
        self.each_row(rows, RowMask::Lanes(offset_of!(BatchObstacles, lanes)), looping, |emit, at| {
            let obstacle = emit.load(I32X4, at, offset_of!(BatchObstacles, obstacle));
            emit.write(local, vec![Varying(obstacle)]);
        });
    }

    fn each_of_all(&mut self, local: usize, looping: &'b Loop) {
        let context = self.context;
        let Some(count) = self.host(context::obstacle_count as *const (), &[context], Some(I64)) else {
            return;
        };
        // Each obstacle is its own index.
        let start = self.builder.ins().iconst(I64, 0);
        self.each_row(Rows { start, count, size: 1 }, RowMask::All, looping, |emit, at| {
            emit.write(local, vec![Uniform(at)]);
        });
    }
}
