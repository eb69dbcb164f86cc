//! `steerbox test`: tests scenes and their scripts.

mod runs;
mod scene_tests;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use steerbox_core::diagnostics::counted;
use steerbox_project::reload::{Place, is_scene, known_scenes};

use super::junit::{self, Case, Outcome};
use super::print::{err, out, raw};
use super::test_args::{TestArgs, TestFormat};
use super::usage::UsageError;
use super::{check, interrupt, scene};

/// The tests of a scene.
struct Suite {
    scene: String,
    cases: Vec<Case>,
}

pub(super) fn test(args: &TestArgs) -> anyhow::Result<ExitCode> {
    interrupt::listen()?;
    let scenes = scenes(&args.paths)?;
    if scenes.is_empty() {
        return Err(UsageError("there are no scenes to test".to_owned()).into());
    }
    let mut suites = Vec::new();
    for (shown, place) in scenes {
        let cases = scene_tests::all(&place, args.seeds, args.steps)?;
        if let Some(status) = interrupt::status() {
            err(format!("interrupted in {shown}"));
            return Ok(status);
        }
        if args.format == TestFormat::Text {
            print(&shown, &cases)?;
        }
        suites.push(Suite { scene: shown, cases });
    }
    let count = |is: fn(&Outcome) -> bool| {
        suites.iter().flat_map(|suite| &suite.cases).filter(|case| is(&case.outcome)).count()
    };
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let passed = count(|outcome| *outcome == Outcome::Passed);
    let skipped = count(|outcome| matches!(outcome, Outcome::Skipped(_)));
    let scenes = counted(suites.len() as u64, ["scene", "scenes"]);
    let result = format!("{scenes}: {passed} passed, {failed} failed, {skipped} skipped");
    if args.format == TestFormat::Junit {
        let suites = suites.iter().map(|suite| (suite.scene.as_str(), &*suite.cases));
        raw(junit::report(suites).as_bytes())?;
        err(result);
    } else {
        out(result)?;
    }
    Ok(if failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print(scene: &str, cases: &[Case]) -> anyhow::Result<()> {
    out(scene)?;
    for Case { name, outcome } in cases {
        let (word, reason) = match outcome {
            Outcome::Passed => ("ok", None),
            Outcome::Skipped(reason) => ("skipped", Some(reason)),
            Outcome::Failed(reason) => ("FAILED", Some(reason)),
        };
        out(format!("  {word:<8} {name}"))?;
        reason.map_or(Ok(()), |reason| out(format!("           {reason}")))?;
    }
    Ok(())
}

/// Returns the scenes to test, with the names by which they are shown.
fn scenes(paths: &[PathBuf]) -> anyhow::Result<Vec<(String, Place)>> {
    if paths.is_empty() {
        let known = known_scenes();
        let is_project = known.iter().any(|scene| scene.file.is_some());
        let tested = known.into_iter().filter(|scene| !is_project || scene.file.is_some());
        return Ok(tested.filter_map(|scene| Place::named(&scene.name).map(|it| (scene.name, it))).collect());
    }
    let mut scenes = Vec::new();
    for path in paths {
        if path.is_dir() {
            let files = check::files(path)?.into_iter().filter(|file| is_scene(file));
            scenes.extend(files.map(|file| (file.display().to_string(), Place::of_scene(&file))));
        } else {
            scenes.push((path.display().to_string(), scene::place(Path::new(path))?));
        }
    }
    Ok(scenes)
}
