//! Adds charges to the tree that the interpreter runs: at the start of functions and iterations, as in machine code.
//!
//! Only the engine's parser can build function bodies. A charged function therefore has the parsed body of a text
//! with one node: custom syntax, which charges for the call and evaluates the original statements. Its keyword is a
//! name that no script can contain.

use std::cell::RefCell;
use std::sync::Arc;

use rhai::{
    AST, CustomExpr, Dynamic, Engine, Expr, Expression, ImmutableString, Module, ParseError, Position,
    ScriptFuncDef, Stmt, StmtBlock, Token,
};

use super::call::{self, Fallible};
use super::{cost, functions};
use crate::syntax::tree;

/// The parse function of the engine.
type Parse = fn(&str) -> Result<AST, ParseError>;

/// Keywords of the custom syntax for a function's body, an iteration of a loop, and the list of a `for` loop.
const BODY: &str = "charged body";
const ITERATION: &str = "charged iteration";
const LIST: &str = "charged list";
/// The placeholder of the body in the text of a function.
const PLACEHOLDER: &str = "body";

thread_local! {
    /// The body of the function being parsed.
    static NEXT: RefCell<Option<Body>> = const { RefCell::new(None) };
}

/// A function's statements, and the charge of a call.
#[derive(Clone)]
struct Body {
    charge: Charge,
    statements: Arc<Expr>,
}

/// Static work, and the position of the error if a call exceeds its limit by it.
#[derive(Clone, Copy)]
struct Charge {
    work: u64,
    at: Position,
}

/// Registers the custom syntax of charged trees.
pub(crate) fn register(engine: &mut Engine) {
    let parse = |_: &[ImmutableString], _: &str, state: &mut Dynamic| {
        *state = NEXT.take().map_or(Dynamic::UNIT, Dynamic::from);
        Ok(None)
    };
    engine.register_custom_syntax_with_state_raw(BODY, parse, false, |context, _, state| {
        let Some(body) = state.read_lock::<Body>() else {
            return Ok(Dynamic::UNIT);
        };
        call::charge(body.charge.work, body.charge.at)?;
        context.eval_expression_tree(&Expression::from(&*body.statements))
    });
    let none = |_: &[ImmutableString], _: &str, _: &mut Dynamic| Ok(None);
    engine.register_custom_syntax_with_state_raw(ITERATION, none, false, |_, _, state| {
        charge_state(state)?;
        Ok(Dynamic::UNIT)
    });
    engine.register_custom_syntax_with_state_raw(LIST, none, false, |context, inputs, state| {
        let list = inputs[0].eval_with_context(context)?;
        if functions::charge_loop(&list) {
            charge_state(state)?;
        }
        Ok(list)
    });
}

/// Charges for a node whose state is a [`Charge`].
fn charge_state(state: &Dynamic) -> Fallible<()> {
    let charge = state.read_lock::<Charge>().map(|charge| *charge);
    charge.map_or(Ok(()), |charge| call::charge(charge.work, charge.at))
}

/// Replaces the placeholder in the text of a charged function with the custom syntax of its body.
pub(crate) fn token(token: Token) -> Token {
    match token {
        Token::Identifier(word) if *word == PLACEHOLDER && NEXT.with_borrow(Option::is_some) => {
            Token::Identifier(Box::new(BODY.into()))
        }
        token => token,
    }
}

/// Returns a tree whose functions charge for their work.
pub(crate) fn charged(ast: &AST, parse: Parse) -> AST {
    rewritten(ast, parse, |body| {
        let work = cost::of_call(body.statements()).unsigned_abs();
        in_block(body);
        work
    })
}

/// Returns a tree whose functions have rewritten bodies; `rewrite` visits these in source order, and returns the charge
/// of a call.
pub(crate) fn rewritten(ast: &AST, parse: Parse, mut rewrite: impl FnMut(&mut StmtBlock) -> u64) -> AST {
    let mut functions = Module::new();
    for (function, body) in tree::functions(ast).into_iter().zip(tree::bodies(ast, None)) {
        // The engine does not call a function without statements.
        let is_empty = body.statements.is_empty();
        let body = || with_body(function, body.statements, parse, &mut rewrite);
        functions.set_script_fn(if is_empty { function.clone() } else { body() });
    }
    let mut rewritten = AST::new(ast.statements().iter().cloned(), functions);
    if let Some(source) = ast.source() {
        rewritten.set_source(source.to_owned());
    }
    rewritten
}

