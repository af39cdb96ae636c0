//! The figures of pairs of iterations, computed again from the times in the plainest way.

use crate::made::{OVERHEAD, compared};
use crate::turned::{PLAN, Place, Plan, begins, in_turns, recordings, rough};
use onnxray_analyzer::comparison::{Basis, Compared};
use std::collections::HashMap;

/// `scipy.stats.t.ppf(0.975, 2)`.
const T_OF_THREE: f64 = 4.302652729911275;
const THREE: Plan = Plan { launches: 3, ..PLAN };

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Without as many of the smallest and of the largest as are a third.
fn middle_third(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let third = values.len() / 3;
    mean(&values[third..values.len() - third])
}

/// Times of A and B by launch and iteration, in nanoseconds.
fn check(compared: &Compared, times: &HashMap<(usize, u32, u32), f64>) {
    let mut all = Vec::new();
    for launch in 0..THREE.launches {
        for iteration in 0..THREE.iterations {
            let [a, b] = [0, 1].map(|side| times[&(side, launch, iteration)]);
            let first = (begins(launch) + (iteration / THREE.turn) as usize) % 2;
            all.push((launch, first, (b / a).ln(), (a * b).sqrt().ln()));
        }
    }
    let of_order = |order: usize| {
        let of_it = all.iter().filter(|pair| pair.1 == order).map(|pair| pair.2);
        middle_third(of_it.collect())
    };
    let effect = (of_order(0) - of_order(1)) / 2.0;
    let (mut ratios, mut levels) = (Vec::new(), Vec::new());
    for launch in 0..THREE.launches {
        let of_it = || all.iter().filter(|pair| pair.0 == launch);
        let sign = |first: usize| if first == 0 { -1.0 } else { 1.0 };
        ratios.push(middle_third(of_it().map(|p| p.2 + sign(p.1) * effect).collect()));
        levels.push(middle_third(of_it().map(|pair| pair.3).collect()));
    }
    let (ratio, level) = (mean(&ratios), mean(&levels).exp());
    let squares: f64 = ratios.iter().map(|value| (value - ratio).powi(2)).sum();
    let deviation = (squares / 2.0 / 3.0).sqrt();
    let near = |found: Option<f64>, expected: f64, what: &str| {
        let found = found.unwrap();
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{what}: {found} {expected}");
    };
    let change = &compared.change;
    near(change.ratio, ratio.exp(), "ratio");
    let [low, high] = [-1.0, 1.0].map(|way| (ratio + way * T_OF_THREE * deviation).exp());
    near(change.ratio_interval.map(|interval| interval.low), low, "low");
    near(change.ratio_interval.map(|interval| interval.high), high, "high");
    // The tail of Student's t with two degrees of freedom beyond t: 1 - t / sqrt(2 + t^2).
    let t = ratio.abs() / deviation;
    assert!((change.p.unwrap() - (1.0 - t / (2.0 + t * t).sqrt())).abs() < 1e-9, "p");
    // Both sides are as far from what they take together.
    let times = |ratio: f64| [level / ratio.sqrt() / 1e6, level * ratio.sqrt() / 1e6];
    for (side, expected) in compared.sides.iter().zip(times(ratio.exp())) {
        near(side.typical.map(|time| time.0), expected, "typical");
    }
    let difference = |ratio: f64| times(ratio)[1] - times(ratio)[0];
    near(change.difference.map(|time| time.0), difference(ratio.exp()), "difference");
    near(change.difference_interval.map(|interval| interval.low), difference(low), "low ms");
    near(change.difference_interval.map(|interval| interval.high), difference(high), "high ms");
}

#[test]
fn figures_of_pairs_are_those_of_the_definition() {
    let mut time = rough(31, [1.0, 1.05, 1.0, 0.9, 1.3]);
    let mut operators: Vec<HashMap<(usize, u32, u32), f64>> = vec![HashMap::new(); 5];
    let mut whole: HashMap<(usize, u32, u32), f64> = HashMap::new();
    let made = in_turns(THREE, |place: Place| {
        let found = time(place);
        let key = (place.side, place.launch, place.iteration);
        operators[place.operator].insert(key, found as f64);
        *whole.entry(key).or_insert(OVERHEAD as f64) += found as f64;
        found
    });
    let [a, b] = recordings(made);
    let comparison = compared(&a, &b);
    // Nothing is left out.
    assert_eq!(comparison.basis, Basis::IterationPairs { launches: 3, pairs: 120 });
    check(&comparison.total, &whole);
    for (group, times) in comparison.groups.iter().zip(&operators) {
        check(&group.compared, times);
    }
}
