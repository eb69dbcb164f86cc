//! Recordings of a red disc that moves to the right, decoded again.

use std::io::Cursor;
use std::process::Command;
use std::sync::Arc;

use steerbox_core::sim::Simulation;
use steerbox_project::reload::{Pending, ReplaceError};
use steerbox_scene::{self as scene, Scene};

use super::ffmpeg::Ffmpeg;
use super::recording::View;
use super::*;
use crate::render::theme::{DARK, PAPER, ThemeName};

const SIZE: (usize, usize) = (120, 80);
const RED: [u8; 3] = [255, 0, 0];

/// A world of 120 by 80 units, 20 steps a second; the disc is at (20 + 2 · steps, 40).
fn start() -> (Arc<Scene>, Simulation) {
    let text = "(world: Plane(size: (120, 80), edges: Open), step: 0.05,
        bodies: {\"m\": Mover(length: 16, width: 16, max_speed: 60)},
        groups: [(name: \"a\", body: \"m\", look: (shape: Dot, color: \"#ff0000\", trail: 3),
            spawn: At([(position: (20, 40), velocity: (40, 0))]))])";
    let scene = scene::read("a.ron", text).expect("a scene");
    let simulation = Simulation::new(scene::build(&scene, None), Vec::new());
    (Arc::new(scene), simulation)
}

fn options(format: Format, fps: Option<u32>) -> RecordOptions {
    let picture = PictureOptions { size: Some(SIZE), ..PictureOptions::default() };
    RecordOptions { format, fps, picture }
}

/// Runs `steps` steps of a recording that `begin` starts for a file; returns the content of the file.
fn recorded(
    steps: usize,
    begin: impl FnOnce(Pending, &Arc<Scene>, &Simulation) -> Result<Recording, RecordError>,
) -> Result<Vec<u8>, RecordError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.out");
    let (scene, mut simulation) = start();
    let run = |simulation: &mut Simulation| {
        let mut recording = begin(Pending::create(&path)?, &scene, simulation)?;
        for _ in 0..steps {
            simulation.step();
            recording.state(&scene, simulation)?;
        }
        assert!(!path.exists(), "it has no name before it is complete");
        recording.finish(&scene, simulation, None)
    };
    let result = run(&mut simulation);
    let files = steerbox_project::reload::read_dir_sorted(folder.path()).expect("the folder");
    assert_eq!(files.len(), usize::from(result.is_ok()), "{files:?}");
    result.map(|()| std::fs::read(&path).expect("the file"))
}

fn recorded_as(options: RecordOptions, steps: usize) -> Vec<u8> {
    let begin = |file, scene: &Arc<Scene>, simulation: &Simulation| {
        Recording::start(options, file, scene, simulation)
    };
    recorded(steps, begin).expect("a recording")
}

/// A frame as red, green, blue and opacity.
type Pixels = Vec<[u8; 4]>;

/// Asserts that a frame shows the disc at `x` alone: a column of pixels through its center.
fn check(frame: &Pixels, x: f32, name: &str) {
    let scale = 80.0 * 0.92 / 80.0;
    let row = &frame[SIZE.1 / 2 * SIZE.0..][..SIZE.0];
    let is_red = |pixel: &[u8; 4]| pixel[0] > 200 && pixel[1] < 40 && pixel[3] > 200;
    let red: Vec<_> = (0..SIZE.0).filter(|at| is_red(&row[*at])).collect();
    let middle = red.iter().sum::<usize>() as f32 / red.len().max(1) as f32 + 0.5;
    let expected = 60.0 + (x - 60.0) * scale;
    assert!((middle - expected).abs() < 2.0, "{name}: {middle} {expected} {red:?}");
    let is_run = red.windows(2).all(|pair| pair[1] == pair[0] + 1);
    assert!((8..20).contains(&red.len()) && is_run, "{name}: {red:?}");
}

