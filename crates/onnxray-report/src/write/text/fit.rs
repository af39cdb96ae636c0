//! Which columns of a table a line has room for, and how wide they are.

use super::super::people::ShownColumn;
use crate::document::Importance;
use unicode_width::UnicodeWidthStr;

/// Blanks between columns.
pub(super) const GAP: usize = 2;
/// A text is not made narrower than this, as long as another column can go instead.
const LEAST_NAME: usize = 24;
const LEAST_TEXT: usize = 12;
const LEAST_SENTENCE: usize = 20;
/// Nor is a sentence, where lines may be as long as they have to.
const LEAST_WRAPPED: usize = 40;
/// Narrowest and widest bar of 100 %.
const LEAST_BAR: usize = 8;
const MOST_BAR: usize = 24;

/// Widths of columns; `None` for those that are left out. The first column of text
/// names the row: it stays, and of all texts has the most room. Without a width, all stay, and only
/// sentences are narrower than they would be, where lines are longer than `sentences`.
pub(super) fn fit(
    columns: &[ShownColumn],
    width: Option<usize>,
    sentences: Option<usize>,
) -> Vec<Option<usize>> {
    let natural: Vec<usize> = columns.iter().map(natural_width).collect();
    let Some(width) = width else {
        return wrapped(columns, natural, sentences).into_iter().map(Some).collect();
    };
    // In a table of numbers alone, the first column names the rows.
    let name = columns.iter().position(|column| column.is_text).unwrap_or(0);
    let least: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| match (index == name, column.is_text) {
            // Half of a narrow line is for figures.
            (true, _) => natural[index].min(LEAST_NAME).min(width / 2),
            _ if column.bars.is_some() => LEAST_BAR,
            (false, true) => {
                let least = if column.wraps { LEAST_SENTENCE } else { LEAST_TEXT };
                natural[index].min(least.max(longest_word(&column.heading)))
            }
            // A number cannot be shortened; its heading can take several lines.
            (false, false) => cell_width(column).max(longest_word(&column.heading)),
        })
        .collect();
    let mut kept = vec![true; columns.len()];
    while total(&least, &kept) > width {
        let can_go = (0..columns.len()).filter(|&index| kept[index] && index != name);
        // Of columns that matter equally, the rightmost goes first.
        let rank = |&index: &usize| (columns[index].importance, std::cmp::Reverse(index));
        let Some(first) = can_go.min_by_key(rank) else { break };
        kept[first] = false;
        if columns[first].ends_interval && first > 0 && first - 1 != name {
            kept[first - 1] = false;
        }
    }
    let mut widths = least;
    // The line may be narrower than the name: see `no_width_is_exceeded`.
    widths[name] = widths[name].min(width);
    let mut rest = width.saturating_sub(total(&widths, &kept));
    // Names first, then other texts, then headings that would take a second line, then
    // sentences, which share what is left.
    let rank = |&index: &usize| match &columns[index] {
        _ if index == name => 0,
        column if column.wraps || column.bars.is_some() => 3,
        column if column.is_text => 1,
        _ => 2,
    };
    let mut order: Vec<usize> = (0..columns.len()).filter(|&index| kept[index]).collect();
    // Stable: columns of one rank grow from left to right.
    order.sort_by_key(rank);
    for (place, &index) in order.iter().enumerate() {
        let sharing = if columns[index].wraps { order.len() - place } else { 1 };
        let more = natural[index].saturating_sub(widths[index]).min(rest / sharing);
        widths[index] += more;
        rest -= more;
    }
    widths.into_iter().zip(kept).map(|(width, kept)| kept.then_some(width)).collect()
}

/// Natural widths, but for sentences, which share what others leave of a line.
fn wrapped(
    columns: &[ShownColumn],
    mut widths: Vec<usize>,
    sentences: Option<usize>,
) -> Vec<usize> {
    let Some(width) = sentences else { return widths };
    let all = vec![true; columns.len()];
    let of_sentences: Vec<usize> =
        (0..columns.len()).filter(|&index| columns[index].wraps).collect();
    let taken: usize = of_sentences.iter().map(|&index| widths[index]).sum();
    let mut rest = width.saturating_sub(total(&widths, &all) - taken);
    // The narrowest first: what it does not need is for the others.
    let mut order = of_sentences;
    order.sort_by_key(|&index| widths[index]);
    for (place, &index) in order.iter().enumerate() {
        let share = (rest / (order.len() - place)).max(LEAST_WRAPPED);
        widths[index] = widths[index].min(share);
        rest = rest.saturating_sub(widths[index]);
    }
    widths
}

