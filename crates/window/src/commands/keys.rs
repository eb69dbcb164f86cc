//! The commands of the window: names, keys and actions, in groups. Keys, help, the list of all commands and the tables in
//! `docs/window.md` are generated from them.

use egui::{Key, Modifiers};
use glam::Vec2;
use steerbox_core::world::SolidKind;
use steerbox_picture::record::PlotFormat;
use steerbox_scene::{KeyAction, Rearrange, Scene};

use super::action::{Action, DrawStep, EditorAction, FilmStep, PlotFile, SessionAction, ViewAction};
use super::shortcut::{Shortcut, alt, ctrl, ctrl_shift, plain, shift};
use super::window_command::{When, WindowCommand};
use crate::model::dialog::Dialog;
use crate::model::drawing::Drawn;
use crate::model::editor::Help;
use crate::model::switch::Switch;

/// The action that moves the selection by a key.
fn nudge(x: f32, y: f32) -> Action {
    ViewAction::Nudge(Vec2::new(x, y) * NUDGE).into()
}

/// The action that saves all visible plots.
fn save_plots(file: PlotFile) -> Action {
    ViewAction::SavePlot(None, file).into()
}

/// Points by which a key moves or enlarges the selection.
const NUDGE: f32 = 10.0;

/// Commands that belong together.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) commands: &'static [WindowCommand],
}

/// All commands, in the order in which they are listed.
pub(crate) const GROUPS: &[Group] = &[
    Group { name: "Time", commands: TIME },
    Group { name: "View", commands: VIEW },
    Group { name: "Select", commands: SELECT },
    Group { name: "Draw", commands: DRAW },
    Group { name: "Edit texts", commands: TEXT },
    Group { name: "Sharing", commands: SHARING },
    Group { name: "Window", commands: WINDOW },
];

/// The commands of all groups.
pub(crate) fn commands() -> impl Iterator<Item = &'static WindowCommand> {
    GROUPS.iter().flat_map(|group| group.commands)
}

/// The command of a key. Shift counts if a shortcut has it, and is ignored otherwise: some characters require it.
pub(crate) fn for_key(key: Key, modifiers: Modifiers) -> Option<&'static WindowCommand> {
    let find = |exactly| {
        let matches = |shortcut: &Shortcut| shortcut.matches(key, modifiers, exactly);
        commands().find(|command| command.shortcuts.iter().any(matches))
    };
    find(true).or_else(|| find(false))
}

const TIME: &[WindowCommand] = &[
    WindowCommand::new("Pause or resume", &[plain(Key::Space)], |_| SessionAction::TogglePause.into()),
    WindowCommand::new("Step forward", &[plain(Key::Period)], |_| SessionAction::Step.into()),
    WindowCommand::new("Step back", &[plain(Key::Comma)], |_| SessionAction::StepBack.into()),
    WindowCommand::new("Go to the previous event", &[plain(Key::PageUp)], |_| {
        SessionAction::Jump(false).into()
    })
    .about("reloads, errors, edits, clicks"),
    WindowCommand::new("Go to the next event", &[plain(Key::PageDown)], |_| SessionAction::Jump(true).into()),
    WindowCommand::new("Play backwards", &[shift(Key::Space)], |_| SessionAction::PlayBackwards.into()),
    WindowCommand::new("Return to the present", &[plain(Key::End)], |_| {
        SessionAction::ReturnToPresent.into()
    })
    .about("of two runs, keeps the new one")
    .when(When::Past),
    WindowCommand::new("Return to the old run", &[], |_| SessionAction::DiscardChange.into())
        .about("the one before the past was changed")
        .when(When::TwoRuns),
    WindowCommand::new("Continue from here", &[], |_| SessionAction::ContinueHere.into())
        .about("discards everything after this step")
        .when(When::Past),
    WindowCommand::new("Pause when …", &[], |_| ViewAction::ToggleDialog(Dialog::PauseWhen).into())
        .about("a condition becomes true"),
    WindowCommand::new("Restart", &[plain(Key::R)], |_| SessionAction::Restart.into()),
    WindowCommand::new("Speed up", &[plain(Key::Plus), plain(Key::Equals)], |session| {
        SessionAction::Speed(session.speed * 1.25).into()
    }),
    WindowCommand::new("Slow down", &[plain(Key::Minus)], |session| {
        SessionAction::Speed(session.speed / 1.25).into()
    }),
    WindowCommand::new("Reset the speed", &[plain(Key::Num0)], |_| SessionAction::Speed(1.0).into()),
];