/// The frames of a GIF, and the delay of each in hundredths of a second.
fn gif_frames(bytes: &[u8]) -> (Vec<Pixels>, Vec<u16>) {
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).expect("a GIF");
    assert_eq!((decoder.width() as usize, decoder.height() as usize), SIZE);
    let mut canvas = vec![[0; 4]; SIZE.0 * SIZE.1];
    let (mut frames, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        let before = canvas.clone();
        let place = (frame.left as usize, frame.top as usize, frame.width as usize);
        draw(&mut canvas, place, &frame.buffer, |pixel| pixel[3] > 0);
        frames.push(canvas.clone());
        delays.push(frame.delay);
        if frame.dispose == ::gif::DisposalMethod::Background {
            canvas = vec![[0; 4]; before.len()];
        }
    }
    (frames, delays)
}

/// The frames of an APNG, and the delay of each as a fraction of a second.
fn apng_frames(bytes: &[u8]) -> (Vec<Pixels>, Vec<(u16, u16)>) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
    assert_eq!((reader.info().width as usize, reader.info().height as usize), SIZE);
    let count = reader.info().animation_control.expect("an animation").num_frames;
    let mut canvas = vec![[0; 4]; SIZE.0 * SIZE.1];
    let (mut frames, mut delays) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let mut pixels = vec![0; SIZE.0 * SIZE.1 * 4];
        reader.next_frame(&mut pixels).expect("a frame");
        let control = *reader.info().frame_control().expect("a frame of the animation");
        let place = (control.x_offset as usize, control.y_offset as usize, control.width as usize);
        let pixels = &pixels[..(control.width * control.height * 4) as usize];
        let is_over = control.blend_op == png::BlendOp::Over;
        draw(&mut canvas, place, pixels, |pixel| !is_over || pixel[3] > 0);
        frames.push(canvas.clone());
        delays.push((control.delay_num, control.delay_den));
    }
    (frames, delays)
}

fn draw(
    canvas: &mut Pixels,
    (left, top, width): (usize, usize, usize),
    bytes: &[u8],
    is_drawn: impl Fn(&[u8; 4]) -> bool,
) {
    for (at, pixel) in bytes.as_chunks::<4>().0.iter().enumerate().filter(|(_, pixel)| is_drawn(pixel)) {
        canvas[(top + at / width) * SIZE.0 + left + at % width] = *pixel;
    }
}

fn png_pixels(bytes: &[u8]) -> Pixels {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("a frame");
    assert_eq!((info.width as usize, info.height as usize), SIZE);
    pixels.as_chunks::<4>().0.to_vec()
}

#[test]
fn a_png_shows_the_last_state() {
    check(&png_pixels(&recorded_as(options(Format::Png, None), 20)), 60.0, "PNG");
}

#[test]
fn a_gif_has_a_frame_and_a_delay_for_each_interval() {
    for (fps, per_step) in [(20, 1.0_f32), (40, 2.0), (10, 0.5), (30, 1.5)] {
        let (frames, delays) = gif_frames(&recorded_as(options(Format::Gif, Some(fps)), 24));
        assert_eq!(frames.len(), (24.0 * per_step) as usize + 1, "{fps}");
        for (at, frame) in frames.iter().enumerate() {
            check(frame, 20.0 + 2.0 * at as f32 / per_step, &format!("GIF of {fps} fps, frame {at}"));
        }
        let sum: u32 = delays.iter().map(|delay| u32::from(*delay)).sum();
        assert!(sum.abs_diff((frames.len() as u32 * 100 + fps / 2) / fps) <= 1, "{fps}: {delays:?}");
    }
}

#[test]
fn an_apng_has_a_frame_and_a_delay_for_each_interval() {
    for (fps, per_step) in [(20, 1.0_f32), (40, 2.0), (10, 0.5)] {
        let (frames, delays) = apng_frames(&recorded_as(options(Format::Apng, Some(fps)), 24));
        assert_eq!(frames.len(), (24.0 * per_step) as usize + 1, "{fps}");
        for (at, frame) in frames.iter().enumerate() {
            check(frame, 20.0 + 2.0 * at as f32 / per_step, &format!("APNG of {fps} fps, frame {at}"));
            assert!(frame.iter().all(|pixel| pixel[3] == 255));
        }
        assert!(delays.iter().all(|delay| *delay == (1, fps as u16)));
    }
}

