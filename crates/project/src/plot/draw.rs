//! Drawing of plots.

use glam::Vec2;
use steerbox_scene::Color;

use super::axis::Axis;
use super::chart::{Bar, Cell, Chart, Content, Hue, Line, Panel, Point};
use super::ink::{Drawing, Ink, Look, Spot};
use super::layout::{APART, BAR, GAP, LINE, Measure, Placed, TICK, TITLE, places};

/// Widths of curves and of lines of the grid, radius of points.
const CURVE: f32 = 1.8;
const GRID: f32 = 1.0;
const DOT: f32 = 2.6;
/// Opacity of bands, and of points of a scatter plot.
const BAND: f32 = 0.2;
const CLOUD: f32 = 0.75;
/// Radius of the circle of a reference, number of its corners, and half the width of the ends of its bar.
const CIRCLE: f32 = 4.5;
const CORNERS: usize = 16;
const CAP: f32 = 3.0;
/// Maximum number of points of a curve that are marked.
const MAX_MARKED: usize = 60;
/// Lengths of dashes and of the gaps between them.
const DASH: [f32; 2] = [5.0, 3.0];
/// Steps of the bar of colors.
const STEPS: usize = 64;

/// Draws a plot of a size in points; `measure` returns the width of a text with a font size.
pub fn draw(chart: &Chart, size: Vec2, look: &Look<'_>, measure: &dyn Fn(&str, f32) -> f32) -> Drawing {
    let mut pen = Pen { drawing: Drawing::default(), look, measure };
    let top = pen.legend(chart, size);
    let below = if chart.notes.is_empty() { 0.0 } else { LINE };
    if below > 0.0 {
        let text = pen.fitted(&chart.notes.join("; "), size.x - 2.0 * GAP, TICK);
        pen.text(Vec2::new(GAP, size.y - 0.75 * LINE), 0.0, TICK, text, look.weak);
    }
    let corners = [Vec2::new(GAP, top), Vec2::new(size.x, size.y - below)];
    for (at, (panel, placed)) in chart.panels.iter().zip(places(chart, corners, measure)).enumerate() {
        pen.panel(at, panel, &placed);
    }
    pen.drawing
}

struct Pen<'a> {
    drawing: Drawing,
    look: &'a Look<'a>,
    measure: Measure<'a>,
}

/// The place of values between the corners of an area.
struct Frame<'a> {
    panel: &'a Panel,
    area: [Vec2; 2],
}

impl Frame<'_> {
    fn at(&self, [x, y]: [f64; 2]) -> Vec2 {
        let [min, max] = self.area;
        let share = Vec2::new(self.panel.x.share(x), 1.0 - self.panel.y.share(y));
        min + (max - min) * share
    }
}

