//! Any content of a state, a replay or a picture is rejected, or it loads and takes steps. The first byte selects the
//! reader; checksums are those of the content, so that it reaches the readers behind them.
#![no_main]

use std::sync::atomic::AtomicBool;

use libfuzzer_sys::fuzz_target;
use steerbox_project::reload::Loader;
use steerbox_project::session::{Moment, ReplayFile, StoredKind};
use steerbox_script::Execution;

/// Steps of a replay.
const STEPS: u64 = 5;

fuzz_target!(|bytes: &[u8]| {
    let Some((reader, content)) = bytes.split_first() else { return };
    match reader % 4 {
        0 => drop(Moment::from_bytes(content)),
        1 => drop(Moment::from_picture(content)),
        2 => {
            let Ok(file) = StoredKind::State.sealed(content) else { return };
            let Ok(moment) = Moment::from_bytes(&file) else { return };
            if let Ok((_, generation)) = Loader::load(moment.place(), moment.settings.clone()) {
                let _ = moment.start(&generation);
            }
        }
        _ => {
            let Ok(file) = StoredKind::Replay.sealed(content) else { return };
            let Ok(replay) = ReplayFile::from_bytes(&file) else { return };
            if let Ok(loaded) = replay.load(Execution::Interpreted) {
                let last = replay.last.min(replay.start.steps() + STEPS);
                loaded.run(last, &AtomicBool::new(false), |_| true);
            }
        }
    }
});
