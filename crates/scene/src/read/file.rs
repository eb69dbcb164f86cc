//! Reading of files that a scene names.

use crate::{data::data_name_fault, frame::FrameFault, node::Node, reader::Reader};

/// Reads the `value` of `File(value)`, the name of a file. Returns it with its text, which is `None` if it is not known.
/// Returns `None` after a fault.
pub(super) fn file_text<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    value: Option<Node<'a>>,
    example: &str,
) -> Option<(Node<'a>, String, Option<&'a str>)> {
    let Some(node) = value else {
        reader.fault_help(node.word().0, "File needs the name of one file", example);
        return None;
    };
    let name = reader.text(node, "File")?;
    if let Some(fault) = data_name_fault(&name) {
        reader.fault_help(node, fault, example);
        return None;
    }
    match reader.data.and_then(|data| data.get(&name)) {
        Some(Err(reason)) => {
            reader.fault_help(node, format!("{name}: {reason}"), example);
            None
        }
        Some(Ok(text)) => Some((node, name, Some(text))),
        None => Some((node, name, None)),
    }
}

/// Reports a fault of a file at its name in the scene.
pub(super) fn report<T>(reader: &mut Reader<'_>, node: Node<'_>, name: &str, fault: FrameFault) -> Option<T> {
    let (line, column) = fault.at;
    reader.fault_help(node, format!("{name}:{line}:{column}: {}", fault.message), fault.help);
    None
}
