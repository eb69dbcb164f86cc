//! The commands of the window: their names, their keys and what they ask for. Keys, help, the list of all
//! commands and the table in `README.md` come from here.

use egui::{Key, Modifiers};
use glam::Vec2;

use super::action::{Action, DrawStep, Drawn, NewShape};
use super::dialog::Dialog;
use super::live_session::LiveSession;
use super::view_state::ViewState;
use crate::scene::{KeyAction, Scene};

/// A key and the modifiers that belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shortcut {
    key: Key,
    ctrl: bool,
    shift: bool,
}

const fn plain(key: Key) -> Shortcut {
    Shortcut { key, ctrl: false, shift: false }
}

const fn shift(key: Key) -> Shortcut {
    Shortcut { key, ctrl: false, shift: true }
}

const fn ctrl(key: Key) -> Shortcut {
    Shortcut { key, ctrl: true, shift: false }
}

const fn ctrl_shift(key: Key) -> Shortcut {
    Shortcut { key, ctrl: true, shift: true }
}

impl Shortcut {
    /// Whether it is pressed. Shift alone does not matter unless `exactly`: some signs need it.
    fn matches(self, key: Key, modifiers: Modifiers, exactly: bool) -> bool {
        let shift = if exactly { self.shift == modifiers.shift } else { !self.shift };
        self.key == key && self.ctrl == modifiers.command && shift
    }

    /// As users read it.
    fn written(self) -> String {
        let key = match self.key {
            Key::Escape => "Esc",
            Key::PageUp => "Page Up",
            Key::PageDown => "Page Down",
            key @ (Key::Period | Key::Comma | Key::Plus | Key::Minus) => key.symbol_or_name(),
            key => key.name(),
        };
        // A sign beside a plus is hard to read.
        let plus = if key.chars().count() > 1 || key.chars().all(char::is_alphanumeric) { "+" } else { " " };
        let with = [(self.ctrl, "Ctrl"), (self.shift, "Shift")].into_iter().filter(|(on, _)| *on);
        let words = with.map(|(_, name)| format!("{name}{plus}"));
        words.chain([key.to_owned()]).collect()
    }
}

/// When a command does anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Always,
    Selected,
    /// Units or an obstacle.
    Chosen,
    Obstacle,
    Plane,
    Past,
    TwoRuns,
    Compared,
    Space,
    Tuned,
}

impl When {
    /// Why a command does nothing now; nothing if it does something.
    pub(super) fn lacks(self, session: &LiveSession, view: &ViewState) -> Option<&'static str> {
        let run = &session.run;
        let (applies, lacks) = match self {
            Self::Always => (true, ""),
            Self::Selected => (view.selection.inspected().is_some(), "no unit is selected"),
            Self::Chosen => {
                let is_any = view.selection.inspected().is_some() || view.selection.obstacle().is_some();
                (is_any, "nothing is selected")
            }
            Self::Obstacle => (view.selection.obstacle().is_some(), "no obstacle is selected"),
            Self::Plane => (run.simulation.world().arena.is_plane(), "this is a space"),
            Self::Past => (run.looked_at().is_some(), "this is the present"),
            Self::Compared => (run.variant().is_some(), "no two runs are compared"),
            Self::TwoRuns => (run.parted().is_some(), "there is one run"),
            Self::Space => (!run.simulation.world().arena.is_plane(), "this is a plane"),
            Self::Tuned => (session.tuned() > 0, "nothing is tuned"),
        };
        (!applies).then_some(lacks)
    }
}

/// A command of the window.
pub(super) struct WindowCommand {
    /// What it does, in short.
    pub(super) name: &'static str,
    /// More about that, or nothing.
    pub(super) about: &'static str,
    shortcuts: &'static [Shortcut],
    pub(super) when: When,
    action: fn(&LiveSession) -> Action,
}

impl WindowCommand {
    const fn new(
        name: &'static str,
        shortcuts: &'static [Shortcut],
        action: fn(&LiveSession) -> Action,
    ) -> Self {
        Self { name, about: "", shortcuts, when: When::Always, action }
    }

    const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    const fn when(self, when: When) -> Self {
        Self { when, ..self }
    }

