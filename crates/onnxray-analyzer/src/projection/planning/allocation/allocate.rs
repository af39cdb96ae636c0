//! Spreads a budget of parameters to prune over layers, the cheapest steps first.
//!
//! A step prunes one more percent of a layer. It costs what is lost at the level
//! that it leads to, and what it fails to gain in latency:
//!
//! ```text
//! loss   largest loss up to that level, from 0 to 1 over all layers
//!
//! gain   ms      ____ curve        dense latency less the least latency so far
//!         |    _/                  curve: lowest one above the gain that bends
//!         |   / |                  nowhere upwards
//!         |  / _|
//!         |_/_/______ level
//!
//! rate   rise of the curve in that step by the parameters that it prunes, as a
//!        part of the highest rate of all layers
//! cost   balance · loss + (1 − balance) · (1 − rate)
//! ```
//!
//! Sparse kernels gain nothing up to some level, and much there. The curve counts
//! this towards all steps that lead there, where the gain itself would keep the
//! layer from getting there. Both parts of the cost never fall from step to step,
//! so a layer's steps come in their order. Levels beyond the maximum are not
//! looked at.

use std::cmp::Reverse;

/// A layer that may be pruned, with its costs at each step of one percent.
#[derive(Clone, Debug, PartialEq)]
pub struct Prunable {
    /// Elements of its weight. Without any there is nothing to prune.
    pub parameters: u64,
    /// Loss by pruning to 0, 1, 2, … percent; need not be monotone. Ends at 99,
    /// at the maximum, or where it is not known any further: the layer is pruned
    /// no more than to its end, nor beyond a value that is not finite.
    pub loss: Vec<f64>,
    /// Latency in milliseconds at the same levels, in the same manner.
    pub latency: Vec<f64>,
    /// Level in percent that the user fixed, whatever the bounds are. The layer
    /// counts towards the budget and takes no steps.
    pub fixed: Option<f64>,
}

/// Share to prune, and bounds. All are from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Share of the parameters of all layers to prune.
    pub share: f64,
    /// A layer is pruned at least to this level, or not at all.
    pub minimum: f64,
    /// No layer is pruned further, from 0 to 1.
    pub maximum: f64,
    /// Weight of loss against latency in the cost of a step.
    pub balance: f64,
}

impl Prunable {
    /// Steps up to the first loss or latency that is not finite, the dense layer included.
    pub(super) fn known(&self) -> usize {
        let known = |series: &[f64]| series.iter().take_while(|value| value.is_finite()).count();
        known(&self.loss).min(known(&self.latency))
    }
}

impl Budget {
    /// Least level of a layer that is pruned, in whole percents.
    pub(super) fn minimum_percent(&self) -> f64 {
        (self.minimum * PERCENT * (1.0 - ROUNDING)).ceil()
    }

    /// Highest level of a layer, in whole percents.
    pub(super) fn maximum_percent(&self) -> usize {
        within((self.maximum * PERCENT * (1.0 + ROUNDING)).floor(), PERCENT) as usize
    }
}

/// Levels that a budget buys.
#[derive(Clone, Debug, PartialEq)]
pub struct Allocation {
    /// Level of each layer, from 0 to 1.
    pub levels: Vec<f64>,
    /// Parameters that are pruned at these levels.
    pub pruned: f64,
    /// The budget is reached; the last step may prune a few more.
    pub reached: bool,
}

/// Levels are whole percents.
pub(super) const PERCENT: f64 = 100.0;
/// Tolerance for rounding of a bound, far below a step.
pub(super) const ROUNDING: f64 = 1e-12;

