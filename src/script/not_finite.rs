//! Operations of a script whose result may be infinite or NaN.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Expr, Stmt};

use super::api::{self, NonFinite};
use super::tree;

/// The reason why the result of a function or an operator may be infinite or NaN.
fn reason(name: &str) -> Option<NonFinite> {
    match name {
        "/" | "%" => Some(NonFinite::Division),
        "**" => Some(NonFinite::Power),
        name => api::named(name).find_map(|row| row.non_finite),
    }
}

const fn words(reason: NonFinite) -> &'static str {
    match reason {
        NonFinite::Division => "a division by zero",
        NonFinite::Root => "a root of a negative number",
        NonFinite::Arc => "`acos` or `asin` of more than 1",
        NonFinite::Logarithm => "`ln` of 0 or less",
        NonFinite::Power => "a power of 0 or of a negative number",
        NonFinite::Exponential => "`exp` of a large number",
    }
}

/// The usual causes among what a script does, as a remedy.
pub(super) fn causes(ast: &AST) -> String {
    let mut used = BTreeSet::new();
    tree::walk(ast, &mut |path| {
        let name = match path.last() {
            Some(
                ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
                | ASTNode::Stmt(Stmt::FnCall(call, _)),
            ) => call.name.as_str(),
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                let info = assignment.0.get_op_assignment_info();
                info.map_or("", |info| info.5)
            }
            _ => "",
        };
        used.extend(reason(name));
    });
    let used: Vec<&str> = used.into_iter().map(words).collect();
    match &used[..] {
        [] => "a division by zero is a usual cause, or a number that grew past 3.4e38".to_owned(),
        [one] => format!("{one} is a usual cause"),
        some => format!("usual causes: {}", some.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::engine;

    #[test]
    fn what_a_script_does_is_told_and_nothing_else() {
        for (body, told) in [
            ("me.speed / 2", "a division by zero is a usual cause"),
            ("let x = me.speed; x /= 2; x", "a division by zero is a usual cause"),
            ("sqrt(me.speed)", "a root of a negative number is a usual cause"),
            (
                "me.speed.acos() + 1 / me.speed",
                "usual causes: a division by zero, `acos` or `asin` of more than 1",
            ),
            ("me.position", "a division by zero is a usual cause, or a number that grew past 3.4e38"),
        ] {
            let text = format!("fn steer(me, world) {{ {body} }}");
            let ast = engine::engine().compile(text).unwrap();
            assert_eq!(causes(&ast), told, "{body}");
        }
    }
}
