//! Recording of parts by the readers.

use super::about::cases_of;
use super::node::Node;
use super::parts::{Form, Item, SceneOutline, Thing};
use super::reader::Reader;
use super::recorder::Recorder;
use super::span::Lines;
use super::syntax::Repaired;

impl<'a> Reader<'a> {
    /// Creates a reader that records the parts that it reads.
    pub(super) fn recording(lines: &'a Lines<'a>, repaired: &'a Repaired<'a>, recorder: Recorder) -> Self {
        let mut reader = Self::new(lines, repaired);
        reader.recorder = Some(Box::new(recorder));
        reader
    }

    /// Returns the recorded parts.
    pub(super) fn take_outline(&mut self) -> SceneOutline {
        let recorder = self.recorder.take().map(|recorder| *recorder).unwrap_or_default();
        SceneOutline { is_plane: self.plane, ..recorder.finish() }
    }

    /// Records the form of a value.
    pub(super) fn record_form(&mut self, node: Node<'_>, form: Form) {
        if let Some(recorder) = &mut self.recorder {
            recorder.form(node, form);
        }
    }

    /// Records the place of one of several words.
    pub(super) fn record_choice(&mut self, node: Node<'a>, owner: &'static str) {
        if let Some(recorder) = &mut self.recorder {
            recorder.choice(node, owner, cases_of(owner, self.plane));
        }
    }

    /// Records the use of a name.
    pub(super) fn record_use(&mut self, node: Node<'a>, thing: Thing) {
        if let Some(recorder) = &mut self.recorder {
            recorder.mention(node, thing, None, false);
        }
    }

    /// Records the declaration of a name.
    pub(super) fn record_declaration(&mut self, node: Node<'a>, thing: Thing) {
        if let Some(recorder) = &mut self.recorder {
            recorder.mention(node, thing, None, true);
        }
    }

    /// Records the name of a script's parameter.
    pub(super) fn record_param(&mut self, node: Node<'a>, script: Option<&str>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.mention(node, Thing::Param, script, false);
        }
    }

    /// Records the values of a list, or the names and values of a map.
    pub(super) fn record_collection(
        &mut self,
        node: Node<'a>,
        name: &'static str,
        entries: impl Iterator<Item = (Option<Node<'a>>, Node<'a>)>,
    ) {
        if let Some(recorder) = &mut self.recorder {
            recorder.collection(node, name, entries);
        }
    }

    /// Records a color.
    pub(super) fn record_color(&mut self, node: Node<'a>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.color(node);
        }
    }

    /// Records an item.
    pub(super) fn record_item(&mut self, item: impl FnOnce() -> Item) {
        if let Some(recorder) = &mut self.recorder {
            recorder.item(item());
        }
    }
}
