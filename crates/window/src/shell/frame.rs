//! Drawing of a frame: the panel is built, the picture is drawn, the panel is blended over it.

use std::time::Duration;

use glam::Vec2;
use steerbox_picture::render::beside::beside;
use steerbox_picture::render::canvas::Canvas;
use steerbox_picture::render::egui_paint::Painter;
use steerbox_picture::render::picture::{Picture, world_look};
use steerbox_picture::render::theme;

use crate::model::frame_input::FrameInput;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;
use crate::panel;

/// Draws a frame into `canvas` and executes the actions of the panel. Returns the panel's requests to the
/// window, and the time after which a redraw is due even without input.
pub(crate) fn draw(
    canvas: &mut Canvas,
    context: &egui::Context,
    painter: &mut Painter,
    input: &FrameInput,
    session: &mut LiveSession,
    view: &mut ViewState,
) -> (egui::PlatformOutput, Duration) {
    canvas.resize(input.size.0, input.size.1);
    theme::select(context, view.prefs.theme);
    view.colors.update(&session.run.generation.scene, view.prefs.theme.theme());
    let mut actions = Vec::new();
    let (mut free, mut layout) = (egui::Rect::NOTHING, view.layout);
    let mut events = view.keyboard.panel_events(input.egui.clone());
    let mut output = egui::FullOutput::default();
    loop {
        output.append(context.run_ui(events.take(), |ui| {
            ui.ctx().set_cursor_icon(view.pointing.cursor);
            (free, layout) = panel::show(ui, session, view, &mut actions);
        }));
        view.layout = layout;
        // Requests of these actions apply to the next frame.
        (view.unit_prompt, view.files_requested, view.editor.request) = (false, false, None);
        let before = view.dialog;
        let any = !actions.is_empty();
        for action in actions.drain(..) {
            view.act(session, action);
        }
        if any {
            session.blend();
        }
        panel::settle(view.dialog, context);
        // A dialog opened by a control needs its field before the next frame delivers text.
        if view.dialog.is_none() || view.dialog == before {
            break;
        }
    }
    let scale = output.pixels_per_point;
    let corner = |point: egui::Pos2| Vec2::new(point.x, point.y) * scale;
    view.camera.set_view(corner(free.min), corner(free.max), scale, session.run.simulation.world());
    let changed = session.changed_obstacles();
    let sketch = view.sketch();
    let inspected = view.selection.inspected();
    let explained = session.run.simulation.explained();
    let explained = explained.filter(|explained| explained.facts.now == inspected);
    let neighbors = explained.map(|explained| explained.facts.indices_after(&explained.facts.neighbors));
    let picture = Picture {
        poses: &session.poses,
        scale,
        world_look: world_look(
            &session.run.generation.scene,
            session.run.simulation.world(),
            view.window.grid,
        ),
        trails: view.window.trails.then_some(session.run.simulation.observer()),
        vectors: view.window.vectors,
        color_by: view.color_by.as_ref(),
        selection: view.selection.set(),
        pinned: view.selection.pinned(),
        hovered: view.pointing.hovered,
        target: session.shown_target(),
        changed: &changed,
        picked: view.selection.obstacle(),
        sketch: sketch.as_ref(),
        inspected_neighbors: neighbors.as_deref().unwrap_or_default(),
        ..Picture::new(&session.run.generation.scene, &session.run.simulation, &view.camera, &view.colors)
    };
    // The second of two runs, through the same camera, beside the first.
    let (variant, mut second) = (session.run.variant(), view.camera.clone());
    let (min, max) = view.camera.view();
    let part = (Vec2::new(max.x, min.y), Vec2::new(2.0 * max.x - min.x, max.y));
    let second_picture = variant.map(|variant| {
        second.set_view(part.0, part.1, scale, variant.simulation.world());
        Picture {
            poses: &session.compared.poses,
            trails: view.window.trails.then_some(&variant.observer),
            scale,
            world_look: picture.world_look,
            vectors: view.window.vectors,
            color_by: picture.color_by,
            selection: picture.selection,
            pinned: picture.pinned,
            target: picture.target,
            ..Picture::new(&session.run.generation.scene, &variant.simulation, &second, &view.colors)
        }
    });
    let second_canvas = &mut view.second.canvas;
    // The panel is drawn on one thread, the world on another; then the panel is blended over the world.
    let (shapes, textures) = (output.shapes, output.textures_delta);
    let panel = || {
        let primitives = context.tessellate(shapes, scale);
        painter.prepare(input.size, textures, &primitives, scale);
    };
    beside(panel, || {
        picture.draw(canvas);
        if let Some(picture) = second_picture {
            second_canvas.resize(input.size.0, input.size.1);
            picture.draw(second_canvas);
            canvas.take_part(second_canvas, part);
        }
    });
    painter.lay_over(canvas);
    let again = output.viewport_output.get(&egui::ViewportId::ROOT);
    let again = again.map_or(Duration::MAX, |viewport| viewport.repaint_delay);
    (output.platform_output, again)
}
