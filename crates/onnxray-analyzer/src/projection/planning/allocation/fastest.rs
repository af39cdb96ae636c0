//! The levels that make a model fastest while the sum of losses stays below a limit.
//!
//! Of each layer one level is chosen, each with a loss and a latency: a knapsack in which the loss
//! is the weight. Losses are counted in parts of the limit, rounded up, so that a sum of them never
//! passes it:
//!
//! ```text
//! least[layer][parts] = min over levels of latency(level) + least[layer - 1][parts - loss(level)]
//! ```
//!
//! What rounding leaves goes to the steps that gain most and fit. The result is at least as fast as the
//! fastest levels below `limit * (1 - layers / PARTS)`.

use super::allocate::{Allocation, Budget, PERCENT, Prunable, ROUNDING, running, within};

/// Parts of the limit that losses are counted in.
const PARTS: usize = 10_000;

/// One level of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Choice {
    /// In percent.
    level: f64,
    loss: f64,
    latency: f64,
}

/// Chooses a level for each layer, so that the latencies add up to the least and the losses to no
/// more than `most`; `share` and `balance` of the bounds do not count. Pruning further never counts
/// as losing less, and no level beyond the last loss that is known is taken. Fixed levels are kept
/// whatever they lose: if they alone lose more, or an unknown amount, all others are left dense, and
/// `reached` is false.
pub fn fastest(layers: &[Prunable], most: f64, bounds: &Budget) -> Allocation {
    let choices: Vec<Vec<Choice>> = layers.iter().map(|layer| choices(layer, bounds)).collect();
    let least: f64 = choices.iter().map(|of| of[0].loss).sum();
    let left = most - least;
    let reached = least <= most * (1.0 + ROUNDING);
    let mut chosen = vec![0; layers.len()];
    if reached && left > 0.0 {
        chosen = spread(&choices, left);
        fill(&choices, &mut chosen, most);
    }
    let level = |(of, &at): (&Vec<Choice>, &usize)| of[at].level / PERCENT;
    let levels: Vec<f64> = choices.iter().zip(&chosen).map(level).collect();
    let pruned = layers.iter().zip(&levels);
    let pruned = pruned.map(|(layer, level)| layer.parameters as f64 * level).sum();
    Allocation { levels, pruned, reached }
}

/// The levels of a layer that are worth it, from the one that loses least on: each loses more than
/// the one before, and is faster.
fn choices(layer: &Prunable, bounds: &Budget) -> Vec<Choice> {
    let losses = running(&layer.loss[..layer.known()], f64::max);
    let steps = losses.iter().zip(&layer.latency).enumerate();
    let choice =
        |(step, (&loss, &latency)): (usize, _)| Choice { level: step as f64, loss, latency };
    let all: Vec<Choice> = steps.map(choice).collect();
    if let Some(fixed) = layer.fixed {
        let fixed = within(fixed, PERCENT);
        let at = all.iter().take_while(|choice| choice.level <= fixed).last().copied();
        let at = at.unwrap_or(Choice { level: 0.0, loss: 0.0, latency: 0.0 });
        // Whatever is not known may be above any limit.
        let is_known = all.last().is_some_and(|last| fixed < last.level + 1.0);
        let loss = if is_known { at.loss } else { f64::INFINITY };
        return vec![Choice { level: fixed, loss, ..at }];
    }
    let dense = Choice { level: 0.0, loss: 0.0, latency: all.first().map_or(0.0, |at| at.latency) };
    let levels = bounds.minimum_percent()..=bounds.maximum_percent() as f64;
    let is_allowed = |choice: &Choice| layer.parameters > 0 && levels.contains(&choice.level);
    let mut worth = vec![dense];
    for choice in all.into_iter().skip(1).filter(is_allowed) {
        while worth.len() > 1
            && worth
                .last()
                .is_some_and(|last| last.loss >= choice.loss && last.latency > choice.latency)
        {
            worth.pop();
        }
        if worth.last().is_none_or(|last| choice.latency < last.latency) {
            worth.push(choice);
        }
    }
    worth
}

/// Which choice of each layer, with `left` to lose beyond the least.
fn spread(choices: &[Vec<Choice>], left: f64) -> Vec<usize> {
    let parts = |choice: &Choice, of: &[Choice]| {
        let parts = ((choice.loss - of[0].loss) / left * PARTS as f64 * (1.0 - ROUNDING)).ceil();
        if parts <= PARTS as f64 { parts as usize } else { PARTS + 1 }
    };
    let mut least = vec![0.0_f64; PARTS + 1];
    let mut taken: Vec<Vec<u8>> = Vec::with_capacity(choices.len());
    for of in choices {
        let sizes: Vec<usize> = of.iter().map(|choice| parts(choice, of)).collect();
        let mut next = vec![f64::INFINITY; PARTS + 1];
        let mut from = vec![0_u8; PARTS + 1];
        for (number, (choice, &size)) in of.iter().zip(&sizes).enumerate() {
            if size > PARTS {
                break;
            }
            for room in size..=PARTS {
                let latency = least[room - size] + choice.latency;
                if latency < next[room] {
                    next[room] = latency;
                    // Levels are fewer than 101.
                    from[room] = number as u8;
                }
            }
        }
        least = next;
        taken.push(from);
    }
    let mut room = PARTS;
    let mut chosen = vec![0; choices.len()];
    for (layer, of) in choices.iter().enumerate().rev() {
        chosen[layer] = usize::from(taken[layer][room]);
        room -= parts(&of[chosen[layer]], of);
    }
    chosen
}

