//! Progress on standard error, and only where somebody watches.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::Duration;

static IS_HIDDEN: AtomicBool = AtomicBool::new(false);

/// Shows no progress from now on; bars that are there stay.
pub(crate) fn hide() {
    IS_HIDDEN.store(true, Ordering::Relaxed);
}

/// Bars of the program; indicatif hides them if standard error is not a terminal.
static BARS: LazyLock<MultiProgress> = LazyLock::new(|| match IS_HIDDEN.load(Ordering::Relaxed) {
    true => MultiProgress::with_draw_target(ProgressDrawTarget::hidden()),
    false => MultiProgress::new(),
});

/// A bar that runs from 0 to 1.
pub(crate) struct Progress {
    bar: ProgressBar,
}

/// Steps of the bar.
const STEPS: u64 = 1000;

impl Progress {
    pub(crate) fn new() -> Progress {
        let bar = BARS.add(ProgressBar::new(STEPS));
        let style = ProgressStyle::with_template("{msg:28} {wide_bar} {percent:>3} %  {prefix}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Progress { bar }
    }

    /// A line that stays until the next one, for work of unknown length.
    pub(crate) fn working(message: String) -> Progress {
        let bar = BARS.add(ProgressBar::new_spinner().with_message(message));
        // It ticks in a thread, and ends the program where the system makes none.
        if !bar.is_hidden() && has_threads() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar }
    }

    /// Shows progress; `share` and the time `left` are about the whole command.
    pub(crate) fn show(&self, message: String, share: f64, left: Option<Duration>) {
        self.bar.set_message(message);
        self.bar.set_prefix(left.map_or(String::new(), |left| format!("{} left", about(left))));
        self.bar.set_position((share * STEPS as f64) as u64);
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// True if the system can start another thread.
fn has_threads() -> bool {
    Builder::new().spawn(|| {}).is_ok_and(|thread| thread.join().is_ok())
}

/// About so long.
pub(crate) fn about(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..=99 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

/// Writes something that bars must not run into.
pub(crate) fn aside(write: impl FnOnce()) {
    BARS.suspend(write);
}
