//! Edits of gain, enabled flag and parameters of a behavior in a scene's text.

use std::collections::BTreeMap;
use std::ops::Range;

use super::layout::{OUTER_LINE, Splices};
use super::text::{number, param, ron_text};
use super::wanted::plain;
use crate::node::Node;
use crate::plan::{ParamSetting, ScriptUse};
use crate::span::Span;
use crate::tokens::{TokenKind, tokens};

/// Names and values of one behavior.
type Entries<'a> = Vec<(Node<'a>, Node<'a>)>;

/// Edits `text` from `was` to `is`. Impossible edits are skipped; the final comparison detects them.
pub(super) fn edit(splices: &mut Splices, text: &str, was: &ScriptUse, is: &ScriptUse) {
    let params = changed_params(was, is);
    if was.gain == is.gain && was.enabled == is.enabled && params.is_empty() {
        return;
    }
    let Some(fields) = node(text, &was.entry).fields() else {
        return;
    };
    let at = |name: &str| fields.iter().position(|(key, _)| key.text == name);
    let script = at("script").unwrap_or(0);
    let colon = colon(text, fields.get(script));
    let mut added: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut put = |name: &str, value: String, span: Option<&Span>, after: usize| {
        if let Some(span) = span {
            splices.put(span.range.clone(), value);
        } else {
            let field = format!("{name}{colon}{value}");
            added.entry(after).or_default().push(field);
        }
    };
    if was.gain != is.gain {
        let span = was.gain_span.as_ref();
        let before = span.map_or("", |span| written(text, span));
        put("gain", number(is.gain, before), span, script);
    }
    if was.enabled != is.enabled {
        let (value, span) = (is.enabled.to_string(), was.enabled_span.as_ref());
        put("enabled", value, span, at("gain").unwrap_or(script));
    }
    if let Some(field) = edit_params(splices, text, was, &params, colon) {
        let last = fields.len().saturating_sub(1);
        added.entry(last).or_default().push(field);
    }
    for (after, new) in added {
        if let Some(field) = fields.get(after) {
            splices.add_after(text, &range(field), &new);
        }
    }
}

/// Returns the parameters that differ, with their old settings.
fn changed_params<'a>(
    was: &'a ScriptUse,
    is: &'a ScriptUse,
) -> Vec<(Option<&'a ParamSetting>, &'a ParamSetting)> {
    let before = |name: &str| was.params.iter().find(|param| param.name == name);
    let pairs = is.params.iter().map(|param| (before(&param.name), param));
    pairs
        .filter(|(before, param)| before.is_none_or(|before| plain(&before.value) != plain(&param.value)))
        .collect()
}

/// Edits the map of parameters; returns the whole field if there is no map yet.
fn edit_params(
    splices: &mut Splices,
    text: &str,
    was: &ScriptUse,
    params: &[(Option<&ParamSetting>, &ParamSetting)],
    colon: &str,
) -> Option<String> {
    let map = was.params_span.as_ref().map(|span| node(text, span));
    let entries: Entries<'_> = map.and_then(Node::entries).unwrap_or_default();
    let between = match entries.first() {
        Some(first) => self::colon(text, Some(first)),
        None => colon,
    };
    let mut new = Vec::new();
    for (before, setting) in params {
        if let Some(before) = before {
            let span = &before.value_span;
            let written = written(text, span);
            let value = param(&setting.value, written) + comments(written).as_str();
            splices.put(span.range.clone(), value);
        } else {
            let (name, value) = (ron_text(&setting.name), param(&setting.value, ""));
            new.push(format!("{name}{between}{value}"));
        }
    }
    match (map, entries.last()) {
        _ if new.is_empty() => {}
        (None, _) => return Some(format!("params{colon}{{{}}}", new.join(", "))),
        (Some(map), None) => splices.fill(text, &map.range(), &new),
        (Some(_), Some(last)) => splices.add_after(text, &range(last), &new),
    }
    None
}

/// Returns the comments in the text of a replaced value, to append them to the new one.
fn comments(written: &str) -> String {
    let comments = tokens(written).filter(|token| token.kind == TokenKind::Comment);
    let texts = comments.map(|token| {
        let comment = written[token.range].trim_end();
        // A line comment ends with its line.
        let end = if comment.starts_with("//") { OUTER_LINE.to_string() } else { String::new() };
        format!(" {comment}{end}")
    });
    texts.collect()
}

fn node<'a>(text: &'a str, span: &Span) -> Node<'a> {
    Node { text: written(text, span), start: span.range.start }
}

fn written<'a>(text: &'a str, span: &Span) -> &'a str {
    text.get(span.range.clone()).unwrap_or_default()
}

/// The range of name and value.
pub(super) fn range((name, value): &(Node<'_>, Node<'_>)) -> Range<usize> {
    name.start..value.range().end
}

/// Returns the text between a name and its value.
fn colon<'a>(text: &'a str, pair: Option<&(Node<'_>, Node<'_>)>) -> &'a str {
    let between = pair.and_then(|(name, value)| text.get(name.range().end..value.start));
    let plain = between.filter(|between| between.chars().all(|c| c == ' ' || c == ':'));
    plain.unwrap_or(": ")
}
