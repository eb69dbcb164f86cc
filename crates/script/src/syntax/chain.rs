//! Flattens chains of dots and indices, which the syntax tree nests.

use rhai::{ASTFlags, Expr, FnCallExpr, Position};

/// One link of a chain.
#[derive(Clone, Copy)]
pub(crate) enum Link<'a> {
    Property(&'a str),
    Method(&'a FnCallExpr),
    Index(&'a Expr),
}

/// A link with its position and the expression that it belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) link: Link<'a>,
    pub(crate) at: Position,
    /// The node of the expression before the link.
    pub(crate) of: &'a Expr,
    /// True for `?.`, which is skipped if the value before it is `()`.
    pub(crate) is_optional: bool,
}

/// Returns the first expression of a chain and the links after it.
pub(crate) fn unroll(chain: &Expr) -> (&Expr, Vec<Step<'_>>) {
    let mut steps = Vec::new();
    let (root, mut parent, mut rest) = match chain {
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => (&parts.lhs, chain, &parts.rhs),
        other => return (other, steps),
    };
    loop {
        let (is_dot, flags, at) = match parent {
            Expr::Dot(_, flags, at) => (true, *flags, *at),
            Expr::Index(_, flags, at) => (false, *flags, *at),
            _ => break,
        };
        let goes_on = is_dot || !flags.contains(ASTFlags::BREAK);
        let (here, next) = match rest {
            Expr::Dot(parts, ..) | Expr::Index(parts, ..) if goes_on => (&parts.lhs, Some(&parts.rhs)),
            last => (last, None),
        };
        let (link, at) = match here {
            Expr::Property(names, at) if is_dot => (Link::Property(names.2.as_str()), *at),
            Expr::MethodCall(call, at) if is_dot => (Link::Method(call), *at),
            index => (Link::Index(index), at),
        };
        let is_optional = flags.contains(ASTFlags::NEGATED);
        // Each inner node of the chain holds the rest of it.
        let of = if steps.is_empty() { root } else { parent };
        steps.push(Step { link, at, of, is_optional });
        match next {
            Some(next) => (parent, rest) = (rest, next),
            None => break,
        }
    }
    (root, steps)
}