const VIEW: &[WindowCommand] = &[
    WindowCommand::new("Fit the world in the window", &[plain(Key::F)], |_| ViewAction::Fit.into()),
    WindowCommand::new("Follow the player or show the whole world", &[plain(Key::O)], |_| {
        ViewAction::ToggleChase.into()
    })
    .about("steering the player follows it, too")
    .when(When::Space),
    WindowCommand::new("Follow the selected unit", &[plain(Key::L)], |_| {
        ViewAction::Toggle(Switch::Following).into()
    })
    .when(When::Selected),
    WindowCommand::new("Show or hide trails", &[plain(Key::T)], |_| {
        ViewAction::Toggle(Switch::Trails).into()
    }),
    WindowCommand::new("Show or hide the grid", &[plain(Key::B)], |_| {
        ViewAction::Toggle(Switch::Grid).into()
    })
    .about("in space, the sphere and the floor"),
    WindowCommand::new("Show or hide velocity and force of all units", &[plain(Key::V)], |_| {
        ViewAction::Toggle(Switch::Vectors).into()
    }),
    WindowCommand::new("Color units by the next quantity", &[plain(Key::C)], |_| {
        ViewAction::NextColors.into()
    })
    .about("disagreement of rules, speed, turn rate, …, scene default"),
    WindowCommand::new("Switch the preview on or off", &[plain(Key::E)], |_| {
        ViewAction::Toggle(Switch::Preview).into()
    })
    .about("the next 5 s of selected units after a save, with it and without"),
    WindowCommand::new("Compare side by side", &[plain(Key::X)], |_| SessionAction::ToggleCompare.into())
        .about("with the values in the files or the rules before the last save; again: continue with A"),
    WindowCommand::new("Continue with B", &[], |_| SessionAction::ContinueRun(true).into())
        .about("ends the comparison")
        .when(When::Compared),
    WindowCommand::new("Show or hide plots", &[plain(Key::G)], |_| ViewAction::Toggle(Switch::Plots).into())
        .about("figures of the groups or the selected unit over the last minute"),
    WindowCommand::new("Show or hide the results", &[], |_| ViewAction::Toggle(Switch::Results).into())
        .about("the plot of the table of a sweep, whose points open runs")
        .when(When::Results),
    WindowCommand::new("Save plots as SVG", &[], |_| save_plots(PlotFile::Picture(PlotFormat::Svg)))
        .about("all visible plots; a right click on a plot saves that one")
        .when(When::Plots),
    WindowCommand::new("Save plots as PNG", &[], |_| save_plots(PlotFile::Picture(PlotFormat::Png)))
        .when(When::Plots),
    WindowCommand::new("Save plots as CSV", &[], |_| save_plots(PlotFile::Csv))
        .about("their values over time")
        .when(When::Plots),
    WindowCommand::new("Show or hide the cost by rule", &[], |_| ViewAction::Toggle(Switch::Costs).into())
        .about("measures the time of each behavior"),
];

