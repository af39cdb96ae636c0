//! What sets a compact table apart: its title above the names, headings of one line, bars.

use super::super::people::Shown;
use crate::document::{Compact, Table};

/// Between words of a heading, which stays in one line.
pub(super) const NO_BREAK: char = '\u{a0}';

/// The title takes the place of the first heading; the row of the others says how to see them.
pub(super) fn title_above_names(shown: &mut Shown, table: &Table, compact: Compact) {
    for column in &mut shown.columns {
        // `fit` breaks headings at blanks; these stay in one line.
        column.heading = column.heading.replace(' ', &NO_BREAK.to_string());
    }
    let Some(names) = shown.columns.iter_mut().find(|column| column.is_text) else { return };
    names.heading = table.title.replace(' ', &NO_BREAK.to_string());
    if let Some(others) = shown.others.and_then(|row| names.cells.get_mut(row)) {
        *others = format!("{} more ({})", table.left_out, compact.all);
    }
}

/// A share of this many cells, to the eighth.
pub(super) fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * width as f64).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_shares_of_their_width() {
        let bars = [0.0, 0.004, 0.5, 0.51, 1.0, 1.7, -0.3].map(|share| bar(share, 10));
        assert_eq!(bars, ["", "", "█████", "█████▏", "██████████", "██████████", ""]);
    }
}
