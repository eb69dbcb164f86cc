//! Reviews chains of dots and indices: every property, method and element must exist.

use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};
use steerbox_core::diagnostics::{Fix, closest, did_you_mean, suggestion};
use steerbox_core::text::TextEdit;

use super::Reader;
use crate::foreign::{self, On};
use crate::interpret::catalog;
use crate::messages::words;
use crate::syntax::chain::{Link, Step, unroll};
use crate::syntax::site::Site;
use crate::syntax::tree;
use crate::types::Kind;

/// Returns a remedy for `this` used instead of `me`.
fn of_me(name: &str) -> Option<String> {
    let [me, _] = catalog::arguments("steer");
    let known = catalog::names(Some(me)).any(|known| known == name);
    known.then(|| format!("`this` is what a unit remembers; the unit is `me`: write `me.{name}`"))
}

impl Reader<'_> {
    /// Reports the first invalid link of a chain.
    pub(super) fn chain(&mut self, chain: &Expr, is_assigned: bool) {
        let (root, links) = unroll(chain);
        if let Expr::Variable(variable, ..) = root
            && variable.2.is_empty()
            && !self.is_declared(&variable.1)
        {
            // The undeclared name is already reported.
            return;
        }
        let mut is_this = matches!(root, Expr::ThisPtr(_));
        let has_none = self.known.memory.is_some_and(|memory| memory.words() == 0);
        if let (true, true, Expr::ThisPtr(at)) = (self.is_entry, has_none, root) {
            let (message, help) = words::no_memory();
            let mut constants = self.known.scope.iter_raw();
            let map = constants.find(|(_, _, value)| value.is_map());
            let help = match (links.first().map(|step| step.link), map) {
                (_, Some((name, ..))) => Some(format!(
                    "`{name}` is a plain constant: declare what is remembered as `const MEMORY`"
                )),
                (Some(Link::Property(name)), _) => of_me(name).or(help),
                _ => help,
            };
            if self.found.iter().all(|fault| fault.message != message) {
                let is_of_me = help.as_deref().is_some_and(|help| help.starts_with("`this` is what"));
                self.fault(*at, message, help);
                self.instead(is_of_me.then_some("me"));
                if let (false, Some(Link::Property(name))) = (is_of_me, links.first().map(|step| step.link)) {
                    self.remember(name);
                }
            }
            return;
        }
        if let (false, Some(Step { link: Link::Property(name), at, .. })) = (is_assigned, links.first())
            && let Some((message, help)) = self.maps.missing(root, name)
        {
            let near = help.strip_prefix("did you mean `").and_then(|near| near.strip_suffix("`?"));
            let near = near.map(str::to_owned);
            self.warn(*at, message, help);
            self.instead(near.as_deref());
        }
        for (index, step) in links.iter().enumerate() {
            let (link, at) = (step.link, step.at);
            let kind = self.kinds.kind(step.of);
            let is_set = is_assigned && index + 1 == links.len();
            if let (true, false, Link::Property(name), Some(kind)) =
                (is_assigned, is_set || is_this, link, kind)
            {
                self.set_of_a_copy(kind, name, at);
            }
            let goes_on = match link {
                Link::Property(name) if is_this => self.memory_field(name, at),
                Link::Property(name) => self.property(kind, name, at, is_set),
                Link::Method(call) => self.method(kind, call, at),
                Link::Index(_) => true,
            };
            if !goes_on {
                if let (0, Some((help, fix)), Some(fault)) =
                    (index, self.counter_first(root), self.found.last_mut())
                {
                    fault.help = Some(help);
                    fault.fixes = fix.into_iter().collect();
                }
                return;
            }
            is_this = false;
        }
    }

    /// Returns a remedy if the counter of a `for` is used as the element, and the fix that exchanges both.
    fn counter_first(&self, root: &Expr) -> Option<(String, Option<Fix>)> {
        let Expr::Variable(variable, ..) = root else {
            return None;
        };
        let text = self.known.source.text;
        let mut found = None;
        tree::each_node(&self.body.statements, &mut |node| {
            if let ASTNode::Stmt(Stmt::For(parts, _)) = node
                && let Some(counter) = parts.1.as_ref().filter(|counter| counter.name == variable.1)
            {
                let (item, counter) = (&parts.0, &counter.name);
                let (written, by) =
                    (format!("({}, {counter})", item.name), format!("({counter}, {})", item.name));
                let at = text[..self.offset(item.pos)].rfind('(');
                let at = at.filter(|at| text[*at..].starts_with(&written));
                let help = format!("the counter comes second: write `for {by} in …`");
                let fix = at.map(|at| Fix::replace(format!("write `{by}`"), at..at + written.len(), by));
                found = Some((help, fix));
            }
        });
        found
    }

    /// Reviews `this.name`, a memory field; only the entry point has `this`.
    fn memory_field(&mut self, name: &str, at: Position) -> bool {
        let Some(memory) = self.known.memory.filter(|_| self.is_entry) else {
            return true;
        };
        if memory.field(name).is_some() {
            return true;
        }
        let message = format!("MEMORY declares no `{name}`");
        let known = memory.fields().iter().map(|field| field.name.as_str());
        let help = match closest(name, known) {
            Some(near) => format!("did you mean `this.{near}`?"),
            None => of_me(name).unwrap_or_else(|| {
                format!("add it to MEMORY with its first value, for example `{name}: 0.0`")
            }),
        };
        let near = closest(name, memory.fields().iter().map(|field| field.name.as_str()));
        let near = near.map(str::to_owned);
        self.fault(at, message, Some(help));
        self.instead(near.as_deref());
        if let (None, true, Some(site)) =
            (near, of_me(name).is_some(), Site::read(self.known.source.text, self.offset(at)))
            && let Some(receiver) = site.receiver
        {
            self.fix(format!("write `me.{name}`"), vec![TextEdit::replace(receiver, "me")]);
        }
        false
    }

    /// Reports `me.position.x = 3`: the property returns a copy of the vector, which is not written back.
    fn set_of_a_copy(&mut self, kind: Kind, name: &str, at: Position) {
        let gives = catalog::property("get$", kind, name).and_then(|entry| entry.returns);
        let is_kept = catalog::property("set$", kind, name).is_some();
        if gives == Some(Kind::Vector) && !is_kept {
            let message = format!("this changes nothing: `{name}` gives a copy");
            let (_, help) = words::cannot_set(name, kind.name());
            self.warn(at, message, help.unwrap_or_default());
        }
    }

    fn property(&mut self, kind: Option<Kind>, name: &str, at: Position, is_set: bool) -> bool {
        let Some(kind) = kind else {
            // A map may have any property.
            let known = self.has_maps || catalog::is_property(name);
            if !known {
                let message = format!("nothing has a property `{name}`");
                let foreign = foreign::help(On::Anything, name);
                let near = closest(name, catalog::names(None)).filter(|_| foreign.is_none());
                self.fault(at, message, foreign.clone().or_else(|| near.map(did_you_mean)));
                self.rewrite(foreign.as_deref(), near);
            }
            return known;
        };
        let is_read = catalog::property("get$", kind, name).is_some();
        if is_read && (!is_set || catalog::property("set$", kind, name).is_some()) {
            return true;
        }
        let of = kind.name();
        let is_method = catalog::methods(Some(kind)).any(|entry| entry.name == name);
        let (message, help) = if is_read {
            words::cannot_set(name, of)
        } else if is_method {
            let help = format!("it is a function: write `{name}(…)`");
            (words::no_property(name, of, || None).0, Some(help))
        } else if is_set {
            words::cannot_add(name, of)
        } else {
            words::no_property(name, of, || suggestion(name, catalog::names(Some(kind))))
        };
        let foreign = foreign::help(On::Kind(&words::friendly(of)), name);
        let near = closest(name, catalog::names(Some(kind)));
        self.fault(at, message, help);
        if is_method {
            self.instead(Some(&format!("{name}()")));
        } else if !is_read && (is_set || (foreign.is_none() && near.is_none())) && kind == Kind::Me {
            self.remember(name);
        } else if !is_read && !is_set {
            self.rewrite(foreign.as_deref(), near);
        }
        false
    }

    fn method(&mut self, kind: Option<Kind>, call: &FnCallExpr, at: Position) -> bool {
        let (name, count) = (call.name.as_str(), call.args.len());
        if self.is_own(name, count) || super::calls::is_of_the_language(name) {
            return true;
        }
        let fitting = || catalog::methods(kind).filter(|entry| entry.name == name);
        if fitting().any(|entry| entry.params.len() == count + 1) {
            return true;
        }
        let on = kind.map_or("", Kind::name);
        let on = words::friendly(on);
        let foreign = || {
            let on = if kind.is_some() { On::Kind(&on) } else { On::Anything };
            foreign::help(on, name)
        };
        let variants = || fitting().map(|entry| entry.params.len() - 1);
        if let Some(least) = variants().min() {
            let takes = super::calls::counts(variants());
            let message = format!("`{name}` takes {takes} in parentheses, not {count}");
            self.fault(at, message, foreign());
            self.trim(at, variants().filter(|takes| *takes < count).max().unwrap_or(least));
            return false;
        }
        let of = kind.map_or_else(String::new, |kind| format!(" of {}", words::friendly(kind.name())));
        let is_property = match kind {
            Some(kind) => catalog::property("get$", kind, name).is_some(),
            None => catalog::is_property(name),
        };
        if is_property {
            let message = format!("`{name}`{of} is not a function");
            let help = format!("write it without parentheses: `.{name}`");
            let foreign = foreign().filter(|_| count > 0);
            self.fault(at, message, foreign.clone().or(Some(help)));
            if foreign.is_some() {
                self.rewrite(foreign.as_deref(), None);
            } else if let Some(site) =
                Site::read(self.known.source.text, self.offset(at)).filter(|_| count == 0)
            {
                let edits = vec![TextEdit::replace(site.name.end..site.end, "")];
                self.fix(format!("write `.{name}`"), edits);
            }
            return false;
        }
        let own = self.bodies.iter().map(|body| body.name.as_str());
        let known = own.chain(catalog::names(kind).map(|name| -> &str { name }));
        let foreign = foreign();
        let near = closest(name, known).filter(|_| foreign.is_none()).map(str::to_owned);
        let help = foreign.clone().or_else(|| near.as_deref().map(did_you_mean));
        self.fault(at, format!("there is no function `{name}`{of}"), help);
        self.rewrite(foreign.as_deref(), near.as_deref());
        false
    }
}