/// Takes the steps of all layers in the order of their costs until the budget is
/// reached; of steps that cost the same, that to the lower level, and then the
/// first layer's.
///
/// If there are layers below the minimum then, the one with the lowest level, or
/// the last of them, is left dense and its share goes to the others: the steps
/// are taken without it. This is repeated until no layer is below the minimum.
pub fn allocate(layers: &[Prunable], budget: &Budget) -> Allocation {
    let total: u128 = layers.iter().map(|layer| u128::from(layer.parameters)).sum();
    let fixed: f64 = layers
        .iter()
        .filter_map(|layer| Some(layer.parameters as f64 * within(layer.fixed?, PERCENT)))
        .sum();
    // A budget that is missed by rounding alone is reached.
    let wanted = within(budget.share, 1.0) * total as f64 * PERCENT * (1.0 - ROUNDING);
    let minimum = budget.minimum_percent();
    let mut walk = Walk::new(layers);
    let mut steps = steps(layers, budget).into_iter();
    loop {
        // Taking all steps again without a layer would come to this place, too:
        // before it, there was not enough even with the layer.
        while fixed + (walk.taken as f64) < wanted {
            let Some(layer) = steps.next() else { break };
            walk.take(layer);
        }
        let Some(layer) = walk.lowest_below(minimum) else { break };
        walk.leave_dense(layer);
    }
    let pruned = fixed + walk.taken as f64;
    let level = |(layer, &taken): (&Prunable, &u32)| match layer.fixed {
        Some(fixed) => within(fixed, PERCENT) / PERCENT,
        None => f64::from(taken) / PERCENT,
    };
    Allocation {
        levels: layers.iter().zip(&walk.levels).map(level).collect(),
        pruned: pruned / PERCENT,
        reached: pruned >= wanted,
    }
}

/// Between 0 and a bound; 0 if it is not a number.
pub(super) fn within(value: f64, most: f64) -> f64 {
    value.max(0.0).min(most)
}

/// Levels of the layers while steps are taken.
struct Walk<'a> {
    layers: &'a [Prunable],
    /// In percent.
    levels: Vec<u32>,
    dense: Vec<bool>,
    /// Layers with a step that were below the minimum when last looked at.
    begun: Vec<usize>,
    /// Hundredths of parameters that are pruned: whole, so that nothing drifts.
    taken: u128,
}

impl Walk<'_> {
    fn new(layers: &[Prunable]) -> Walk<'_> {
        let (levels, dense) = (vec![0; layers.len()], vec![false; layers.len()]);
        Walk { layers, levels, dense, begun: Vec::new(), taken: 0 }
    }

    fn take(&mut self, layer: usize) {
        if self.dense[layer] {
            return;
        }
        if self.levels[layer] == 0 {
            self.begun.push(layer);
        }
        self.levels[layer] += 1;
        self.taken += u128::from(self.layers[layer].parameters);
    }

    /// Of the layers that are pruned less than the minimum in percent, the one
    /// that is pruned least.
    fn lowest_below(&mut self, minimum: f64) -> Option<usize> {
        let levels = &self.levels;
        // Levels only grow: layers at the minimum need no further look.
        self.begun.retain(|&layer| f64::from(levels[layer]) < minimum);
        let lowest = |&(_, &layer): &(usize, &usize)| (levels[layer], Reverse(layer));
        let (position, _) = self.begun.iter().enumerate().min_by_key(lowest)?;
        Some(self.begun.swap_remove(position))
    }

    fn leave_dense(&mut self, layer: usize) {
        let level = std::mem::take(&mut self.levels[layer]);
        self.taken -= u128::from(level) * u128::from(self.layers[layer].parameters);
        self.dense[layer] = true;
    }
}

/// The layers of all steps, in the order in which they are taken.
fn steps(layers: &[Prunable], budget: &Budget) -> Vec<usize> {
    let maximum = budget.maximum_percent();
    let mut losses = Vec::with_capacity(layers.len());
    let mut rates = Vec::with_capacity(layers.len());
    for layer in layers {
        // `+ 1` since index 0 is the dense layer.
        let count = layer.known().min(maximum + 1);
        // Pruning further never counts as losing less, as noisy sensitivities would have it.
        losses.push(running(&layer.loss[..count], f64::max));
        let takes_steps = layer.fixed.is_none() && layer.parameters > 0;
        rates.push(match takes_steps {
            true => rates_of(&layer.latency[..count], layer.parameters),
            false => Vec::new(),
        });
    }
    rescale(&mut losses);
    let highest = rates.iter().flatten().copied().fold(0.0, f64::max);
    let balance = within(budget.balance, 1.0);
    let mut keys = Vec::new();
    for (position, (loss, rates)) in (0u32..).zip(losses.iter().zip(&rates)) {
        // The first loss is that of the dense layer, to which no step leads.
        for (level, (loss, rate)) in (1..).zip(loss.iter().skip(1).zip(rates)) {
            // Where no step gains anything, all miss the same: the loss decides.
            let missed = if highest > 0.0 { 1.0 - rate / highest } else { 1.0 };
            let cost = balance * loss + (1.0 - balance) * missed;
            // Bits of numbers from 0 on have the order of the numbers.
            keys.push((cost.to_bits(), level, position));
        }
    }
    keys.sort_unstable();
    keys.into_iter().map(|(.., position): (u64, u32, u32)| position as usize).collect()
}