    /// The command of a key. Shift counts where a shortcut has it, and is free otherwise: some signs need it.
    pub(super) fn of(key: Key, modifiers: Modifiers) -> Option<&'static Self> {
        let find = |exactly| {
            let matches = |shortcut: &Shortcut| shortcut.matches(key, modifiers, exactly);
            COMMANDS.iter().find(|command| command.shortcuts.iter().any(matches))
        };
        find(true).or_else(|| find(false))
    }

    /// What it asks for.
    pub(super) fn action(&self, session: &LiveSession) -> Action {
        (self.action)(session)
    }

    /// Its keys as users read them; empty if it has none.
    pub(super) fn keys(&self) -> String {
        // A plus is the sign above an equals sign on many keyboards.
        let shown = self.shortcuts.iter().filter(|shortcut| shortcut.key != Key::Equals);
        shown.map(|shortcut| shortcut.written()).collect::<Vec<_>>().join(", ")
    }

    /// Name, and what more there is to say.
    pub(super) fn words(&self) -> String {
        if self.about.is_empty() { self.name.to_owned() } else { format!("{} ({})", self.name, self.about) }
    }
}

/// Moves the selected obstacle a little.
fn nudge(x: f32, y: f32) -> Action {
    Action::Nudge(Vec2::new(x, y) * NUDGE)
}

/// Points by which a key moves something, or makes it larger.
const NUDGE: f32 = 10.0;