fn with_body(
    function: &ScriptFuncDef,
    statements: Vec<Stmt>,
    parse: Parse,
    rewrite: &mut impl FnMut(&mut StmtBlock) -> u64,
) -> ScriptFuncDef {
    let at = function.body.start_position();
    let mut block = StmtBlock::new(statements, at, function.body.end_position());
    let charge = Charge { work: rewrite(&mut block), at };
    NEXT.set(Some(Body { charge, statements: Arc::new(Expr::Stmt(Box::new(block))) }));
    let parsed = parse(&format!("fn f() {{ {PLACEHOLDER} }}"));
    NEXT.take();
    let body = parsed.ok().and_then(|parsed| Some(tree::functions(&parsed).first()?.body.clone()));
    debug_assert!(body.is_some(), "the text of a rewritten function is parsed");
    let body = body.unwrap_or_else(|| function.body.clone());
    ScriptFuncDef { body, ..function.clone() }
}

/// Builds a node of custom syntax.
pub(crate) fn node(key: &str, state: Dynamic, at: Position, input: Option<Expr>) -> Expr {
    let custom = CustomExpr {
        inputs: input.into_iter().collect(),
        tokens: [key.into()].into_iter().collect(),
        state,
        scope_may_be_changed: false,
        self_terminated: true,
    };
    Expr::Custom(Box::new(custom), at)
}

fn in_block(block: &mut StmtBlock) {
    block.statements_mut().iter_mut().for_each(in_statement);
}

/// Adds charges to a statement; they do not change the static cost of the statement itself.
fn in_statement(statement: &mut Stmt) {
    let iteration = Charge { work: cost::of_iteration(statement).unsigned_abs(), at: statement.position() };
    match statement {
        Stmt::If(control, _) | Stmt::TryCatch(control, _) => {
            in_expr(&mut control.expr);
            in_block(&mut control.body);
            in_block(&mut control.branch);
        }
        Stmt::While(control, _) | Stmt::Do(control, ..) => {
            in_expr(&mut control.expr);
            in_iteration(&mut control.body, iteration);
        }
        Stmt::For(parts, _) => {
            let control = &mut parts.2;
            in_expr(&mut control.expr);
            let list = std::mem::take(&mut control.expr);
            let charge = Dynamic::from(Charge { work: 0, ..iteration });
            control.expr = node(LIST, charge, list.start_position(), Some(list));
            in_iteration(&mut control.body, iteration);
        }
        Stmt::Switch(parts, _) => {
            in_expr(&mut parts.0);
            for arm in &mut parts.1.expressions {
                in_expr(&mut arm.lhs);
                in_expr(&mut arm.rhs);
            }
        }
        Stmt::Var(parts, ..) => in_expr(&mut parts.1),
        Stmt::Assignment(parts) => {
            in_expr(&mut parts.1.lhs);
            in_expr(&mut parts.1.rhs);
        }
        Stmt::FnCall(call, _) => call.args.iter_mut().for_each(in_expr),
        Stmt::Block(block) => in_block(block),
        Stmt::Expr(expr) => in_expr(expr),
        Stmt::BreakLoop(Some(value), ..) | Stmt::Return(Some(value), ..) => in_expr(value),
        _ => {}
    }
}

fn in_iteration(body: &mut StmtBlock, charge: Charge) {
    in_block(body);
    let node = node(ITERATION, Dynamic::from(charge), charge.at, None);
    body.statements_mut().insert(0, Stmt::Expr(Box::new(node)));
}

fn in_expr(expr: &mut Expr) {
    match expr {
        Expr::Stmt(block) => in_block(block),
        expr => tree::each_part(expr, &mut in_expr),
    }
}
