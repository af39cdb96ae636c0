//! Progress on standard error: a bar where somebody watches, else a line now and then, so that
//! nobody takes long work for a program that hangs.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::{Duration, Instant};

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
    lines: Lines,
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
        Progress::of(bar)
    }

    /// A line that stays until the next one, for work of unknown length.
    pub(crate) fn working(message: String) -> Progress {
        let bar = BARS.add(ProgressBar::new_spinner().with_message(message));
        // It ticks in a thread, and ends the program where the system makes none.
        if !bar.is_hidden() && has_threads() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress::of(bar)
    }

    fn of(bar: ProgressBar) -> Progress {
        Progress { bar, lines: Lines::new() }
    }

    /// Shows progress; `share` and the time `left` are about the whole command.
    pub(crate) fn show(&self, message: String, share: f64, left: Option<Duration>) {
        self.lines.say(&message, share, left);
        self.bar.set_message(message);
        self.bar.set_prefix(left.map_or(String::new(), |left| format!("{} left", about(left))));
        self.bar.set_position((share * STEPS as f64) as u64);
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// What is said where no bar is drawn.
pub(crate) struct Lines {
    begun: Instant,
    /// When the last one was due.
    said: Cell<Duration>,
}

impl Lines {
    /// Between two lines. Who waits for less sees the result.
    const EVERY: Duration = Duration::from_secs(10);

    pub(crate) fn new() -> Lines {
        Lines { begun: Instant::now(), said: Cell::default() }
    }

    /// Says how far the work is, if a line is due; `left` as in [`Progress::show`], or as long as
    /// the `share` that is done promises.
    pub(crate) fn say(&self, message: &str, share: f64, left: Option<Duration>) {
        // Tests read all of standard error, however slow the machine is that they run on.
        let is_unwanted = || std::env::var_os("ONNXRAY_PROGRESS").is_some_and(|own| own == "never");
        if IS_HIDDEN.load(Ordering::Relaxed) || io::stderr().is_terminal() || is_unwanted() {
            return;
        }
        if let Some(line) = self.line(message, self.begun.elapsed(), share, left) {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }

    /// The line that is due after this time, if one is.
    fn line(
        &self,
        message: &str,
        spent: Duration,
        share: f64,
        left: Option<Duration>,
    ) -> Option<String> {
        if spent < self.said.get() + Lines::EVERY {
            return None;
        }
        self.said.set(spent);
        // What is hardly begun promises nothing.
        let promised = (share >= 0.05).then(|| spent.mul_f64((1.0 - share).max(0.0) / share));
        let left =
            left.or(promised).map_or(String::new(), |left| format!(", about {} more", about(left)));
        Some(format!("{message}, {}{left}", about(spent)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_every_ten_seconds_says_how_far_it_is() {
        let (lines, second) = (Lines::new(), Duration::from_secs);
        let line =
            |spent, share, left| lines.line("3 of 6 configurations", second(spent), share, left);
        assert_eq!(line(0, 0.5, None), None);
        assert_eq!(line(9, 0.5, Some(second(50))), None);
        let said = line(10, 0.5, Some(second(50)));
        assert_eq!(said.as_deref(), Some("3 of 6 configurations, 10 s, about 50 s more"));
        assert_eq!(line(19, 0.5, None), None);
        let said = line(30, 0.25, None);
        assert_eq!(said.as_deref(), Some("3 of 6 configurations, 30 s, about 90 s more"));
        // One step took long: what was not said meanwhile is not made up for.
        assert_eq!(line(141, 0.0, None).as_deref(), Some("3 of 6 configurations, 3 min"));
        assert_eq!(line(150, 0.5, None), None);
    }
}
