//! Names of other languages rewritten to their equivalents, by the code in the remedies of the table.

use std::ops::Range;

use super::lexemes::is_part_of_name;
use super::site::Site;

/// Returns the code that replaces a range of `text`, from a remedy ``write `code` `` of the name at `site`. Words of the code
/// that are neither functions, properties nor constants stand for the receiver and the arguments.
pub(super) fn rewrite(text: &str, site: &Site, help: &str) -> Option<(Range<usize>, String)> {
    let code = help.strip_prefix("write `")?.split('`').next()?;
    if code.contains(['…', ';', '{', '"', '[']) {
        return None;
    }
    let part = |range: &Range<usize>| &text[range.clone()];
    let arguments: Vec<&str> = site.arguments.iter().flatten().map(part).collect();
    let has_call = code.contains('(');
    if let Some(property) = code.strip_prefix('.') {
        let values = operands(code);
        let fits = values.len() == arguments.len() && (site.arguments.is_some() || !has_call);
        let new = fits.then(|| filled(code, &values, &arguments))?;
        let receiver = site.receiver.as_ref()?;
        let range = site.name.start..site.end;
        return Some(if property.contains(' ') && !is_call(property) {
            (receiver.start..site.end, format!("({}{new})", part(receiver)))
        } else {
            (range, new.strip_prefix('.')?.to_owned())
        });
    }
    let values = operands(code);
    let is_absolute = ["me", "world", "PI", "TAU"].iter().any(|word| code.starts_with(word));
    let receiver = site.receiver.as_ref().map(part);
    let given: Vec<&str> =
        if is_absolute { arguments } else { receiver.into_iter().chain(arguments).collect() };
    if is_absolute && receiver.is_some_and(|receiver| !receiver.chars().all(is_part_of_name)) {
        return None;
    }
    let new = (values.len() == given.len()).then(|| filled(code, &values, &given))?;
    let new = if code.contains(' ') && !is_call(code) { format!("({new})") } else { new };
    let start = site.receiver.as_ref().map_or(site.name.start, |receiver| receiver.start);
    Some((start..site.end, new))
}

/// Returns true for one call.
fn is_call(code: &str) -> bool {
    code.ends_with(')') && code.find('(').is_some_and(|open| code[..open].chars().all(is_part_of_name))
}

/// The words of a code with their offsets.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &code[at..];
        let start = at + rest.find(is_part_of_name)?;
        let rest = &code[start..];
        let end = start + rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len());
        at = end;
        Some((start, &code[start..end]))
    })
}

/// Returns true if a word stands for a value.
fn is_operand(code: &str, (at, word): (usize, &str)) -> bool {
    let is_known = ["me", "world", "PI", "TAU", "true", "false"].contains(&word);
    let is_called = code[at + word.len()..].starts_with('(');
    !is_known && !is_called && !code[..at].ends_with('.') && word.starts_with(char::is_alphabetic)
}

/// Returns the distinct words that stand for values, in order.
fn operands(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (_, word) in words(code).filter(|word| is_operand(code, *word)) {
        if !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// Returns a code with values in place of its words.
fn filled(code: &str, operands: &[&str], values: &[&str]) -> String {
    let (mut new, mut at) = (String::new(), 0);
    for (start, word) in words(code).filter(|word| is_operand(code, *word)) {
        let value = operands.iter().position(|operand| *operand == word).map(|index| values[index]);
        new.push_str(&code[at..start]);
        let is_argument =
            code[..start].ends_with(['(', ' ']) && code[start + word.len()..].starts_with([',', ')']);
        match value {
            Some(value) if value.contains(' ') && !is_argument => new.extend(["(", value, ")"]),
            Some(value) => new.push_str(value),
            None => new.push_str(word),
        }
        at = start + word.len();
    }
    new.push_str(&code[at..]);
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_are_filled_with_receivers_and_arguments() {
        for (text, help, fixed) in [
            ("a = v.§mag() + 1", "write `.length`", "a = v.length + 1"),
            ("v.§clampLength(b + 1)", "write `.limit(most)`", "v.limit(b + 1)"),
            ("v.§setMag(2 * a)", "write `v.normalized * length`", "(v.normalized * (2 * a))"),
            ("§dist(a.b, c)", "write `a.distance_to(b)`", "a.b.distance_to(c)"),
            ("§fmod(a, 2)", "write `a % b`", "(a % 2)"),
            ("me.§target - b", "write `world.target`: `()`", "world.target - b"),
            ("world.§width", "write `.size.x`", "world.size.x"),
            ("§mix(a, b, 0.5)", "write `lerp(a, b, t)`", "lerp(a, b, 0.5)"),
            ("§sqr(a + 1)", "write `x * x`", "((a + 1) * (a + 1))"),
        ] {
            let at = text.find('§').expect("it marks the name");
            let text = text.replace('§', "");
            let site = Site::read(&text, at).expect("it is a name");
            let (range, new) = rewrite(&text, &site, help).expect(&text);
            let mut found = text.clone();
            found.replace_range(range, &new);
            assert_eq!(found, fixed);
        }
        let site = Site::read("constrain(d, 0, 1)", 0).expect("it is a name");
        assert_eq!(rewrite("constrain(d, 0, 1)", &site, "write `clamp(x, 0.0, 1.0)`"), None);
    }
}
