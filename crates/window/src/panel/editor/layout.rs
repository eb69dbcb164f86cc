//! The layout of the text: its lines in colors.
//!
//! A frame without an edit uses the layout of the frame before, and an edit lays out the lines that it changes. The text field
//! requests a layout several times a frame; a scene of a megabyte is too long to be divided into words and compared each time.

use std::ops::Range;
use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Galley, Id, TextStyle, Ui};
use steerbox_picture::render::theme::{self, Theme};
use steerbox_script::{PieceKind as Kind, pieces};

use super::values::Values;

/// A text that is laid out.
pub(super) struct Layout {
    text: String,
    /// The offsets of all lines.
    pub(super) starts: Vec<usize>,
    pub(super) pieces: Vec<(Range<usize>, Kind)>,
    pub(super) galley: Arc<Galley>,
    unreached: Vec<Range<usize>>,
    look: Look,
    lines: Vec<Line>,
}

/// A line in colors.
struct Line {
    /// Parts of the line with their colors.
    colors: Vec<(Range<usize>, Color32)>,
    galley: Arc<Galley>,
}

/// The font and the colors.
#[derive(Clone)]
struct Look {
    font: FontId,
    theme: &'static Theme,
    pixels_per_point: f32,
    /// A glyph: laid out again if the texture of glyphs is another one.
    glyph: Arc<Galley>,
}

impl Look {
    fn of(ui: &Ui) -> Self {
        let font = TextStyle::Monospace.resolve(ui.style());
        let glyph =
            ui.fonts_mut(|fonts| fonts.layout_no_wrap("0".to_owned(), font.clone(), Color32::PLACEHOLDER));
        Self { font, theme: theme::of(ui), pixels_per_point: ui.pixels_per_point(), glyph }
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.glyph, &other.glyph)
            && std::ptr::eq(self.theme, other.theme)
            && self.font == other.font
            && self.pixels_per_point == other.pixels_per_point
    }
}

impl Layout {
    /// Returns the layout of a text of the shown file.
    pub(super) fn of(ui: &Ui, text: &str, values: &Values<'_>) -> Arc<Self> {
        let (id, look) = (Id::unique("layout of the editor"), Look::of(ui));
        let before: Option<Arc<Self>> = ui.data(|data| data.get_temp(id));
        let before = before.filter(|before| before.look.is(&look));
        let is_same =
            |before: &&Arc<Self>| before.text == text && before.unreached == values.unreached(&before.starts);
        if let Some(before) = before.as_ref().filter(is_same) {
            return Arc::clone(before);
        }
        let now = Arc::new(Self::new(ui, text, values, look, before.as_deref()));
        ui.data_mut(|data| data.insert_temp(id, Arc::clone(&now)));
        now
    }

    /// Lays out a text. Lines that were the same before, at the start and at the end, are not laid out again.
    fn new(ui: &Ui, text: &str, values: &Values<'_>, look: Look, before: Option<&Self>) -> Self {
        let starts: Vec<usize> =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let (pieces, unreached) = (pieces(text), values.unreached(&starts));
        let colors = by_line(&colored(text, &pieces, &unreached, look.theme), text, &starts);
        let known = |number: usize, before: &Self, known: usize| {
            let is_same = before.lines[known].colors == colors[number]
                && line_of(&before.text, &before.starts, known) == line_of(text, &starts, number);
            is_same.then(|| Arc::clone(&before.lines[known].galley))
        };
        let count = starts.len();
        let mut galleys: Vec<Option<Arc<Galley>>> = vec![None; count];
        if let Some(before) = before {
            let all = before.lines.len();
            let least = all.min(count);
            let first = (0..least).take_while(|at| {
                galleys[*at] = known(*at, before, *at);
                galleys[*at].is_some()
            });
            let first = first.count();
            for back in 1..=least - first {
                galleys[count - back] = known(count - back, before, all - back);
                if galleys[count - back].is_none() {
                    break;
                }
            }
        }
        let line = |number: usize| line_of(text, &starts, number);
        let galleys = galleys.into_iter().zip(&colors).enumerate();
        let galleys: Vec<_> = galleys
            .map(|(number, (known, colors))| {
                known.unwrap_or_else(|| lay_out(ui, line(number), colors, &look))
            })
            .collect();
        let mut job = LayoutJob::default();
        job.wrap.max_width = f32::INFINITY;
        job.append(text, 0.0, TextFormat::simple(look.font.clone(), look.theme.text));
        let galley = Galley::concat(Arc::new(job), &galleys, look.pixels_per_point);
        let lines = colors.into_iter().zip(galleys).map(|(colors, galley)| Line { colors, galley });
        let lines = lines.collect();
        Self { text: text.to_owned(), starts, pieces, galley: Arc::new(galley), unreached, look, lines }
    }
}

/// A line without its end.
fn line_of<'a>(text: &'a str, starts: &[usize], line: usize) -> &'a str {
    let end = starts.get(line + 1).map_or(text.len(), |next| next - 1);
    &text[starts[line]..end]
}

