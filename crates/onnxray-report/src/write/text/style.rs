//! How wide and how colourful a terminal's text is.

use super::super::people::Accent;

/// Where a report is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// No line is wider than this many cells, as long as it has 20; `None` leaves
    /// everything whole.
    pub width: Option<usize>,
    /// Without a width, sentences in cells wrap where a line would be longer than this, as far as
    /// that is possible; `None` leaves them whole as well.
    pub sentences: Option<usize>,
    /// Whether verdicts, shares and titles are coloured, by ANSI escapes.
    pub color: bool,
}

impl TextStyle {
    /// Narrower than this, nothing is readable.
    const LEAST_WIDTH: usize = 20;

    pub(super) fn width(self) -> Option<usize> {
        self.width.map(|width| width.max(Self::LEAST_WIDTH))
    }

    /// Whether sentences in cells wrap.
    pub(super) fn wraps(self) -> bool {
        self.width.or(self.sentences).is_some()
    }

    /// A text in bold.
    pub(super) fn title(self, text: &str) -> String {
        self.accented(text, Accent::Strong)
    }

    pub(super) fn accented(self, text: &str, accent: Accent) -> String {
        let code = match accent {
            Accent::Strong => "1",
            Accent::Faint => "2",
            Accent::Good => "32",
            Accent::Bad => "31",
            Accent::Doubtful => "33",
            Accent::Plain => "",
        };
        match self.color && !code.is_empty() && !text.is_empty() {
            true => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            false => text.to_string(),
        }
    }
}
