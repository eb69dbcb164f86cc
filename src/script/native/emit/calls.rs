//! Calls: of what is built in, and of the script's own functions.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::types::{F32, I8, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};

use super::super::context::Context;
use super::super::failure::Cause;
use super::super::form::{Builtin, Call, Compare, Expr, Place, WorldFact};
use super::super::host;
use super::super::kind::{Kind, Type};
use super::Emit;
use super::value::Parts;
use crate::script::engine::MAX_CALLS;
use crate::sim::GroupFacts;

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
            .or_else(|| self.of_routes(call.to, values))
            .unwrap_or_else(|| self.zeros(of))
    }

    fn operator(&mut self, call: &Call, values: &[Parts], kinds: &[Kind]) -> Option<Parts> {
        match call.to {
            Builtin::Compare(to) => {
                let operands = [&call.arguments[0], &call.arguments[1]];
                let flag = self.compared(to, operands, [&values[0], &values[1]]);
                Some(vec![flag])
            }
            Builtin::Exactly(to) => Some(vec![self.exactly(to, values[0][0], values[1][0])]),
            Builtin::SameBits => Some(vec![self.same_bits(values[0][0], values[1][0])]),
            Builtin::Negate if kinds[0] == Kind::Vector => Some(
                (values[0].iter())
                    .map(|part| self.builder.ins().fneg(*part))
                    .collect(),
            ),
            Builtin::Negate => Some(vec![self.negated(kinds[0], values[0][0], call.place)]),
            Builtin::Not => Some(vec![self.builder.ins().bxor_imm_s(values[0][0], 1)]),
            Builtin::Add
            | Builtin::Subtract
            | Builtin::Multiply
            | Builtin::Divide
            | Builtin::Remainder
            | Builtin::Power
            | Builtin::And
            | Builtin::Or
            | Builtin::Xor
            | Builtin::ShiftLeft
            | Builtin::ShiftRight => {
                let (a, b) = (&values[0], &values[1]);
                Some(match (kinds[0], kinds[1]) {
                    (Kind::Vector, Kind::Vector) if call.to == Builtin::Add => self.add(a, b),
                    (Kind::Vector, Kind::Vector) => self.subtract(a, b),
                    (Kind::Vector, _) if call.to == Builtin::Multiply => self.scale(a, b[0]),
                    (Kind::Vector, _) => self.shrink(a, b[0]),
                    (_, Kind::Vector) => self.scale(b, a[0]),
                    (Kind::Number, _) => vec![self.floats(call.to, a[0], b[0])],
                    (Kind::Switch, _) => vec![self.switches(call.to, a[0], b[0])],
                    _ => vec![self.integers(call.to, a[0], b[0], call.place)],
                })
            }
            _ => None,
        }
    }

    fn switches(&mut self, to: Builtin, a: Value, b: Value) -> Value {
        match to {
            Builtin::And => self.builder.ins().band(a, b),
            Builtin::Or => self.builder.ins().bor(a, b),
            _ => self.builder.ins().bxor(a, b),
        }
    }

    fn of_numbers(&mut self, to: Builtin, values: &[Parts], kinds: &[Kind]) -> Option<Parts> {
        let first = values.first().and_then(|parts| parts.first()).copied()?;
        let kind = kinds[0];
        let all = || values.iter().map(|parts| parts[0]).collect::<Vec<_>>();
        let value = match to {
            Builtin::Expect => first,
            Builtin::ToNumber if kind == Kind::Number => first,
            Builtin::ToNumber => self.builder.ins().fcvt_from_sint(F32, first),
            Builtin::ToInteger if kind == Kind::Integer => first,
            Builtin::ToInteger => self.builder.ins().fcvt_to_sint_sat(I64, first),
            Builtin::Math(math) => self.math(math, &all()),
            Builtin::Sqrt => self.builder.ins().sqrt(first),
            Builtin::Floor => self.host_float(host::floor as *const (), &[first]),
            Builtin::Ceil => self.host_float(host::ceil as *const (), &[first]),
            Builtin::Min => self.least(kind, first, values[1][0]),
            Builtin::Max => self.greatest(kind, first, values[1][0]),
            Builtin::Clamp => {
                let most = self.least(kind, first, values[2][0]);
                self.greatest(kind, most, values[1][0])
            }
            Builtin::Abs => self.absolute(kind, first),
            Builtin::Sign => self.sign(kind, first),
            Builtin::IsZero if kind == Kind::Number => {
                let zero = self.builder.ins().f32const(0.0);
                self.exactly(Compare::Equal, first, zero)
            }
            Builtin::IsZero => self.builder.ins().icmp_imm_s(IntCC::Equal, first, 0),
            Builtin::IsOdd => self.lowest_bit(first, true),
            Builtin::IsEven => self.lowest_bit(first, false),
            Builtin::Lerp => {
                let t = values[2][0];
                return Some(self.lerp(&values[0], &values[1], t));
            }
            _ => return None,
        };
        Some(vec![value])
    }

    fn of_ranges(&mut self, to: Builtin, values: &[Parts], kinds: &[Kind]) -> Option<Parts> {
        if let Builtin::Known(known) = to {
            return Some(vec![self.builder.ins().iconst(I8, i64::from(known))]);
        }
        if to == Builtin::MakeRange {
            return Some(vec![values[0][0], values[1][0]]);
        }
        let order = match kinds.first()? {
            Kind::Range => IntCC::SignedLessThan,
            Kind::RangeThrough => IntCC::SignedLessThanOrEqual,
            _ => return None,
        };
        let (start, end) = (values[0][0], values[0][1]);
        let value = match to {
            Builtin::RangeStart => start,
            Builtin::RangeEnd => end,
            Builtin::IsEmpty => self.builder.ins().icmp(order.complement(), start, end),
            _ => {
                let value = values[1][0];
                let above = IntCC::SignedGreaterThanOrEqual;
                let above = self.builder.ins().icmp(above, value, start);
                let below = self.builder.ins().icmp(order, value, end);
                self.builder.ins().band(above, below)
            }
        };
        Some(vec![value])
    }

    fn of_vectors(&mut self, to: Builtin, values: &[Parts]) -> Option<Parts> {
        Some(match to {
            Builtin::MakeVector => {
                let mut parts: Parts = values.iter().map(|parts| parts[0]).collect();
                if parts.len() == 2 {
                    parts.push(self.builder.ins().f32const(0.0));
                }
                parts
            }
            Builtin::MakeTurn => values.iter().map(|parts| parts[0]).collect(),
            Builtin::Part(part) => vec![values[0][part as usize]],
            Builtin::Length => vec![self.length(&values[0])],
            Builtin::Normalized => self.normalized(&values[0]),
            Builtin::Dot => vec![self.dot(&values[0], &values[1])],
            Builtin::Cross => self.cross(&values[0], &values[1]),
            Builtin::Limit => self.limit(&values[0], values[1][0]),
            Builtin::Rotated => self.rotated(&values[0], values[1][0]),
            Builtin::AngleTo => vec![self.angle_to(&values[0], &values[1])],
            _ => return None,
        })
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

    fn of_me(&mut self, call: &Call, values: &[Parts], kinds: &[Kind]) -> Option<Parts> {
        Some(match call.to {
            Builtin::HasView => {
                let has = self.own_fact(offset_of!(GroupFacts, has_view));
                vec![self.builder.ins().ireduce(I8, has)]
            }
            Builtin::OwnPath => self.own_route(offset_of!(GroupFacts, path)),
            Builtin::OwnField => self.own_route(offset_of!(GroupFacts, field)),
            Builtin::See => {
                let view = self.named(host::see as *const (), kinds[1], values[1][0], call.place);
                let source = self.builder.ins().ireduce(I32, view);
                vec![source, self.builder.ins().f32const(f32::INFINITY)]
            }
            Builtin::Random => vec![self.host_value(host::random as *const (), &[], F32)],
            Builtin::RandomBetween => {
                let random = self.host_value(host::random as *const (), &[], F32);
                self.lerp(&values[1], &values[2], random)
            }
            Builtin::RandomDirection => self.host_vector(host::random_direction as *const (), &[]),
            Builtin::Mark => {
                self.named(host::mark as *const (), kinds[1], values[1][0], call.place);
                Parts::new()
            }
            Builtin::DrawLine => self.drawn(host::draw_line as *const (), values),
            Builtin::DrawCircle => self.drawn(host::draw_circle as *const (), values),
            Builtin::DrawText => self.draw_text(kinds[2], values),
            _ => return None,
        })
    }

    /// Something of the own group.
    fn own_fact(&mut self, offset: usize) -> Value {
        let me = self.unit_index(Kind::Me, &[]);
        let facts = self.facts_of(me);
        self.frozen(I64, facts, offset)
    }

    fn own_route(&mut self, offset: usize) -> Parts {
        let route = self.own_fact(offset);
        let there = IntCC::SignedGreaterThanOrEqual;
        let there = self.builder.ins().icmp_imm_s(there, route, 0);
        vec![there, route]
    }

    /// What the host finds under a name, or a failure in its own words.
    fn named(&mut self, address: *const (), kind: Kind, name: Value, place: Place) -> Value {
        let is_group = i64::from(kind == Kind::Group);
        let is_group = self.builder.ins().iconst(I64, is_group);
        let found = self.host_value(address, &[is_group, name], I64);
        let none = self
            .builder
            .ins()
            .icmp_imm_s(IntCC::SignedLessThan, found, 0);
        let details = self.no_details();
        self.fail_if(none, place, Cause::Host, details);
        found
    }

    fn drawn(&mut self, address: *const (), values: &[Parts]) -> Parts {
        let arguments: Vec<_> = values[1..].iter().flatten().copied().collect();
        self.host_on(address, &arguments, None);
        Parts::new()
    }

    fn draw_text(&mut self, kind: Kind, values: &[Parts]) -> Parts {
        let at = &values[1];
        let mut parts = values[2].clone();
        let tag = match kind {
            Kind::Number => host::SHOW_NUMBER,
            Kind::Integer => host::SHOW_INTEGER,
            Kind::Switch => host::SHOW_SWITCH,
            Kind::Vector => host::SHOW_VECTOR,
            Kind::Group => host::SHOW_GROUP,
            _ => host::SHOW_TEXT,
        };
        let zero = self.builder.ins().f32const(0.0);
        let mut word = self.builder.ins().iconst(I64, 0);
        match kind {
            Kind::Number => parts.extend([zero, zero]),
            Kind::Vector => {}
            Kind::Switch => {
                word = self.builder.ins().uextend(I64, parts[0]);
                parts = vec![zero; 3];
            }
            _ => {
                word = parts[0];
                parts = vec![zero; 3];
            }
        }
        let tag = self.builder.ins().iconst(I32, i64::from(tag));
        let arguments = [at[0], at[1], at[2], tag, word, parts[0], parts[1], parts[2]];
        self.host_on(host::draw_text as *const (), &arguments, None);
        Parts::new()
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
            Builtin::Nearest => self.nearest(kind, &values[0]),
            Builtin::MeanPosition | Builtin::MeanVelocity => self.crowd(call.to, &values[0]),
            Builtin::Within => self.within(&values[0], values[1][0]),
            Builtin::At => self.at(kind, &values[0], values[1][0], call.place),
            _ => return None,
        })
    }

    fn of_world(&mut self, call: &Call, values: &[Parts]) -> Option<Parts> {
        Some(match call.to {
            Builtin::World(fact) => match fact {
                WorldFact::Time => vec![self.fixed(F32, offset_of!(Context<'_>, time))],
                WorldFact::Step => vec![self.fixed(F32, offset_of!(Context<'_>, step))],
                WorldFact::Radius => vec![self.fixed(F32, offset_of!(Context<'_>, radius))],
                WorldFact::Center => self.fixed_vector(offset_of!(Context<'_>, center)),
                WorldFact::Size => self.fixed_vector(offset_of!(Context<'_>, size)),
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
        let base = self.context;
        self.frozen_vector(base, offset)
    }

    fn of_routes(&mut self, to: Builtin, values: &[Parts]) -> Option<Parts> {
        let all: Vec<_> = values.iter().flatten().copied().collect();
        let number = |emit: &mut Self, address| vec![emit.host_value(address, &all, F32)];
        let switch = |emit: &mut Self, address| vec![emit.host_value(address, &all, I8)];
        Some(match to {
            Builtin::ObstaclePosition => {
                self.host_vector(host::obstacle_position as *const (), &all)
            }
            Builtin::ObstacleRadius => number(self, host::obstacle_radius as *const ()),
            Builtin::ObstacleInsideOut => switch(self, host::obstacle_inside_out as *const ()),
            Builtin::ObstacleDistance => number(self, host::obstacle_distance as *const ()),
            Builtin::ObstacleNearestPoint => {
                self.host_vector(host::obstacle_nearest_point as *const (), &all)
            }
            Builtin::ObstacleNormal => self.host_vector(host::obstacle_normal as *const (), &all),
            Builtin::ObstacleRay => {
                let there = self.host_value(host::obstacle_ray as *const (), &all, I8);
                let mut parts = vec![there];
                parts.extend(self.left(1));
                parts
            }
            Builtin::PathLength => number(self, host::path_length as *const ()),
            Builtin::PathRadius => number(self, host::path_radius as *const ()),
            Builtin::PathIsClosed => switch(self, host::path_is_closed as *const ()),
            Builtin::PathNearestPoint => self.host_vector(host::path_nearest as *const (), &all),
            Builtin::PathDistanceAlong => number(self, host::path_along as *const ()),
            Builtin::PathPointAt => self.host_vector(host::path_point as *const (), &all),
            Builtin::PathDirectionAt => self.host_vector(host::path_direction as *const (), &all),
            Builtin::FieldAt => self.host_vector(host::field_at as *const (), &all),
            _ => return None,
        })
    }

    /// A call of one of the script's functions.
    pub(super) fn invoke(&mut self, function: usize, arguments: &[Expr], place: Place) -> Parts {
        let called = &self.shared.form.functions[function];
        let mut all = vec![self.context];
        let mut values = Vec::new();
        for (argument, of) in arguments.iter().zip(&called.locals) {
            values.extend(self.expr_as(argument, *of));
        }
        self.spend(1, place);
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

    /// A field of the memory, or one component of it.
    pub(super) fn remembered(&mut self, offset: usize, kind: Kind) -> Parts {
        let memory = self.fixed(I64, offset_of!(Context<'_>, memory));
        let flags = MemFlagsData::trusted();
        let mut read = |of, word: usize| {
            let at = 4 * (offset + word) as i32;
            self.builder.ins().load(of, flags, memory, at)
        };
        match kind {
            Kind::Vector => (0..3).map(|word| read(F32, word)).collect(),
            Kind::Switch => {
                let word = read(I32, 0);
                vec![self.builder.ins().icmp_imm_s(IntCC::NotEqual, word, 0)]
            }
            _ => vec![read(F32, 0)],
        }
    }

    pub(super) fn remember(
        &mut self,
        offset: usize,
        name: &str,
        value: &Expr,
        place: Place,
    ) -> Parts {
        let mut parts = self.expr(value);
        let kind = value.of.kind;
        if kind == Kind::Never {
            return Parts::new();
        }
        if value.of.maybe {
            let flag = parts.remove(0);
            let nothing = self.builder.ins().icmp_imm_s(IntCC::Equal, flag, 0);
            let details = self.no_details();
            self.fail_if(
                nothing,
                place,
                Cause::CannotHold(name.to_owned(), kind),
                details,
            );
        }
        let memory = self.fixed(I64, offset_of!(Context<'_>, memory));
        for (word, part) in parts.into_iter().enumerate() {
            let part = if kind == Kind::Switch {
                self.builder.ins().uextend(I32, part)
            } else {
                self.plain_nan(part)
            };
            let at = 4 * (offset + word) as i32;
            let flags = MemFlagsData::trusted();
            self.builder.ins().store(flags, part, memory, at);
        }
        Parts::new()
    }

    /// One and the same bits for everything that is no number: which ones an operation gives depends
    /// on the order of its operands.
    fn plain_nan(&mut self, value: Value) -> Value {
        use cranelift_codegen::ir::condcodes::FloatCC;
        let odd = self.builder.ins().fcmp(FloatCC::Unordered, value, value);
        let nan = self.builder.ins().f32const(f32::NAN);
        self.builder.ins().select(odd, nan, value)
    }
}
