//! `steerbox list`: lists scenes, experiments and measures by name.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;
use steerbox_project::reload::{
    EXPERIMENTS, embedded_measures, head_comment, is_experiment, is_script, known_scenes, read_dir_if_any,
    read_lossy,
};
use steerbox_script::MEASURES;

use super::args::Format;
use super::print::{json, out};
use super::sweep_args::Experiment;

/// Maximum width of a column, in characters; longer names and titles move the next column.
const MAX_WIDTH: usize = 100;
/// The title of a file with errors.
const NO_TITLE: &str = "(does not read)";

/// A row of the list.
struct Row {
    name: String,
    /// One line; none if the file has errors.
    title: Option<String>,
    /// None if it came with the binary.
    file: Option<PathBuf>,
}

pub(super) fn list(format: Format) -> anyhow::Result<ExitCode> {
    let kinds = [(None, scenes()?), (Some("experiment"), experiments()?), (Some("measure"), measures()?)];
    for (kind, rows) in kinds {
        match format {
            Format::Json => rows.iter().try_for_each(|row| print_object(kind, row))?,
            Format::Text => print_lines(kind, &rows)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn scenes() -> anyhow::Result<Vec<Row>> {
    drop(files(Path::new("scenes"))?);
    let scenes = known_scenes().into_iter();
    Ok(scenes.map(|scene| Row { name: scene.name, title: scene.title, file: scene.file }).collect())
}

/// Returns the experiments of the working folder. The title is the start of the comment.
fn experiments() -> anyhow::Result<Vec<Row>> {
    let row = |path: PathBuf| {
        let title = Experiment::read(&path).ok().and_then(|_| Some(title_of(&read_lossy(&path)?)));
        Row { name: name_of(&path), title, file: Some(path) }
    };
    Ok(files(Path::new(EXPERIMENTS))?.filter(|path| is_experiment(path)).map(row).collect())
}

/// Returns the measures of the working folder, and those of the binary with other names, sorted by name.
fn measures() -> anyhow::Result<Vec<Row>> {
    let row = |path: PathBuf| Row {
        name: name_of(&path),
        title: read_lossy(&path).map(|text| title_of(&text)),
        file: Some(path),
    };
    let folder = Path::new("scripts").join(MEASURES.trim_end_matches('/'));
    let mut rows: Vec<_> = files(&folder)?.filter(|path| is_script(path)).map(row).collect();
    for (file, text) in embedded_measures() {
        let name = name_of(Path::new(file));
        if !rows.iter().any(|row| row.name == name) {
            rows.push(Row { name, title: Some(title_of(text)), file: None });
        }
    }
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(rows)
}

/// Returns the files of a folder, if it exists.
///
/// # Errors
/// If it cannot be read.
fn files(folder: &Path) -> anyhow::Result<impl Iterator<Item = PathBuf> + use<>> {
    Ok(read_dir_if_any(folder).map_err(anyhow::Error::msg)?.into_iter())
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the comment at the head of a text up to the first period or colon.
fn title_of(text: &str) -> String {
    let comment = head_comment(text);
    let end = comment.find(". ").into_iter().chain(comment.find(": ")).min();
    comment[..end.unwrap_or(comment.len())].trim_end_matches(['.', ':']).to_owned()
}

fn print_object(kind: Option<&str>, row: &Row) -> anyhow::Result<()> {
    let mut object = json!({ "name": row.name, "title": row.title, "path": row.file });
    if let Some(kind) = kind {
        object["kind"] = kind.into();
    }
    json(&object)
}

fn print_lines(kind: Option<&str>, rows: &[Row]) -> anyhow::Result<()> {
    let kind = kind.map_or_else(String::new, |kind| format!("{kind}: "));
    let title = |row: &Row| format!("{kind}{}", row.title.as_deref().unwrap_or(NO_TITLE));
    let width = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or_default().min(MAX_WIDTH);
    let names = width(&mut rows.iter().map(|row| row.name.chars().count()));
    let titles = width(&mut rows.iter().map(|row| title(row).chars().count()));
    for row in rows {
        let file = row.file.as_ref().map_or_else(|| "built in".to_owned(), |it| it.display().to_string());
        out(format!("{:names$}  {:titles$}  {file}", row.name, title(row)))?;
    }
    Ok(())
}