/// All commands, in the order in which they are listed.
pub(super) const COMMANDS: &[WindowCommand] = &[
    WindowCommand::new("list all commands", &[ctrl(Key::K)], |_| Action::ToggleDialog(Dialog::Commands))
        .about("with search"),
    WindowCommand::new("pause or resume", &[plain(Key::Space)], |_| Action::TogglePause),
    WindowCommand::new("one step on", &[plain(Key::Period)], |_| Action::Step),
    WindowCommand::new("one step back", &[plain(Key::Comma)], |_| Action::StepBack),
    WindowCommand::new("to what happened before", &[plain(Key::PageUp)], |_| Action::Jump(false))
        .about("reloads, errors, edits, clicks"),
    WindowCommand::new("to what happened next", &[plain(Key::PageDown)], |_| Action::Jump(true)),
    WindowCommand::new("play backwards", &[shift(Key::Space)], |_| Action::PlayBackwards),
    WindowCommand::new("return to the present", &[plain(Key::End)], |_| Action::ReturnToPresent)
        .about("of two runs, the new one is kept")
        .when(When::Past),
    WindowCommand::new("return to the old run", &[], |_| Action::Discard)
        .about("that of before the past was changed")
        .when(When::TwoRuns),
    WindowCommand::new("go on from here", &[], |_| Action::GoOn)
        .about("what came after this step is forgotten")
        .when(When::Past),
    WindowCommand::new("pause when …", &[], |_| Action::ToggleDialog(Dialog::PauseWhen))
        .about("as soon as a condition comes true"),
    WindowCommand::new("restart", &[plain(Key::R)], |_| Action::Restart),
    WindowCommand::new("faster", &[plain(Key::Plus), plain(Key::Equals)], |session| {
        Action::Speed(session.speed * 1.25)
    }),
    WindowCommand::new("slower", &[plain(Key::Minus)], |session| Action::Speed(session.speed / 1.25)),
    WindowCommand::new("normal speed", &[plain(Key::Num0)], |_| Action::Speed(1.0)),
    WindowCommand::new("fit the world into the window", &[plain(Key::F)], |_| Action::Fit),
    WindowCommand::new("follow the player, or show the whole", &[plain(Key::O)], |_| Action::ToggleChase)
        .about("steering the player follows it, too")
        .when(When::Space),
    WindowCommand::new("follow the selected unit", &[plain(Key::L)], |_| Action::ToggleFollow)
        .when(When::Selected),
    WindowCommand::new("pin the figures of the selected unit", &[plain(Key::P)], |_| {
        Action::TogglePinned(None)
    })
    .when(When::Selected),
    WindowCommand::new("find a unit by its number", &[ctrl(Key::F)], |_| Action::AskUnit),
    WindowCommand::new("remove what is selected", &[plain(Key::Delete)], |_| Action::RemoveSelected)
        .about("units, or an obstacle")
        .when(When::Chosen),
    WindowCommand::new("duplicate what is selected", &[ctrl(Key::D)], |_| Action::CopySelected)
        .when(When::Chosen),
    WindowCommand::new("add a unit at the pointer", &[plain(Key::Insert)], |_| Action::AddAtPointer(None))
        .about("of the group of the selected one, or of the first"),
    WindowCommand::new("add a circle at the pointer", &[shift(Key::C)], |_| {
        Action::AddObstacle(NewShape::Circle)
    })
    .about("an obstacle; in space, a ball"),
    WindowCommand::new("add a box at the pointer", &[shift(Key::B)], |_| Action::AddObstacle(NewShape::Box))
        .about("its corners can be dragged in a plane"),
    WindowCommand::new("add a capsule at the pointer", &[shift(Key::U)], |_| {
        Action::AddObstacle(NewShape::Capsule)
    })
    .about("its ends can be dragged"),
    WindowCommand::new("move what is selected to the left", &[ctrl(Key::ArrowLeft)], |_| nudge(-1.0, 0.0))
        .when(When::Chosen),
    WindowCommand::new("move what is selected to the right", &[ctrl(Key::ArrowRight)], |_| nudge(1.0, 0.0))
        .when(When::Chosen),
    WindowCommand::new("move what is selected up", &[ctrl(Key::ArrowUp)], |_| nudge(0.0, 1.0))
        .when(When::Chosen),
    WindowCommand::new("move what is selected down", &[ctrl(Key::ArrowDown)], |_| nudge(0.0, -1.0))
        .when(When::Chosen),
    WindowCommand::new("make the obstacle larger", &[ctrl_shift(Key::ArrowUp)], |_| Action::Resize(NUDGE))
        .about("a circle, a ball or a capsule")
        .when(When::Obstacle),
    WindowCommand::new("make the obstacle smaller", &[ctrl_shift(Key::ArrowDown)], |_| {
        Action::Resize(-NUDGE)
    })
    .when(When::Obstacle),
    WindowCommand::new("draw a polygon", &[shift(Key::P)], |_| Action::Draw(DrawStep::Begin(Drawn::Polygon)))
        .about("an obstacle, corner by corner")
        .when(When::Plane),
    WindowCommand::new("draw a path", &[shift(Key::L)], |_| Action::Draw(DrawStep::Begin(Drawn::Path(None))))
        .about("that groups can follow"),
    WindowCommand::new("clear the target", &[plain(Key::Backspace)], |_| Action::Target(None)),
    WindowCommand::new("open another scene", &[ctrl(Key::O)], |_| Action::ToggleDialog(Dialog::Scenes)),
    WindowCommand::new("save to scene", &[ctrl(Key::S)], |_| Action::Save)
        .about("writes what was tuned, moved, added, removed and drawn into the scene's file"),
    WindowCommand::new("tell the command line", &[], |_| Action::TellCommand)
        .about("that opens the scene with the tuned values; it is copied, too")
        .when(When::Tuned),
    WindowCommand::new("undo", &[ctrl(Key::Z)], |_| Action::Undo)
        .about("the last edit made in the window: values, switches, units, obstacles, paths, target, views"),
    WindowCommand::new("redo", &[ctrl(Key::Y), ctrl_shift(Key::Z)], |_| Action::Redo),
    WindowCommand::new("plots", &[plain(Key::G)], |_| Action::TogglePlots)
        .about("figures of the groups or the selected unit over the last minute"),
    WindowCommand::new("save the plots as CSV", &[], |_| Action::SavePlots),
    WindowCommand::new("cost by rule", &[], |_| Action::ToggleCosts)
        .about("measures what each behavior takes"),
    WindowCommand::new("trails", &[plain(Key::T)], |_| Action::ToggleTrails),
    WindowCommand::new("grid", &[plain(Key::B)], |_| Action::ToggleGrid).about("in the background"),
    WindowCommand::new("velocity and force of all units", &[plain(Key::V)], |_| Action::ToggleVectors),
    WindowCommand::new("color units by the next figure", &[plain(Key::C)], |_| Action::NextColors)
        .about("disagreement of rules, speed, turn rate …, as the scene says"),
    WindowCommand::new("preview", &[plain(Key::E)], |_| Action::TogglePreview)
        .about("after a save, where selected units will be, and would have been"),
    WindowCommand::new("compare side by side", &[plain(Key::X)], |_| Action::ToggleCompare)
        .about("as it runs, and as the files have it or as it was before; again: A goes on"),
    WindowCommand::new("keep B of two runs", &[], |_| Action::KeepRun(true)).when(When::Compared),
    WindowCommand::new("log", &[plain(Key::J)], |_| Action::ToggleLog).about("shows or hides it"),
    WindowCommand::new("light on dark, or dark on paper", &[plain(Key::N)], |_| Action::ToggleTheme),
    WindowCommand::new("everything larger", &[ctrl(Key::Plus), ctrl(Key::Equals)], |_| Action::Rescale(1.25)),
    WindowCommand::new("everything smaller", &[ctrl(Key::Minus)], |_| Action::Rescale(1.0 / 1.25)),
    WindowCommand::new("everything as large as the display asks", &[ctrl(Key::Num0)], |_| {
        Action::Rescale(0.0)
    }),
    WindowCommand::new("full screen", &[plain(Key::F11)], |_| Action::ToggleFullScreen),
    WindowCommand::new("fill the window with the world", &[shift(Key::F11)], |_| Action::TogglePresentation)
        .about("without panel and log"),
    WindowCommand::new("close or deselect", &[plain(Key::Escape)], |_| Action::Escape)
        .about("what is open first; then it leaves full screen"),
    WindowCommand::new("keys and mouse", &[plain(Key::H), plain(Key::F1)], |_| {
        Action::ToggleDialog(Dialog::Help)
    })
    .about("this help"),
];