const SELECT: &[WindowCommand] = &[
    WindowCommand::new("Find a unit by its number", &[ctrl(Key::F)], |_| ViewAction::PromptUnit.into()),
    WindowCommand::new("Pin the figures of the selected unit", &[plain(Key::P)], |_| {
        ViewAction::TogglePinned(None).into()
    })
    .when(When::Selected),
    WindowCommand::new("Remove the selection", &[plain(Key::Delete)], |_| ViewAction::RemoveSelected.into())
        .about("units, an obstacle, a rule or a group")
        .when(When::SelectedAny),
    WindowCommand::new("Duplicate the selection", &[ctrl(Key::D)], |_| ViewAction::DuplicateSelected.into())
        .when(When::SelectedAny),
    WindowCommand::new("Move the rule or group up", &[alt(Key::ArrowUp)], |_| {
        ViewAction::RearrangeSelected(Rearrange::Move(-1)).into()
    })
    .about("a click on its title selects it; a drag moves it, too")
    .when(When::Item),
    WindowCommand::new("Move the rule or group down", &[alt(Key::ArrowDown)], |_| {
        ViewAction::RearrangeSelected(Rearrange::Move(1)).into()
    })
    .when(When::Item),
    WindowCommand::new("Move the selection left", &[ctrl(Key::ArrowLeft)], |_| nudge(-1.0, 0.0))
        .when(When::InWorld),
    WindowCommand::new("Move the selection right", &[ctrl(Key::ArrowRight)], |_| nudge(1.0, 0.0))
        .when(When::InWorld),
    WindowCommand::new("Move the selection up", &[ctrl(Key::ArrowUp)], |_| nudge(0.0, 1.0))
        .when(When::InWorld),
    WindowCommand::new("Move the selection down", &[ctrl(Key::ArrowDown)], |_| nudge(0.0, -1.0))
        .when(When::InWorld),
    WindowCommand::new("Clear the target", &[plain(Key::Backspace)], |_| SessionAction::Target(None).into()),
];

const DRAW: &[WindowCommand] = &[
    WindowCommand::new("Add a unit at the pointer", &[plain(Key::Insert)], |_| {
        ViewAction::AddAtPointer(None).into()
    })
    .about("to the group of the selected unit, else to the first group"),
    WindowCommand::new("Add a circle at the pointer", &[shift(Key::C)], |_| {
        ViewAction::AddObstacle(SolidKind::Ball).into()
    })
    .about("an obstacle; in space, a ball"),
    WindowCommand::new("Add a box at the pointer", &[shift(Key::B)], |_| {
        ViewAction::AddObstacle(SolidKind::Box).into()
    })
    .about("in a plane, its corners can be dragged"),
    WindowCommand::new("Add a capsule at the pointer", &[shift(Key::U)], |_| {
        ViewAction::AddObstacle(SolidKind::Capsule).into()
    })
    .about("its ends can be dragged"),
    WindowCommand::new("Draw a polygon", &[shift(Key::P)], |_| {
        ViewAction::Draw(DrawStep::Begin(Drawn::Polygon)).into()
    })
    .about("an obstacle, corner by corner")
    .when(When::Plane),
    WindowCommand::new("Draw a path", &[shift(Key::L)], |_| {
        ViewAction::Draw(DrawStep::Begin(Drawn::Path(None))).into()
    })
    .about("for groups to follow"),
    WindowCommand::new("Enlarge the obstacle", &[ctrl_shift(Key::ArrowUp)], |_| {
        ViewAction::Resize(NUDGE).into()
    })
    .about("a circle, ball or capsule")
    .when(When::Obstacle),
    WindowCommand::new("Shrink the obstacle", &[ctrl_shift(Key::ArrowDown)], |_| {
        ViewAction::Resize(-NUDGE).into()
    })
    .when(When::Obstacle),
];

