//! Documents agree with the program: scenes and scripts are valid, names are in the API, links and paths resolve, and
//! figures are those of the benchmarks.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_core::sim::{Frozen, GroupMeasure as _, GroupNames, Measure, MeasureNames};
use steerbox_project::reload::{default_scene, embedded_scripts, read_dir_sorted};
use steerbox_scene as scene;
use steerbox_script::{
    API_NAMES, Execution, Library, Program, Role, Script, ScriptBehavior, ScriptMeasure, api_tables, flow,
};

use crate::common::{driven, file};

const DOCUMENTS: [&str; 3] = ["README.md", "docs/scripting.md", "docs/scenes.md"];

fn text(path: &str) -> String {
    fs::read_to_string(file(path)).expect("a document")
}

/// Returns the fenced blocks of a language, over all documents.
fn blocks(language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let mut blocks = Vec::new();
    for text in DOCUMENTS.map(text) {
        let parts = text.split(&fence).skip(1);
        blocks.extend(parts.filter_map(|part| Some(part.split_once("```")?.0.to_owned())));
    }
    blocks
}

#[test]
fn scenes_are_valid_and_their_scripts_exist() {
    let scripts: Vec<_> = embedded_scripts().map(|(name, _)| name.trim_end_matches(".rhai")).collect();
    let blocks = blocks("ron");
    assert!(blocks.len() >= 3);
    for block in blocks {
        let scene = scene::read("shown.ron", &block);
        let scene = scene.unwrap_or_else(|faults| panic!("{}\n{block}", faults[0].summary()));
        assert_eq!(scene.unknown_scripts(&scripts), []);
    }
}

#[test]
fn the_scene_of_the_readme_is_short() {
    let readme = text("README.md");
    let (_, rest) = readme.split_once("```ron\n").expect("a scene");
    let (scene, _) = rest.split_once("```").expect("its end");
    assert!(scene.lines().count() < 12);
}

/// The file that the documented scripts import.
struct Helpers;

impl Library for Helpers {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        assert_eq!(name, "helpers");
        let away = "if point == () { vec(0, 0) } else { me.position - point }";
        Ok(format!("const FIRM = 0.5; fn away_from(me, point) {{ {away} }}").into())
    }
}

#[test]
fn scripts_run_without_failure() {
    let (_, flock) = default_scene();
    let scene = scene::read("flock.ron", flock).expect("the default scene");
    let blocks = blocks("rhai");
    assert!(blocks.len() >= 3);
    for block in blocks {
        let path = if block.contains("fn measure(") { "measures/shown.rhai" } else { "shown.rhai" };
        let script = Script::compile_with(path, &block, &Helpers, false);
        let script = script.unwrap_or_else(|faults| panic!("{}\n{block}", faults[0].summary()));
        let program = Program::fold(&script, &[]).expect("its defaults");
        if script.role == Role::Flow {
            let frozen = Arc::new(Frozen::new(scene::build(&scene, None)));
            let vectors = flow(&script, &program, &frozen, [glam::Vec3::X].into_iter());
            assert!(vectors.is_ok(), "{vectors:?}");
            continue;
        }
        if script.role == Role::Measure {
            let frozen = Arc::new(Frozen::new(scene::build(&scene, None)));
            let value = ScriptMeasure::new(program).value(&frozen, 0);
            assert!(value.is_ok(), "{value:?}");
            continue;
        }
        let behavior = ScriptBehavior::new(program, Execution::Interpreted);
        let mut simulation = driven(scene::build(&scene, None), behavior);
        (0..5).for_each(|_| simulation.step());
        assert_eq!(simulation.reports(), []);
    }
}

#[test]
fn the_catalog_lists_every_script_and_the_scenes_that_use_it() {
    let catalog = text("docs/behaviors.md");
    for (file, script) in embedded_scripts() {
        let name = file.trim_end_matches(".rhai");
        let row = catalog.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("{name} is not in the catalog"));
        let shown = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap_or_default();
        for scene in shown.split(',').map(str::trim) {
            let scene = text(&format!("scenes/{scene}.ron"));
            assert!(scene.contains(&format!("\"{name}\"")), "{name}: {row}");
        }
        assert!(script.starts_with("//! "), "{name} has no header");
    }
}