/// Takes further levels with what rounding left, those that gain most first.
fn fill(choices: &[Vec<Choice>], chosen: &mut [usize], most: f64) {
    loop {
        let lost: f64 = choices.iter().zip(&*chosen).map(|(of, &at)| of[at].loss).sum();
        let better = choices.iter().enumerate().flat_map(|(layer, of)| {
            let now = of[chosen[layer]];
            let fits = move |choice: &Choice| lost - now.loss + choice.loss <= most;
            let gain = move |(number, choice): (usize, &Choice)| {
                (now.latency - choice.latency, layer, number)
            };
            let further = of.iter().enumerate().skip(chosen[layer] + 1);
            further.filter(move |(_, choice)| fits(choice)).map(gain)
        });
        // Of equal gains the first layer's.
        let best = better.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        match best {
            Some((gain, layer, number)) if gain > 0.0 => chosen[layer] = number,
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BOUNDS: Budget = Budget { share: 0.0, minimum: 0.0, maximum: 1.0, balance: 0.5 };

    fn layer(loss: &[f64], latency: &[f64]) -> Prunable {
        Prunable { parameters: 1, loss: loss.to_vec(), latency: latency.to_vec(), fixed: None }
    }

    fn total(layers: &[Prunable], levels: &[f64], of: fn(&Prunable) -> &Vec<f64>) -> f64 {
        layers
            .iter()
            .zip(levels)
            .map(|(layer, level)| of(layer)[(level * 100.0).round() as usize])
            .sum()
    }

    /// The least latency of all levels whose losses add up to no more than `most`.
    fn brute(layers: &[Prunable], most: f64) -> f64 {
        let Some((first, others)) = layers.split_first() else { return 0.0 };
        let levels = first.loss.iter().zip(&first.latency).filter(|(loss, _)| **loss <= most);
        levels
            .map(|(loss, latency)| latency + brute(others, most - loss))
            .fold(f64::INFINITY, f64::min)
    }

    fn layers() -> impl Strategy<Value = Vec<Prunable>> {
        let steps = prop::collection::vec((0.0..1.0_f64, 0.0..10.0_f64), 1..6);
        let layer = steps.prop_map(|steps| {
            // Losses rise, as they are counted; latencies go anywhere.
            let mut sum = 0.0;
            let loss: Vec<f64> = steps
                .iter()
                .enumerate()
                .map(|(step, (loss, _))| {
                    sum += if step == 0 { 0.0 } else { *loss };
                    sum
                })
                .collect();
            layer(&loss, &steps.iter().map(|(_, latency)| *latency).collect::<Vec<_>>())
        });
        prop::collection::vec(layer, 0..6)
    }

    proptest! {
        #[test]
        fn no_other_levels_are_faster_and_lose_as_little(layers in layers(), most in 0.01..4.0_f64) {
            let found = fastest(&layers, most, &BOUNDS);
            prop_assert!(found.reached);
            prop_assert!(total(&layers, &found.levels, |layer| &layer.loss) <= most * (1.0 + 1e-9));
            let latency = total(&layers, &found.levels, |layer| &layer.latency);
            let rounded = most * (1.0 - layers.len() as f64 / PARTS as f64);
            prop_assert!(latency <= brute(&layers, rounded) + 1e-9);
        }
    }

    #[test]
    fn a_layer_ends_where_its_loss_does() {
        let cut = layer(&[0.0, 0.1, f64::NAN, 0.1], &[4.0, 3.0, 2.0, 1.0]);
        assert_eq!(fastest(&[cut], 1.0, &BOUNDS).levels, [0.01]);
    }

    #[test]
    fn fixed_levels_count_and_may_lose_too_much() {
        let free = layer(&[0.0, 0.2, 0.5], &[4.0, 3.0, 1.0]);
        let fixed = Prunable { fixed: Some(1.0), ..free.clone() };
        let both = [free, fixed];
        assert_eq!(fastest(&both, 0.7, &BOUNDS).levels, [0.02, 0.01]);
        assert_eq!(fastest(&both, 0.5, &BOUNDS).levels, [0.01, 0.01]);
        let beyond = fastest(&both, 0.1, &BOUNDS);
        assert_eq!((beyond.levels, beyond.reached), (vec![0.0, 0.01], false));
    }

    #[test]
    fn levels_are_between_the_bounds() {
        let steps: Vec<f64> = (0..100).map(f64::from).collect();
        let latency: Vec<f64> = steps.iter().map(|step| 100.0 - step).collect();
        let layers = [layer(&steps, &latency)];
        let bounds = Budget { minimum: 0.4, maximum: 0.9, ..BOUNDS };
        let level = |most| fastest(&layers, most, &bounds).levels[0];
        assert_eq!((level(1000.0), level(50.0), level(39.0)), (0.9, 0.5, 0.0));
    }
}