const TEXT: &[WindowCommand] = &[
    WindowCommand::new("Run the text", &[ctrl(Key::Enter)], |_| EditorAction::Run.into())
        .about("unsaved, as a draft; Esc: the saved text runs again; Undo: the rules before the draft")
        .when(When::Edited),
    WindowCommand::new("Switch live editing on or off", &[ctrl_shift(Key::Enter)], |_| {
        ViewAction::Toggle(Switch::Live).into()
    })
    .about("runs every text that passes the checks, 300 ms after the last key"),
    WindowCommand::new("Save the text", &[], |_| EditorAction::Save.into()).when(When::Edited),
    WindowCommand::new("Run the saved text", &[], |_| EditorAction::RunSaved.into())
        .about("the unsaved text remains in the editor")
        .when(When::Edited),
    WindowCommand::new("Return to the saved text", &[], |_| EditorAction::Revert.into())
        .about("Ctrl+Z in the editor brings the unsaved text back")
        .when(When::Edited),
    WindowCommand::new("Show or hide the changes to the saved text", &[], |_| {
        ViewAction::Toggle(Switch::Difference).into()
    })
    .when(When::Edited),
    WindowCommand::new("Complete the word", &[ctrl(Key::Space)], |_| {
        EditorAction::Help(Help::Complete).into()
    })
    .about("Up, Down and Enter choose; Esc closes the list")
    .when(When::Edited),
    WindowCommand::new("Fix or change what is at the cursor", &[ctrl(Key::Period)], |_| {
        EditorAction::Help(Help::Fix).into()
    })
    .when(When::Edited),
    WindowCommand::new("Go to the definition", &[plain(Key::F12)], |_| {
        EditorAction::Help(Help::Define).into()
    })
    .when(When::Edited),
    WindowCommand::new("Rename what is at the cursor", &[plain(Key::F2)], |_| {
        EditorAction::Help(Help::Rename).into()
    })
    .about("in all files")
    .when(When::Edited),
    WindowCommand::new("Find in the text", &[], |_| EditorAction::OpenFind(false).into()).when(When::Edited),
    WindowCommand::new("Replace in the text", &[], |_| EditorAction::OpenFind(true).into())
        .when(When::Edited),
];

pub(crate) const SHARING: &[WindowCommand] = &[
    WindowCommand::new("Save picture", &[ctrl_shift(Key::S)], |_| ViewAction::Film(FilmStep::Picture).into())
        .about("as PNG, into the working folder"),
    WindowCommand::new("SVG of this frame", &[], |_| ViewAction::Film(FilmStep::Drawing).into())
        .about("for print and for drawing programs"),
    WindowCommand::new("Save state", &[], |_| ViewAction::Film(FilmStep::State).into())
        .about("the shown step with its scene, scripts and values; `steerbox FILE` continues it"),
    WindowCommand::new("Save replay", &[], |_| ViewAction::Film(FilmStep::Replay).into())
        .about("the recorded past with every input; `steerbox replay FILE` repeats it"),
    WindowCommand::new("Export page", &[], |_| ViewAction::Film(FilmStep::Page).into())
        .about("one file that plays the recorded past in a browser, without a network"),
    WindowCommand::new("Record", &[ctrl_shift(Key::R)], |_| ViewAction::Film(FilmStep::Toggle).into())
        .about("starts a video of the run, or a GIF without ffmpeg; again: completes the file"),
    WindowCommand::new("GIF of the last 10 s", &[ctrl_shift(Key::G)], |_| {
        ViewAction::Film(FilmStep::Gif).into()
    })
    .about("up to the shown step, from the recorded past; trails about double its size"),
    WindowCommand::new("Video of the last 10 s", &[], |_| ViewAction::Film(FilmStep::Video).into())
        .about("as MP4; requires ffmpeg"),
    WindowCommand::new("Copy the command line", &[], |_| SessionAction::CopyCommand.into())
        .about("opens the scene with the tuned values; logged, too")
        .when(When::Tuned),
];

