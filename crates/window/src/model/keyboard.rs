//! The receiver of the keys: an open dialog, a text field, a control of the panel or the window.

use egui::Key;

use super::dialog::Dialog;

/// Maximum number of bytes that are pasted into a field of one line.
const MAX_PASTED: usize = 4096;

/// The receiver of the keys of a frame. Space always pauses while neither a dialog nor a text field is open, and Enter
/// presses the focused control: a button reached with Tab does not react to Space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Keyboard {
    /// The open dialog: every key. Escape and the dialog's own shortcut close it.
    Dialog(Dialog),
    /// A text field or a menu: every key.
    Field,
    /// The text in the editor: every key but the editor's shortcuts.
    Editor,
    /// A control of the panel: Tab, Enter, Escape and the arrows.
    Panel,
    /// The window: every key but Tab.
    #[default]
    Window,
}

impl Keyboard {
    /// True if letters are typed as text.
    pub(crate) fn types(self) -> bool {
        match self {
            Self::Dialog(dialog) => !matches!(dialog, Dialog::Help | Dialog::Question),
            Self::Field | Self::Editor => true,
            Self::Panel | Self::Window => false,
        }
    }

    /// The events that the panel receives.
    pub(crate) fn panel_events(self, mut input: egui::RawInput) -> egui::RawInput {
        let is_windows = |event: &egui::Event| {
            matches!(event, egui::Event::Key { key: Key::Space, .. } | egui::Event::Text(_))
        };
        input.events.retain(|event| self.types() || !is_windows(event));
        for event in &mut input.events {
            if let egui::Event::Paste(text) = event
                && self != Self::Editor
            {
                text.truncate(text.floor_char_boundary(MAX_PASTED));
            }
        }
        input
    }
}
