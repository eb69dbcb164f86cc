//! `steerbox list`: lists the scenes that can be opened by name.

use std::process::ExitCode;

use serde_json::json;

use super::args::Format;
use super::print::{json, out};
use crate::reload::{KnownScene, known_scenes};

pub(super) fn list(format: Format) -> anyhow::Result<ExitCode> {
    let scenes = known_scenes();
    let width = |of: fn(&KnownScene) -> &str| {
        let widths = scenes.iter().map(|scene| of(scene).chars().count());
        widths.max().unwrap_or_default()
    };
    let (names, titles) = (width(|scene| &scene.name), width(title));
    for scene in &scenes {
        let name = &scene.name;
        match format {
            Format::Json => json(&json!({
                "name": name, "title": scene.title, "path": scene.file,
            }))?,
            Format::Text => {
                let title = title(scene);
                let file = scene.file.as_ref().map(|file| file.display().to_string());
                let file = file.unwrap_or_else(|| "built in".to_owned());
                out(format!("{name:names$}  {title:titles$}  {file}"))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn title(scene: &KnownScene) -> &str {
    scene.title.as_deref().unwrap_or("(does not read)")
}