/// Replaces the table between a mark and the next empty line.
fn with_table(document: &str, mark: &str, table: &str) -> String {
    let mark = format!("<!-- {mark} -->\n");
    let (before, rest) = document.split_once(&mark).unwrap_or_else(|| panic!("no {mark}"));
    let (_, after) = rest.split_once("\n\n").expect("an empty line after the table");
    format!("{before}{mark}{table}\n{after}")
}

/// Compares a document with what it is generated from; `STEERBOX_REWRITE=1` writes it.
pub(crate) fn assert_generated(document: &str, made: &str) {
    let before = text(document);
    if std::env::var_os("STEERBOX_REWRITE").is_some() {
        fs::write(file(document), made).expect("the document is written");
    }
    assert!(made == before, "{document} differs from the code: STEERBOX_REWRITE=1 writes it");
}

#[test]
fn the_reference_has_a_line_for_each_row_of_the_api() {
    let document = "docs/scripting.md";
    let tables = api_tables();
    let tables = tables.into_iter().map(|(kind, table)| (format!("api: {kind}"), table));
    let made = tables.fold(text(document), |made, (mark, table)| with_table(&made, &mark, &table));
    assert_generated(document, &made);
}

#[test]
fn the_reference_has_a_line_for_each_field_of_scenes_and_experiments() {
    for document in ["docs/scenes.md", "docs/experiments.md"] {
        let is_here = |owner: &str| (owner == "an experiment") == (document == "docs/experiments.md");
        let tables = scene::field_tables().filter(|(owner, _)| is_here(owner));
        let tables = tables.map(|(owner, table)| (format!("fields: {owner}"), table));
        let made = tables.fold(text(document), |made, (mark, table)| with_table(&made, &mark, &table));
        assert_generated(document, &made);
    }
}

#[test]
fn the_table_of_columns_has_a_line_for_each_figure() {
    let document = "docs/command-line.md";
    let groups = vec![GroupNames { name: "GROUP".to_owned(), is_populated: true, ..GroupNames::default() }];
    let names = MeasureNames { groups, ..MeasureNames::default() };
    let of_run = ["step", "time"].map(|name| Measure::parse(name, &names).expect("a measure of the run"));
    let row = |measure: Measure| {
        let kind = if measure.is_count() { "integer" } else { "number" };
        format!("| `{}` | {kind} | {} | {} |\n", measure.name(), measure.unit(), measure.about())
    };
    let rows: String = of_run.into_iter().chain(names.all()).map(row).collect();
    let table = format!("| column | type | unit | value |\n|---|---|---|---|\n{rows}");
    assert_generated(document, &with_table(&text(document), "figures", &table));
}

#[test]
fn the_reference_names_the_whole_api() {
    let reference = text("docs/scripting.md");
    let words: Vec<_> = reference.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let missing: Vec<_> = API_NAMES.iter().filter(|name| !words.contains(&name.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Returns the folders of the crates.
fn crates() -> Vec<PathBuf> {
    read_dir_sorted(&file("crates")).expect("a folder of crates")
}

#[test]
fn the_table_of_packages_has_the_dependencies_of_the_manifests() {
    let architecture = text("ARCHITECTURE.md");
    for folder in crates().into_iter().chain([file("")]) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let (_, package) = manifest.split_once("[package]\nname = \"").expect("a package");
        let (package, dependencies) = package.split_once('"').expect("its name");
        let dependencies = dependencies.split("[dev-dependencies]").next().unwrap_or_default();
        let inherited = dependencies.lines().filter(|line| line.contains("workspace"));
        let names = inherited.filter_map(|line| line.strip_prefix("steerbox-"));
        let names: Vec<_> = names.filter_map(|line| line.split(['.', ' ']).next()).collect();
        let row = format!("| `{package}` | {} |", names.join(", ")).replace("|  |", "| |");
        assert!(architecture.contains(&row), "no row {row}");
    }
}

#[test]
fn every_path_of_the_architecture_exists() {
    let sources: Vec<_> = crates().into_iter().map(|folder| folder.join("src")).chain([file("")]).collect();
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = text(document);
        let quoted = text.split('`').skip(1).step_by(2);
        let paths: Vec<_> = quoted
            .filter(|word| word.contains('/') && !word.contains([' ', '\n']) && !word.contains("NAME"))
            .filter(|word| !word.starts_with('/'))
            .collect();
        assert!(paths.len() > 20, "{document}: {paths:?}");
        let missing = |path: &&str| !sources.iter().any(|folder| folder.join(path).exists());
        let missing: Vec<_> = paths.into_iter().filter(missing).collect();
        assert_eq!(missing, [""; 0], "{document}");
    }
}

/// Paths of all documents, relative to the repository.
fn documents() -> Vec<PathBuf> {
    let mut documents = Vec::new();
    for folder in ["", "docs", "docs/notes", "tests"] {
        let files = read_dir_sorted(&file(folder)).expect("a folder of documents");
        let files = files.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "md"));
        documents.extend(files);
    }
    documents
}

