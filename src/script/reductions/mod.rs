//! Reductions: loops over units whose order does not matter to what they are for.
//!
//! `for o in L { B }` goes through the units nearest first, unless it is a reduction; then it goes in the order
//! of the grid's slots, as means do, and nothing is sorted. It is a reduction if
//!
//! - L is `me.neighbors`, `me.others`, `me.enemies` or `me.see(…)`, or a part `within(…)` of these, or a variable
//!   that is declared once as one of them and never assigned; and rounds are not counted;
//! - what B assigns outside of itself are numbers, switches or vectors, each in one way: `+=` and `-=`, also of
//!   components; `a = min(a, e)`; `a = max(a, e)`; `a = true`; `a = false`; `|=`; or `&=`;
//! - nothing else in B reads what B assigns outside of itself, nor does L;
//! - B does not leave the loop, has no loop in it, remembers nothing, draws no random numbers, sets no marks and
//!   signals, shows nothing, selects no lists, and calls functions of the same file only if this holds for them.
//!
//! The rule looks at a file as it is written, before the values of parameters are known. It is applied once:
//! the interpreter and the compiler take what is found here.

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

/// The reductions of a file, in the order of its text.
pub(super) fn of_file(ast: &AST) -> Vec<Reduction> {
    let mut found = Vec::new();
    each_loop(ast, &tree::bodies(ast, None), |_, looping| {
        if let Ok(list) = looping.verdict {
            found.push(Reduction { place: looping.place, list });
        }
    });
    found
}

/// A `for` as it is judged.
#[derive(Debug)]
pub(super) struct Judged<'a> {
    pub(super) place: Place,
    /// What it goes through.
    pub(super) list: &'a Expr,
    /// Whether that is seen to be a list of units whose order the loop may choose.
    pub(super) is_seen: bool,
    /// Where the last name of its list stands if it is a reduction, else why it is none.
    pub(super) verdict: Result<Place, String>,
}

/// Judges every `for` in the functions of a file, which are `bodies`, in the order of the text.
pub(super) fn each_loop(ast: &AST, bodies: &[Body], mut show: impl FnMut(&Body, Judged<'_>)) {
    let file = File::of(ast, bodies);
    for body in bodies {
        let mut names = None;
        tree::each_node(&body.statements, &mut |node| {
            if let ASTNode::Stmt(Stmt::For(parts, position)) = node {
                let list = &parts.2.expr;
                let names = &*names.get_or_insert_with(|| Names::of(body, &file));
                let (is_seen, verdict) = (names.list(list).is_ok(), verdict(parts, names, &file));
                show(body, Judged { place: place(*position).unwrap_or_default(), list, is_seen, verdict });
            }
        });
    }
}

/// Where the last name of a loop's list stands if it is a reduction, else why it is none.
fn verdict(
    (variable, counter, control): &(Ident, Option<Ident>, FlowControl),
    names: &Names<'_>,
    file: &File<'_>,
) -> Result<Place, String> {
    let list = names.list(&control.expr)?;
    if counter.is_some() {
        return Err("it counts its rounds".to_owned());
    }
    let mut check = Check::of_loop(file, variable.as_str());
    check.block(control.body.statements())?;
    check.sums(&control.expr, names)?;
    Ok(list)
}
