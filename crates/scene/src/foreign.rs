//! Names of shapes and fields in other programs, mapped to those of scenes.

/// Names of cases in other programs, and the corresponding cases, most likely first.
const CASES: [(&str, &[&str]); 10] = [
    ("Ball Sphere", &["Ball", "Circle", "Disc"]),
    ("Circle Disc Disk Ellipse", &["Disc", "Circle", "Ball"]),
    ("Box Rect Rectangle Square Cuboid Cube", &["Box", "Rect"]),
    ("Wall Line Segment Edge Pill", &["Capsule"]),
    ("Poly Triangle Mesh", &["Polygon"]),
    ("Annulus Torus", &["Ring"]),
    ("Points List", &["At"]),
    ("Toggle", &["Switch"]),
    ("Gaussian Gauss", &["Normal"]),
    ("Range Random Between", &["Uniform"]),
];

/// Names of fields in other programs, and the corresponding fields, most likely first.
const FIELDS: [(&str, &[&str]); 16] = [
    ("rotation rotate rot orientation heading direction degrees", &["angle", "heading"]),
    ("position pos centre location origin at x y point", &["center", "position"]),
    ("r rad diameter", &["radius"]),
    ("width height dimensions extent extents half_size w h", &["size"]),
    ("start begin a", &["from"]),
    ("end stop b", &["to"]),
    ("vertices corners coordinates", &["points"]),
    ("number amount n num quantity population", &["count"]),
    ("weight strength factor", &["gain"]),
    ("rule behavior behaviour file", &["script"]),
    ("rules scripts behaviours", &["behaviors"]),
    ("parameters settings values", &["params"]),
    ("active on", &["enabled"]),
    ("top_speed speed_limit maxSpeed", &["max_speed"]),
    ("dt timestep time_step", &["step"]),
    ("vision sight perception", &["view"]),
];

/// Returns the most likely case for a word of another program.
pub(super) fn case<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    find(&CASES, word, known)
}

/// Returns the most likely field for a name of another program.
pub(super) fn field<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    find(&FIELDS, name, known)
}

fn find<'a>(rows: &[(&str, &[&str])], word: &str, known: &[&'a str]) -> Option<&'a str> {
    let (_, meant) = rows.iter().find(|(words, _)| words.split(' ').any(|other| other == word))?;
    meant.iter().find_map(|name| known.iter().find(|known| *known == name)).copied()
}
