//! Steps per second of processor time of a window while an editor of its project is connected, without drawing.
//!
//! Each window makes as many steps as it can. Variants take turns; ratios are those of neighboring turns. The clock is that
//! of all threads of the process: other programs on the machine do not count.
#![allow(clippy::print_stdout, clippy::expect_used, reason = "the program prints tables")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use steerbox_project::link::{Link, News, Sockets};
use steerbox_project::reload::Place;
use steerbox_project::session::Options;
use steerbox_window::App;
use steerbox_window::input::FrameInput;

const TURNS: usize = 60;
const TURN: Duration = Duration::from_millis(250);

/// A window with a selected unit, and an editor; the number of states that the editor received.
struct Watched {
    app: App,
    link: Option<Link>,
    states: Arc<AtomicUsize>,
    /// Steps per second of processor time of each turn.
    rates: Vec<f64>,
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(folder.path().join("scenes")).expect("a folder for the scene");
    let scene = folder.path().join("scenes/flock.ron");
    let text = std::fs::read_to_string(root.join("scenes/flock.ron")).expect("the default scene");
    println!(
        "| units | connected | steps per CPU second | to none, median | from … to | best against best | target |"
    );
    println!("|--:|---|--:|--:|--:|--:|--:|");
    for (starlings, swifts) in [(300, 90), (7700, 2300)] {
        let scaled = text.replace("count: 300,", &format!("count: {starlings},"));
        std::fs::write(&scene, scaled.replace("count: 90,", &format!("count: {swifts},"))).expect("a scene");
        let open = |shows| Watched::open(&scene, folder.path(), shows);
        let mut all: Vec<_> = [None, Some(false), Some(true)].into_iter().map(open).collect();
        for _ in 0..TURNS {
            all.iter_mut().for_each(Watched::turn);
        }
        for (one, shown) in all.iter().zip(["none", "an editor", "an editor with a script"]) {
            print(starlings + swifts, shown, &one.rates, &all[0].rates);
        }
    }
}

impl Watched {
    /// Opens a window with an editor, if requested, that shows a script or none.
    fn open(scene: &Path, folder: &Path, shows: Option<bool>) -> Self {
        let options = Options { threads: Some(2), ..Options::new(Place::of_scene(scene)) };
        let mut app = App::new(options).expect("a scene that reads");
        app.inspect_script(0, None);
        let sockets = Sockets::in_folder(&folder.join(format!("sockets-{shows:?}")));
        app.open_to_editors(sockets.clone());
        let states = Arc::new(AtomicUsize::new(0));
        let received = Arc::clone(&states);
        let link = shows.map(|shows| {
            let count = move |one| {
                if matches!(one, News::State(_)) {
                    received.fetch_add(1, Ordering::Relaxed);
                }
            };
            let link = Link::start(sockets, count).expect("a thread");
            link.set_shows_scripts(shows);
            link.set_projects(&[folder.join("scenes")].into());
            link
        });
        let mut window = Self { app, link, states, rates: Vec::new() };
        // Until it is connected and warm.
        for _ in 0..4 {
            window.turn();
        }
        let received = window.states.load(Ordering::Relaxed);
        assert!(window.link.is_none() || received > 1, "{received} states");
        window.rates.clear();
        window
    }

    fn turn(&mut self) {
        let (begin, before, used) = (Instant::now(), self.app.steps(), processor_seconds());
        while begin.elapsed() < TURN {
            self.app.frame_if_new(&FrameInput::default(), Duration::from_millis(100), false);
        }
        let made = self.app.steps().saturating_sub(before);
        self.rates.push(made as f64 / (processor_seconds() - used));
    }
}

/// Processor time of all threads of this process, seconds.
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn print(units: usize, connected: &str, rates: &[f64], alone: &[f64]) {
    let sorted = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all
    };
    let ratios = sorted(rates.iter().zip(alone).map(|(rate, alone)| rate / alone).collect());
    let (rates, alone) = (sorted(rates.to_vec()), sorted(alone.to_vec()));
    let median = |all: &[f64]| all[all.len() / 2];
    let best = |all: &[f64]| all[all.len() - 1];
    if connected == "none" {
        println!("| {units} | {connected} | {:.0} | | | | |", median(&rates));
        return;
    }
    println!(
        "| {units} | {connected} | {:.0} | {:.3} | {:.2} … {:.2} | {:.3} | ≥ 0.99 |",
        median(&rates),
        median(&ratios),
        ratios[0],
        best(&ratios),
        best(&rates) / best(&alone)
    );
}
