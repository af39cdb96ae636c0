//! What both live sheets are about, and where their cells lie: known before either is
//! written.

use super::places;
use crate::content::sweep::{self as content, sweep_report};
use crate::document::{Block, Cell, Chart, ChartKind, Document, Scatter, Table};
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, Written};
use crate::xlsx::scatter::draw;
use onnxray_analyzer::sweep::{Candidates, Sweep};

pub(super) struct Context<'a> {
    pub(super) sweep: &'a Sweep,
    pub(super) document: Document,
    /// All points.
    pub(super) points: Layout,
    /// What is best, in the order of [`places::Goal::ALL`].
    pub(super) best: [Layout; 3],
}

impl<'a> Context<'a> {
    pub(super) fn new(sweep: &'a Sweep) -> Context<'a> {
        let document = sweep_report(sweep);
        let points = places::of_points(table(&document), sweep.points.len());
        let best = places::of_best(sweep.all_candidates().count());
        Context { sweep, document, points, best }
    }

    pub(super) fn table(&self) -> &Table {
        table(&self.document)
    }

    /// What the report says of a point; blank if it says nothing.
    pub(super) fn cell(&self, key: &str, point: usize) -> &Cell {
        self.table().cell(key, point).unwrap_or(&Cell::None)
    }

    /// Candidates in the order of the rows of what is best.
    pub(super) fn candidates(&self) -> Vec<&'a Candidates> {
        self.sweep.all_candidates().collect()
    }

    /// `'Points'!$C$2:$C$9`: a column of all points.
    pub(super) fn all(&self, key: &str) -> String {
        self.points.range_of(key, 0..self.sweep.points.len())
    }

    /// Draws the charts of the points on a sheet, from a row on.
    pub(super) fn insert_charts(&self, page: &mut Page, mut row: u32) -> Written {
        /// Width and height in pixels, and rows that it takes.
        const SIZE: (u32, u32, u32) = (1000, 560, 30);
        for (chart, scatter) in scatters(&self.document) {
            let table = self.table();
            let layout = &self.points;
            let marks = |key: &str, rows| layout.range_of(&places::mark(key), rows);
            let mut drawing = draw(chart, scatter, table, layout, marks)?;
            drawing.set_width(SIZE.0).set_height(SIZE.1);
            page.sheet.insert_chart(row, 0, &drawing)?;
            row += SIZE.2;
        }
        Ok(())
    }
}

/// The table of points.
///
/// # Panics
/// If the report has none, which is a mistake in the program and in no input.
fn table(document: &Document) -> &Table {
    let table = document.table(content::POINTS);
    table.unwrap_or_else(|| panic!("no table of points"))
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
