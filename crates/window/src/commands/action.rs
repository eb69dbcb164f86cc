//! Actions: the commands of panel, keys and mouse.

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use steerbox_core::dynamics::Motion;
use steerbox_core::sim::UnitState;
use steerbox_core::world::{Obstacle, ParamValue, SolidKind};
use steerbox_picture::record::PlotFormat;
use steerbox_project::plot::Choice;
use steerbox_project::reload::{Handle, KnobName, KnownScene, Write};
use steerbox_scene::{ColorBy, KeyAction, ListItem, Rearrange, SceneEdit};

use crate::model::dialog::Dialog;
use crate::model::drawing::Drawn;
use crate::model::editor::changes::Joins;
use crate::model::editor::{Find, Help};
use crate::model::history::Plotted;
use crate::model::log::FilePlace;
use crate::model::panes::{Dock, Pane};
use crate::model::plots::{PlotKind, PlotName, PlotSubject, Quantity};
use crate::model::switch::Switch;

/// One command of the user. Each half is executed by one exhaustive match: an action without a handler does not compile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Changes what is shown.
    View(ViewAction),
    /// Changes the session: its simulation, values and files.
    Session(SessionAction),
}

impl From<ViewAction> for Action {
    fn from(action: ViewAction) -> Self {
        Self::View(action)
    }
}

impl From<SessionAction> for Action {
    fn from(action: SessionAction) -> Self {
        Self::Session(action)
    }
}

/// An action of the results of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ResultsAction {
    /// Plots other columns.
    Choose(Choice),
    /// Opens the run of a row, counted from 1, at its last measured step.
    Open(u64),
}

/// An action of the notes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NotesAction {
    /// Ticks the box of an item with this text, or clears it.
    Tick(String),
    /// Opens the target of a link.
    Open(String),
}

/// A command that the view executes, with the session where it needs it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ViewAction {
    /// Changes a switch.
    Toggle(Switch),
    /// A picture or a recording.
    Film(FilmStep),
    /// Closes the card of the first start permanently.
    CloseWelcome,
    /// Selects an obstacle alone, or none.
    SelectObstacle(Option<usize>),
    /// Selects a rule or a group alone.
    SelectItem(ListItem),
    /// Removes, duplicates or moves the selected rule or group.
    RearrangeSelected(Rearrange),
    /// Moves the selected obstacle or units by points of the screen, y up.
    Nudge(Vec2),
    /// Enlarges the radius of the selected obstacle by points of the screen.
    Resize(f32),
    /// Adds an obstacle of a kind at the pointer.
    AddObstacle(SolidKind),
    /// A step of drawing a polygon or a path.
    Draw(DrawStep),
    /// Removes the selection.
    RemoveSelected,
    /// Duplicates the selection.
    DuplicateSelected,
    /// Executes the edit of the open question, or cancels it.
    Answer(bool),
    /// Adds a unit of a group at the pointer; by default of the group of the selected unit.
    AddAtPointer(Option<usize>),
    /// Shows the whole world.
    Fit,
    /// Follows the player through space, or shows all of it.
    ToggleChase,
    /// Selects these units alone; the last is inspected.
    Select(Vec<usize>),
    /// Adds a unit to the selection, or removes it.
    ToggleSelected(usize),
    /// Pins the figures of a unit, or unpins them; by default of the inspected unit.
    TogglePinned(Option<usize>),
    /// Selects a unit by its number and scrolls to it.
    Find(usize),
    /// Opens the script of a behavior of the inspected unit, by its index in the group.
    OpenScript(usize),
    /// Closes the script.
    CloseScript,
    /// Changes, runs or saves a text in the editor.
    Edit(EditorAction),
    /// Saves the text in the editor, or all edits to the scene's file.
    Save,
    /// Saves all edits to the scene's file.
    SaveScene,
    /// Plots the value of a script line over time, or stops.
    PlotLine(Plotted),
    /// Moves a pane to a dock, opens it and brings it in front.
    DockPane(Pane, Dock),
    /// Brings a pane in front of the other tabs of its dock.
    RaisePane(Pane),
    /// Restores docks and sizes of all panes.
    ResetLayout,
    /// Plots a quantity, or stops.
    TogglePlot(Quantity),
    /// Sets the subject of the plots.
    PlotOf(PlotSubject),
    /// Marks a span of time in all plots, seconds; or none.
    MarkSpan(Option<[f32; 2]>),
    /// Shows the results of a sweep, or opens one of its runs.
    Results(ResultsAction),
    /// Shows the notes, or executes what is clicked in them.
    Notes(NotesAction),
    /// Changes the kind of a plot.
    PlotAs(PlotName, PlotKind),
    /// Writes a plot, or all visible plots, into a new file.
    SavePlot(Option<PlotName>, PlotFile),
    /// Focuses the field for the number of a unit.
    PromptUnit,
    /// Opens a dialog in place of the open one, or closes it.
    ToggleDialog(Dialog),
    /// Closes the topmost open one of: question, dialog, card, drawing, errors, script. Otherwise clears the
    /// selection, or leaves presentation or full screen.
    Escape,
    /// Shows the state of all files in the panel.
    ShowFiles,
    /// Colors units by a value; `None` for the scene's looks.
    ColorBy(Option<ColorBy>),
    /// Colors units by the next value.
    NextColors,
    /// Opens another scene; true if unsaved values may be discarded.
    OpenScene(KnownScene, bool),
    /// Switches to the other theme.
    ToggleTheme,
    /// Scales the whole window by a factor; 0 restores the display's scale.
    Rescale(f32),
}