/// Headings of columns that a table has no room for.
pub(super) fn left_out<'a>(columns: &'a [ShownColumn], widths: &[Option<usize>]) -> Vec<&'a str> {
    let pairs = columns
        .iter()
        .zip(widths)
        .filter(|(column, width)| width.is_none() && column.importance > Importance::Hidden)
        .filter(|(column, _)| column.bars.is_none());
    pairs.map(|(column, _)| column.heading.as_str()).collect()
}

fn total(widths: &[usize], kept: &[bool]) -> usize {
    let kept: Vec<usize> =
        widths.iter().zip(kept).filter(|(_, kept)| **kept).map(|(width, _)| *width).collect();
    kept.iter().sum::<usize>() + GAP * kept.len().saturating_sub(1)
}

fn natural_width(column: &ShownColumn) -> usize {
    // Bars are drawn to any width: this is the one that they would like.
    if column.bars.is_some() {
        return MOST_BAR;
    }
    column.heading.width().max(cell_width(column))
}

fn cell_width(column: &ShownColumn) -> usize {
    column.cells.iter().map(|cell| cell.width()).max().unwrap_or(0)
}

fn longest_word(heading: &str) -> usize {
    heading.split(' ').map(|word| word.width()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(heading: &str, cell: &str, is_text: bool, importance: Importance) -> ShownColumn {
        let (cells, accents) = (vec![cell.to_string()], Vec::new());
        let ends_interval = heading == "High";
        let heading = heading.to_string();
        let (wraps, bars) = (false, None);
        ShownColumn { heading, is_text, importance, wraps, ends_interval, bars, cells, accents }
    }

    fn columns() -> Vec<ShownColumn> {
        use Importance::{Essential, Shown};
        vec![
            column("#", "10", false, Shown),
            column("Operator", &"n".repeat(60), true, Shown),
            column("Time ms", "1.234", false, Essential),
            column("FLOPs missing in", "3", false, Shown),
        ]
    }

    #[test]
    fn without_a_width_everything_is_whole() {
        assert_eq!(fit(&columns(), None, None), [Some(2), Some(60), Some(7), Some(16)]);
    }

    #[test]
    fn names_give_way_first_then_headings_then_columns() {
        assert_eq!(fit(&columns(), Some(91), None), [Some(2), Some(60), Some(7), Some(16)]);
        assert_eq!(fit(&columns(), Some(60), None), [Some(2), Some(40), Some(5), Some(7)]);
        assert_eq!(fit(&columns(), Some(38), None), [Some(2), Some(27), Some(5), None]);
        assert_eq!(fit(&columns(), Some(20), None), [None, Some(13), Some(5), None]);
        assert_eq!(fit(&columns(), Some(1), None), [None, Some(1), None, None]);
    }

    #[test]
    fn an_interval_goes_as_a_whole() {
        use Importance::Shown;
        let columns =
            ["Layer", "Low", "High"].map(|name| column(name, "1234567", name == "Layer", Shown));
        assert_eq!(fit(&columns, Some(25), None), [Some(7), Some(7), Some(7)]);
        assert_eq!(fit(&columns, Some(16), None), [Some(7), None, None]);
    }

    #[test]
    fn sentences_wrap_where_lines_have_no_end() {
        use Importance::Shown;
        let sentence = |letters: usize| ShownColumn {
            wraps: true,
            ..column("Advice", &"s".repeat(letters), true, Shown)
        };
        let with = |sentences: Vec<ShownColumn>| {
            columns().into_iter().take(1).chain(sentences).collect::<Vec<_>>()
        };
        let one = with(vec![sentence(500)]);
        assert_eq!(fit(&one, None, Some(100)), [Some(2), Some(96)]);
        assert_eq!(fit(&one, None, None), [Some(2), Some(500)]);
        let two = with(vec![sentence(500), sentence(10)]);
        assert_eq!(fit(&two, None, Some(100)), [Some(2), Some(84), Some(10)]);
        // Other texts stay whole, and a sentence stays readable.
        let beside: Vec<ShownColumn> = columns().into_iter().chain([sentence(500)]).collect();
        let widths = fit(&beside, None, Some(100));
        assert_eq!(widths, [Some(2), Some(60), Some(7), Some(16), Some(40)]);
    }

    #[test]
    fn no_width_is_exceeded() {
        for width in 0..120 {
            let widths = fit(&columns(), Some(width), None);
            let kept: Vec<usize> = widths.into_iter().flatten().collect();
            let total = kept.iter().sum::<usize>() + GAP * (kept.len() - 1);
            assert!(total <= width, "{width}: {kept:?}");
        }
    }
}