/// What mouse and held keys do, for the help.
pub(super) const GESTURES: &[(&str, &str)] = &[
    ("wheel", "zoom"),
    (
        "drag",
        "move the view, or the obstacle there, a circle's rim, a corner of the selected one, a point of a path; \
         in space: turn it",
    ),
    ("Ctrl+drag", "move the unit there, or all selected ones with it; let go while moving to throw"),
    (
        "click",
        "select the unit there, with more clicks the next one there, or the obstacle: it changes nothing in the world",
    ),
    (
        "while drawing",
        "click adds a corner, Backspace takes it back, Enter or a double click ends, Esc cancels; \
         by keys: the arrows move the cursor (with Shift by less), Insert adds a corner",
    ),
    ("Shift+click", "add the unit there to the selection; beside units: set the target"),
    ("Shift+drag", "select all units in a box"),
    ("right click", "set the target, where a rule asks for one; its crosshair can be dragged"),
    ("Up, Down, Left, Right", "steer the player; in space, Up and Down pitch it"),
    ("W, S", "the player faster, slower"),
    ("Tab, Enter", "to the next control of the panel; press it"),
];

/// What a key of a scene does, for help and panel.
pub(super) fn meaning(action: &KeyAction, scene: &Scene) -> String {
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
    use super::*;

    #[test]
    fn no_two_commands_share_a_key_or_a_name() {
        for (at, command) in COMMANDS.iter().enumerate() {
            for other in &COMMANDS[at + 1..] {
                assert_ne!(command.name, other.name);
                let shared = command.shortcuts.iter().find(|key| other.shortcuts.contains(key));
                assert_eq!(shared, None, "{} and {}", command.name, other.name);
            }
        }
    }

    /// The table of keys in `README.md` is made from the commands. `STEERBOX_REWRITE=1` writes it.
    #[test]
    fn the_readme_names_every_key() {
        const HEAD: &str = "| key | |\n|---|---|\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
        let text = std::fs::read_to_string(path).unwrap();
        let (before, rest) = text.split_once(HEAD).unwrap();
        let (_, after) = rest.split_once("\n\n").unwrap();
        let commands = COMMANDS.iter().map(|command| (command.keys(), command.words()));
        let gestures = GESTURES.iter().map(|(keys, words)| ((*keys).to_owned(), (*words).to_owned()));
        let rows = commands.chain(gestures).filter(|(keys, _)| !keys.is_empty());
        let rows: Vec<_> = rows.map(|(keys, words)| format!("| {keys} | {words} |")).collect();
        let made = format!("{before}{HEAD}{}\n\n{after}", rows.join("\n"));
        if std::env::var_os("STEERBOX_REWRITE").is_some() {
            return std::fs::write(path, &made).unwrap();
        }
        assert!(made == text, "README.md differs from the commands: STEERBOX_REWRITE=1 writes it");
    }
}