const WINDOW: &[WindowCommand] = &[
    WindowCommand::new("List all commands", &[ctrl(Key::K)], |_| {
        ViewAction::ToggleDialog(Dialog::Commands).into()
    })
    .about("with search"),
    WindowCommand::new("Open another scene", &[ctrl(Key::O)], |_| {
        ViewAction::ToggleDialog(Dialog::Scenes).into()
    }),
    WindowCommand::new("Save", &[ctrl(Key::S)], |_| ViewAction::Save.into())
        .about("the text in the editor; else all tuned values, obstacles and paths, into the scene's file"),
    WindowCommand::new("Save to scene", &[], |_| ViewAction::SaveScene.into())
        .about("writes all tuned values, obstacles and paths into the scene's file"),
    WindowCommand::new("Snapshots …", &[], |_| ViewAction::ToggleDialog(Dialog::Snapshots).into())
        .about("saves and loads all tuned values under a name"),
    WindowCommand::new("Undo", &[ctrl(Key::Z)], |_| SessionAction::Undo.into())
        .about("the last edit in the window: values, switches, units, obstacles, paths, target, views"),
    WindowCommand::new("Redo", &[ctrl(Key::Y), ctrl_shift(Key::Z)], |_| SessionAction::Redo.into()),
    WindowCommand::new("Reset the layout", &[], |_| ViewAction::ResetLayout.into())
        .about("docks and sizes of all panes"),
    WindowCommand::new("Show or hide the log", &[plain(Key::J)], |_| ViewAction::Toggle(Switch::Log).into()),
    WindowCommand::new("Show or hide the hint of the scene", &[], |_| {
        ViewAction::Toggle(Switch::Hint).into()
    }),
    WindowCommand::new("Show or hide the notes", &[], |_| ViewAction::Toggle(Switch::Notes).into())
        .when(When::Notes)
        .about("the lesson or description that a scene has"),
    WindowCommand::new("Switch between dark and light", &[plain(Key::N)], |_| ViewAction::ToggleTheme.into()),
    WindowCommand::new("Enlarge everything", &[ctrl(Key::Plus), ctrl(Key::Equals)], |_| {
        ViewAction::Rescale(1.25).into()
    }),
    WindowCommand::new("Shrink everything", &[ctrl(Key::Minus)], |_| ViewAction::Rescale(1.0 / 1.25).into()),
    WindowCommand::new("Reset the size of everything", &[ctrl(Key::Num0)], |_| {
        ViewAction::Rescale(0.0).into()
    })
    .about("to that of the display"),
    WindowCommand::new("Full screen", &[plain(Key::F11)], |_| ViewAction::Toggle(Switch::FullScreen).into()),
    WindowCommand::new("Fill the window with the world", &[shift(Key::F11)], |_| {
        ViewAction::Toggle(Switch::Presentation).into()
    })
    .about("without panel and log"),
    WindowCommand::new("Close or deselect", &[plain(Key::Escape)], |_| ViewAction::Escape.into())
        .about("what is open first; then leaves full screen"),
    WindowCommand::new("Leave the text", &[shift(Key::Escape)], |_| EditorAction::Leave.into())
        .about("keys are shortcuts again, as after a click beside it"),
    WindowCommand::new("Keys and mouse", &[plain(Key::H), plain(Key::F1)], |_| {
        ViewAction::ToggleDialog(Dialog::Help).into()
    }),
];