#[test]
fn transparent_frames_leave_nothing_behind() {
    let transparent = |format, fps| {
        let options = options(format, fps);
        RecordOptions { picture: PictureOptions { transparent: true, ..options.picture }, ..options }
    };
    let still = vec![png_pixels(&recorded_as(transparent(Format::Png, None), 24))];
    let gif = gif_frames(&recorded_as(transparent(Format::Gif, Some(20)), 24)).0;
    let apng = apng_frames(&recorded_as(transparent(Format::Apng, Some(20)), 24)).0;
    for (name, frames) in [("PNG", still), ("GIF", gif), ("APNG", apng)] {
        let last = frames.last().expect("a frame");
        check(last, 68.0, name);
        let empty = last.iter().filter(|pixel| pixel[3] == 0).count();
        assert!(empty > last.len() / 2, "{name}: {empty}");
    }
}

#[test]
fn pictures_have_the_colors_of_the_theme() {
    for (name, theme) in [(ThemeName::Dark, &DARK), (ThemeName::Paper, &PAPER)] {
        for format in [Format::Png, Format::Gif, Format::Apng] {
            let options = options(format, None);
            let options =
                RecordOptions { picture: PictureOptions { theme: name, ..options.picture }, ..options };
            let bytes = recorded_as(options, 2);
            let frame = match format {
                Format::Png => png_pixels(&bytes),
                Format::Gif => gif_frames(&bytes).0.swap_remove(0),
                _ => apng_frames(&bytes).0.swap_remove(0),
            };
            let [top, bottom] = theme.world.ground;
            let corner = frame[SIZE.0 * 2 + 2];
            for (found, (from, to)) in
                corner.iter().zip([(top.r, bottom.r), (top.g, bottom.g), (top.b, bottom.b)])
            {
                let range = from.min(to).saturating_sub(2)..=from.max(to).saturating_add(2);
                assert!(range.contains(found), "{name:?} {format:?}: {corner:?}");
            }
        }
    }
}

#[test]
fn a_transparent_picture_of_a_look_has_no_background() {
    let picture = PictureOptions { transparent: true, ..options(Format::Png, None).picture };
    let options = RecordOptions { picture, ..options(Format::Png, None) };
    let pixels = png_pixels(&recorded_as(options, 2));
    // The border of the world is not drawn either.
    let visible = pixels.iter().filter(|pixel| pixel[3] > 0).count();
    assert!((80..400).contains(&visible), "{visible}");
}

#[test]
fn an_svg_contains_the_disc_of_the_last_state() {
    let options = options(Format::Svg, None);
    let picture = PictureOptions { bar: true, trails: true, ..options.picture };
    let text = String::from_utf8(recorded_as(RecordOptions { picture, ..options }, 20)).expect("text");
    assert!(text.contains("cx=\"60\" cy=\"40\"") && text.contains("fill=\"#ff0000\""), "{text}");
    assert!(text.contains("t = 1.00 s") && text.contains("20 units"), "{text}");
}

#[test]
fn trails_and_the_bar_change_a_picture() {
    let plain = options(Format::Png, None);
    let red = |options| {
        let pixels = png_pixels(&recorded_as(options, 20));
        let [r, ..] = RED;
        pixels.iter().filter(|pixel| pixel[0] > r / 4 && pixel[1] < pixel[0] / 2).count()
    };
    let trails = RecordOptions { picture: PictureOptions { trails: true, ..plain.picture }, ..plain };
    assert!(red(trails) > red(plain) + 12, "{} {}", red(trails), red(plain));
    let bar = RecordOptions { picture: PictureOptions { bar: true, ..plain.picture }, ..plain };
    let light = |options| {
        let pixels = png_pixels(&recorded_as(options, 20));
        let corner = pixels.chunks(SIZE.0).skip(40).flat_map(|row| &row[..60]);
        corner.filter(|pixel| pixel[1] > 120).count()
    };
    assert!(light(bar) > light(plain) + 30);
}

