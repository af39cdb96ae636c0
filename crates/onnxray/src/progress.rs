//! Progress on standard error: a bar where somebody watches, else a line now and then, so that
//! nobody takes long work for a program that hangs.

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use onnxray_study::Left;
use onnxray_text::about;
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

    /// Of work of which this share was done before, and which ends after this time at the latest.
    pub(crate) fn resumed(mut self, done: f64, limit: Option<Duration>) -> Progress {
        (self.lines.done_before, self.lines.limit) = (done, limit);
        self
    }

    /// Shows progress; `share` and the time `left` are about the whole command.
    pub(crate) fn show(&self, message: String, share: f64, left: Option<Duration>) {
        self.shows(message, share, left.map_or(Left::Unknown, Left::About));
    }

    /// The same, with how long it takes.
    pub(crate) fn shows(&self, message: String, share: f64, left: Left) {
        self.lines.say(&message, share, left);
        self.bar.set_message(message);
        let left = words(left);
        self.bar.set_prefix(left.map_or(String::new(), |left| format!("{left} left")));
        self.bar.set_position((share * STEPS as f64) as u64);
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// `about 50 s`; nothing where what was promised is over, though the work is not.
fn words(left: Left) -> Option<String> {
    let (how, time) = match left {
        Left::Unknown => return None,
        Left::About(time) => ("about", time),
        Left::AtMost(time) => ("at most", time),
    };
    (time.as_secs() > 0).then(|| format!("{how} {}", about(time)))
}

/// When there was progress first: a command has several parts, and one clock.
static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// What is said where no bar is drawn.
pub(crate) struct Lines {
    begun: Instant,
    /// Time that other parts of the command took before.
    before: Duration,
    /// When the last one was due.
    said: Cell<Duration>,
    /// Share of the work that took none of this time.
    done_before: f64,
    limit: Option<Duration>,
}

impl Lines {
    /// Between two lines. Who waits for less sees the result.
    const EVERY: Duration = Duration::from_secs(10);

    pub(crate) fn new() -> Lines {
        Lines::after(BEGUN.elapsed())
    }

    fn after(before: Duration) -> Lines {
        let said = Cell::default();
        Lines { begun: Instant::now(), before, said, done_before: 0.0, limit: None }
    }

    /// Says how far the work is, if a line is due; `left` as in [`Progress::show`], or as long as
    /// the `share` that is done promises.
    pub(crate) fn say(&self, message: &str, share: f64, left: Left) {
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
    fn line(&self, message: &str, spent: Duration, share: f64, left: Left) -> Option<String> {
        if spent < self.said.get() + Lines::EVERY {
            return None;
        }
        self.said.set(spent);
        // What is hardly begun promises nothing.
        let done = share - self.done_before;
        let promised = (done >= 0.05).then(|| spent.mul_f64((1.0 - share).max(0.0) / done));
        let most = self.limit.map(|limit| limit.saturating_sub(spent));
        let promised = promised.map(|left| most.map_or(left, |most| most.min(left)));
        let left = match (left, promised) {
            (Left::Unknown, Some(promised)) => Left::About(promised),
            (left, _) => left,
        };
        let left = words(left);
        let left = left.map_or(String::new(), |left| format!(", {left} more"));
        Some(format!("{message}, {}{left}", about(self.before + spent)))
    }
}

/// True if the system can start another thread.
fn has_threads() -> bool {
    Builder::new().spawn(|| {}).is_ok_and(|thread| thread.join().is_ok())
}

/// Writes something that bars must not run into.
pub(crate) fn aside(write: impl FnOnce()) {
    BARS.suspend(write);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_estimate_is_below_what_is_left() {
        let second = Duration::from_secs;
        let said =
            |lines: Lines, spent, share, left| lines.line("trying", second(spent), share, left);
        // What was promised is over.
        let over = said(Lines::after(Duration::ZERO), 60, 1.0, Left::Unknown);
        assert_eq!(over.as_deref(), Some("trying, 60 s"));
        let over = said(Lines::after(Duration::ZERO), 60, 0.5, Left::About(second(0)));
        assert_eq!(over.as_deref(), Some("trying, 60 s"));
        let most = said(Lines::after(Duration::ZERO), 49, 1.0, Left::AtMost(second(71)));
        assert_eq!(most.as_deref(), Some("trying, 49 s, at most 71 s more"));
        let later = said(Lines::after(second(30)), 10, 0.5, Left::Unknown);
        assert_eq!(later.as_deref(), Some("trying, 40 s, about 10 s more"));
        // 8 of 10 were known before, and one took these 10 s.
        let resumed = || Lines { done_before: 0.8, ..Lines::after(Duration::ZERO) };
        let rest = said(resumed(), 10, 0.9, Left::Unknown);
        assert_eq!(rest.as_deref(), Some("trying, 10 s, about 10 s more"));
        let rest = said(Lines { limit: Some(second(15)), ..resumed() }, 10, 0.9, Left::Unknown);
        assert_eq!(rest.as_deref(), Some("trying, 10 s, about 5 s more"));
    }

    #[test]
    fn a_line_every_ten_seconds_says_how_far_it_is() {
        let (lines, second) = (Lines::after(Duration::ZERO), Duration::from_secs);
        let line = |spent, share, left: Option<Duration>| {
            let left = left.map_or(Left::Unknown, Left::About);
            lines.line("3 of 6 configurations", second(spent), share, left)
        };
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