impl Pen<'_> {
    fn text(&mut self, at: Vec2, anchor: f32, size: f32, text: String, color: Color) {
        if !text.is_empty() {
            self.drawing.inks.push(Ink::Text { at, anchor, size, text, color });
        }
    }

    fn path(&mut self, points: Vec<Vec2>, width: f32, color: Color) {
        self.drawing.inks.push(Ink::Path(points, width, color));
    }

    fn color(&self, hue: Hue) -> Color {
        match hue {
            Hue::Palette(at) => self.look.palette.get(at).copied().unwrap_or(self.look.text),
            Hue::Scale(share) => (self.look.scale)(share),
            Hue::Own(color) => color,
        }
    }

    /// Shortens a text to a width.
    fn fitted(&self, text: &str, width: f32, size: f32) -> String {
        if (self.measure)(text, size) <= width {
            return text.to_owned();
        }
        let ends: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
        let fits = |end: &usize| (self.measure)(&format!("{}…", &text[..*end]), size) <= width;
        let count = ends.partition_point(fits);
        format!("{}…", &text[..ends[count.saturating_sub(1)]])
    }

    /// Draws the legend; returns the height at which panels begin.
    fn legend(&mut self, chart: &Chart, size: Vec2) -> f32 {
        if chart.entries.is_empty() {
            return GAP;
        }
        let mut at = Vec2::new(GAP, GAP + LINE * 0.5);
        let title = self.fitted(&chart.legend, size.x - 2.0 * GAP, TICK);
        let mut place = |pen: &mut Self, sample: Option<Color>, text: String, color: Color| {
            let before = if sample.is_some() { BAR + 0.5 * GAP } else { 0.0 };
            let width = before + (pen.measure)(&text, TICK) + 1.5 * GAP;
            if at.x + width > size.x && at.x > GAP {
                at = Vec2::new(GAP, at.y + LINE);
            }
            if let Some(color) = sample {
                let (min, max) = (at - Vec2::Y * 3.0, at + Vec2::new(BAR, 3.0));
                pen.drawing.inks.push(Ink::Rect([min, max], color));
            }
            pen.text(at + Vec2::X * before, 0.0, TICK, text, color);
            at.x += width;
        };
        place(self, None, title, self.look.weak);
        for entry in &chart.entries {
            let text = self.fitted(&entry.name, size.x * 0.5, TICK);
            place(self, Some(self.color(entry.hue)), text, self.look.text);
        }
        at.y + LINE + 0.5 * GAP
    }

    fn panel(&mut self, number: usize, panel: &Panel, placed: &Placed) {
        let frame = Frame { panel, area: placed.area };
        let [min, max] = placed.area;
        let width = max.x - placed.title.x;
        let title = self.fitted(&panel.title, width, TITLE);
        self.text(placed.title + Vec2::Y * LINE * 0.4, 0.0, TITLE, title, self.look.text);
        if !panel.y.label.is_empty() {
            let label = self.fitted(&panel.y.label, width, TICK);
            self.text(placed.title + Vec2::Y * LINE * 1.4, 0.0, TICK, label, self.look.weak);
        }
        self.axes(&frame);
        if placed.has_label {
            let label = self.fitted(&panel.x.label, width, TICK);
            let middle = Vec2::new((min.x + max.x) * 0.5, max.y + 1.6 * LINE);
            self.text(middle, 0.5, TICK, label, self.look.weak);
        }
        match &panel.content {
            Content::Lines(lines) => {
                for line in lines {
                    self.band(&frame, line);
                }
                lines.iter().enumerate().for_each(|(at, line)| self.line(&frame, line, [number, at]));
                panel.reference.iter().for_each(|point| self.reference(&frame, point));
            }
            Content::Points(lines) => {
                for (at, line) in lines.iter().enumerate() {
                    let color = self.color(line.hue).with_alpha(CLOUD);
                    self.dots(&frame, line, [number, at], color);
                }
            }
            Content::Cells(cells, scale) => {
                cells
                    .iter()
                    .enumerate()
                    .for_each(|(at, cell)| self.cell(&frame, (cell, scale), [number, at]));
                self.scale(&frame, scale);
            }
            Content::Bars(bars) => {
                bars.iter().enumerate().for_each(|(at, bar)| self.bar(&frame, bar, [number, at]));
            }
        }
    }

    fn axes(&mut self, frame: &Frame<'_>) {
        let ([min, max], look) = (frame.area, self.look);
        let most = |length: f32, apart: f32| ((length / apart) as usize).max(2);
        let mut last = f32::INFINITY;
        for (value, text) in frame.panel.y.ticks(most(max.y - min.y, APART[1])) {
            let y = frame.at([frame.panel.x.ends[0], value]).y;
            self.path(vec![Vec2::new(min.x, y), Vec2::new(max.x, y)], GRID, look.line);
            if last - y >= LINE * 0.75 {
                self.text(Vec2::new(min.x - 0.5 * GAP, y), 1.0, TICK, text, look.weak);
                last = y;
            }
        }
        let mut right = f32::NEG_INFINITY;
        for (value, text) in frame.panel.x.ticks(most(max.x - min.x, APART[0])) {
            let x = frame.at([value, frame.panel.y.ends[0]]).x;
            self.path(vec![Vec2::new(x, min.y), Vec2::new(x, max.y)], GRID, look.line);
            let text = self.fitted(&text, (max.x - min.x) * 0.5, TICK);
            let half = (self.measure)(&text, TICK) * 0.5;
            if x - half >= right + 0.5 * GAP {
                self.text(Vec2::new(x, max.y + 0.6 * LINE), 0.5, TICK, text, look.weak);
                right = x + half;
            }
        }
    }

    fn band(&mut self, frame: &Frame<'_>, line: &Line) {
        let ends = |at: usize| {
            let end = move |point: &Point| Some(frame.at([point.at[0], point.interval?[at]]));
            line.points.iter().filter_map(end)
        };
        let corners: Vec<_> = ends(0).chain(ends(1).rev()).collect();
        if corners.len() >= 4 {
            let color = self.color(line.hue).with_alpha(BAND);
            self.drawing.inks.push(Ink::Area(corners, color));
        }
    }

    fn line(&mut self, frame: &Frame<'_>, line: &Line, place: [usize; 2]) {
        let color = self.color(line.hue);
        let points: Vec<_> = line.points.iter().map(|point| frame.at(point.at)).collect();
        let is_marked = points.len() <= MAX_MARKED && !line.is_dashed;
        let points = thinned(points);
        if line.is_dashed {
            for dash in dashes(&points) {
                self.path(dash, CURVE, color);
            }
        } else {
            self.path(points, CURVE, color);
        }
        if is_marked {
            self.dots(frame, line, place, color);
        } else {
            self.spots(frame, line, place);
        }
    }

    /// Draws a circle with a bar for its interval.
    fn reference(&mut self, frame: &Frame<'_>, point: &Point) {
        let (color, at) = (self.look.text, frame.at(point.at));
        if let Some(ends) = point.interval {
            let [low, high] = ends.map(|end| frame.at([point.at[0], end]));
            self.path(vec![low, high], GRID, color);
            for end in [low, high] {
                self.path(vec![end - Vec2::X * CAP, end + Vec2::X * CAP], GRID, color);
            }
        }
        let corner = |at: usize| Vec2::from_angle(at as f32 * std::f32::consts::TAU / CORNERS as f32);
        let circle = (0..=CORNERS).map(|index| at + corner(index) * CIRCLE).collect();
        self.path(circle, GRID, color);
    }

    fn dots(&mut self, frame: &Frame<'_>, line: &Line, place: [usize; 2], color: Color) {
        for point in &line.points {
            self.drawing.inks.push(Ink::Disc(frame.at(point.at), DOT, color));
        }
        self.spots(frame, line, place);
    }

    fn spots(&mut self, frame: &Frame<'_>, line: &Line, [panel, at]: [usize; 2]) {
        let spot = |(index, point): (usize, &Point)| Spot {
            corners: [frame.at(point.at); 2],
            panel,
            item: [at, index],
        };
        self.drawing.spots.extend(line.points.iter().enumerate().map(spot));
    }

    fn rect(&mut self, corners: [Vec2; 2], color: Color, [panel, at]: [usize; 2]) {
        let [a, b] = corners;
        let corners = [a.min(b), a.max(b)];
        self.drawing.inks.push(Ink::Rect(corners, color));
        self.drawing.spots.push(Spot { corners, panel, item: [0, at] });
    }

    fn cell(&mut self, frame: &Frame<'_>, (cell, scale): (&Cell, &Axis), place: [usize; 2]) {
        let [x, y] = cell.ends;
        // Cells that share an edge meet on a pixel.
        let corners = [[x[0], y[1]], [x[1], y[0]]].map(|at| frame.at(at).round());
        self.rect(corners, self.color(Hue::Scale(scale.share(cell.value))), place);
    }

    fn bar(&mut self, frame: &Frame<'_>, bar: &Bar, place: [usize; 2]) {
        let corners = [frame.at([bar.ends[0], bar.counts[1]]), frame.at([bar.ends[1], bar.counts[0]])];
        // A gap of a point separates bars.
        let gap = Vec2::X * if corners[1].x - corners[0].x > 4.0 { 0.5 } else { 0.0 };
        self.rect([corners[0] + gap, corners[1] - gap], self.color(bar.hue), place);
    }

    /// Draws the bar of colors beside a heat map.
    fn scale(&mut self, frame: &Frame<'_>, scale: &Axis) {
        let [min, max] = frame.area;
        let (left, height) = (max.x + GAP, max.y - min.y);
        for step in 0..STEPS {
            let y = |step: usize| (max.y - height * step as f32 / STEPS as f32).round();
            let color = self.color(Hue::Scale(step as f32 / (STEPS - 1) as f32));
            let corners = [Vec2::new(left, y(step + 1)), Vec2::new(left + BAR, y(step))];
            self.drawing.inks.push(Ink::Rect(corners, color));
        }
        for (value, text) in scale.ticks(((height / APART[1]) as usize).clamp(2, 5)) {
            let at = Vec2::new(left + BAR + 0.5 * GAP, max.y - height * scale.share(value));
            self.text(at, 0.0, TICK, text, self.look.weak);
        }
    }
}

