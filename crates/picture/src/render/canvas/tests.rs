//! Shapes on the canvas: their area, their edges, and no pixels outside.

use glam::{Vec2, vec2};

use super::{Canvas, Color, PixelRect};

const SIZE: usize = 64;

fn drawn(draw: impl FnOnce(&mut Canvas)) -> Canvas {
    let mut canvas = Canvas::new(SIZE, SIZE);
    draw(&mut canvas);
    canvas
}

/// The covered area in pixels, for white on black.
fn area(canvas: &Canvas) -> f64 {
    canvas.pixels().iter().map(|pixel| f64::from(pixel & 255) / 255.0).sum()
}

fn close(actual: f64, expected: f64, tolerance: f64) {
    let miss = (actual - expected).abs() / expected;
    assert!(miss <= tolerance, "{actual} instead of {expected}: off by {miss}");
}

fn gray(canvas: &Canvas, x: usize, y: usize) -> u32 {
    canvas.pixel(x, y).unwrap() & 255
}

fn regular(center: Vec2, radius: f32, corners: usize, turn: f32) -> Vec<Vec2> {
    let angle = |i: usize| turn + i as f32 * std::f32::consts::TAU / corners as f32;
    (0..corners).map(|i| center + Vec2::from_angle(angle(i)) * radius).collect()
}

fn polygon_area(points: &[Vec2]) -> f64 {
    let pairs = points.iter().zip(points.iter().cycle().skip(1));
    f64::from(pairs.map(|(a, b)| a.perp_dot(*b)).sum::<f32>().abs()) / 2.0
}

#[test]
fn polygons_cover_their_area_at_any_turn() {
    for corners in [3, 4, 7] {
        for step in 0..40 {
            let points = regular(vec2(31.3, 30.7), 9.0, corners, step as f32 * 0.17);
            let canvas = drawn(|canvas| canvas.fill_polygon(&points, Color::WHITE));
            close(area(&canvas), polygon_area(&points), 0.005);
        }
    }
}

#[test]
fn slivers_and_small_units_preserve_their_area() {
    for step in 0..40 {
        let along = Vec2::from_angle(step as f32 * 0.37) * 6.0;
        let (center, side) = (vec2(20.2 + step as f32 * 0.31, 30.9), along.perp() * 0.25);
        let craft = [center + along, center - along + side, center - along - side];
        let canvas = drawn(|canvas| canvas.fill_polygon(&craft, Color::WHITE));
        close(area(&canvas), polygon_area(&craft), 0.015);
    }
}

#[test]
fn order_of_corners_does_not_matter_and_notches_stay_open() {
    let arrow = [vec2(30.0, 10.0), vec2(50.0, 50.0), vec2(30.0, 40.0), vec2(10.0, 50.0)];
    let mut reversed = arrow;
    reversed.reverse();
    let one = drawn(|canvas| canvas.fill_polygon(&arrow, Color::WHITE));
    let other = drawn(|canvas| canvas.fill_polygon(&reversed, Color::WHITE));
    assert_eq!(one.pixels(), other.pixels());
    close(area(&one), polygon_area(&arrow), 0.005);
    assert_eq!(gray(&one, 30, 46), 0);
}

#[test]
fn edges_through_pixel_centers_blend_half_the_color() {
    let canvas = drawn(|canvas| {
        let points = [vec2(4.5, 4.0), vec2(8.5, 4.0), vec2(8.5, 8.0), vec2(4.5, 8.0)];
        canvas.fill_polygon(&points, Color::WHITE);
        canvas.fill_rect(vec2(20.5, 20.0), vec2(24.0, 24.5), Color::WHITE);
    });
    let row: Vec<_> = (3..10).map(|x| gray(&canvas, x, 5)).collect();
    assert_eq!(row, [0, 128, 255, 255, 255, 128, 0]);
    assert_eq!([gray(&canvas, 20, 21), gray(&canvas, 22, 24), gray(&canvas, 20, 24)], [128, 128, 64]);
    assert_eq!([gray(&canvas, 22, 22), gray(&canvas, 24, 22), gray(&canvas, 22, 25)], [255, 0, 0]);
}

