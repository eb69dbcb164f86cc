//! Loops over the obstacles near each unit, as far as there are none: most units are far from all of them. A unit that
//! has one near is decided by itself.

use std::mem::offset_of;

use cranelift_codegen::ir::types::{I8, I32X4};

use super::EmitLanes;
use super::context::{self, ObstacleSearch};
use super::value::Wide;
use crate::script::typed::form::Expr;
use crate::script::types::Kind;

impl<'b> EmitLanes<'_, 'b, '_> {
    pub(super) fn each_obstacle(&mut self, list: &'b Expr) {
        // A call pays for its first search alone.
        if list.is_call_of("obstacles") || !self.rounds.is_empty() || self.searches {
            self.refuse();
            return;
        }
        self.searches = true;
        let list = self.expr_as(list, Kind::Obstacles.into());
        if self.refused {
            return;
        }
        let (context, room) = (self.context, self.room(size_of::<ObstacleSearch>()));
        let reach = self.numbers(list[0]);
        self.store(reach, room, offset_of!(ObstacleSearch, reach));
        let active = self.value_of(self.active);
        self.store(active, room, offset_of!(ObstacleSearch, asking));
        if let Some(failed) = self.host(context::obstacles as *const (), &[context, room], Some(I8)) {
            self.give_up_if(failed);
        }
        let work = self.load(I32X4, room, offset_of!(ObstacleSearch, work));
        self.charge_each(work);
        let found = self.load(I32X4, room, offset_of!(ObstacleSearch, found));
        self.fail_if(Wide::Each(found));
    }
}
