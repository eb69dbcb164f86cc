//! Reading of expectations. The names of measures depend on scripts and are checked with them.

use crate::{expectation::Expectation, fields::Fields, node::Node, parts::Thing, reader::Reader};

/// Maximum number of expectations of a scene: each is evaluated in every step.
const MAX_EXPECTATIONS: usize = 100;

/// Reads a list of expectations about these groups; incomplete ones are omitted.
pub(super) fn expectations<'a>(reader: &mut Reader<'a>, node: Node<'a>, groups: &[&str]) -> Vec<Expectation> {
    let mut items = reader.list(node, "expect");
    if items.len() > MAX_EXPECTATIONS {
        let message = format!("a scene has at most {MAX_EXPECTATIONS} expectations, not {}", items.len());
        reader.fault(node.head(), message);
        items.truncate(MAX_EXPECTATIONS);
    }
    items.into_iter().filter_map(|item| expectation(reader, item, groups)).collect()
}

fn expectation<'a>(reader: &mut Reader<'a>, node: Node<'a>, groups: &[&str]) -> Option<Expectation> {
    let mut fields = Fields::of(reader, node, "an expectation");
    let measure_node = fields.need("measure");
    let group_node = fields.take("group");
    let has_limit = fields.key("above").or(fields.key("below")).is_some();
    let (above, below) = (fields.optional("above"), fields.optional("below"));
    let from = fields.number("from");
    let by_node = fields.need("by");
    let by = by_node.and_then(|node| fields.limited(node, "by"));
    let always = fields.switch("always");
    fields.finish();
    let measure = measure_node.and_then(|node| {
        reader.record_use(node, Thing::Measure);
        reader.name(node, "measure")
    });
    let group = group_node.map(|node| {
        let at = reader.declared((node, "group"), Thing::Group, groups.iter().copied())?;
        groups.get(at).map(|group| (*group).to_owned())
    });
    if !has_limit {
        let help = "write above: 0.9, below: 0.9, or both";
        reader.fault_help(node.head(), "an expectation needs a limit", help);
        return None;
    }
    if let (Some(above), Some(below)) = (above, below)
        && above >= below
    {
        let message = format!("no number is above {above} and below {below}");
        reader.fault_help(node.head(), message, "exchange the limits");
    }
    if let (Some(node), Some(by)) = (by_node, by)
        && from > by
    {
        reader.fault_help(node.head(), format!("`by` {by} is before `from` {from}"), "exchange both");
    }
    let span = reader.span(measure_node?);
    // An invalid group is a fault; without it, the measure would be another one.
    let group = group.map_or(Some(None), |group| group.map(Some))?;
    Some(Expectation { measure: measure?, group, above, below, from, by: by?, always, span })
}