/// The actions of the mouse and of held keys.
pub(crate) const GESTURES: &[(&str, &str)] = &[
    ("Wheel", "Zoom"),
    (
        "Drag",
        "Move the view, an obstacle, the rim of a circle, a corner of the selected obstacle or a point of a path; \
         in space, turn the view",
    ),
    ("Ctrl+drag", "Move a unit, or all selected units; release while moving to throw"),
    ("Click", "Select a unit or an obstacle; click again for the next one at this place"),
    ("Shift+click", "Add a unit to the selection; beside units, set the target"),
    ("Shift+drag", "Select all units in a box"),
    ("Right-click", "Set the target, where a rule reads it; its crosshair can be dragged"),
    (
        "While drawing",
        "Click: add a corner; Backspace: remove it; Enter or double-click: finish; Esc: cancel; \
         arrow keys: move the cursor (Shift: slower); Insert: add a corner",
    ),
    (
        "While editing a text",
        "Ctrl+F: find (Enter and Shift+Enter: the next and the previous match); Ctrl+H: replace; Ctrl+drag on a \
         number, a vector or a color: change it; Ctrl+Z, Ctrl+Y: undo and redo typing; Tab: indent; Esc: run the \
         saved text; Shift+Esc: leave the text",
    ),
    ("Arrow keys", "Steer the player; in space, Up and Down pitch it"),
    ("W, S", "Speed up or slow down the player"),
    ("Tab, Enter", "Go to the next control of the panel; press it"),
];

/// The effect of a key of the scene, for help and panel.
pub(crate) fn meaning(action: &KeyAction, scene: &Scene) -> String {
    match action {
        KeyAction::View(Some(view)) => format!("{} view", scene.world.views[*view].name),
        KeyAction::View(None) => "no view".to_owned(),
        KeyAction::Switch(scripts) => scripts.join(", ").replace('_', " "),
        KeyAction::Speed(factor) if *factor > 1.0 => "faster".to_owned(),
        KeyAction::Speed(_) => "slower".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::Place;
    use steerbox_project::session::Options;

    use crate::model::live_session::LiveSession;
    use glam::Vec3;

    use super::*;
    use crate::edit::shapes::new_solid;

    #[test]
    fn no_two_commands_share_a_key_or_a_name() {
        for (at, command) in commands().enumerate() {
            for other in commands().skip(at + 1) {
                assert_ne!(command.name, other.name);
                let shared = command.shortcuts.iter().find(|key| other.shortcuts.contains(key));
                assert_eq!(shared, None, "{} and {}", command.name, other.name);
            }
        }
    }

    #[test]
    fn every_shape_that_is_not_drawn_has_a_command_that_adds_it() {
        let options = Options { threads: Some(1), ..Options::new(Place::built_in("flock.ron")) };
        let session = LiveSession::start(options).expect("a built-in scene");
        for kind in SolidKind::ALL {
            let adds = Action::from(ViewAction::AddObstacle(kind));
            let is_added = new_solid(kind, Vec3::ZERO, 1.0, true).is_some();
            let count = commands().filter(|command| command.action(&session) == adds).count();
            assert_eq!(count, usize::from(is_added), "{kind:?}");
        }
    }

    /// The tables of keys in `docs/window.md`, between two marks, are generated from the commands.
    /// `STEERBOX_REWRITE=1` writes them.
    #[test]
    fn the_document_of_the_window_lists_every_key() {
        const BEGIN: &str = "<!-- keys -->\n";
        const END: &str = "<!-- end -->";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/window.md");
        let text = std::fs::read_to_string(path).unwrap();
        let (before, rest) = text.split_once(BEGIN).unwrap();
        let (_, after) = rest.split_once(END).unwrap();
        let table = |name: &str, rows: String| format!("### {name}\n\n| key | |\n|---|---|\n{rows}\n");
        let row = |keys: &str, words: &str| format!("| {keys} | {words} |\n");
        let mut tables = table("Mouse", GESTURES.iter().map(|(keys, words)| row(keys, words)).collect());
        for group in GROUPS {
            let commands = group.commands.iter().filter(|command| !command.keys().is_empty());
            tables +=
                &table(group.name, commands.map(|command| row(&command.keys(), &command.words())).collect());
        }
        let made = format!("{before}{BEGIN}{tables}{END}{after}");
        if std::env::var_os("STEERBOX_REWRITE").is_some() {
            return std::fs::write(path, &made).unwrap();
        }
        assert!(made == text, "docs/window.md differs from the commands: STEERBOX_REWRITE=1 writes it");
    }
}