/// Records with a shell script in place of ffmpeg; the last argument is the file.
#[cfg(unix)]
fn with_program(program: &str, script: &str) -> Result<Vec<u8>, RecordError> {
    recorded(200, |file, scene, simulation| {
        let mut command = Command::new(program);
        command.args(["-c", script, "sh"]);
        let options = options(Format::Mp4, Some(20));
        let encoder = Ffmpeg::start(command, &options, file)?;
        let mut recording = Recording::with(Box::new(encoder), options, scene, simulation, View::whole());
        recording.state(scene, simulation)?;
        Ok(recording)
    })
}

#[cfg(unix)]
#[test]
fn a_video_program_receives_every_frame() {
    let all = with_program("sh", "for last; do :; done; cat > \"${last#file:}\"").expect("a recording");
    let frames: Vec<Pixels> = all
        .chunks(SIZE.0 * SIZE.1 * 4)
        .map(|frame| frame.as_chunks::<4>().0.iter().map(|[b, g, r, a]| [*r, *g, *b, *a]).collect())
        .collect();
    assert_eq!(frames.len(), 201);
    for (at, frame) in frames.iter().take(40).enumerate() {
        check(frame, 20.0 + 2.0 * at as f32, "video");
    }
}

#[cfg(unix)]
#[test]
fn a_video_program_that_is_missing_or_fails_is_reported() {
    let missing = with_program("/nonexistent/ffmpeg", "").expect_err("no program").to_string();
    assert!(missing.contains("ffmpeg is not installed") && missing.contains(".gif"), "{missing}");
    let midway = "head -c 9000 > /dev/null; echo first >&2; echo 'No space left' >&2; exit 1";
    let failed = with_program("sh", midway).expect_err("it fails").to_string();
    assert_eq!(failed, "ffmpeg failed: No space left");
    let at_the_end = with_program("sh", "cat > /dev/null; exit 3").expect_err("it fails").to_string();
    assert_eq!(at_the_end, "ffmpeg failed: it ended without a message");
}

#[test]
fn videos_are_encoded_where_ffmpeg_is_installed() {
    let is_installed = Command::new("ffmpeg").arg("-version").output().is_ok();
    if !is_installed {
        eprintln!("not tested without ffmpeg");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for format in [Format::Mp4, Format::WebM] {
        let path = folder.path().join("a.video");
        std::fs::write(&path, recorded_as(options(format, Some(20)), 30)).expect("a file");
        let mut decoder = Command::new("ffmpeg");
        decoder.args(["-loglevel", "error", "-i"]).arg(&path);
        let decoded =
            decoder.args(["-f", "rawvideo", "-pix_fmt", "rgba", "-"]).output().expect("ffmpeg").stdout;
        let frames: Vec<_> = decoded.chunks(SIZE.0 * SIZE.1 * 4).collect();
        assert_eq!(frames.len(), 31, "{format:?}");
        for (at, frame) in frames.iter().enumerate() {
            check(&frame.as_chunks::<4>().0.to_vec(), 20.0 + 2.0 * at as f32, &format!("{format:?}"));
        }
    }
}

#[test]
fn a_taken_name_and_a_missing_folder_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.png");
    let pending = Pending::create(&path).expect("a free name");
    std::fs::write(&path, "other").expect("a file");
    assert!(matches!(Pending::create(&path), Err(ReplaceError::Exists)));
    let (scene, simulation) = start();
    let recording = Recording::start(options(Format::Png, None), pending, &scene, &simulation);
    let finished = recording.expect("a recording").finish(&scene, &simulation, None);
    assert!(matches!(finished, Err(RecordError::File(ReplaceError::Exists))), "{finished:?}");
    assert_eq!(std::fs::read_to_string(&path).expect("the file"), "other");
    assert!(Pending::create(&folder.path().join("none/a.png")).is_err());
}
