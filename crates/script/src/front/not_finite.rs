//! Operations of a script that may produce infinity or NaN.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Stmt};

use crate::api::{self, Tag};
use crate::syntax::tree;

/// Operators and tags of functions with their failures, in the order of the help text.
const CAUSES: [(&[&str], Option<Tag>, &str); 6] = [
    (&["/", "%"], None, "a division by zero"),
    (&[], Some(Tag::Root), "a root of a negative number"),
    (&[], Some(Tag::Arc), "`acos` or `asin` of more than 1"),
    (&[], Some(Tag::Logarithm), "`ln` of 0 or less"),
    (&["**"], Some(Tag::Power), "a power of 0 or of a negative number"),
    (&[], Some(Tag::Exponential), "`exp`, `sinh` or `cosh` of a large number"),
];

/// Lists the usual causes that a script contains, as a remedy.
pub(crate) fn causes(ast: &AST) -> String {
    let mut used = BTreeSet::new();
    tree::walk(ast, &mut |path| {
        let name = match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                let info = assignment.0.get_op_assignment_info();
                info.map_or("", |info| info.5)
            }
            node => node.and_then(|node| tree::call(*node)).map_or("", |call| call.name.as_str()),
        };
        used.extend(CAUSES.iter().position(|(operators, tag, _)| {
            operators.contains(&name) || tag.is_some_and(|tag| api::is_tagged(name, tag))
        }));
    });
    let used: Vec<&str> = used.into_iter().map(|index| CAUSES[index].2).collect();
    match &used[..] {
        [] => "a division by zero is a usual cause, or a number that grew past 3.4e38".to_owned(),
        [one] => format!("{one} is a usual cause"),
        some => format!("usual causes: {}", some.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::engine;

    #[test]
    fn only_operations_of_the_script_are_listed() {
        for (body, reported) in [
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
            assert_eq!(causes(&ast), reported, "{body}");
        }
    }
}
