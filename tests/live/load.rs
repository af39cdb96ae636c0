//! Load on every core, so that what a shared machine does by chance happens in each run.
//!
//! With `ONNXRAY_TEST_LOAD` set, each core is kept busy by a thread that never rests, and by one
//! that works and rests by turns.

use std::hint::spin_loop;
use std::sync::Once;
use std::thread::{available_parallelism, sleep, spawn};
use std::time::{Duration, Instant};

const BURST: Duration = Duration::from_millis(150);

/// Begins the load if the environment asks for it; it lasts until the process ends.
pub(crate) fn begin() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if std::env::var_os("ONNXRAY_TEST_LOAD").is_none() {
            return;
        }
        let cores = available_parallelism().map_or(1, |cores| cores.get());
        eprintln!("live tests run beside {} busy threads", 2 * cores);
        for _ in 0..cores {
            spawn(|| {
                loop {
                    spin_loop();
                }
            });
            spawn(|| {
                loop {
                    let begun = Instant::now();
                    while begun.elapsed() < BURST {
                        spin_loop();
                    }
                    sleep(BURST);
                }
            });
        }
    });
}