#[test]
fn round_shapes_cover_their_area() {
    for step in 0..20 {
        let radius = 2.5 + step as f32;
        let center = vec2(32.0 + step as f32 * 0.13, 31.0 + step as f32 * 0.07);
        let pi = std::f64::consts::PI;
        let disc = drawn(|canvas| canvas.fill_disc(center, radius, Color::WHITE));
        close(area(&disc), pi * f64::from(radius).powi(2), 0.02);
        let ring = drawn(|canvas| canvas.stroke_circle(center, radius, 1.5, Color::WHITE));
        close(area(&ring), pi * 2.0 * f64::from(radius) * 1.5, 0.02);
        let end = center + Vec2::from_angle(step as f32) * 20.0;
        let line = drawn(|canvas| canvas.stroke_line(center, end, 3.0, Color::WHITE));
        close(area(&line), 60.0 + pi * 2.25, 0.02);
    }
}

#[test]
fn a_trail_is_even_and_fades() {
    let path: Vec<_> =
        (0..12).map(|i| (vec2(6.0 + i as f32 * 4.5, 30.0 + (i % 3) as f32 * 1.5), 1.0)).collect();
    let half = Color::WHITE.with_alpha(0.5);
    let even = drawn(|canvas| canvas.trail(&path, (4.0, 0.0), half));
    assert!(even.pixels().iter().all(|pixel| pixel & 255 <= 129), "pieces overlap");
    let length: f32 = path.windows(2).map(|pair| pair[0].0.distance(pair[1].0)).sum();
    close(area(&even), f64::from(length) * 4.0 * 128.0 / 255.0, 0.02);
    let fading = drawn(|canvas| {
        canvas.trail(&[(vec2(4.0, 20.5), 0.0), (vec2(60.0, 20.5), 1.0)], (3.0, 0.0), Color::WHITE);
    });
    let row: Vec<_> = (5..60).map(|x| gray(&fading, x, 20)).collect();
    assert!(row.is_sorted() && row[0] < 10 && row[54] > 245);
}

#[test]
fn shapes_beyond_the_border_are_clipped_not_moved() {
    let far = Vec2::splat(40.0);
    let shape = regular(Vec2::ZERO, 50.0, 5, 0.3);
    let moved: Vec<_> = shape.iter().map(|point| *point + far).collect();
    let mut large = Canvas::new(SIZE * 3, SIZE * 3);
    large.fill_polygon(&moved, Color::WHITE);
    let cut = drawn(|canvas| canvas.fill_polygon(&shape, Color::WHITE));
    for y in 0..SIZE {
        for x in 0..SIZE {
            let expected = large.pixel(x + 40, y + 40).unwrap() & 255;
            assert!(gray(&cut, x, y).abs_diff(expected) <= 1, "at {x} {y}");
        }
    }
}

fn draw_everything(canvas: &mut Canvas, at: Vec2, size: f32) {
    let red = Color::rgba(255, 0, 0, 200);
    canvas.fill_triangle(at, at + vec2(size, 0.0), at + vec2(0.0, size), red);
    canvas.fill_polygon(&regular(at, size, 6, 1.0), red);
    canvas.fill_disc(at, size, red);
    canvas.stroke_circle(at, size, size / 4.0, red);
    canvas.stroke_line(Vec2::splat(30.0), at, size, red);
    canvas.trail(&[(Vec2::splat(30.0), 1.0), (at, 0.5), (-at, 0.0)], (size, 0.5), red);
    canvas.fill_rect(at, at + Vec2::splat(size), red);
}

