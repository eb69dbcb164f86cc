//! Records parts of a scene while they are read.

use super::color::Color;
use super::node::{Node, NodeKind};
use super::parts::{Choice, Collection, Form, Item, Mention, SceneOutline, Thing};

/// The parts recorded so far.
#[derive(Default)]
pub(super) struct Recorder {
    /// The place at which forms of values are recorded.
    focus: Option<usize>,
    outline: SceneOutline,
}

impl Recorder {
    pub(super) fn new(focus: Option<usize>) -> Self {
        Self { focus, outline: SceneOutline::default() }
    }

    pub(super) fn finish(self) -> SceneOutline {
        self.outline
    }

    /// Records the form of a value.
    pub(super) fn form(&mut self, node: Node<'_>, form: Form) {
        let is_here = |focus| (node.start..=node.start + node.text.len()).contains(&focus);
        if self.focus.is_some_and(is_here) {
            self.outline.forms.push((node.range(), form));
        }
    }

    /// Records the place of one of several words.
    pub(super) fn choice(
        &mut self,
        node: Node<'_>,
        owner: &'static str,
        words: impl Iterator<Item = &'static str>,
    ) {
        let word = node.word().0;
        let range = if word.text.is_empty() { node.range() } else { word.range() };
        self.outline.choices.push(Choice { range, owner, words: words.collect() });
    }

    /// Records a name.
    pub(super) fn mention(
        &mut self,
        node: Node<'_>,
        thing: Thing,
        script: Option<&str>,
        is_declaration: bool,
    ) {
        let (range, script) = (node.range(), script.map(str::to_owned));
        // The field of the player declares its kind.
        let is_key = is_declaration && thing == Thing::Kind && node.kind() == NodeKind::Word;
        let name = if is_key { Some(node.text.to_owned()) } else { text(node) };
        self.outline.mentions.push(Mention { range, thing, name, script, is_declaration });
    }

    /// Records the values of a list, or the names and values of a map.
    pub(super) fn collection<'a>(
        &mut self,
        node: Node<'a>,
        name: &'static str,
        entries: impl Iterator<Item = (Option<Node<'a>>, Node<'a>)>,
    ) {
        let entries = entries.map(|(key, value)| (key.map(Node::range), value.range())).collect();
        self.outline.collections.push(Collection { range: node.range(), name, entries });
    }

    /// Records a color.
    pub(super) fn color(&mut self, node: Node<'_>) {
        let color = text(node).and_then(|text| Color::parse(&text));
        self.outline.colors.push((node.range(), color));
    }

    pub(super) fn item(&mut self, item: Item) {
        self.outline.items.push(item);
    }
}

/// Returns the text of a value in quotes.
fn text(node: Node<'_>) -> Option<String> {
    (node.kind() == NodeKind::Text).then(|| node.leaf::<String>()).flatten()
}
