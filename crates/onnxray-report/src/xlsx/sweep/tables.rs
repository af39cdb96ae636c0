//! The tables of both live sheets, and where they lie.

use crate::content::sweep::{Goal, best_sheet};
use crate::document::{Block, Chart, ChartKind, Document, Scatter, SheetTable};
use crate::xlsx::address::on;
use crate::xlsx::page::{Page, Written};
use crate::xlsx::places::Places;
use crate::xlsx::scatter::draw;
use onnxray_analyzer::sweep::Sweep;

/// Names of the live sheets.
pub(super) const SUMMARY: &str = "Summary";
pub(super) const POINTS: &str = "Points";

/// Rows of the cells that are set, which stand in the second column; what formulas make of
/// them stands behind what is shown.
pub(super) const THRESHOLD: u32 = 2;
pub(super) const PERCENTILE: u32 = 3;
pub(super) const HELPER: u16 = 11;
/// Row of the title of the first table.
pub(super) const FIRST: u32 = 5;

pub(super) struct Tables<'a> {
    pub(super) sweep: &'a Sweep,
    pub(super) document: &'a Document,
    pub(super) points: &'a SheetTable<'a>,
    /// What is best, with its titles.
    pub(super) best: [(&'static str, SheetTable<'a>); 3],
}

impl<'a> Tables<'a> {
    pub(super) fn new(
        sweep: &'a Sweep,
        document: &'a Document,
        points: &'a SheetTable<'a>,
    ) -> Tables<'a> {
        let best = Goal::ALL.map(|goal| (goal.title(), best_sheet(sweep, goal, points)));
        Tables { sweep, document, points, best }
    }

    pub(super) fn places(&self) -> Places {
        let mut places = Places::default();
        places.name("threshold", on(SUMMARY, THRESHOLD, 1));
        places.name("limit", on(SUMMARY, THRESHOLD, HELPER));
        places.name("percentile", on(SUMMARY, PERCENTILE, HELPER));
        places.put(self.points, POINTS, (0, 0));
        let mut title = FIRST;
        for (_, table) in &self.best {
            title = places.put(table, SUMMARY, (title + 1, 0)).last_row() + 2;
        }
        places
    }

    /// Draws the charts of the points on a sheet, from a row on.
    pub(super) fn insert_charts(&self, page: &mut Page, mut row: u32) -> Written {
        /// Width and height in pixels, and rows that it takes.
        const SIZE: (u32, u32, u32) = (1000, 560, 30);
        let layout = page.places.of(self.points.key)?;
        for (chart, scatter) in scatters(self.document) {
            let Some(table) = self.document.table(chart.table) else { continue };
            let marks = |key: &str, rows| layout.rows_on(&format!("chart_{key}"), rows);
            let mut drawing = draw(chart, scatter, table, layout, marks)?;
            drawing.set_width(SIZE.0).set_height(SIZE.1);
            page.sheet.insert_chart(row, 0, &drawing)?;
            row += SIZE.2;
        }
        Ok(())
    }
}

fn scatters(document: &Document) -> impl Iterator<Item = (&Chart, &Scatter)> {
    document.blocks.iter().filter_map(|block| match block {
        Block::Chart(chart) => match &chart.kind {
            ChartKind::Scatter(points) => Some((chart, points)),
            _ => None,
        },
        _ => None,
    })
}
