//! Chains of dots and indices: whether there is what they ask for.

use rhai::{ASTFlags, Expr, FnCallExpr, Position};

use super::Reader;
use crate::diagnostics::closest;
use crate::script::catalog::{self, Kind};
use crate::script::{syntax, words};

/// One link of a chain.
pub(super) enum Link<'a> {
    Property(&'a str, Position),
    Method(&'a FnCallExpr, Position),
    Index,
}

/// What a chain begins with, and its links.
pub(super) fn unroll(chain: &Expr) -> (&Expr, Vec<Link<'_>>) {
    let mut links = Vec::new();
    let (root, mut parent, mut rest) = match chain {
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => (&parts.lhs, chain, &parts.rhs),
        other => return (other, links),
    };
    loop {
        let is_dot = matches!(parent, Expr::Dot(..));
        let goes_on = match parent {
            Expr::Dot(..) => true,
            Expr::Index(_, flags, _) => !flags.contains(ASTFlags::BREAK),
            _ => break,
        };
        let (here, next) = match rest {
            Expr::Dot(parts, ..) | Expr::Index(parts, ..) if goes_on => {
                (&parts.lhs, Some(&parts.rhs))
            }
            last => (last, None),
        };
        links.push(match here {
            Expr::Property(names, at) if is_dot => Link::Property(names.2.as_str(), *at),
            Expr::MethodCall(call, at) if is_dot => Link::Method(call, *at),
            _ => Link::Index,
        });
        match next {
            Some(next) => (parent, rest) = (rest, next),
            None => break,
        }
    }
    (root, links)
}

impl Reader<'_> {
    /// Follows a chain to the first link that leads nowhere.
    pub(super) fn chain(&mut self, chain: &Expr, is_assigned: bool) {
        let (root, links) = unroll(chain);
        let mut is_this = matches!(root, Expr::ThisPtr(_));
        if let (true, true, Expr::ThisPtr(at)) =
            (self.kinds.is_entry, self.known.memory.words() == 0, root)
        {
            let (message, help) = words::no_memory();
            if self.found.iter().all(|fault| fault.message != message) {
                self.fault(*at, message, help);
            }
            return;
        }
        let mut kind = self.kinds.root(root);
        for (index, link) in links.iter().enumerate() {
            let is_set = is_assigned && index + 1 == links.len();
            let goes_on = match link {
                Link::Property(name, at) if is_this => self.remembered(name, *at),
                Link::Property(name, at) => self.property(kind, name, *at, is_set),
                Link::Method(call, at) => self.method(kind, call, *at),
                Link::Index => true,
            };
            if !goes_on {
                return;
            }
            kind = self.kinds.follow(kind, is_this, link);
            is_this = false;
        }
    }

    /// `this.name`: of the memory, in the function that has one.
    fn remembered(&mut self, name: &str, at: Position) -> bool {
        let memory = self.known.memory;
        if !self.kinds.is_entry || memory.field(name).is_some() {
            return true;
        }
        let message = format!("MEMORY declares no `{name}`");
        let known = memory.fields().iter().map(|field| field.name.as_str());
        let help = match closest(name, known) {
            Some(near) => format!("did you mean `this.{near}`?"),
            None => format!("add it to MEMORY: `{name}: 0.0`"),
        };
        self.fault(at, message, Some(help));
        false
    }

    fn property(&mut self, kind: Option<Kind>, name: &str, at: Position, is_set: bool) -> bool {
        let Some(kind) = kind else {
            // A map may have any.
            let known = self.has_maps || catalog::is_property(name);
            if !known {
                let message = format!("nothing has a property `{name}`");
                let help = words::did_you_mean(name, catalog::names(None));
                self.fault(at, message, help);
            }
            return known;
        };
        if is_set && catalog::property("set$", kind, name).is_none() {
            if catalog::property("get$", kind, name).is_some() {
                let (message, help) = words::cannot_set(name, catalog::name(kind));
                self.fault(at, message, help);
                return false;
            }
        } else if catalog::property("get$", kind, name).is_some() {
            return true;
        }
        let (message, help) = words::no_property(name, catalog::name(kind));
        let is_method = catalog::methods(Some(kind)).any(|entry| entry.name == name);
        let help = if is_method {
            Some(format!("it is a function: write `{name}(…)`"))
        } else {
            words::did_you_mean(name, catalog::names(Some(kind))).or(help)
        };
        self.fault(at, message, help);
        false
    }

    fn method(&mut self, kind: Option<Kind>, call: &FnCallExpr, at: Position) -> bool {
        let (name, count) = (call.name.as_str(), call.args.len());
        if self.is_own(name, count) || super::calls::is_of_the_language(name) {
            return true;
        }
        let fitting = || catalog::methods(kind).filter(|entry| entry.name == name);
        if fitting().any(|entry| entry.takes.len() == count + 1) {
            return true;
        }
        if let Some(entry) = fitting().next() {
            let takes = syntax::arguments(entry.takes.len() - 1);
            let message = format!("`{name}` takes {takes} in parentheses, not {count}");
            self.fault(at, message, None);
            return false;
        }
        let of = kind.map_or_else(String::new, |kind| {
            format!(" of {}", words::friendly(catalog::name(kind)))
        });
        let is_property = match kind {
            Some(kind) => catalog::property("get$", kind, name).is_some(),
            None => catalog::is_property(name),
        };
        if is_property {
            let message = format!("`{name}`{of} is no function");
            let help = format!("write it without parentheses: `.{name}`");
            self.fault(at, message, Some(help));
            return false;
        }
        let own = self.bodies.iter().map(|body| body.name.as_str());
        let mut known: Vec<&str> = own.collect();
        for name in catalog::names(kind) {
            known.push(name);
        }
        let help = words::did_you_mean(name, known);
        self.fault(at, format!("there is no function `{name}`{of}"), help);
        false
    }
}
