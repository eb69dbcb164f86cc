//! Emits control flow: sequences, branches, loops, returns, and failures.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I8, I32, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, Value};
use steerbox_core::sim::Contribution;

use super::super::failure::{Cause, Site};
use super::super::operations::{Access, Operations};
use super::super::vm::VmContext;
use super::value::{Parts, machine};
use super::{Emit, LoopTargets};
use crate::typed::ir::{Expr, Op, Place};
use crate::types::{Kind, Type};

impl Emit<'_, '_, '_> {
    /// Emits an expression. If it never returns a value, the code after it is unreachable.
    pub(super) fn expr(&mut self, expr: &Expr) -> Parts {
        match &expr.op {
            Op::Nothing | Op::Me | Op::World => Parts::new(),
            Op::Number(value) => vec![self.builder.ins().f32const(*value)],
            Op::Integer(value) => vec![self.builder.ins().iconst(I64, *value)],
            Op::Bool(value) => vec![self.builder.ins().iconst(I8, i64::from(*value))],
            Op::Text(text) => vec![self.builder.ins().iconst(I64, *text as i64)],
            Op::Vector(parts) => parts.iter().map(|part| self.builder.ins().f32const(*part)).collect(),
            Op::Local(local) => self.read(*local),
            Op::Set(local, value) => {
                let of = self.function.locals[*local];
                let parts = self.expr_as(value, of);
                self.write(*local, &parts);
                Parts::new()
            }
            Op::SetPart(local, part, value) => {
                let parts = self.expr_as(value, Kind::Number.into());
                let variable = self.locals[*local][*part];
                self.builder.def_var(variable, parts[0]);
                Parts::new()
            }
            Op::LoadField(offset) => self.load_field(*offset, expr.of.kind),
            Op::StoreField { offset, name, value, place } => self.store_field(*offset, name, value, *place),
            Op::Sequence(parts) => self.sequence(parts, expr.of),
            Op::If(parts) => self.choice(parts, expr.of),
            Op::Loop(looping) => {
                self.looping(looping);
                Parts::new()
            }
            Op::Break => self.jump_to(|targets| targets.out),
            Op::Continue => self.jump_to(|targets| targets.next),
            Op::Return(value) => {
                self.returning(value);
                Parts::new()
            }
            Op::IsNothing(value) => {
                let parts = self.expr(value);
                vec![self.builder.ins().icmp_imm_s(IntCC::Equal, parts[0], 0)]
            }
            Op::Unwrap(value) => self.expr(value).split_off(1),
            Op::Call(call) => self.call(call, expr.of),
            Op::Invoke { function, arguments } => self.invoke(*function, arguments),
        }
    }

    /// Emits an expression and widens its value.
    pub(super) fn expr_as(&mut self, expr: &Expr, to: Type) -> Parts {
        let parts = self.expr(expr);
        self.widened(parts, expr.of, to)
    }

    fn read(&mut self, local: usize) -> Parts {
        let parts = self.locals[local].clone();
        parts.into_iter().map(|part| self.builder.use_var(part)).collect()
    }

    pub(super) fn write(&mut self, local: usize, parts: &[Value]) {
        for (index, part) in parts.iter().enumerate() {
            let variable = self.locals[local][index];
            self.builder.def_var(variable, *part);
        }
    }

    fn sequence(&mut self, parts: &[Expr], of: Type) -> Parts {
        let mut last = Parts::new();
        for part in parts {
            last = self.expr(part);
            if part.of.kind == Kind::Never {
                return self.zeros(of);
            }
        }
        last
    }

    fn choice(&mut self, [test, body, branch]: &[Expr; 3], of: Type) -> Parts {
        let flag = self.expr_as(test, Kind::Bool.into())[0];
        if let Some(parts) = self.selected(flag, body, branch, of) {
            return parts;
        }
        let (yes, no) = (self.builder.create_block(), self.builder.create_block());
        let out = self.builder.create_block();
        let values: Parts =
            machine(of).into_iter().map(|part| self.builder.append_block_param(out, part)).collect();
        self.builder.ins().brif(flag, yes, &[], no, &[]);
        for (block, expr) in [(yes, body), (no, branch)] {
            self.switch_to_sealed(block);
            // An unused value is dropped.
            let parts = if of.kind == Kind::Nothing || of.kind == Kind::Never {
                let _ = self.expr(expr);
                Parts::new()
            } else {
                self.expr_as(expr, of)
            };
            let arguments: Vec<BlockArg> = parts.into_iter().map(BlockArg::from).collect();
            self.builder.ins().jump(out, &arguments);
        }
        self.switch_to_sealed(out);
        values
    }

    /// Emits a choice between constants and locals without a branch.
    fn selected(&mut self, flag: Value, body: &Expr, branch: &Expr, of: Type) -> Option<Parts> {
        if !body.is_plain(of) || !branch.is_plain(of) || machine(of).is_empty() {
            return None;
        }
        let (yes, no) = (self.expr(body), self.expr(branch));
        let chosen = yes.into_iter().zip(no).map(|(yes, no)| self.builder.ins().select(flag, yes, no));
        Some(chosen.collect())
    }

    /// Jumps to a target of the innermost loop; the IR has `break` and `continue` only in loops.
    fn jump_to(&mut self, target: fn(&LoopTargets) -> Block) -> Parts {
        if let Some(block) = self.loops.last().map(target) {
            self.builder.ins().jump(block, &[]);
            self.start_unreachable();
        }
        Parts::new()
    }

    /// Starts an unreachable block for code after a jump. The code generator removes it.
    fn start_unreachable(&mut self) {
        let block = self.builder.create_block();
        self.switch_to_sealed(block);
    }

    fn returning(&mut self, value: &Expr) {
        let parts = if self.is_entry {
            let parts = self.expr(value);
            self.contribute(&parts, value.of);
            Parts::new()
        } else {
            let result = self.function.result;
            self.expr_as(value, result)
        };
        self.return_with(0, &parts);
        self.start_unreachable();
    }

    /// Returns a status, and the parts of the result, if there is one.
    pub(super) fn return_with(&mut self, status: i64, parts: &[Value]) {
        let mut values = vec![self.builder.ins().iconst(I32, status)];
        // On failure, the fuel is already stored.
        if status == 0 {
            self.store_fuel();
        }
        if !self.is_entry {
            if parts.is_empty() {
                let zeros = self.zeros(self.function.result);
                values.extend(zeros);
            } else {
                values.extend_from_slice(parts);
            }
        }
        self.builder.ins().return_(&values);
    }

    /// Stores a contribution in the context.
    fn contribute(&mut self, parts: &[Value], of: Type) {
        let (flag, parts) = if of.maybe { (Some(parts[0]), &parts[1..]) } else { (None, parts) };
        let (tag, floats) = match of.kind {
            Kind::Number | Kind::Turn => (Contribution::TAG_TURN, parts.to_vec()),
            Kind::Integer => {
                let turn = self.builder.ins().fcvt_from_sint(F32, parts[0]);
                (Contribution::TAG_TURN, vec![turn])
            }
            Kind::Vector => (Contribution::TAG_PUSH, parts.to_vec()),
            _ => return,
        };
        for (index, part) in floats.into_iter().enumerate() {
            let offset = offset_of!(VmContext<'_>, returned) + 4 * index;
            self.store(part, offset);
        }
        let mut tag = self.builder.ins().iconst(I32, i64::from(tag));
        if let Some(flag) = flag {
            let nothing = self.builder.ins().iconst(I32, i64::from(Contribution::TAG_NONE));
            tag = self.builder.ins().select(flag, tag, nothing);
        }
        self.store(tag, offset_of!(VmContext<'_>, tag));
    }

    /// Emits a failure if a flag is set.
    pub(super) fn fail_if(&mut self, flag: Value, place: Place, cause: Cause, details: [Value; 2]) {
        let (fail, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(fail);
        self.builder.ins().brif(flag, fail, &[], on, &[]);
        self.switch_to_sealed(fail);
        self.fail(place, cause, details);
        self.switch_to_sealed(on);
    }

    /// Emits a failure, which ends the block.
    fn fail(&mut self, place: Place, cause: Cause, details: [Value; 2]) {
        let site = self.shared.sites.len() as i64;
        let file = self.function.file.clone();
        self.shared.sites.push(Site { file, place, cause });
        let site = self.builder.ins().iconst(I32, site);
        self.store(site, offset_of!(VmContext<'_>, site));
        for (index, detail) in details.into_iter().enumerate() {
            self.store(detail, offset_of!(VmContext<'_>, details) + 8 * index);
        }
        self.store_fuel();
        let failed = self.failed;
        self.builder.ins().jump(failed, &[]);
    }

    /// Returns zeros for a failure without details.
    pub(super) fn no_details(&mut self) -> [Value; 2] {
        let zero = self.builder.ins().iconst(I64, 0);
        [zero, zero]
    }

    /// Stores a value in the context.
    pub(super) fn store(&mut self, value: Value, offset: usize) {
        let flags = MemFlagsData::trusted();
        self.builder.ins().store(flags, value, self.vm, offset as i32);
    }
}
