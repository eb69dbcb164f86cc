//! Any sequence of edits of rules and groups results in the scene with the items edited as data, and preserves comments.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::rearrange::{ListItem, Rearrange, rearranged};
use super::wanted::same;
use crate::plan::Scene;
use crate::read::read;
use crate::tokens::{TokenKind, tokens};

/// The data of a list whose text is edited: what its items contain, and the comments around them.
#[derive(Clone, Debug)]
struct Made {
    around: Vec<String>,
    inside: Vec<String>,
    rules: Vec<Made>,
}

impl Made {
    fn comments(&self) -> Vec<String> {
        let rules = self.rules.iter().flat_map(Made::comments);
        self.around.iter().chain(&self.inside).cloned().chain(rules).collect()
    }
}

/// Numbers for comments and names.
struct Writer {
    next: usize,
    styles: std::vec::IntoIter<u8>,
}

impl Writer {
    fn style(&mut self) -> u8 {
        self.styles.next().unwrap_or(0)
    }

    fn comment(&mut self, comments: &mut Vec<String>, is_line: bool) -> String {
        self.next += 1;
        comments.push(format!("c{}.", self.next));
        if is_line { format!("// c{}.\n", self.next) } else { format!("/* c{}. */", self.next) }
    }

    /// The text of a list of items in a layout, and the comments that belong to it.
    fn list(&mut self, items: &mut [(String, Made)], comments: &mut Vec<String>) -> String {
        let layout = self.style();
        let (is_long, ends_in_comma) = (layout & 0b1 != 0, layout & 0b10 != 0);
        let mut text = "[".to_owned();
        if is_long && layout & 0b100 != 0 {
            text.extend([" ", &self.comment(comments, true)]);
        }
        let count = items.len();
        for (at, (item, made)) in items.iter_mut().enumerate() {
            let style = self.style();
            if is_long && style & 0b1 != 0 {
                text.extend(["\n\n  ", &self.comment(comments, true), "\n"]);
            }
            text += if is_long { "\n  " } else { " " };
            if style & 0b10 != 0 {
                text += &self.comment(&mut made.around, is_long);
            }
            text += item;
            let comma = if at + 1 < count || ends_in_comma { "," } else { "" };
            match style & 0b1100 {
                0b0100 => text.extend([" ", &self.comment(&mut made.around, false), comma]),
                0b1000 => text.extend([comma, " ", &self.comment(&mut made.around, true)]),
                _ => text.push_str(comma),
            }
            text += if style & 0b1_0000 != 0 && is_long { "\n" } else { "" };
        }
        text + if is_long { "\n]" } else { "]" }
    }
}

/// A scene with groups that have these numbers of rules, and its data. The first group has scripts in pairs.
fn made(counts: &[usize], styles: Vec<u8>) -> (String, Made) {
    let mut writer = Writer { next: 0, styles: styles.into_iter() };
    let mut groups = Vec::new();
    for (number, count) in counts.iter().enumerate() {
        let mut inside = Vec::new();
        let rules = (0..*count).map(|at| {
            let (mut inside, gain) = (Vec::new(), number * 10 + at);
            let comment = writer.comment(&mut inside, false);
            let text = format!("(script: \"s{}\", {comment} gain: {gain})", at / 2);
            (text, Made { around: Vec::new(), inside, rules: Vec::new() })
        });
        let mut rules: Vec<_> = rules.collect();
        let list = writer.list(&mut rules, &mut inside);
        let text =
            format!("(name: \"g{number}\", kinds: [\"k\"], body: \"m\", count: {number}, behaviors: {list})");
        let rules = rules.into_iter().map(|(_, made)| made).collect();
        groups.push((text, Made { around: Vec::new(), inside, rules }));
    }
    let mut inside = Vec::new();
    let list = writer.list(&mut groups, &mut inside);
    let text = format!("(world: Plane(size: (9, 9)), bodies: {{\"m\": Mover()}}, groups: {list}, seed: 3)");
    let rules = groups.into_iter().map(|(_, made)| made).collect();
    (text, Made { around: Vec::new(), inside, rules })
}

/// Edits a list of items as data.
fn edit_list<T>(items: &mut Vec<T>, at: usize, edit: Rearrange, copy: impl Fn(&T) -> T) {
    match edit {
        Rearrange::Remove => _ = items.remove(at),
        Rearrange::Duplicate => items.insert(at + 1, copy(&items[at])),
        Rearrange::Move(by) => {
            let item = items.remove(at);
            items.insert(at.saturating_add_signed(by).min(items.len()), item);
        }
    }
}

fn item_of(scene: &Scene, group: usize, rule: Option<usize>) -> ListItem {
    let plan = &scene.groups[group];
    let name = plan.common.name.clone();
    let Some(at) = rule else { return ListItem::Group(name) };
    let script = plan.behaviors[at].script.clone();
    let before = plan.behaviors[..at].iter().filter(|used| used.script == script).count();
    ListItem::Behavior(name, script, before)
}

proptest! {
    #[test]
    fn any_edits_result_in_the_edited_scene_and_preserve_comments(
        counts in vec(0_usize..4, 1..4),
        styles in vec(any::<u8>(), 20),
        edits in vec((any::<Index>(), any::<Index>(), any::<bool>(), 0_usize..5), 1..9),
    ) {
        let (mut text, mut data) = made(&counts, styles);
        let mut scene = read("s.ron", &text).expect("it is valid");
        for (group, rule, of_rule, edit) in edits {
            let edit = match edit {
                0 => Rearrange::Remove,
                1 => Rearrange::Duplicate,
                by => Rearrange::Move([-1, 1, 2][by - 2]),
            };
            let group = group.index(scene.groups.len());
            let rules = scene.groups[group].behaviors.len();
            let rule = (of_rule && rules > 0).then(|| rule.index(rules));
            if rule.is_none() && edit == Rearrange::Remove && scene.groups.len() == 1 {
                // A scene without groups is invalid.
                continue;
            }
            let item = item_of(&scene, group, rule);
            let (edited, then) = rearranged("s.ron", &text, &item, edit).expect("it exists");
            let bare = |made: &Made| Made { around: Vec::new(), ..made.clone() };
            if let Some(at) = rule {
                    edit_list(&mut scene.groups[group].behaviors, at, edit, Clone::clone);
                    edit_list(&mut data.rules[group].rules, at, edit, bare);
                } else {
                    edit_list(&mut scene.groups, group, edit, |plan| {
                        let mut plan = plan.clone();
                        let Some(ListItem::Group(name)) = &then else { panic!("a copy") };
                        plan.common.name.clone_from(name);
                        plan
                    });
                    edit_list(&mut data.rules, group, edit, bare);
                }
            let found = read("s.ron", &edited);
            prop_assert!(found.is_ok(), "{text}\n{edit:?} {item:?}\n{edited}\n{found:?}");
            let found = found.expect("it is valid");
            prop_assert!(same(&found, &scene), "{text}\n{edit:?} {item:?}\n{edited}");
            let comments = tokens(&edited).filter(|token| token.kind == TokenKind::Comment);
            let mut left: Vec<_> = comments
                .map(|token| edited[token.range].trim_matches(['/', '*', ' ', '\r']).to_owned())
                .collect();
            let mut expected = data.comments();
            left.sort();
            expected.sort();
            prop_assert_eq!(left, expected, "{}\n{:?} {:?}\n{}", text, edit, item, edited);
            (text, scene) = (edited, found);
        }
    }
}
