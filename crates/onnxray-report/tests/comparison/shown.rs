//! Times beside the tested ones, and in place of times that say nothing.

use crate::made::{compared, launches, model, recording};
use onnxray_analyzer::comparison::{LayerTimes, Recording};
use onnxray_report::{
    Cell, ComparisonReport, ComparisonSelection, ComparisonView, Document, Report,
};

/// `/b` takes less than two steps of the clock, which are 20 ns.
fn made(label: &str, times: [u64; 5]) -> Recording {
    let time = |launch: u32, iteration: u32, at: usize| {
        times[at] + u64::from(launch + iteration) % 3 * times[at] / 100
    };
    recording(label, launches(&model(), 6, 25, time))
}

fn report(totals: bool) -> ([Recording; 2], Document) {
    let sides = [
        made("a", [100_000, 15, 30_000, 200_000, 10_000]),
        made("b", [100_000, 12, 33_000, 200_000, 10_000]),
    ];
    let found = compared(&sides[0], &sides[1]);
    assert_eq!(found.layer_times, LayerTimes::Typical);
    let selection = ComparisonSelection {
        views: vec![ComparisonView::Inference, ComparisonView::Layers],
        totals,
        ..ComparisonSelection::default()
    };
    let [baseline, version] = &sides;
    let report = ComparisonReport { baseline, versions: &[version], comparisons: &[found] };
    let document = report.document(&selection);
    (sides, document)
}

#[test]
fn people_see_the_bound_of_a_time_that_the_clock_does_not_resolve() {
    for (totals, bounded) in [(true, true), (false, false)] {
        let (_, report) = report(totals);
        let layers = report.table("layers").unwrap();
        for row in 0..layers.len() {
            let is_short = layers.cell("layer", row) == Some(&Cell::text("/b"));
            for key in ["a_ms", "b_ms"] {
                let cell = layers.cell(key, row).unwrap();
                let is_below =
                    matches!(cell, Cell::Below { most, .. } if (most - 20e-6).abs() < 1e-12);
                assert_eq!(is_below, is_short && bounded, "{key} {row}: {cell:?}");
                // Either way it counts in sums.
                assert!(cell.summand().unwrap() > 0.0);
            }
            let verdict = layers.cell("verdict", row).unwrap();
            let is_untested = matches!(verdict, Cell::Label { text: "not tested", .. });
            assert_eq!(is_untested, is_short, "{verdict:?}");
        }
    }
}

#[test]
fn the_median_beside_the_typical_latency_is_that_of_all_iterations() {
    let (sides, report) = report(true);
    let figures = report.table("inference").unwrap();
    let is_median = |row: &usize| {
        matches!(
            figures.cell("figure", *row),
            Some(Cell::Label { key: "profiled_latency_median_ms", .. })
        )
    };
    let row = (0..figures.len()).find(is_median).unwrap();
    for (side, key) in sides.iter().zip(["a", "b"]) {
        let mut times: Vec<u64> =
            side.summary.iterations.iter().map(|iteration| iteration.latency.0).collect();
        times.sort_unstable();
        // Of 150, the mean of the two in the middle.
        let median = (times[74] + times[75]) as f64 / 2e6;
        let shown = figures.cell(key, row).unwrap().as_number().unwrap();
        assert!((shown - median).abs() < 1e-12, "{shown} {median}");
    }
}