/// The format of a saved plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlotFile {
    Picture(PlotFormat),
    /// Its values.
    Csv,
}

impl PlotFile {
    /// Returns all formats.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        PlotFormat::ALL.into_iter().map(Self::Picture).chain([Self::Csv])
    }

    /// The extension of such a file.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Picture(format) => format.extension(),
            Self::Csv => "csv",
        }
    }
}

/// A command of the editor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EditorAction {
    /// Opens a file at a line.
    Open(FilePlace),
    /// Replaces the text of a file; with `runs`, it runs as soon as it passes the checks.
    Type { name: String, text: String, joins: Joins, runs: bool },
    /// Undoes the last change of the shown text, or redoes the one that was undone last if true.
    UndoText(bool),
    /// Returns the keys to the window.
    Leave,
    /// Runs the shown text as a draft.
    Run,
    /// Runs the saved content again.
    RunSaved,
    /// Writes the shown text to its file.
    Save,
    /// Replaces the shown text by the saved content.
    Revert,
    /// Ends a conflict: with the content of the file if true, else with the text in the editor.
    Resolve(bool),
    /// Opens an unsaved text of an earlier window, by its index among those that are offered.
    Restore(usize),
    /// Discards an unsaved text of an earlier window.
    Discard(usize),
    /// Opens the dialog for the name of a new rule from a template, by its index.
    NewRule(usize),
    /// Opens a new rule from a template, by its index, with a name without ending.
    CreateRule { template: usize, name: String },
    /// Writes and opens a new scene from a template, by its index.
    NewScene(usize),
    /// Adds a script, by its name, to a group, by its name.
    AddRule { group: String, script: String },
    /// Adds a group.
    AddGroup,
    /// Removes, duplicates or moves a rule or a group.
    Rearrange(ListItem, Rearrange),
    /// Opens the search; with the field of the replacement if true.
    OpenFind(bool),
    /// Sets what is searched.
    Find(Find),
    /// Requests help of the language service at the cursor.
    Help(Help),
    /// A step of its help.
    Assist(AssistStep),
}

/// A step of the help while a text is edited; places are bytes of the shown text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AssistStep {
    /// Offers completions at a place.
    Complete(usize),
    /// Offers fixes and refactorings of a part.
    Offer(std::ops::Range<usize>),
    /// Moves the choice in the list.
    Choose(isize),
    /// Applies the chosen entry of the list, or the one with an index.
    Accept(Option<usize>),
    /// Closes the list and the field of the new name.
    Dismiss,
    /// The cursor enters a call with this signature, or leaves the call.
    Sign(Option<String>),
    /// Opens the definition of the name at a place.
    Define(usize),
    /// Opens the field for a new name of the one at a place.
    StartRenaming(usize),
    /// Sets the new name.
    TypeName(String),
    /// Renames.
    Rename,
}

impl From<AssistStep> for Action {
    fn from(step: AssistStep) -> Self {
        EditorAction::Assist(step).into()
    }
}

impl EditorAction {
    /// Replaces the text of a file, as a step of its own.
    pub(crate) fn replace(name: &str, text: String) -> Self {
        Self::Type { name: name.to_owned(), text, joins: Joins::Never, runs: false }
    }
}

impl From<EditorAction> for Action {
    fn from(action: EditorAction) -> Self {
        Self::View(ViewAction::Edit(action))
    }
}

/// A step of making pictures and recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilmStep {
    /// Writes a picture of the shown state as PNG.
    Picture,
    /// Writes it as SVG.
    Drawing,
    /// Writes the shown state with its scene, scripts and values.
    State,
    /// Writes the recorded past as a replay.
    Replay,
    /// Writes it as a page for browsers.
    Page,
    /// Starts a recording of the run, or completes it.
    Toggle,
    /// Writes the last seconds as GIF.
    Gif,
    /// Writes them as a video.
    Video,
    /// Cancels a recording, by its index among those in progress.
    Cancel(usize),
}

