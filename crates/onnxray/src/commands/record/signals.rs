//! Ctrl-C and SIGTERM, as requests to end after the present iteration.

use anyhow::anyhow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Set by Ctrl-C and SIGTERM; the same one a second time ends the program at once.
///
/// One of each does not: Ctrl-C in a terminal reaches a launch by itself, and the
/// process that started it hands the request on as SIGTERM.
pub(super) fn stop_on_signals() -> anyhow::Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag::{register, register_conditional_shutdown};
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let seen = Arc::new(AtomicBool::new(false));
        register_conditional_shutdown(signal, 130, Arc::clone(&seen))
            .and_then(|_| register(signal, seen))
            .and_then(|_| register(signal, Arc::clone(&stop)))
            .map_err(|error| anyhow!("cannot listen for signals: {error}"))?;
    }
    Ok(stop)
}
