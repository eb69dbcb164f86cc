//! Inserts probes into the functions of a syntax tree: nodes that record values and return them.
//!
//! The tree has the start of a node, but not its end. The end is that of the last lexeme before the next statement, the
//! closing bracket or the block.

use std::ops::Range;

use rhai::{ASTFlags, ASTNode, Dynamic, Expr, Position, Stmt, StmtBlock, SwitchCasesCollection};

use super::code::{Code, Piece, Site, SiteKind, Span};
use super::recorder::{PROBE, Probe};
use crate::interpret::charges;
use crate::syntax::lexemes::{Lexeme, LexemeKind, lexemes};
use crate::syntax::text::Offsets;
use crate::syntax::tree;

/// Inserts probes into the functions of a file, and adds their sites to `code`.
pub(super) struct Inserter<'a> {
    text: &'a str,
    offsets: Offsets<'a>,
    /// The lexemes of the text without comments.
    lexemes: Vec<Lexeme>,
    file: usize,
    code: &'a mut Code,
    /// The loops that enclose the current node.
    loops: Vec<usize>,
}

impl<'a> Inserter<'a> {
    /// Returns an inserter for file `file` of `code`.
    pub(super) fn new(text: &'a str, file: usize, code: &'a mut Code) -> Self {
        let mut lexemes = lexemes(text);
        lexemes.retain(|one| one.kind != LexemeKind::Comment);
        Self { text, offsets: Offsets::new(text), lexemes, file, code, loops: Vec::new() }
    }

    /// Inserts probes into a function. Functions must be in source order.
    pub(super) fn function(&mut self, body: &mut StmtBlock) {
        let first = self.code.sites.len();
        let (open, end) = (self.at(body.position()), self.at(body.end_position()) + 1);
        let head = self.before(open).iter().rev().find(|one| self.text[one.range.clone()] == *"fn");
        let start = head.map_or(open, |head| head.range.start);
        self.block(body);
        body.statements_mut().insert(0, probe(Probe::Enter(self.code.functions), None));
        self.code.functions += 1;
        self.piece(start..end, first);
    }

    fn block(&mut self, block: &mut StmtBlock) {
        let (start, end) = (self.at(block.position()), self.at(block.end_position()));
        let first = self.code.sites.len();
        let statements = std::mem::take(block.statements_mut());
        let starts = statements.iter().skip(1).map(|statement| self.bounds(statement.into()).start);
        let limits: Vec<_> = starts.chain([end]).collect();
        for (statement, limit) in statements.into_iter().zip(limits) {
            // The value of the block, unless a `;` follows.
            let is_value =
                limit == end && self.before(end).last().is_some_and(|last| last.kind != LexemeKind::End);
            self.statement(statement, limit, is_value, block);
        }
        self.piece(start..end + 1, first);
    }

