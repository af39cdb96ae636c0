//! A budget of parameters is spread as a naive walk through the same rules
//! spreads it, whatever the layers are.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_analyzer::projection::{Budget, Prunable, allocate};
use proptest::prelude::*;

/// Values that change by whole numbers.
fn series(change: impl Strategy<Value = i32> + Clone) -> impl Strategy<Value = Vec<f64>> {
    let length = prop_oneof![4 => Just(100usize), 1 => 0usize..100];
    let changes = length.prop_flat_map(move |length| prop::collection::vec(change.clone(), length));
    changes.prop_map(|changes| {
        let sum = |sum: &mut i32, change: i32| {
            *sum += change;
            Some(f64::from(*sum))
        };
        changes.into_iter().scan(100, sum).collect()
    })
}

/// Latencies that fall little by little, or rarely and far.
fn latency() -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![series(-3..2), series(prop_oneof![30 => Just(0), 1 => -60..20])]
}

fn layers() -> impl Strategy<Value = Vec<Prunable>> {
    let parameters = prop_oneof![9 => 1u64..1000, 1 => Just(0)];
    let fixed = prop_oneof![5 => Just(None), 1 => (0..=100).prop_map(|p| Some(f64::from(p)))];
    let layer = (parameters, series(-1..4), latency(), fixed).prop_map(
        |(parameters, loss, latency, fixed)| Prunable { parameters, loss, latency, fixed },
    );
    prop::collection::vec(layer, 0..7)
}

/// Heights of the least concave curve above a gain, as fractions: at each
/// level the highest of all lines between a point up to it and one from it on.
fn curve(gain: &[i64]) -> Vec<(i64, i64)> {
    let height = |at: usize| {
        let mut highest = (gain[at], 1);
        for (from, to) in (0..at).flat_map(|i| (at + 1..gain.len()).map(move |j| (i, j))) {
            let (way, width) = ((at - from) as i64, (to - from) as i64);
            let line = (gain[from] * width + (gain[to] - gain[from]) * way, width);
            if line.0 * highest.1 > highest.0 * line.1 {
                highest = line;
            }
        }
        highest
    };
    (0..gain.len()).map(height).collect()
}

/// Costs by layer and level, from their definition. Latencies are whole
/// numbers; fractions of them keep costs equal that are equal.
fn costs(layers: &[Prunable], maximum: usize, balance: f64) -> Vec<Vec<f64>> {
    let end = |layer: &Prunable| layer.loss.len().min(layer.latency.len()).min(maximum + 1);
    let loss = |layer: &Prunable| -> Vec<f64> {
        let largest =
            |level| layer.loss[..=level].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (0..end(layer)).map(largest).collect()
    };
    let losses: Vec<Vec<f64>> = layers.iter().map(loss).collect();
    let mut all: Vec<f64> = losses.iter().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    let [least, most] = [all.first(), all.last()].map(|end| end.copied().unwrap_or_default());
    let scaled = |loss: f64| if most > least { (loss - least) / (most - least) } else { 0.0 };
    let rates = |layer: &Prunable| -> Vec<f64> {
        let latency = |level| layer.latency[level] as i64;
        let gain = |level| latency(0) - (0..=level).map(latency).min().unwrap();
        let gain: Vec<i64> = (0..end(layer)).map(gain).collect();
        let rise = |heights: &[(i64, i64)]| {
            let [(before, by), (after, of)] = [heights[0], heights[1]];
            let parameters = (by * of) as f64 * layer.parameters as f64;
            (after * by - before * of) as f64 / parameters
        };
        curve(&gain).windows(2).map(rise).collect()
    };
    let free = |layer: &Prunable| layer.fixed.is_none() && layer.parameters > 0;
    let rates: Vec<Vec<f64>> =
        layers.iter().map(|l| if free(l) { rates(l) } else { Vec::new() }).collect();
    let highest = rates.iter().flatten().copied().fold(0.0, f64::max);
    let missed = |rate: f64| if highest > 0.0 { 1.0 - rate / highest } else { 1.0 };
    let cost = |loss: f64, rate: f64| balance * scaled(loss) + (1.0 - balance) * missed(rate);
    let of_layer = |(losses, rates): (&Vec<f64>, &Vec<f64>)| {
        let steps = losses.iter().skip(1).zip(rates);
        steps.map(|(&loss, &rate)| cost(loss, rate)).collect()
    };
    losses.iter().zip(&rates).map(of_layer).collect()
}

