//! Pairs of points of a sweep: how many layers a page gets.

use crate::made::{launches, operator, recording};
use onnxray_analyzer::sweep::{MOST_ROWS, compare_points};
use onnxray_format::Operator;

const LAYERS: u32 = 6_000;

#[test]
fn layers_of_pairs_stay_within_the_bound() {
    let operators: Vec<Operator> = (0..LAYERS)
        .map(|number| Operator { number, ..operator(&format!("/layer.{number}"), "MatMul") })
        .collect();
    let point = |number: usize| {
        let time = move |_, _, at: usize| 1_000 + ((at + number) % 7) as u64;
        (number, recording("point", launches(&operators, 2, 2, time)))
    };
    let recordings = [point(0), point(1)];
    // A pair whose recording is not there takes no room.
    let pairs = [[0, 1], [0, 5], [1, 0], [0, 1], [1, 0], [0, 1]];
    let compared = compare_points(&pairs, &recordings).unwrap();
    assert_eq!(compared.len(), MOST_ROWS / LAYERS as usize);
    let rows: usize = compared.iter().map(|pair| pair.comparison.groups.len()).sum();
    assert!(rows <= MOST_ROWS, "{rows} rows");
    let points: Vec<[usize; 2]> = compared.iter().map(|pair| pair.points).collect();
    assert_eq!(points, [[0, 1], [1, 0], [0, 1]], "the first ones that fit");
}
