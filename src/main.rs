//! Arguments to command; prints the error chain, nothing else.
use steerbox::app::{self, Options};
use steerbox::reload::Place;
fn main() -> anyhow::Result<()> {
    let place = std::env::args()
        .nth(1)
        .map_or_else(Place::default_scene, |p| Place::of_scene(p.as_ref()));
    app::open(Options {
        place,
        tuned: vec![],
        events: None,
        seed: None,
        threads: None,
        scale: 1.0,
    })
}
