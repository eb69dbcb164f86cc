//! Chains of dots and indices, as the syntax tree nests them.

use rhai::{ASTFlags, Expr, FnCallExpr, Position};

/// One link of a chain.
#[derive(Clone, Copy)]
pub(in crate::script) enum Link<'a> {
    Property(&'a str),
    Method(&'a FnCallExpr),
    Index(&'a Expr),
}

/// A link and where it stands.
#[derive(Clone, Copy)]
pub(in crate::script) struct Step<'a> {
    pub(in crate::script) link: Link<'a>,
    pub(in crate::script) at: Position,
    /// The node of the value that the link belongs to.
    pub(in crate::script) of: &'a Expr,
    /// Whether it is only followed if there is something to follow it from: `?.`.
    pub(in crate::script) is_optional: bool,
}

/// What a chain begins with, and its links.
pub(in crate::script) fn unroll(chain: &Expr) -> (&Expr, Vec<Step<'_>>) {
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
        // Inside of the chain, the rest of it.
        let of = if steps.is_empty() { root } else { parent };
        steps.push(Step { link, at, of, is_optional });
        match next {
            Some(next) => (parent, rest) = (rest, next),
            None => break,
        }
    }
    (root, steps)
}