/// The lines of a text outside of fenced blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    text.split("```").step_by(2).flat_map(str::lines)
}

/// The anchor of a heading, as GitHub derives it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn every_link_resolves() {
    let documents = documents();
    assert!(documents.len() > 10, "{documents:?}");
    let mut broken = Vec::new();
    for document in &documents {
        let text = fs::read_to_string(document).expect("a document");
        let prose: Vec<_> = prose(&text).collect();
        let prose = prose.join(" ");
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            if path.contains("://") {
                continue;
            }
            let target = match path {
                "" => document.clone(),
                path => document.parent().unwrap_or(Path::new("")).join(path),
            };
            let has_heading = || {
                let text = fs::read_to_string(&target).unwrap_or_default();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                headings.any(|line| anchor(line.trim_start_matches('#')) == heading)
            };
            if !target.exists() || !heading.is_empty() && !has_heading() {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert_eq!(broken, [""; 0]);
}

/// `docs/figures.py` replaces each block between marks by the output of a benchmark.
#[test]
fn marked_tables_name_benchmarks() {
    let benchmarks = text("Cargo.toml");
    for document in ["docs/performance.md", "docs/reliability.md"] {
        let text = text(document);
        let blocks: Vec<_> = text.split("<!-- bench: ").skip(1).collect();
        assert!(!blocks.is_empty(), "{document}");
        for block in blocks {
            let (mark, table) = block.split_once(" -->\n").expect("the end of a mark");
            let name = mark.split(' ').next().unwrap_or_default();
            assert!(benchmarks.contains(&format!("[[bench]]\nname = \"{name}\"")), "{document}: {name}");
            let end = table.split_once("<!-- end -->");
            assert!(end.is_some_and(|(table, _)| table.contains("|--")), "{document}: {mark}");
        }
    }
}

/// Figures of `README.md`: the text before and after each, the first cells of its row in `docs/performance.md`, and its
/// column.
const FIGURES: [(&str, &str, &str, &str); 4] = [
    ("the end of the first step under it: ", " ms", "| the end of the first step |", "median"),
    ("A behavior takes ", " times", "| native ÷ Rust | means |", "median"),
    ("means of neighbors, and ", "times if it loops", "| native ÷ Rust | loops |", "median"),
    ("units of the default scene takes ", " ms", "| 10000 | 2 |", "ms a step"),
];

/// The cells of a row, without the empty ones at its ends.
fn cells(row: &str) -> Vec<&str> {
    row.trim().trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn figures_of_the_readme_are_those_of_the_tables() {
    let readme: Vec<_> = text("README.md").split_whitespace().map(str::to_owned).collect();
    let (readme, tables) = (readme.join(" "), text("docs/performance.md"));
    for (before, after, row, column) in FIGURES {
        let (_, rest) = readme.split_once(before).unwrap_or_else(|| panic!("no `{before}`"));
        let (figure, _) = rest.split_once(after).unwrap_or_else(|| panic!("no `{after}` after `{before}`"));
        let figure = figure.trim();
        let lines: Vec<_> = tables.lines().collect();
        let at = lines.iter().position(|line| line.starts_with(row)).unwrap_or_else(|| panic!("no {row}"));
        let head = lines[..at].iter().rposition(|line| line.starts_with("|--") || line.starts_with("|:"));
        let head = cells(lines[head.expect("the line below the head") - 1]);
        let column = head.iter().position(|cell| *cell == column).expect("the column");
        let measured: f64 = cells(lines[at])[column].trim_end_matches(" ms").parse().expect("a number");
        let decimals = figure.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        assert_eq!(format!("{measured:.decimals$}"), figure, "{before}{figure}{after}: {row}");
    }
}
