//! Two tasks on two threads.

use std::thread;

/// Runs `work` on its own thread while `rest` runs on this one; one after the other if no thread can be started.
pub fn beside(work: impl FnOnce() + Send, rest: impl FnOnce()) {
    let mut work = Some(work);
    let mut run = || {
        if let Some(work) = work.take() {
            work();
        }
    };
    thread::scope(|scope| {
        let _ = thread::Builder::new().spawn_scoped(scope, &mut run);
        rest();
    });
    run();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_done_once() {
        let (mut a, mut b) = (0, 0);
        beside(|| a += 1, || b += 1);
        assert_eq!((a, b), (1, 1));
    }
}
