//! Adds charges to the tree that the interpreter runs: at the start of functions and iterations, as in machine code.
//!
//! Only the engine's parser can build function bodies. A charged function therefore has the parsed body of a text
//! with one node: custom syntax, which charges for the call and evaluates the original statements. Its keyword is a
//! name that no script can contain.

use std::cell::RefCell;
use std::sync::Arc;

use rhai::{
    AST, CustomExpr, Dynamic, Engine, Expr, Expression, FnCallExpr, ImmutableString, Module, ParseError,
    Position, ScriptFuncDef, Stmt, StmtBlock, Token,
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
    let mut functions = Module::new();
    for (function, body) in tree::functions(ast).into_iter().zip(tree::bodies(ast, None)) {
        functions.set_script_fn(with_charges(function, body.statements, parse));
    }
    let mut charged = AST::new(ast.statements().iter().cloned(), functions);
    if let Some(source) = ast.source() {
        charged.set_source(source.to_owned());
    }
    charged
}

fn with_charges(function: &ScriptFuncDef, mut statements: Vec<Stmt>, parse: Parse) -> ScriptFuncDef {
    // The engine does not call a function without statements.
    if statements.is_empty() {
        return function.clone();
    }
    let at = function.body.start_position();
    let charge = Charge { work: cost::of_call(&statements).unsigned_abs(), at };
    statements.iter_mut().for_each(in_statement);
    let block = StmtBlock::new(statements, at, function.body.end_position());
    NEXT.set(Some(Body { charge, statements: Arc::new(Expr::Stmt(Box::new(block))) }));
    let parsed = parse(&format!("fn f() {{ {PLACEHOLDER} }}"));
    NEXT.take();
    let body = parsed.ok().and_then(|parsed| Some(tree::functions(&parsed).first()?.body.clone()));
    debug_assert!(body.is_some(), "the text of a charged function is parsed");
    let body = body.unwrap_or_else(|| function.body.clone());
    ScriptFuncDef { body, ..function.clone() }
}

fn node(key: &str, charge: Charge, input: Option<Expr>) -> Expr {
    let at = input.as_ref().map_or(charge.at, Expr::start_position);
    let custom = CustomExpr {
        inputs: input.into_iter().collect(),
        tokens: [key.into()].into_iter().collect(),
        state: Dynamic::from(charge),
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
            let list = std::mem::replace(&mut control.expr, Expr::Unit(Position::NONE));
            control.expr = node(LIST, Charge { work: 0, ..iteration }, Some(list));
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
        Stmt::FnCall(call, _) => in_call(call),
        Stmt::Block(block) => in_block(block),
        Stmt::Expr(expr) => in_expr(expr),
        Stmt::BreakLoop(Some(value), ..) | Stmt::Return(Some(value), ..) => in_expr(value),
        _ => {}
    }
}

fn in_iteration(body: &mut StmtBlock, charge: Charge) {
    in_block(body);
    body.statements_mut().insert(0, Stmt::Expr(Box::new(node(ITERATION, charge, None))));
}

fn in_expr(expr: &mut Expr) {
    match expr {
        Expr::Stmt(block) => in_block(block),
        Expr::InterpolatedString(parts, _) | Expr::Array(parts, _) => parts.iter_mut().for_each(in_expr),
        Expr::Map(parts, _) => parts.0.iter_mut().for_each(|(_, value)| in_expr(value)),
        Expr::Index(sides, ..) | Expr::Dot(sides, ..) => {
            in_expr(&mut sides.lhs);
            in_expr(&mut sides.rhs);
        }
        Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
            parts.iter_mut().for_each(in_expr);
        }
        Expr::FnCall(call, _) | Expr::MethodCall(call, _) => in_call(call),
        _ => {}
    }
}

fn in_call(call: &mut FnCallExpr) {
    call.args.iter_mut().for_each(in_expr);
}
