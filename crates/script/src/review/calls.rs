//! Reviews plain calls: the function must exist with this number of arguments.

use std::collections::BTreeSet;

use rhai::{FnCallExpr, Position};
use steerbox_core::diagnostics::{closest, did_you_mean};
use steerbox_core::text::TextEdit;

use super::Reader;
use crate::api;
use crate::foreign::{self, On};
use crate::interpret::catalog;
use crate::syntax::site::Site;
use crate::syntax::text;
use crate::types::Kind;

/// Returns true for functions of the script language itself.
pub(super) fn is_of_the_language(name: &str) -> bool {
    ["type_of", "is_shared"].contains(&name)
}

/// Returns the numbers of arguments that variants of a function take, as text.
pub(super) fn counts(variants: impl Iterator<Item = usize>) -> String {
    let distinct: BTreeSet<_> = variants.collect();
    distinct.into_iter().map(text::arguments).collect::<Vec<_>>().join(" or ")
}

impl Reader<'_> {
    pub(super) fn call(&mut self, call: &FnCallExpr, at: Position) {
        let (name, count) = (call.name.as_str(), call.args.len());
        let is_imported = !call.namespace.is_empty();
        if is_imported || call.op_token.is_some() || !text::is_name(name) || is_of_the_language(name) {
            return;
        }
        if name == "param" {
            let message = "`param` declares constants and is called nowhere else";
            let help = "write `const NAME = param(…);` at the top of the file";
            return self.fault(at, message, Some(help.to_owned()));
        }
        let is_known = |count| catalog::functions(name).any(|entry| entry.params.len() == count);
        if self.is_own(name, count) || is_known(count) {
            return;
        }
        let own = (self.bodies.iter()).find(|body| body.name == name);
        if let Some(own) = own {
            let takes = text::arguments(own.parameters.len());
            let parameters = own.parameters.clone();
            self.fault(at, format!("`{name}` takes {takes}, not {count}"), None);
            self.trim(at, parameters.len());
            return self.complete(at, &parameters);
        }
        if catalog::functions(name).next().is_some() {
            return self.wrong_count(call, at);
        }
        if self.kinds.locals.contains(name) {
            let message = format!("`{name}` is a variable and no function");
            self.fault(at, message, Some(format!("write `{name}` alone")));
            if let Some(site) = Site::read(self.known.source.text, self.offset(at)) {
                let edits = vec![TextEdit::replace(site.name.end..site.end, "")];
                self.fix(format!("write `{name}` alone"), edits);
            }
            return;
        }
        let own = self.bodies.iter().map(|body| body.name.as_str());
        let known = own.chain(catalog::plain_names().map(|name| -> &str { name }));
        let foreign = foreign::help(On::Call, name);
        let near = closest(name, known).filter(|_| foreign.is_none());
        let help = foreign.clone().or_else(|| near.map(did_you_mean));
        let near = near.map(str::to_owned);
        self.fault(at, format!("there is no function `{name}`"), help);
        self.rewrite(foreign.as_deref(), near.as_deref());
        if foreign.as_deref().is_some_and(|help| help.starts_with("`me.draw_text(")) {
            self.show(at);
        }
        if foreign.is_some_and(|help| help.starts_with("a vector is written `vec(x, y)`")) {
            self.instead(Some(api::VECTOR));
        }
    }

    /// Adds the fix that draws the only argument of a call as a text.
    fn show(&mut self, at: Position) {
        let text = self.known.source.text;
        let site = Site::read(text, self.offset(at)).filter(|_| self.kinds.locals.contains("me"));
        if let Some(Site { name, arguments: Some(arguments), end, .. }) = site
            && let [one] = &arguments[..]
        {
            let new = format!("me.draw_text(me.position, {})", &text[one.clone()]);
            self.fix(format!("write `{new}`"), vec![TextEdit::replace(name.start..end, new)]);
        }
    }

    /// Reports a function of the API called with too few or too many arguments.
    fn wrong_count(&mut self, call: &FnCallExpr, at: Position) {
        let (name, count) = (call.name.as_str(), call.args.len());
        let me = Kind::Me;
        let is_mine = catalog::functions(name)
            .any(|entry| entry.params.first() == Some(&me) && entry.params.len() == count + 1);
        if is_mine {
            let message = format!("`{name}` is a function of a unit");
            let help = format!("did you mean `me.{name}(…)`?");
            self.fault(at, message, Some(help));
            return self.instead(Some(&format!("me.{name}")));
        }
        let takes = counts(catalog::functions(name).map(|entry| entry.params.len()));
        let message = format!("`{name}` takes {takes}, not {count}");
        let foreign = foreign::help(On::Call, name);
        let least =
            catalog::functions(name).map(|entry| entry.params.len()).filter(|takes| *takes < count).max();
        self.fault(at, message, foreign.clone());
        self.rewrite(foreign.as_deref(), None);
        if let Some(least) = least {
            self.trim(at, least);
        } else {
            let source = self.known.source;
            let usual = foreign::usual_arguments(name, count);
            let fix = self.found.last().and_then(|fault| source.rewritten(fault, usual));
            self.add(fix);
        }
    }

    /// Adds the fix of a call whose missing arguments are variables of the same names.
    fn complete(&mut self, at: Position, parameters: &[String]) {
        let site = Site::read(self.known.source.text, self.offset(at));
        let Some((site, given)) = site.and_then(|site| Some((site.end, site.arguments?.len()))) else {
            return;
        };
        let missing = parameters.get(given..).unwrap_or_default();
        if !missing.is_empty() && given > 0 && missing.iter().all(|name| self.is_declared(name)) {
            let names = missing.join(", ");
            let edits = vec![TextEdit::insert(site - 1, format!(", {names}"))];
            self.fix(format!("add `{names}`"), edits);
        }
    }
}
