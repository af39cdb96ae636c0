//! Ratios of latencies in words: those of the page's script are those of the analyzer.

use crate::node;
use onnxray_text::difference::difference_from;
use std::fmt::Write as _;

/// Around 1, around a factor of two either way, where digits round, and as far as ratios go.
const EDGES: [f64; 30] = [
    0.0,
    1e-12,
    0.08,
    0.25,
    0.499_999_9,
    0.5,
    0.500_000_1,
    0.501,
    0.949,
    0.997_5,
    0.999_499_9,
    0.999_5,
    0.999_999_999,
    1.0 - f64::EPSILON,
    1.0,
    1.0 + f64::EPSILON,
    1.000_499_9,
    1.000_5,
    1.002_5,
    1.018,
    1.062_5,
    1.999,
    1.999_999_9,
    2.0,
    2.000_000_1,
    2.125,
    2.135,
    12.386,
    1e12,
    f64::INFINITY,
];

#[test]
fn the_page_says_ratios_as_the_analyzer_does() {
    let unknown = (0..=5000).map(|step| (f64::from(step) / 2000.0, None));
    let known = EDGES.iter().flat_map(|&ratio| {
        let ends = EDGES.iter().enumerate();
        let ends = ends.flat_map(|(at, &low)| EDGES[at..].iter().map(move |&high| (low, high)));
        std::iter::once((ratio, None)).chain(ends.map(move |ends| (ratio, Some(ends))))
    });
    let mut cases = String::from("[");
    for (ratio, ends) in unknown.chain(known) {
        let between = if cases.len() > 1 { ",\n" } else { "" };
        write!(cases, "{between}{{\"ratio\":{}", number(ratio)).unwrap();
        if let Some((low, high)) = ends {
            write!(cases, ",\"low\":{},\"high\":{}", number(low), number(high)).unwrap();
        }
        write!(cases, ",\"said\":\"{}\"}}", difference_from("A", ratio, ends)).unwrap();
    }
    cases.push(']');
    node("difference.mjs", &cases, None);
}

/// In JSON, which has no infinity but what is too large.
fn number(number: f64) -> String {
    if number.is_finite() { format!("{number:?}") } else { "1e999".to_string() }
}