/// For each step, the milliseconds that it gains by a hundredth of the
/// parameters, on the lowest curve above the gain that bends nowhere upwards.
fn rates_of(latency: &[f64], parameters: u64) -> Vec<f64> {
    let least = running(latency, f64::min);
    // One division, so that rates that are equal come out equal.
    let rate = |from: usize, to: usize| {
        (least[from] - least[to]) / ((to - from) as f64 * parameters as f64)
    };
    // Levels at which the curve bends.
    let mut bends = vec![0];
    for level in 1..least.len() {
        // Drops bends below the line from the one before them to this level.
        while let [.., before, last] = bends[..]
            && rate(before, last) <= rate(last, level)
        {
            bends.pop();
        }
        bends.push(level);
    }
    let straight = |part: &[usize]| std::iter::repeat_n(rate(part[0], part[1]), part[1] - part[0]);
    bends.windows(2).flat_map(straight).collect()
}

/// The extreme of all values so far.
pub(super) fn running(series: &[f64], extreme: fn(f64, f64) -> f64) -> Vec<f64> {
    let mut last = series.first().copied().unwrap_or_default();
    series
        .iter()
        .map(|&value| {
            last = extreme(last, value);
            last
        })
        .collect()
}

/// From 0 to 1 over all layers; 0 if all values are equal.
fn rescale(series: &mut [Vec<f64>]) {
    let all = || series.iter().flatten().copied();
    let least = all().fold(f64::INFINITY, f64::min);
    let range = all().fold(f64::NEG_INFINITY, f64::max) - least;
    for value in series.iter_mut().flatten() {
        *value = if range > 0.0 { (*value - least) / range } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loss and latency that change evenly, up to those at 100 percent.
    fn layer(parameters: u64, loss: f64, latency: [f64; 2]) -> Prunable {
        let levels = || (0..100).map(|level| f64::from(level) / 100.0);
        Prunable {
            parameters,
            loss: levels().map(|level| loss * level).collect(),
            latency: levels().map(|level| latency[0] + (latency[1] - latency[0]) * level).collect(),
            fixed: None,
        }
    }

    fn budget(share: f64, minimum: f64, balance: f64) -> Budget {
        Budget { share, minimum, maximum: 0.95, balance }
    }

    #[track_caller]
    fn check(layers: &[Prunable], budget: Budget, levels: &[f64], reached: bool) {
        let found = allocate(layers, &budget);
        assert_eq!((found.levels.as_slice(), found.reached), (levels, reached));
        let pruned = layers.iter().zip(levels).map(|(layer, l)| layer.parameters as f64 * l);
        assert!((found.pruned - pruned.sum::<f64>()).abs() < 1e-6, "{}", found.pruned);
    }

    #[test]
    fn what_loses_least_and_gains_most_is_pruned_first() {
        let by_loss = [layer(100, 1.0, [1.0, 1.0]), layer(100, 2.0, [1.0, 1.0])];
        check(&by_loss, budget(0.3, 0.0, 0.5), &[0.4, 0.2], true);
        check(&by_loss, budget(0.0, 0.0, 0.5), &[0.0, 0.0], true);
        // Their gains are 1, 4 and nothing.
        let by_latency =
            [layer(100, 0.0, [2.0, 1.0]), layer(100, 0.0, [5.0, 1.0]), layer(100, 0.0, [9.0, 9.0])];
        check(&by_latency, budget(0.4, 0.0, 0.0), &[0.25, 0.95, 0.0], true);
        check(&by_latency, budget(0.4, 0.0, 1.0), &[0.4, 0.4, 0.4], true);
    }

    /// A layer that gains nothing below a level.
    fn late(parameters: u64, from: usize, latency: [f64; 2]) -> Prunable {
        let at = |level: usize| latency[usize::from(level >= from)];
        Prunable { latency: (0..100).map(at).collect(), ..layer(parameters, 0.0, latency) }
    }

    #[test]
    fn what_gains_late_is_pruned_by_what_it_gains_there() {
        // Gains of 4 by 100 and by 400 parameters, and of 2 by 100.
        let gains =
            [late(100, 70, [9.0, 5.0]), late(400, 70, [9.0, 5.0]), late(100, 70, [9.0, 7.0])];
        let order = |share, levels: [f64; 3]| check(&gains, budget(share, 0.0, 0.0), &levels, true);
        order(50.0 / 600.0, [0.5, 0.0, 0.0]);
        order(70.0 / 600.0, [0.7, 0.0, 0.0]);
        order(100.0 / 600.0, [0.7, 0.0, 0.3]);
        order(260.0 / 600.0, [0.7, 0.3, 0.7]);
        order(420.0 / 600.0, [0.7, 0.7, 0.7]);
        // Where nothing gains anything any more, the lower levels are first.
        order(480.0 / 600.0, [0.8, 0.8, 0.8]);
    }

    #[test]
    fn what_gets_slower_is_pruned_last() {
        let slower = late(100, 1, [1.0, 3.0]);
        let layers = [slower.clone(), layer(100, 0.0, [1.0, 0.9]), slower];
        check(&layers, budget(0.3, 0.0, 0.0), &[0.0, 0.9, 0.0], true);
        check(&layers, budget(0.5, 0.0, 0.0), &[0.28, 0.95, 0.27], true);
        // If all do, nothing is gained anywhere, and all cost the same.
        check(
            &[late(100, 1, [1.0, 3.0]), late(100, 50, [1.0, 2.0])],
            budget(0.3, 0.0, 0.0),
            &[0.3, 0.3],
            true,
        );
    }

    #[test]
    fn bounds_hold_and_others_make_up_for_it() {
        let sizes = [layer(100, 1.0, [1.0, 1.0]), layer(300, 4.0, [1.0, 1.0])];
        check(&sizes, budget(0.6, 0.0, 1.0), &[0.95, 0.49], true);
        check(&sizes, budget(0.9, 0.4, 1.0), &[0.95, 0.89], true);
        check(&sizes, budget(0.99, 0.4, 1.0), &[0.95, 0.95], false);
        // The second would have 0.24, 0.12 more than the first can make up for.
        check(&sizes, budget(0.4, 0.3, 1.0), &[0.95, 0.0], false);
        let equal = vec![layer(100, 1.0, [1.0, 1.0]); 4];
        check(&equal, budget(0.3, 0.4, 1.0), &[0.4, 0.4, 0.4, 0.0], true);
        let mut fixed = equal;
        (fixed[0].fixed, fixed[3].fixed) = (Some(97.5), Some(12.5));
        check(&fixed, budget(0.5, 0.4, 1.0), &[0.975, 0.45, 0.45, 0.125], true);
        check(&fixed, budget(0.2, 0.4, 1.0), &[0.975, 0.0, 0.0, 0.125], true);
    }

    #[test]
    fn without_layers_or_steps_there_is_nothing_to_prune() {
        check(&[], budget(0.85, 0.4, 0.5), &[], true);
        let unknown = Prunable { loss: Vec::new(), ..layer(10, 0.0, [1.0, 1.0]) };
        let mut cut = layer(10, 1.0, [2.0, 1.0]);
        cut.latency[51] = f64::NAN;
        let empty = layer(0, 0.0, [9.0, 1.0]);
        check(&[unknown, cut, empty], budget(0.85, 0.4, 0.5), &[0.0, 0.5, 0.0], false);
    }
}