#[test]
fn nothing_is_drawn_outside_the_clip() {
    let clip = PixelRect { x0: 20, y0: 24, x1: 41, y1: 37 };
    let canvas = drawn(|canvas| {
        canvas.set_clip(clip);
        for i in 0..25 {
            let at = vec2((i % 5) as f32 * 17.0 - 3.0, (i / 5) as f32 * 17.0 - 3.0);
            draw_everything(canvas, at, 14.5);
        }
    });
    for y in 0..SIZE {
        for x in 0..SIZE {
            let inside = (clip.x0..clip.x1).contains(&x) && (clip.y0..clip.y1).contains(&y);
            assert_eq!(canvas.pixel(x, y).unwrap() != 0, inside, "at {x} {y}");
        }
    }
}

#[test]
fn wild_coordinates_are_ignored() {
    let wild = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0e30, -1.0e30, f32::MAX, f32::MIN];
    let canvas = drawn(|canvas| {
        for &x in &wild {
            for &y in wild.iter().chain(&[10.0]) {
                draw_everything(canvas, vec2(x, y), 10.0);
                draw_everything(canvas, vec2(y, x), 10.0);
                draw_everything(canvas, vec2(10.0, 10.0), x);
            }
        }
    });
    // Sizes were extreme while positions were valid, so shapes may be visible; nothing may hang or panic.
    drop(canvas);
    let untouched = drawn(|canvas| {
        canvas.fill_triangle(vec2(f32::NAN, 1.0), vec2(20.0, 1.0), vec2(1.0, 20.0), Color::WHITE);
        canvas.fill_disc(vec2(1.0e30, 5.0), 4.0, Color::WHITE);
    });
    assert_eq!(area(&untouched), 0.0);
}

#[test]
fn far_but_valid_coordinates_are_fast_and_cover() {
    let canvas = drawn(|canvas| {
        let points = [vec2(-9.0e6, -9.0e6), vec2(9.0e6, -9.0e6), vec2(0.0, 9.0e6)];
        canvas.fill_polygon(&points, Color::WHITE);
    });
    assert!(canvas.pixels().iter().all(|pixel| *pixel == 0x00ff_ffff));
    let mut empty = Canvas::new(0, 0);
    draw_everything(&mut empty, vec2(1.0, 1.0), 5.0);
    empty.fill_gradient(Color::BLACK, Color::WHITE);
}

#[test]
fn a_polygon_has_no_seams_inside() {
    let points = regular(vec2(32.0, 32.0), 28.0, 24, 0.1);
    let half = Color::WHITE.with_alpha(0.5);
    let canvas = drawn(|canvas| canvas.fill_polygon(&points, half));
    for y in 16..48 {
        assert!((16..48).all(|x| gray(&canvas, x, y) == 128));
    }
}

#[test]
fn the_gradient_runs_from_top_to_bottom() {
    let (top, bottom) = (Color::rgb(10, 20, 30), Color::rgb(40, 50, 70));
    let canvas = drawn(|canvas| canvas.fill_gradient(top, bottom));
    assert_eq!(canvas.pixel(3, 0), Some(top.packed()));
    assert_eq!(canvas.pixel(63, 63), Some(bottom.packed()));
    assert_eq!(canvas.pixel(64, 0), None);
}

#[test]
fn a_trail_tapers_towards_its_end() {
    let ends = [(vec2(2.0, 20.5), 1.0), (vec2(62.0, 20.5), 0.0)];
    let rows = |taper: f32, x: usize| {
        let canvas = drawn(|canvas| canvas.trail(&ends, (9.0, taper), Color::WHITE));
        (0..canvas.height()).filter(|y| canvas.pixel(x, *y).is_some_and(|pixel| pixel > 0)).count()
    };
    assert_eq!((rows(0.0, 5), rows(0.0, 45)), (9, 9));
    let (near, far) = (rows(0.9, 5), rows(0.9, 45));
    assert!(near >= 8 && far <= 5, "{near} {far}");
}