/// Returns a path without the points that no pixel shows: of each half point along x, the first, least, greatest and last
/// one remain.
fn thinned(points: Vec<Vec2>) -> Vec<Vec2> {
    if points.len() < 1000 {
        return points;
    }
    let column = |point: &Vec2| (point.x * 2.0).floor();
    let mut path = Vec::new();
    for part in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |a: &(usize, &Vec2), b: &(usize, &Vec2)| a.1.y.total_cmp(&b.1.y);
        let ends = [part.iter().enumerate().min_by(by_height), part.iter().enumerate().max_by(by_height)];
        let mut chosen: Vec<_> = ends.into_iter().flatten().map(|(at, _)| at).collect();
        chosen.extend([0, part.len() - 1]);
        chosen.sort_unstable();
        chosen.dedup();
        path.extend(chosen.into_iter().map(|at| part[at]));
    }
    path
}

/// Divides a path into dashes.
fn dashes(points: &[Vec2]) -> Vec<Vec<Vec2>> {
    let (mut all, mut dash, mut left, mut is_gap) = (Vec::new(), Vec::new(), DASH[0], false);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        if !is_gap {
            dash.push(from);
        }
        while from.distance(to) > left {
            from += (to - from).normalize_or_zero() * left;
            is_gap = !is_gap;
            dash.push(from);
            if is_gap {
                all.push(std::mem::take(&mut dash));
            }
            left = DASH[usize::from(is_gap)];
        }
        left -= from.distance(to);
    }
    if let (false, Some(end)) = (is_gap, points.last()) {
        dash.push(*end);
        all.push(dash);
    }
    all
}
