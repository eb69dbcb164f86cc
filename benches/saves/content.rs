//! File contents with a version and an integrity check.

use std::fmt::Write as _;

/// The file name of an index: the scene is the last one of `files`.
pub(crate) fn file_name(index: usize, files: usize) -> String {
    if index + 1 == files {
        "scenes/saved.ron".to_owned()
    } else {
        format!("scripts/{}.rhai", script_name(index))
    }
}

/// The script name of an index.
pub(crate) fn script_name(index: usize) -> String {
    format!("saved{index}")
}

/// The content of a file at a version; `filling` lines increase its length.
pub(crate) fn content(index: usize, files: usize, version: u32, filling: usize) -> String {
    let body = if index + 1 == files { scene(files, version) } else { script(version) };
    let mut text = String::new();
    for line in 0..filling {
        let _ = writeln!(text, "// {line:>6} filling that makes the file long, of version {version}");
    }
    text.push_str(&body);
    let _ = write!(text, "// end {version}");
    let length = text.len();
    format!("//! version {version}, {length} bytes follow\n{text}")
}

/// Returns the version of a content, if it is complete.
pub(crate) fn version(text: &str) -> Option<u32> {
    let (head, rest) = text.split_once('\n')?;
    let (version, length) = head.strip_prefix("//! version ")?.split_once(", ")?;
    let length: usize = length.strip_suffix(" bytes follow")?.parse().ok()?;
    let end = rest.strip_suffix(version)?;
    let is_whole = rest.len() == length && end.ends_with("// end ");
    version.parse().ok().filter(|_| is_whole)
}

fn script(version: u32) -> String {
    format!(
        "const MEMORY = #{{ angle: 0.0 }};\n\
         const PULL = param({version}.0, 0.0, 10000000.0);\n\
         fn steer(me, world) {{\n    \
             this.angle += 0.1;\n    \
             let mate = me.neighbors.nearest;\n    \
             if mate == () {{ return sin(this.angle) }}\n    \
             (mate.position - me.position).limit(PULL)\n\
         }}\n"
    )
}

fn scene(files: usize, version: u32) -> String {
    let mut behaviors = String::new();
    for index in 0..files - 1 {
        let _ = write!(behaviors, "(script: \"{}\", gain: 0.1), ", script_name(index));
    }
    format!(
        "(\n    title: \"version {version}\",\n    \
         world: Plane(size: (200, 200), edges: Wrap),\n    \
         seed: {version},\n    \
         bodies: {{ \"fish\": Mover(length: 1, max_speed: 6, desired_speed: 3, max_velocity_change: 0.4) }},\n    \
         views: {{ \"around\": Around(radius: 40) }},\n    \
         groups: [(name: \"saved\", body: \"fish\", count: {}, \
         spawn: Disc(center: (100, 100), radius: 50), view: \"around\", behaviors: [{behaviors}])],\n)\n",
        20 + version % 7
    )
}
