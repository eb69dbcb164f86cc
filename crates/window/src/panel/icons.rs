//! Icons as shapes: not every font contains their symbols.

use egui::{Button, Color32, Painter, Pos2, Rect, Response, Shape, Stroke, StrokeKind, Ui, Vec2, vec2};
use steerbox_picture::render::theme;

/// The meaning of an icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Icon {
    Restart,
    /// To the event before, to the event after.
    Before,
    Next,
    /// One step back, one step forward.
    StepBack,
    StepForward,
    Backwards,
    Play,
    Pause,
    /// Dark and light.
    Theme,
    /// Keys and mouse.
    Keys,
    /// The whole world.
    Fit,
    /// More of something, less of something.
    Unfold,
    Fold,
    Close,
    /// Back to the value of the file.
    Reset,
}

/// Height of controls, points.
pub(super) const HEIGHT: f32 = 24.0;
/// Width of the lines, and half the height of a triangle, points.
const LINE: f32 = 1.6;
const SIDE: f32 = 5.0;

impl Icon {
    /// Draws the icon around a position.
    pub(super) fn paint(self, painter: &Painter, middle: Pos2, color: Color32) {
        let at = |x: f32, y: f32| middle + vec2(x, y);
        let fill = |corners: Vec<Pos2>| _ = painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
        let stroke = Stroke::new(LINE, color);
        let line = |points: Vec<Pos2>| _ = painter.add(Shape::line(points, stroke));
        let arrow = |x: f32, to: f32| {
            let foot = x - to * SIDE * 0.8;
            fill(vec![at(x + to * SIDE * 0.8, 0.0), at(foot, SIDE), at(foot, -SIDE)]);
        };
        let bar = |x: f32| {
            painter.rect_filled(Rect::from_center_size(at(x, 0.0), vec2(2.0, 2.0 * SIDE)), 0.0, color);
        };
        let chevron = |y: f32| line(vec![at(-4.0, -y), at(0.0, y), at(4.0, -y)]);
        match self {
            Self::Restart => {
                let ray = |turn: f32| at(0.0, 0.0) + Vec2::angled(turn) * SIDE;
                line((0..=16).map(|part| ray(-0.9 + part as f32 * 0.31)).collect());
                let tip = ray(-0.9);
                fill(vec![tip + vec2(2.6, -2.8), tip + vec2(2.2, 2.6), tip + vec2(-2.8, 0.6)]);
            }
            Self::Before => {
                arrow(1.5, -1.0);
                bar(-4.5);
            }
            Self::Next => {
                arrow(-1.5, 1.0);
                bar(4.5);
            }
            Self::StepBack => {
                arrow(-1.5, -1.0);
                bar(4.5);
            }
            Self::StepForward => {
                arrow(1.5, 1.0);
                bar(-4.5);
            }
            Self::Backwards => arrow(0.0, -1.0),
            Self::Play => arrow(0.0, 1.0),
            Self::Pause => {
                bar(-2.5);
                bar(2.5);
            }
            Self::Theme => {
                painter.circle_stroke(middle, SIDE, stroke);
                let half = (0..=12).map(|part| middle + Vec2::angled(1.571 + part as f32 * 0.262) * SIDE);
                fill(half.collect());
            }
            Self::Keys => {
                let frame = Rect::from_center_size(middle, vec2(15.0, 10.0));
                painter.rect_stroke(frame, 2.0, Stroke::new(1.2, color), StrokeKind::Middle);
                for x in [-4.0, 0.0, 4.0] {
                    painter.circle_filled(at(x, -1.8), 0.9, color);
                }
                line(vec![at(-3.5, 2.0), at(3.5, 2.0)]);
            }
            Self::Fit => {
                for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    let corner = |dx: f32, dy: f32| at(x * (6.0 - dx), y * (5.0 - dy));
                    line(vec![corner(3.5, 0.0), corner(0.0, 0.0), corner(0.0, 3.0)]);
                }
            }
            Self::Close => {
                line(vec![at(-4.0, -4.0), at(4.0, 4.0)]);
                line(vec![at(-4.0, 4.0), at(4.0, -4.0)]);
            }
            Self::Reset => {
                line(vec![at(-3.0, -2.5), at(3.0, -2.5), at(4.5, 0.5), at(3.0, 3.5), at(-2.0, 3.5)]);
                fill(vec![at(-6.0, -2.5), at(-2.0, -5.5), at(-2.0, 0.5)]);
            }
            Self::Unfold => chevron(2.0),
            Self::Fold => chevron(-2.0),
        }
    }
}

/// A button with an icon.
pub(super) fn button(ui: &mut Ui, icon: Icon, enabled: bool) -> Response {
    let button = ui.add_enabled(enabled, Button::new("").min_size(Vec2::splat(HEIGHT)));
    let theme = theme::of(ui);
    icon.paint(ui.painter(), button.rect.center(), if enabled { theme.text } else { theme.weak });
    button
}

/// As [`button`], without a frame.
pub(super) fn plain(ui: &mut Ui, icon: Icon) -> Response {
    let button = ui.add(Button::new("").frame(false).min_size(Vec2::splat(HEIGHT)));
    icon.paint(ui.painter(), button.rect.center(), theme::of(ui).weak);
    button
}

/// The icon of a header that folds.
pub(super) fn fold(ui: &mut Ui, openness: f32, header: &Response) {
    let icon = if openness > 0.5 { Icon::Fold } else { Icon::Unfold };
    icon.paint(ui.painter(), header.rect.center() - vec2(3.0, 0.0), theme::of(ui).weak);
}
