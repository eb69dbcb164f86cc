//! The times of frames, in steps.

/// Share of a step by which a frame may be early or late: rounded steps and frame rates would else need interpolated
/// poses for frames that coincide with steps.
const TOLERANCE: f64 = 1e-3;

/// The times at which frames are due.
#[derive(Clone, Debug)]
pub(super) struct FrameClock {
    fps: u32,
    /// Number of frames so far.
    frames: u64,
    /// Real seconds of all steps so far, at the scene's own speed.
    elapsed: f64,
}

impl FrameClock {
    pub(super) fn new(fps: u32) -> Self {
        Self { fps, frames: 0, elapsed: 0.0 }
    }

    /// Number of frames so far.
    pub(super) fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns true if a frame is due in the next step, of `seconds` real seconds.
    pub(super) fn is_due_within(&self, seconds: f64) -> bool {
        self.fps > 0 && self.next() <= self.elapsed + seconds * (1.0 + TOLERANCE)
    }

    /// Advances by a step.
    pub(super) fn step(&mut self, seconds: f64) {
        self.elapsed += seconds;
    }

    /// Returns the next frame that is due by now, as a share of the last step, of `seconds` real seconds: 1 is the state
    /// after it.
    pub(super) fn next_frame(&mut self, seconds: f64) -> Option<f32> {
        let behind = self.elapsed - self.next();
        if self.fps == 0 || behind < -TOLERANCE * seconds {
            return None;
        }
        self.frames += 1;
        let share = 1.0 - behind / seconds.max(f64::MIN_POSITIVE);
        Some(if share > 1.0 - TOLERANCE { 1.0 } else { share.max(0.0) as f32 })
    }

    /// Time of the next frame, real seconds.
    fn next(&self) -> f64 {
        self.frames as f64 / f64::from(self.fps.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shares of the frames of each step.
    fn frames(fps: u32, seconds: f64, steps: usize) -> Vec<Vec<f32>> {
        let mut clock = FrameClock::new(fps);
        let mut all = vec![clock.next_frame(seconds).into_iter().collect()];
        for _ in 0..steps {
            let is_due = clock.is_due_within(seconds);
            clock.step(seconds);
            let shares: Vec<_> = std::iter::from_fn(|| clock.next_frame(seconds)).collect();
            assert_eq!(is_due, !shares.is_empty());
            all.push(shares);
        }
        all
    }

    #[test]
    fn frames_are_due_at_their_rate_of_real_time() {
        let step = f64::from(1.0_f32 / 60.0);
        assert!(frames(60, step, 600).iter().all(|shares| *shares == [1.0]), "one per step");
        let half = frames(30, step, 600);
        assert!(half.iter().enumerate().all(|(at, shares)| shares.len() == (at + 1) % 2));
        assert!(half.iter().flatten().all(|share| *share == 1.0), "every other step");
        let between = frames(60, 0.05, 3);
        assert_eq!(between.iter().map(Vec::len).collect::<Vec<_>>(), [1, 3, 3, 3]);
        assert!((between[1][0] - 1.0 / 3.0).abs() < 1e-5 && between[1][2] == 1.0);
        assert_eq!(frames(50, 0.0166 / 4.0, 4096).iter().flatten().count(), 850, "17 s");
        assert!(frames(0, 0.1, 9).iter().all(Vec::is_empty));
    }
}