/// A command that the session executes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SessionAction {
    /// Pauses or resumes.
    TogglePause,
    /// Makes one step and pauses.
    Step,
    /// Shows a recorded step.
    GoToStep(u64),
    /// Shows the previous step.
    StepBack,
    /// Plays the recorded steps backwards, or stops.
    PlayBackwards,
    /// Goes to the next event (true) or to the previous one.
    Jump(bool),
    /// Returns from the past to the present; in a comparison, to the new run.
    ReturnToPresent,
    /// Continues from the recorded step that is shown, and discards all later ones.
    ContinueHere,
    /// Returns to the run before the past was edited.
    DiscardChange,
    /// Pauses once a condition becomes true; an empty one removes the condition.
    PauseWhen(String),
    /// Restarts the scene.
    Restart,
    /// Sets the ratio of simulated time to the scene's own speed.
    Speed(f32),
    /// Tunes a value.
    Tune(Handle, KnobName, ParamValue),
    /// Resets a value to the file's.
    ResetValue(Handle, KnobName),
    /// Undoes the last edit.
    Undo,
    /// Redoes the edit that was undone last.
    Redo,
    /// Saves all tuned values as a snapshot with a name.
    SaveSnapshot(String),
    /// Loads the snapshot with a name.
    LoadSnapshot(String),
    /// Deletes the snapshot with a name.
    DeleteSnapshot(String),
    /// Reads the names of all snapshots.
    ListSnapshots,
    /// Starts a second run with other rules beside this run.
    Compare(CompareWith),
    /// Starts the most useful comparison, or ends the current one.
    ToggleCompare,
    /// Continues with one of two compared runs: with the second if true.
    ContinueRun(bool),
    /// Logs the command line that opens the scene with all tuned values.
    CopyCommand,
    /// Shows an obstacle while it is dragged.
    DragObstacle(usize, Obstacle),
    /// Edits an obstacle or a path of the scene.
    EditScene(SceneEdit),
    /// Moves a scattered obstacle, by its index from the end, starting at 1.
    MoveScattered { back: usize, from: Obstacle, to: Obstacle },
    /// Shows units while they are dragged, by their keys.
    DragUnits(Vec<(u64, Motion)>),
    /// Moves units, by their keys.
    MoveUnits { from: Vec<(u64, Motion)>, to: Vec<(u64, Motion)> },
    /// Adds units.
    AddUnits(Vec<UnitState>),
    /// Removes units, by their indices.
    RemoveUnits(Vec<usize>),
    /// Runs an unsaved text of a file, or its saved content again.
    RunText(String, Option<Arc<str>>),
    /// As `RunText`, while a number is dragged or a text is typed in live mode: successive ones are undone together.
    RunTyped(String, Option<Arc<str>>),
    /// Writes texts to their files, all or none.
    WriteTexts(Vec<Write>),
    /// Saves all edits to the scene's file.
    Save,
    /// Sets the view of a group, or none.
    SetView(usize, Option<usize>),
    /// Executes a key of the scene.
    SceneKey(KeyAction),
    /// Sets or clears the target.
    Target(Option<Vec3>),
    /// Dismisses the errors over the world until the next one.
    DismissErrors,
    /// Opens a folder in the system's file manager.
    OpenFolder(PathBuf),
    /// Opens a file at a line in the user's editor.
    OpenInEditor(FilePlace),
    /// Logs the reason why a value was rejected.
    Refuse(String),
}

/// The rules of the second run in a comparison.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CompareWith {
    /// The values of the files instead of the tuned ones.
    Files,
    /// The values of a snapshot, by its name.
    Snapshot(String),
    /// The rules before the last save or change of a slider.
    Earlier,
}

impl CompareWith {
    /// A description of the rules.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Files => "values saved in the files".to_owned(),
            Self::Snapshot(name) => format!("snapshot \"{name}\""),
            Self::Earlier => "rules before the last save".to_owned(),
        }
    }
}

/// A step of drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DrawStep {
    /// Starts a drawing.
    Begin(Drawn),
    /// Adds a corner at a position; at the first or the last corner, finishes.
    Corner(Vec3),
    /// Adds a corner at the cursor.
    CornerHere,
    /// Moves the cursor by points of the screen, y up.
    Move(Vec2),
    /// Removes the last corner.
    Back,
    /// Finishes the drawing.
    End,
    /// Cancels the drawing.
    Cancel,
}