/// The same rules one step at a time, from the start for each layer that is
/// left dense; bounds are in percent.
fn naive(layers: &[Prunable], [share, minimum, maximum]: [u64; 3], balance: f64) -> Vec<u64> {
    let costs = costs(layers, maximum as usize, balance);
    let wanted = share * layers.iter().map(|layer| layer.parameters).sum::<u64>();
    let mut dense = vec![false; layers.len()];
    loop {
        let fixed = |layer: &Prunable| layer.fixed.unwrap_or(0.0) as u64;
        let mut levels: Vec<u64> = layers.iter().map(fixed).collect();
        let free = |l: usize| layers[l].fixed.is_none() && !dense[l];
        while layers.iter().zip(&levels).map(|(l, level)| l.parameters * level).sum::<u64>()
            < wanted
        {
            let next = |l: usize| Some((*costs[l].get(levels[l] as usize)?, levels[l], l));
            let steps = (0..layers.len()).filter(|&l| free(l)).filter_map(next);
            let Some((.., l)) = steps.min_by(|a, b| a.partial_cmp(b).unwrap()) else { break };
            levels[l] += 1;
        }
        let below = |l: &usize| free(*l) && levels[*l] > 0 && levels[*l] < minimum;
        match (0..layers.len()).rev().filter(below).min_by_key(|&l| levels[l]) {
            Some(lowest) => dense[lowest] = true,
            None => return levels,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn levels_are_those_of_the_rules_taken_literally(
        layers in layers(),
        bounds in (0u64..=100, 0u64..60, 30u64..=100),
        balance in (0u8..=4).prop_map(|quarters| f64::from(quarters) / 4.0),
    ) {
        let percent = |percent: u64| percent as f64 / 100.0;
        let (share, minimum, maximum) = bounds;
        let budget = Budget {
            share: percent(share),
            minimum: percent(minimum),
            maximum: percent(maximum),
            balance,
        };
        let found = allocate(&layers, &budget);
        let expected = naive(&layers, [share, minimum, maximum], balance);
        let levels: Vec<f64> = expected.iter().map(|&level| percent(level)).collect();
        prop_assert_eq!(&found.levels, &levels);
        let pruned: u64 = layers.iter().zip(&expected).map(|(l, level)| l.parameters * level).sum();
        let total: u64 = layers.iter().map(|layer| layer.parameters).sum();
        prop_assert_eq!(found.pruned, pruned as f64 / 100.0);
        prop_assert_eq!(found.reached, pruned >= share * total);
        for (layer, level) in layers.iter().zip(expected) {
            let last = layer.loss.len().min(layer.latency.len()).saturating_sub(1) as u64;
            let last = last.min(maximum);
            match layer.fixed {
                Some(fixed) => prop_assert_eq!(level as f64, fixed),
                None if level == 0 => {}
                None => prop_assert!((minimum..=last).contains(&level)),
            }
            // Whatever takes part is as sparse as may be before a budget is missed.
            let most = layer.fixed.is_some() || level == 0 || level == last;
            prop_assert!(found.reached || most, "{} of {}", level, last);
        }
    }

    #[test]
    fn latency_plays_no_part_if_only_loss_counts(layers in layers(), share in 0.0f64..1.0) {
        let budget = Budget { share, minimum: 0.4, maximum: 0.95, balance: 1.0 };
        let even = |layer: &Prunable| Prunable { latency: vec![1.0; layer.latency.len()], ..layer.clone() };
        let others: Vec<Prunable> = layers.iter().map(even).collect();
        prop_assert_eq!(allocate(&layers, &budget), allocate(&others, &budget));
    }

    #[test]
    fn equal_layers_get_equal_levels_up_to_one_step(
        loss in series(-1..4),
        latency in latency(),
        count in 1usize..20,
        share in 0.0f64..1.0,
        balance in 0.0f64..1.0,
    ) {
        let layers = vec![Prunable { parameters: 64, loss, latency, fixed: None }; count];
        let levels = allocate(&layers, &Budget { share, minimum: 0.0, maximum: 0.95, balance }).levels;
        prop_assert!(levels.is_sorted_by(|a, b| a >= b), "{:?}", levels);
        prop_assert!(levels[0] - levels[count - 1] < 0.0100001, "{:?}", levels);
    }
}
