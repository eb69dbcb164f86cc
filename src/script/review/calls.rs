//! Reviews plain calls: the function must exist with this number of arguments.

use rhai::{FnCallExpr, Position};

use super::Reader;
use crate::diagnostics::suggestion;
use crate::script::foreign::{self, On};
use crate::script::front::catalog;
use crate::script::syntax::text;
use crate::script::types::Kind;

/// Returns true for functions of the script language itself.
pub(super) fn is_of_the_language(name: &str) -> bool {
    ["type_of", "is_shared"].contains(&name)
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
            return self.fault(at, format!("`{name}` takes {takes}, not {count}"), None);
        }
        if catalog::functions(name).next().is_some() {
            return self.wrong_count(call, at);
        }
        if self.kinds.locals.contains(name) {
            let message = format!("`{name}` is a variable and no function");
            return self.fault(at, message, Some(format!("write `{name}` alone")));
        }
        let own = self.bodies.iter().map(|body| body.name.as_str());
        let known = own.chain(catalog::plain_names().map(|name| -> &str { name }));
        let near = || suggestion(name, known);
        let help = foreign::help(On::Call, name).or_else(near);
        self.fault(at, format!("there is no function `{name}`"), help);
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
            return self.fault(at, message, Some(help));
        }
        let mut counts: Vec<_> = catalog::functions(name).map(|entry| entry.params.len()).collect();
        counts.sort_unstable();
        counts.dedup();
        let takes: Vec<_> = counts.into_iter().map(text::arguments).collect();
        let message = format!("`{name}` takes {}, not {count}", takes.join(" or "));
        self.fault(at, message, foreign::help(On::Call, name));
    }
}