    /// Appends a statement with probes to `block`; it ends before `limit`.
    fn statement(&mut self, mut statement: Stmt, limit: usize, is_value: bool, block: &mut StmtBlock) {
        let first = self.code.sites.len();
        let bytes = self.bounds((&statement).into()).start..self.end(limit);
        let (mut is_reached, mut after) = (false, None);
        match &mut statement {
            Stmt::Var(parts, ..) if !parts.1.position().is_none() => {
                let name = parts.0.name.clone();
                self.value(SiteKind::Let, Some(&name), &mut parts.1, limit);
            }
            Stmt::Assignment(parts) => {
                let name = bytes.start..self.end(self.at(parts.0.position()));
                let name = self.text.get(name).unwrap_or_default();
                let target = parts.1.lhs.clone();
                self.expr(&mut parts.1.lhs);
                if parts.0.is_op_assignment() {
                    self.expr(&mut parts.1.rhs);
                    // A second evaluation would repeat a call.
                    is_reached = calls(&target);
                    let site = |it: &mut Self| it.site(SiteKind::Assignment, Some(name), bytes.clone());
                    after = (!is_reached).then(|| probe(Probe::After(site(self)), Some(target)));
                } else {
                    self.value(SiteKind::Assignment, Some(name), &mut parts.1.rhs, limit);
                }
            }
            Stmt::Return(value, flags, at) if !flags.contains(ASTFlags::BREAK) => {
                let value = value.get_or_insert_with(|| Box::new(Expr::Unit(*at)));
                self.value(SiteKind::Return, None, value, limit);
            }
            Stmt::Return(value, ..) | Stmt::BreakLoop(value, ..) => {
                is_reached = true;
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            Stmt::Expr(value) if is_value => _ = self.value(SiteKind::Value, None, value, limit),
            Stmt::Expr(value) => {
                is_reached = true;
                self.expr(value);
            }
            flow => self.flow(flow),
        }
        let statements = block.statements_mut();
        if is_reached {
            let site = self.site(SiteKind::Statement, None, bytes.start..bytes.start);
            statements.push(probe(Probe::Reach(site), None));
        }
        statements.push(statement);
        statements.extend(after);
        self.piece(bytes, first);
    }

    /// Inserts probes into a statement with blocks.
    fn flow(&mut self, statement: &mut Stmt) {
        match statement {
            Stmt::Block(block) => self.block(block),
            Stmt::If(control, _) => {
                let body = self.at(control.body.position());
                self.value(SiteKind::Condition, None, &mut control.expr, body);
                self.block(&mut control.body);
                self.part(&mut control.branch);
            }
            Stmt::TryCatch(control, _) => {
                self.block(&mut control.body);
                self.block(&mut control.branch);
            }
            Stmt::Switch(parts, _) => self.switch(&mut parts.0, &mut parts.1),
            Stmt::While(control, _) => self.in_loop(|it, number| {
                if !control.expr.position().is_none() {
                    let body = it.at(control.body.position());
                    let site = it.value(SiteKind::Condition, None, &mut control.expr, body);
                    it.code.sites[site].is_ahead = true;
                }
                it.iteration(number, &mut control.body, []);
            }),
            Stmt::Do(control, ..) => self.in_loop(|it, number| {
                it.iteration(number, &mut control.body, []);
                let limit = it.limit(it.bounds((&control.expr).into()).start, false);
                it.value(SiteKind::Condition, None, &mut control.expr, limit);
            }),
            Stmt::For(parts, _) => {
                let (item, counter, control) = &mut **parts;
                let body = self.at(control.body.position());
                self.value(SiteKind::Value, None, &mut control.expr, body);
                let variables = [Some(&*item), counter.as_ref()];
                let variables = variables.into_iter().flatten().map(|it| (it.name.as_str(), it.pos));
                self.in_loop(|it, number| it.iteration(number, &mut control.body, variables));
            }
            _ => {}
        }
    }

    fn in_loop(&mut self, insert: impl FnOnce(&mut Self, usize)) {
        let number = self.code.loops.len();
        self.code.loops.push(number + 1..number + 1);
        self.loops.push(number);
        insert(self, number);
        self.loops.pop();
        self.code.loops[number].end = self.code.loops.len();
    }

    /// Inserts probes into the body of a loop that declares these variables.
    fn iteration<'b>(
        &mut self,
        number: usize,
        body: &mut StmtBlock,
        variables: impl IntoIterator<Item = (&'b str, Position)>,
    ) {
        let mut head = vec![probe(Probe::Iteration(number), None)];
        head.extend(variables.into_iter().map(|(name, at)| {
            let start = self.at(at);
            let site = self.site(SiteKind::Let, Some(name), start..start + name.len());
            probe(Probe::After(site), None)
        }));
        self.block(body);
        body.statements_mut().insert_many(0, head);
    }

    fn switch(&mut self, subject: &mut Expr, cases: &mut SwitchCasesCollection) {
        let last = self.bounds((&*subject).into()).end;
        let is_brace = |one: &&Lexeme| self.text[one.range.clone()] == *"{" && one.range.start > last;
        let brace = self.lexemes.iter().find(is_brace).map_or(last, |brace| brace.range.start);
        self.value(SiteKind::Condition, None, subject, brace);
        for arm in &mut cases.expressions {
            let start = self.bounds((&arm.rhs).into()).start;
            if !arm.lhs.position().is_none() {
                self.value(SiteKind::Condition, None, &mut arm.lhs, start);
            }
            match &mut arm.rhs {
                Expr::Stmt(block) if block.end_position().is_none() => {
                    for statement in std::mem::take(block.statements_mut()) {
                        let limit = self.limit(start, statement.is_self_terminated());
                        self.statement(statement, limit, true, block);
                    }
                }
                block => self.expr(block),
            }
        }
    }

    /// Inserts probes into a block, or into the only statement of one without braces: `else if`, or an operand.
    fn part(&mut self, block: &mut StmtBlock) {
        if block.end_position().is_none() {
            block.statements_mut().iter_mut().for_each(|statement| self.flow(statement));
        } else {
            self.block(block);
        }
    }

    /// Inserts probes into the blocks of an expression.
    fn expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Stmt(block) => self.part(block),
            Expr::InterpolatedString(..) => {}
            expr => tree::each_part(expr, &mut |part| self.expr(part)),
        }
    }

    /// Inserts a probe that records the value of an expression, which ends before `limit`; returns its site.
    fn value(&mut self, kind: SiteKind, name: Option<&str>, expr: &mut Expr, limit: usize) -> usize {
        let site = self.site(kind, name, self.bounds((&*expr).into()).start..self.end(limit));
        self.expr(expr);
        *expr = node(Probe::Value(site), Some(std::mem::take(expr)));
        site
    }

    fn site(&mut self, kind: SiteKind, name: Option<&str>, bytes: Range<usize>) -> usize {
        let (name, span) = (name.map(str::to_owned), self.span(bytes));
        let (file, function, loops) = (self.file, self.code.functions, self.loops.clone());
        self.code.sites.push(Site { file, kind, name, span, function, loops, is_ahead: false });
        self.code.sites.len() - 1
    }

    /// Records a piece with the sites since `first`.
    fn piece(&mut self, bytes: Range<usize>, first: usize) {
        let (span, sites) = (self.span(bytes), first..self.code.sites.len());
        if !sites.is_empty() {
            self.code.pieces.push(Piece { file: self.file, span, sites });
        }
    }

    fn span(&self, bytes: Range<usize>) -> Span {
        // The engine counts other columns after some characters.
        let place = |at| self.offsets.place(self.text.floor_char_boundary(at));
        Span { start: place(bytes.start), end: place(bytes.end) }
    }

    fn at(&self, position: Position) -> usize {
        self.offsets.of(position).unwrap_or(self.text.len())
    }

    /// Returns the lexemes before an offset.
    fn before(&self, at: usize) -> &[Lexeme] {
        &self.lexemes[..self.lexemes.partition_point(|one| one.range.start < at)]
    }

    /// Returns the offsets of the first lexeme of a node and of the last one at which a part of it begins.
    fn bounds(&self, node: ASTNode<'_>) -> Range<usize> {
        let (mut first, mut last) = (self.text.len(), 0);
        tree::each_below(node, &mut |node| {
            let position = match node {
                ASTNode::Expr(Expr::FnCall(call, _)) if !call.namespace.is_empty() => {
                    call.namespace.position()
                }
                ASTNode::Expr(expr) => expr.start_position(),
                node => node.position(),
            };
            if let Some(at) = self.offsets.of(position) {
                (first, last) = (first.min(at), last.max(at));
            }
        });
        // Parentheses and signs of numbers have no position.
        let is_prefix = |one: &&Lexeme| ["(", "-", "+", "!"].contains(&&self.text[one.range.clone()]);
        let prefix = self.before(first).iter().rev().take_while(is_prefix).last();
        prefix.map_or(first, |one| one.range.start)..last
    }

    /// Returns the end of the last lexeme before an offset that is not a separator.
    fn end(&self, limit: usize) -> usize {
        let is_separator = |one: &&Lexeme| [";", "=>"].contains(&&self.text[one.range.clone()]);
        let mut before = self.before(limit).iter().rev().skip_while(is_separator);
        before.next().map_or(0, |last| last.range.end)
    }

    /// Returns the end of a case of a `switch`, or of the condition of a `do`, that begins at `start`. It ends with a
    /// block if `is_block` is true.
    fn limit(&self, start: usize, is_block: bool) -> usize {
        let word = |one: Option<&Lexeme>| one.map_or("", |one| &self.text[one.range.clone()]);
        let mut depth = 0_usize;
        let mut rest = self.lexemes[self.before(start).len()..].iter().peekable();
        while let Some(one) = rest.next() {
            match word(Some(one)) {
                ")" | "]" | "}" | ";" | "," if depth == 0 => return one.range.start,
                ")" | "]" | "}" => depth -= 1,
                "(" | "[" | "{" | "#{" | "?[" => depth += 1,
                _ => {}
            }
            let is_last = is_block && depth == 0 && word(Some(one)) == "}";
            if is_last && !["else", "catch"].contains(&word(rest.peek().copied())) {
                return one.range.end;
            }
        }
        self.text.len()
    }
}

/// Returns true if the evaluation of an assignment's target calls a function.
fn calls(target: &Expr) -> bool {
    let mut found = false;
    tree::each_below(target.into(), &mut |node| {
        found |= tree::call(node).is_some();
    });
    found
}

/// Builds a statement that is a probe.
fn probe(probe: Probe, input: Option<Expr>) -> Stmt {
    Stmt::Expr(Box::new(node(probe, input)))
}

fn node(probe: Probe, input: Option<Expr>) -> Expr {
    let at = input.as_ref().map_or(Position::NONE, Expr::start_position);
    charges::node(PROBE, Dynamic::from(probe), at, input)
}
