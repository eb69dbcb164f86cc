//! Reviews words compared with a choice parameter that are none of its choices.

use rhai::{Expr, FnCallExpr, Stmt};
use steerbox_core::diagnostics::{closest, line_and_column, offset_of, quoted_suggestion};

use super::Reader;
use crate::param::{ParamRange, quoted};
use crate::syntax::text::place;
use crate::syntax::tree;

impl<'a> Reader<'a> {
    /// Adds a warning if a parameter is compared with a word that is none of its choices.
    pub(super) fn compared_choice(&mut self, call: &FnCallExpr) {
        let result = match call.name.as_str() {
            "==" => false,
            "!=" => true,
            _ => return,
        };
        let ([Expr::StringConstant(word, at), param] | [param, Expr::StringConstant(word, at)]) =
            &call.args[..]
        else {
            return;
        };
        if let Some((name, words)) = self.choices(param).filter(|(_, words)| !contains(words, word)) {
            let message = format!("this is always {result}: {name} is never \"{word}\"");
            let near = closest(word, words.iter().map(String::as_str)).map(|near| format!("\"{near}\""));
            self.warn(*at, message, remedy(word, words));
            self.instead(near.as_deref());
        }
    }

    /// Adds a warning for each case of a `switch` over a parameter that is none of its choices.
    pub(super) fn switched_choice(&mut self, statement: &Stmt) {
        let Stmt::Switch(parts, _) = statement else {
            return;
        };
        let Some((name, words)) = self.choices(&parts.0) else {
            return;
        };
        let cases = tree::constants(&parts.1).filter_map(|value| value.clone().into_immutable_string().ok());
        let mut unknown: Vec<_> = cases.filter(|word| !contains(words, word)).collect();
        unknown.sort_unstable();
        let text = self.known.source.text;
        let start = offset_of(text, place(parts.0.start_position()).unwrap_or((1, 1)));
        for word in unknown {
            let at = text[start..].find(&format!("\"{word}\"")).map_or(start, |at| start + at);
            let message = format!("this case is never reached: {name} is never \"{word}\"");
            let fault = self.known.source.fault(line_and_column(text, at), message);
            self.found.push(fault.help(remedy(&word, words)).warning());
            let near = closest(&word, words.iter().map(String::as_str)).map(|near| format!("\"{near}\""));
            self.instead(near.as_deref());
        }
    }

    /// Returns the name and the choices of a choice parameter.
    fn choices(&self, expr: &Expr) -> Option<(&'a str, &'a [String])> {
        let Expr::Variable(variable, ..) = expr else {
            return None;
        };
        let is_shadowed = self.kinds.locals.contains(variable.1.as_str());
        let param = self.known.params.iter().find(|param| param.name == variable.1 && !is_shadowed)?;
        match &param.range {
            ParamRange::Choice(words) => Some((&param.name, words)),
            _ => None,
        }
    }
}

fn contains(words: &[String], word: &str) -> bool {
    words.iter().any(|known| known == word)
}

fn remedy(word: &str, words: &[String]) -> String {
    let near = quoted_suggestion(word, words.iter().map(String::as_str));
    near.unwrap_or_else(|| format!("its choices are {}", quoted(words)))
}
