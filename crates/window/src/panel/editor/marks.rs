//! Marks in the text: faults, matches of the search, and the bracket at the cursor that belongs to another.

use std::ops::Range;

use egui::{Galley, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use steerbox_core::diagnostics::{Fault, Severity};
use steerbox_picture::render::theme;
use steerbox_project::reload::Status;

use crate::model::editor::buffer::Buffer;
use crate::model::live_session::LiveSession;

/// The faults of the text: from its check, or until then from the file.
pub(super) fn faults(session: &LiveSession, buffer: &Buffer) -> Vec<Fault> {
    if let Some(faults) = buffer.faults() {
        return faults.iter().filter(|fault| fault.path == buffer.name).cloned().collect();
    }
    if buffer.is_unsaved() {
        return Vec::new();
    }
    let newest = session.run.newest();
    let file = newest.files.iter().find(|file| file.path == buffer.name);
    let errors = file.map_or(&[][..], |file| match &file.status {
        Status::Rejected(faults) => faults,
        _ => &[],
    });
    errors.iter().chain(newest.warnings_of(&buffer.name)).cloned().collect()
}

/// The lines of the text as they are laid out: one row each.
pub(super) struct Rows<'a> {
    pub(super) galley: &'a Galley,
    pub(super) corner: Pos2,
}

impl Rows<'_> {
    /// The rectangle of a line, from 0.
    pub(super) fn line(&self, line: usize) -> Option<Rect> {
        self.galley.rows.get(line).map(|row| row.rect().translate(self.corner.to_vec2()))
    }

    /// The rectangle of some characters of a line, from 0.
    pub(super) fn characters(&self, line: usize, columns: Range<usize>) -> Option<Rect> {
        let (row, rect) = (self.galley.rows.get(line)?, self.line(line)?);
        let x = |column: usize| rect.left() + row.x_offset(column.into());
        Some(Rect::from_x_y_ranges(x(columns.start)..=x(columns.end), rect.y_range()))
    }

    /// The rectangles of a byte range of the text, line by line.
    pub(super) fn bytes(&self, text: &str, starts: &[usize], range: &Range<usize>) -> Vec<Rect> {
        let first = starts.partition_point(|start| *start <= range.start).saturating_sub(1);
        let lines = (first..starts.len()).take_while(|line| starts[*line] < range.end.max(range.start + 1));
        let column =
            |line: usize, byte: usize| text.get(starts[line]..byte).map_or(0, |part| part.chars().count());
        let end = |line: usize| starts.get(line + 1).map_or(text.len(), |next| next - 1);
        let on = |line: usize| {
            let (from, to) = (range.start.max(starts[line]), range.end.min(end(line)));
            self.characters(line, column(line, from)..column(line, to.max(from)))
        };
        lines.filter_map(on).collect()
    }

    /// The rectangle of a fault: its characters, or all of its line.
    pub(super) fn fault(&self, fault: &Fault) -> Option<Rect> {
        let line = fault.line.checked_sub(1)?;
        let rect = self.line(line)?;
        match fault.column.checked_sub(1) {
            None => Some(rect),
            Some(column) => {
                let found = self.characters(line, column..column + fault.width)?;
                let least = vec2(6.0, 0.0);
                Some(Rect::from_min_size(found.min, found.size().max(least + vec2(0.0, found.height()))))
            }
        }
    }
}

/// Underlines the faults in the visible part.
pub(super) fn underline(ui: &Ui, rows: &Rows<'_>, faults: &[Fault]) {
    let theme = theme::of(ui);
    for fault in faults.iter().rev() {
        let Some(rect) = rows.fault(fault).filter(|rect| ui.clip_rect().intersects(*rect)) else {
            continue;
        };
        let color = if fault.severity == Severity::Error { theme.bad } else { theme.warning };
        ui.painter().add(Shape::line(wave(rect), Stroke::new(1.2, color)));
    }
}

/// A wavy line below a rectangle.
fn wave(rect: Rect) -> Vec<Pos2> {
    let count = (rect.width() / 2.0).ceil() as usize + 1;
    let points = (0..count).map(|at| {
        let x = (rect.left() + at as f32 * 2.0).min(rect.right());
        pos2(x, rect.bottom() - if at % 2 == 0 { 0.0 } else { 2.0 })
    });
    points.collect()
}
