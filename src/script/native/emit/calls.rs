//! Calls: of what is built in, and of the script's own functions.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I8, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::cost::Cost;
use super::super::failure::Cause;
use super::super::form::{Builtin, Call, Expr, Place, WorldFact};
use super::super::host;
use super::super::kind::{Kind, Type};
use super::super::vm::VmContext;
use super::Emit;
use super::value::Parts;
use crate::script::budget::MAX_CALLS;
use crate::sim::Arrays;

/// Of calling a function of the script, beside what it does.
const CALL: Cost = Cost { work: 10, looks: 0 };

impl Emit<'_, '_, '_> {
    /// A call of something built in: its arguments, a failure if one of them is `()`, the work.
    pub(super) fn call(&mut self, call: &Call, of: Type) -> Parts {
        let mut values: Vec<Parts> = Vec::with_capacity(call.arguments.len());
        for argument in &call.arguments {
            let parts = self.expr(argument);
            if argument.of.kind == Kind::Never {
                return self.zeros(of);
            }
            values.push(parts);
        }
        if call.to == Builtin::ToNumber && of.maybe {
            return self.maybe_number(&values[0]);
        }
        self.certain(call, &mut values);
        self.built_in(call, &values, of)
    }

    /// An integer that may be `()` as a number that may be.
    fn maybe_number(&mut self, parts: &[Value]) -> Parts {
        let number = self.builder.ins().fcvt_from_sint(F32, parts[1]);
        vec![parts[0], number]
    }

    /// Takes the flags off arguments, and fails if one says that there is nothing.
    fn certain(&mut self, call: &Call, values: &mut [Parts]) {
        let mut nothing: Option<Value> = None;
        for (index, argument) in call.arguments.iter().enumerate() {
            if !argument.of.maybe {
                continue;
            }
            let flag = values[index].remove(0);
            let bit = self.builder.ins().icmp_imm_s(IntCC::Equal, flag, 0);
            let bit = self.builder.ins().uextend(I64, bit);
            let bit = self.builder.ins().ishl_imm_s(bit, index as i64);
            nothing = Some(match nothing {
                Some(before) => self.builder.ins().bor(before, bit),
                None => bit,
            });
        }
        let Some(nothing) = nothing else {
            return;
        };
        let any = self.builder.ins().icmp_imm_s(IntCC::NotEqual, nothing, 0);
        let cause = if call.to == Builtin::Expect && call.name.is_empty() {
            Cause::NoSwitch
        } else if call.is_property {
            Cause::Property(call.name.clone())
        } else {
            Cause::Mismatch(call.name.clone(), call.shown.clone())
        };
        self.fail_if(any, call.place, cause, [nothing, nothing]);
    }

    fn built_in(&mut self, call: &Call, values: &[Parts], of: Type) -> Parts {
        let kinds: Vec<_> = call.arguments.iter().map(|value| value.of.kind).collect();
        self.operator(call, values, &kinds)
            .or_else(|| self.of_numbers(call.to, values, &kinds))
            .or_else(|| self.of_ranges(call.to, values, &kinds))
            .or_else(|| self.of_vectors(call.to, values))
            .or_else(|| self.of_units(call, values, &kinds))
            .or_else(|| self.of_lists(call, values, &kinds))
            .or_else(|| self.of_world(call, values))
            .or_else(|| self.of_routes(call.to, values, call.place))
            .unwrap_or_else(|| self.zeros(of))
    }

    /// Where an argument is: a point, or a unit.
    fn point(&mut self, argument: &Expr, parts: &[Value]) -> Parts {
        match argument.of.kind {
            Kind::Vector => parts.to_vec(),
            kind => self.unit_position(kind, parts),
        }
    }

    fn of_units(&mut self, call: &Call, values: &[Parts], kinds: &[Kind]) -> Option<Parts> {
        let kind = kinds.first().copied().unwrap_or(Kind::Nothing);
        let receiver = values.first().map_or(&[][..], |parts| parts);
        Some(match call.to {
            Builtin::Unit(fact) => self.unit_fact(fact, kind, receiver),
            Builtin::Distance => {
                let a = self.point(&call.arguments[0], receiver);
                let b = self.point(&call.arguments[1], &values[1]);
                vec![self.distance(&a, &b)]
            }
            Builtin::Is | Builtin::HasMark => {
                let unit = self.unit_index(kind, receiver);
                let is_group = i64::from(kinds[1] == Kind::Group);
                let is_group = self.builder.ins().iconst(I64, is_group);
                let address = match call.to {
                    Builtin::Is => host::is as *const (),
                    _ => host::has_mark as *const (),
                };
                vec![self.host_value(address, &[unit, is_group, values[1][0]], I8)]
            }
            Builtin::ToLocal => {
                let unit = self.unit_index(kind, receiver);
                self.in_own_axes(unit, &values[1])
            }
            Builtin::ToWorld => {
                let unit = self.unit_index(kind, receiver);
                self.in_world_axes(unit, &values[1])
            }
            Builtin::Side => {
                let unit = self.unit_index(kind, receiver);
                let position = self.unit_position(kind, receiver);
                vec![self.side(unit, &position, &values[1])]
            }
            _ => return self.of_me(call, values, kinds),
        })
    }

    fn of_lists(&mut self, call: &Call, values: &[Parts], kinds: &[Kind]) -> Option<Parts> {
        let kind = kinds.first().copied().unwrap_or(Kind::Nothing);
        Some(match call.to {
            Builtin::Units(source) => self.units(source),
            Builtin::Count => vec![self.count(kind, &values[0])],
            Builtin::IsEmpty => {
                let count = self.count(kind, &values[0]);
                vec![self.builder.ins().icmp_imm_s(IntCC::Equal, count, 0)]
            }
            Builtin::Nearest => self.nearest(kind, &values[0], call.place),
            Builtin::MeanPosition | Builtin::MeanVelocity => self.means(call.to, &values[0]),
            Builtin::Within => self.within(&values[0], values[1][0]),
            Builtin::At => self.at(kind, &values[0], values[1][0], call.place),
            _ => return None,
        })
    }

    fn of_world(&mut self, call: &Call, values: &[Parts]) -> Option<Parts> {
        Some(match call.to {
            Builtin::World(fact) => match fact {
                WorldFact::Time => vec![self.state(F32, offset_of!(Arrays, time))],
                WorldFact::Step => vec![self.state(F32, offset_of!(Arrays, step))],
                WorldFact::Radius => vec![self.state(F32, offset_of!(Arrays, radius))],
                WorldFact::Center => self.fixed_vector(offset_of!(Arrays, center)),
                WorldFact::Size => self.fixed_vector(offset_of!(Arrays, size)),
                WorldFact::Obstacles => Parts::new(),
            },
            Builtin::Target => {
                let there = self.host_value(host::target as *const (), &[], I8);
                let mut parts = vec![there];
                parts.extend(self.left(3));
                parts
            }
            Builtin::Player => {
                let there = self.host_value(host::player as *const (), &[], I8);
                let mut parts = vec![there];
                parts.extend(self.left_unit());
                parts
            }
            Builtin::PathNamed | Builtin::FieldNamed => {
                let address = match call.to {
                    Builtin::PathNamed => host::path_named as *const (),
                    _ => host::field_named as *const (),
                };
                let kind = call.arguments[1].of.kind;
                vec![self.named(address, kind, values[1][0], call.place)]
            }
            _ => return None,
        })
    }

    fn fixed_vector(&mut self, offset: usize) -> Parts {
        let base = self.fixed(I64, offset_of!(VmContext<'_>, arrays));
        self.frozen_vector(base, offset)
    }

    fn of_routes(&mut self, to: Builtin, values: &[Parts], place: Place) -> Option<Parts> {
        let all: Vec<_> = values.iter().flatten().copied().collect();
        let number = |emit: &mut Self, address| vec![emit.host_value(address, &all, F32)];
        let switch = |emit: &mut Self, address| vec![emit.host_value(address, &all, I8)];
        Some(match to {
            Builtin::ObstaclePosition => {
                self.host_vector(host::obstacle_position as *const (), &all)
            }
            Builtin::ObstacleRadius => number(self, host::obstacle_radius as *const ()),
            Builtin::ObstacleInsideOut => switch(self, host::obstacle_inside_out as *const ()),
            Builtin::ObstacleDistance => {
                vec![self.charging(host::obstacle_distance as *const (), &all, F32, place)]
            }
            Builtin::ObstacleNearestPoint => {
                self.charging_vector(host::obstacle_nearest_point as *const (), &all, place)
            }
            Builtin::ObstacleNormal => {
                self.charging_vector(host::obstacle_normal as *const (), &all, place)
            }
            Builtin::ObstacleRay => {
                let there = self.charging(host::obstacle_ray as *const (), &all, I8, place);
                let mut parts = vec![there];
                parts.extend(self.left(1));
                parts
            }
            Builtin::PathLength => number(self, host::path_length as *const ()),
            Builtin::PathRadius => number(self, host::path_radius as *const ()),
            Builtin::PathIsClosed => switch(self, host::path_is_closed as *const ()),
            Builtin::PathNearestPoint => {
                self.charging_vector(host::path_nearest as *const (), &all, place)
            }
            Builtin::PathDistanceAlong => {
                vec![self.charging(host::path_along as *const (), &all, F32, place)]
            }
            Builtin::PathPointAt => self.host_vector(host::path_point as *const (), &all),
            Builtin::PathDirectionAt => self.host_vector(host::path_direction as *const (), &all),
            Builtin::FieldAt => self.host_vector(host::field_at as *const (), &all),
            _ => return None,
        })
    }

    /// A call of one of the script's functions.
    pub(super) fn invoke(&mut self, function: usize, arguments: &[Expr], place: Place) -> Parts {
        let called = &self.shared.form.functions[function];
        let mut all = vec![self.vm];
        let mut values = Vec::new();
        for (argument, of) in arguments.iter().zip(&called.locals) {
            values.extend(self.expr_as(argument, *of));
        }
        self.spend(CALL, place);
        let depth = self.builder.ins().iadd_imm_s(self.depth, 1);
        let most = MAX_CALLS as i64;
        let deep = IntCC::SignedGreaterThan;
        let deep = self.builder.ins().icmp_imm_s(deep, depth, most);
        let details = self.no_details();
        // The script engine names no place of its own.
        self.fail_if(deep, (0, 0), Cause::TooDeep, details);
        all.push(depth);
        all.extend(values);
        self.store_fuel();
        let call = self.builder.ins().call(self.functions[function], &all);
        let results = self.builder.inst_results(call).to_vec();
        self.load_fuel();
        let failed = self
            .builder
            .ins()
            .icmp_imm_s(IntCC::NotEqual, results[0], 0);
        let on = self.builder.create_block();
        let out = self.failed;
        self.builder.ins().brif(failed, out, &[], on, &[]);
        self.builder.switch_to_block(on);
        self.builder.seal_block(on);
        results[1..].to_vec()
    }
}
