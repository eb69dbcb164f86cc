//! The parts that dialogs share: the window, a text field that has the focus when the dialog opens, and arrow keys.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Context, Id, Key, Modifiers, Order, Response, RichText, TextEdit, Ui, Window};
use steerbox_picture::render::theme;

use crate::commands::action::{Action, ViewAction};
use crate::model::dialog::Dialog;

/// Shows the window of an open dialog.
pub(super) fn show(
    window: Window<'_>,
    ui: &Ui,
    dialog: Dialog,
    actions: &mut Vec<Action>,
    content: impl FnOnce(&mut Ui, &mut Vec<Action>),
) {
    let mut open = true;
    // Above the errors over the world.
    let window = window.order(Order::Foreground).collapsible(false).resizable(false).open(&mut open);
    window.show(ui.ctx(), |ui| content(ui, actions));
    if !open {
        actions.push(ViewAction::ToggleDialog(dialog).into());
    }
}

/// The text that is typed into the open dialog, and the selected row. Each opening starts with the values of `new`.
#[derive(Clone)]
pub(super) struct Typed {
    dialog: Dialog,
    pub(super) text: String,
    pub(super) chosen: usize,
    /// The reason why Enter had no effect.
    pub(super) refused: Option<String>,
    /// True if the dialog was shown in the previous frame.
    pub(super) is_shown: bool,
    /// True if Tab moved the focus to another control.
    is_left: bool,
}

impl Typed {
    fn id() -> Id {
        Id::unique("typed into the dialog")
    }

    fn field_id(dialog: Dialog) -> Id {
        Self::id().with(dialog as usize)
    }

    /// The state of a dialog; `text` at its first frame.
    pub(super) fn load(ui: &Ui, dialog: Dialog, text: impl FnOnce() -> String) -> Self {
        let known = ui.data(|data| data.get_temp::<Self>(Self::id()));
        known.filter(|known| known.dialog == dialog).unwrap_or_else(|| Self {
            dialog,
            text: text(),
            chosen: 0,
            refused: None,
            is_shown: false,
            is_left: false,
        })
    }

    /// Stores the state for the next frame.
    pub(super) fn store(mut self, ui: &Ui) {
        self.is_shown = true;
        ui.data_mut(|data| data.insert_temp(Self::id(), self));
    }

    /// Adds the field. Returns its response, and true if Enter was pressed in it. The field has the focus until Tab
    /// moves it to another control, and again when that control loses it.
    pub(super) fn field(
        &mut self,
        ui: &mut Ui,
        with: impl FnOnce(TextEdit<'_>) -> TextEdit<'_>,
    ) -> (Response, bool) {
        let id = Self::field_id(self.dialog);
        let focused = ui.memory(egui::Memory::focused);
        self.is_left &= focused.is_some_and(|focused| focused != id);
        self.is_left |= ui.input(|input| input.key_pressed(Key::Tab));
        if !self.is_left && focused != Some(id) {
            focus(ui, id);
        }
        let enter = ui.memory(|memory| memory.has_focus(id)) && pressed(ui, Key::Enter);
        let field = ui.add(with(TextEdit::singleline(&mut self.text).id(id)));
        if field.changed() {
            (self.chosen, self.refused) = (0, None);
        }
        (field, enter)
    }

    /// Selects all of the field's text.
    pub(super) fn select_all(&self, ui: &Ui, field: &Response) {
        let mut state = TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
        let all = CCursorRange::two(CCursor::default(), CCursor::new(self.text.chars().count()));
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), field.id);
    }

    /// Shows the reason why Enter had no effect.
    pub(super) fn reason(&self, ui: &mut Ui) {
        if let Some(reason) = &self.refused {
            ui.label(RichText::new(reason).color(theme::of(ui).warning));
        }
    }
}

/// Removes the state of a dialog that is no longer open, and the focus from its field.
pub(crate) fn settle(open: Option<Dialog>, context: &Context) {
    let known = context.data(|data| data.get_temp::<Typed>(Typed::id()));
    if let Some(closed) = known.filter(|known| open != Some(known.dialog)) {
        context.data_mut(|data| data.remove::<Typed>(Typed::id()));
        context.memory_mut(|memory| memory.surrender_focus(Typed::field_id(closed.dialog)));
    }
}

/// Moves the focus to a field before it is added, so that it receives the text of this frame.
pub(super) fn focus(ui: &Ui, field: Id) {
    ui.memory_mut(|memory| memory.request_focus(field));
}

/// True if a key was pressed. Consumes it: no control that is added later receives it.
pub(super) fn pressed(ui: &Ui, key: Key) -> bool {
    ui.input_mut(|input| input.consume_key(Modifiers::NONE, key))
}
