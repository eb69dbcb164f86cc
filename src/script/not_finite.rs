//! What in a script may make a number infinite, or no number at all.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Expr, Stmt};

use super::tree;

/// Names of functions and operators, and how they fail; in the order of the help text.
const CAUSES: [(&[&str], &str); 6] = [
    (&["/", "%"], "a division by zero"),
    (&["sqrt"], "a root of a negative number"),
    (&["acos", "asin"], "`acos` or `asin` of more than 1"),
    (&["ln"], "`ln` of 0 or less"),
    (&["pow", "**"], "a power of 0 or of a negative number"),
    (&["exp"], "`exp` of a large number"),
];

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
        used.extend(CAUSES.iter().position(|(names, _)| names.contains(&name)));
    });
    let used: Vec<&str> = used.into_iter().map(|index| CAUSES[index].1).collect();
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
