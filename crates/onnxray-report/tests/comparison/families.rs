//! A layer has one verdict, whichever table it is in; a recording and itself have no difference.

use crate::made::{compared, launches, operator, recording};
use crate::sequence::Sequence;
use onnxray_analyzer::comparison::{Compared, Comparison, Recording};
use onnxray_format::Operator;
use onnxray_report::{ComparisonReport, ComparisonSelection, ComparisonView, Report};

/// Four blocks of one layer between three layers that are in no pattern.
fn model() -> Vec<Operator> {
    let blocks = (0..4).map(|block| format!("blocks.{block}/fc"));
    let names = ["embed".to_string()].into_iter().chain(blocks);
    let names = names.chain(["norm", "head"].map(String::from)).enumerate();
    names
        .map(|(number, name)| Operator { number: number as u32, ..operator(&name, "MatMul") })
        .collect()
}

/// Ten launches, each at a level of its own; `factor` slows two layers down a little.
fn made(seed: u64, factor: f64) -> Recording {
    let mut random = Sequence::new(seed);
    let (mut current, mut levels) = (u32::MAX, [0; 7]);
    let made = launches(&model(), 10, 20, |launch, _, at| {
        if current != launch {
            current = launch;
            levels = [(); 7].map(|()| random.below(9_000));
        }
        let slower = if [0, 3].contains(&at) { factor } else { 1.0 };
        ((100_000 + levels[at] + random.below(300)) as f64 * slower) as u64
    });
    recording("made", made)
}

/// Benjamini and Hochberg with weights, from its definition: the smallest p * tests / weight / rank
/// over all tests that are no more significant.
fn adjusted(family: &[&Compared]) -> Vec<f64> {
    let weight = |one: &Compared| one.sides.iter().map(|side| side.share.unwrap().0).sum::<f64>();
    let mean = family.iter().map(|one| weight(one)).sum::<f64>() / family.len() as f64;
    let weighted: Vec<f64> =
        family.iter().map(|one| (one.change.p.unwrap() * mean / weight(one)).min(1.0)).collect();
    let rank = |of: f64| weighted.iter().filter(|&&other| other <= of).count() as f64;
    let of = |own: f64| {
        let larger = weighted.iter().filter(|&&other| other >= own);
        larger.map(|&other| other * family.len() as f64 / rank(other)).fold(1.0, f64::min)
    };
    weighted.iter().map(|&own| of(own)).collect()
}

fn check(comparison: &Comparison) {
    let rows: Vec<&Compared> = comparison.folded.iter().map(|row| &row.compared).collect();
    let patterns = comparison.folded.iter().filter(|row| row.is_pattern());
    let members = patterns.flat_map(|row| &row.members);
    let members: Vec<&Compared> =
        members.map(|&member| &comparison.groups[member].compared).collect();
    assert_eq!((rows.len(), members.len()), (4, 4));
    for family in [rows, members] {
        for (one, expected) in family.iter().zip(adjusted(&family)) {
            let found = one.change.p_adjusted.unwrap();
            assert!((found - expected).abs() <= 1e-12, "{found} {expected}");
        }
    }
    for row in comparison.folded.iter().filter(|row| !row.is_pattern()) {
        assert_eq!(row.compared.change, comparison.groups[row.members[0]].compared.change);
    }
}

#[test]
fn a_layer_in_no_pattern_is_judged_once() {
    for seed in 0..40 {
        check(&compared(&made(seed, 1.0), &made(1_000 + seed, 1.05)));
    }
}

#[test]
fn a_recording_beside_itself_has_no_causes_and_says_so() {
    let (one, other) = (made(1, 1.0), made(1, 1.0));
    let found = compared(&one, &other);
    assert!(found.is_one_recording && found.causes.is_empty(), "{:?}", found.causes);
    assert_eq!(found.parted_difference().unwrap().0, 0.0);
    for sure_causes in [false, true] {
        let selection = ComparisonSelection {
            views: vec![ComparisonView::Causes],
            totals: sure_causes,
            sure_causes,
            ..ComparisonSelection::default()
        };
        let report = ComparisonReport {
            baseline: &one,
            versions: &[&other],
            comparisons: std::slice::from_ref(&found),
        }
        .document(&selection);
        assert!(report.table("causes").is_none());
        let told = report.headline.iter().filter(|line| line.contains("are the same recording"));
        assert_eq!(told.count(), 1, "{:?}", report.headline);
    }
    // Two recordings of one model have both.
    let another = compared(&one, &made(2, 1.05));
    assert!(!another.is_one_recording && !another.causes.is_empty());
}