fn lay_out(ui: &Ui, line: &str, colors: &[(Range<usize>, Color32)], look: &Look) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    job.wrap.max_width = f32::INFINITY;
    // An empty line has the height of the font.
    let empty = [(0..0, look.theme.text)];
    for (range, color) in if colors.is_empty() { &empty[..] } else { colors } {
        job.append(&line[range.clone()], 0.0, TextFormat::simple(look.font.clone(), *color));
    }
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// The colors of a text, in order and without gaps. Code that was not reached is dim.
fn colored(
    text: &str,
    pieces: &[(Range<usize>, Kind)],
    unreached: &[Range<usize>],
    theme: &Theme,
) -> Vec<(Range<usize>, Color32)> {
    let mut colors: Vec<(Range<usize>, Color32)> = Vec::new();
    let mut append = |range: Range<usize>, color| match colors.last_mut() {
        Some((last, known)) if *known == color && last.end == range.start => last.end = range.end,
        _ => colors.push((range, color)),
    };
    let mut dim = unreached.iter().peekable();
    for (range, kind) in pieces {
        let (mut range, color) = (range.clone(), color_of(*kind, theme));
        while dim.next_if(|dim| dim.end <= range.start).is_some() {}
        while let Some(next) = dim.peek().filter(|dim| dim.start < range.end) {
            let (from, to) = (next.start.max(range.start), next.end.min(range.end));
            // It is within the last one.
            if from >= to {
                dim.next();
                continue;
            }
            if !(text.is_char_boundary(from) && text.is_char_boundary(to)) {
                break;
            }
            append(range.start..from, color);
            append(from..to, theme.weak.gamma_multiply(0.55));
            range.start = to;
            if next.end > range.end || range.is_empty() {
                break;
            }
            dim.next();
        }
        if !range.is_empty() {
            append(range, color);
        }
    }
    colors
}

/// Divides colors into lines. Each line has its own offsets.
fn by_line(
    colors: &[(Range<usize>, Color32)],
    text: &str,
    starts: &[usize],
) -> Vec<Vec<(Range<usize>, Color32)>> {
    let mut rest = colors.iter().peekable();
    let lines = (0..starts.len()).map(|line| {
        let start = starts[line];
        let end = start + line_of(text, starts, line).len();
        let mut parts = Vec::new();
        while let Some((range, color)) = rest.peek() {
            let part = range.start.max(start)..range.end.min(end);
            if part.start < part.end {
                parts.push((part.start - start..part.end - start, *color));
            }
            // The next line begins within this one, or at its end.
            if range.end > end + 1 {
                break;
            }
            rest.next();
        }
        parts
    });
    lines.collect()
}

fn color_of(kind: Kind, theme: &Theme) -> Color32 {
    match kind {
        Kind::Comment => theme.weak,
        Kind::Text => theme.good,
        Kind::Number => theme.warning,
        Kind::Keyword => theme.accent,
        Kind::Word | Kind::Bracket | Kind::Other => theme.text,
    }
}

#[cfg(test)]
mod tests {
    use steerbox_picture::render::theme::DARK;

    use super::*;

    /// The colors of each line.
    fn colors(text: &str, unreached: &[Range<usize>]) -> Vec<Vec<(Range<usize>, Color32)>> {
        let starts: Vec<usize> =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        by_line(&colored(text, &pieces(text), unreached, &DARK), text, &starts)
    }

    #[test]
    fn colors_cover_each_line_and_code_within_unreached_code_is_dim_once() {
        let text = "fn f(x) {\n    if x > 1 { x += 2; }\n}\n\n// a comment\n/* one\n\ntwo */ \"ä\n\"\n";
        // Edits move the first range into the comment.
        let nested: [Range<usize>; 2] = [9..41, 23..35];
        for unreached in [&nested[..], &[]] {
            let colors = colors(text, unreached);
            assert_eq!(colors.len(), text.split('\n').count());
            for (line, colors) in text.split('\n').zip(colors) {
                let mut end = 0;
                for (range, _) in colors {
                    assert!(range.start == end && range.end > end, "{line}");
                    end = range.end;
                }
                assert_eq!(end, line.len(), "{line}");
            }
        }
    }

    #[test]
    fn an_edit_lays_out_only_the_lines_that_it_changes() {
        let context = egui::Context::default();
        let in_frame = |run: &mut dyn FnMut(&Ui)| {
            _ = context.run_ui(egui::RawInput::default(), |ui| run(ui));
        };
        let values = Values::default();
        let mut before: Option<Arc<Layout>> = None;
        for (text, new) in [
            ("let a = 1;\n\nb\nc\n", 5),
            ("let a = 1;\n\nb\nc\n", 0),
            ("let a = 1;\n\nxb\nc\n", 1),
            ("let a = 1;\n\n\n\nxb\nc\n", 2),
            ("let a = 1;\nc\n", 0),
            ("/* let a = 1;\nc\n", 2),
            ("", 0),
            ("ä", 1),
        ] {
            in_frame(&mut |ui| {
                let layout = Layout::of(ui, text, &values);
                let known = |line: &Line| {
                    let mut lines = before.iter().flat_map(|before| &before.lines);
                    lines.any(|known| Arc::ptr_eq(&known.galley, &line.galley))
                };
                assert_eq!(layout.lines.iter().filter(|line| !known(line)).count(), new, "{text:?}");
                assert_eq!(
                    (layout.galley.text(), layout.galley.rows.len()),
                    (text, text.split('\n').count())
                );
                let whole = ui.fonts_mut(|fonts| {
                    let font = TextStyle::Monospace.resolve(ui.style());
                    fonts.layout(text.to_owned(), font, Color32::WHITE, f32::INFINITY)
                });
                let places = |galley: &Galley| -> Vec<_> {
                    galley.rows.iter().map(|row| (row.pos, row.size, row.ends_with_newline)).collect()
                };
                assert_eq!(places(&layout.galley), places(&whole), "{text:?}");
                before = Some(layout);
            });
        }
    }
}
