//! Reductions: loops over units whose result does not depend on the order of iterations.
//!
//! `for o in L { B }` iterates nearest first, unless it is a reduction; then it iterates in slot order of the grid,
//! as means do, and nothing is sorted. It is a reduction if
//!
//! - L is `me.neighbors`, `me.others`, `me.enemies` or `me.see(…)`, or a part `within(…)` of these, or a variable
//!   that is declared once as one of them and never assigned; and iterations are not counted;
//! - B assigns only numbers, bools or vectors outside of itself, each variable by one kind of update: `+=` and `-=`,
//!   also of components; `a = min(a, e)`; `a = max(a, e)`; `a = true`; `a = false`; `|=`; or `&=`;
//! - neither L nor any other expression in B reads these variables;
//! - B does not exit the loop, has no inner loop, writes no memory, draws no random numbers, sets no marks and
//!   signals, shows nothing, selects no lists, and calls functions of the same file only if this holds for them.
//!
//! The rule applies to the source of a file, before the values of parameters are known. It is evaluated once, for
//! both the interpreter and the compiler.

mod body;
mod names;
#[cfg(test)]
mod tests;

use rhai::{AST, ASTNode, Expr, FlowControl, Ident, Stmt};

use super::interpret::loop_order::{Place, Reduction};
use super::syntax::text::place;
use super::syntax::tree::{self, Body};
use body::Check;
use names::{File, Names};

/// Returns the reductions of a file, in source order.
pub(super) fn of_file(ast: &AST) -> Vec<Reduction> {
    let mut found = Vec::new();
    each_loop(ast, &tree::bodies(ast, None), |_, looping| {
        if let Ok(list) = looping.verdict {
            found.push(Reduction { place: looping.place, list });
        }
    });
    found
}

/// A `for` with the verdict on it.
#[derive(Debug)]
pub(super) struct LoopVerdict<'a> {
    pub(super) place: Place,
    /// The list expression.
    pub(super) list: &'a Expr,
    /// True if that is known to be a list of units from the grid.
    pub(super) is_unit_list: bool,
    /// The position of the last name of its list if it is a reduction, else the reason why it is none.
    pub(super) verdict: Result<Place, String>,
}

/// Visits every `for` in the functions of a file, which are `bodies`, in source order.
pub(super) fn each_loop(ast: &AST, bodies: &[Body], mut show: impl FnMut(&Body, LoopVerdict<'_>)) {
    let file = File::new(ast, bodies);
    for body in bodies {
        let mut names = None;
        tree::each_node(&body.statements, &mut |node| {
            if let ASTNode::Stmt(Stmt::For(parts, position)) = node {
                let list = &parts.2.expr;
                let names = &*names.get_or_insert_with(|| Names::new(body, &file));
                let (is_unit_list, verdict) = (names.list(list).is_ok(), verdict(parts, names, &file));
                show(
                    body,
                    LoopVerdict { place: place(*position).unwrap_or_default(), list, is_unit_list, verdict },
                );
            }
        });
    }
}

/// Returns the position of the last name of a loop's list if it is a reduction, else the reason why it is none.
fn verdict(
    (variable, counter, control): &(Ident, Option<Ident>, FlowControl),
    names: &Names<'_>,
    file: &File<'_>,
) -> Result<Place, String> {
    let list = names.list(&control.expr)?;
    if counter.is_some() {
        return Err("it counts its iterations".to_owned());
    }
    let mut check = Check::of_loop(file, variable.as_str());
    check.block(control.body.statements())?;
    check.finish(&control.expr, names)?;
    Ok(list)
}
