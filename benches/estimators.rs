//! By what the estimator of pairs of iterations was chosen: candidates, and the intervals and
//! tests of the chosen one, held against simulated launches, of which the truth is known.
//!
//! `cargo bench --locked -p onnxray-analyzer --bench estimators` prints what
//! `docs/studies/turns.md` quotes.

#![allow(clippy::unwrap_used)] // a bench that fails panics

#[path = "profiles/sequence.rs"]
mod sequence;
#[path = "profiles/simulated_turns.rs"]
mod simulated_turns;

use sequence::Sequence;
use simulated_turns::{MACHINES, Machine, QUIET, SimulatedPair, launch};
use statrs::distribution::{ContinuousCDF, StudentsT};

const ITERATIONS: usize = 60;
/// In turns of this many.
const TURNS: [usize; 2] = [1, 5];
/// The truth for candidates: 3 % slower.
const RATIO: f64 = 0.03;
/// Changes that are looked for.
const CHANGES: [f64; 3] = [0.03, 0.05, 0.1];

fn main() {
    candidates();
    intervals();
    skewed();
    many_layers();
    under_load();
    both_ways();
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The mean without a part of the values at either end.
fn trimmed(values: &mut [f64], part: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let beyond = ((values.len() as f64 * part) as usize).min((values.len() - 1) / 2);
    mean(&values[beyond..values.len() - beyond])
}

fn median(values: &mut [f64]) -> f64 {
    trimmed(values, 0.5)
}

fn twenty_percent(values: &mut [f64]) -> f64 {
    trimmed(values, 0.2)
}

fn middle_third(values: &mut [f64]) -> f64 {
    trimmed(values, 1.0 / 3.0)
}

/// The median of all means of two (Hodges and Lehmann 1963).
fn hodges_lehmann(values: &mut [f64]) -> f64 {
    let values = &*values;
    let means = |at: usize| values[at..].iter().map(move |other| (values[at] + other) / 2.0);
    median(&mut (0..values.len()).flat_map(means).collect::<Vec<_>>())
}

fn ratio(pair: &SimulatedPair) -> f64 {
    pair.logarithms[1] - pair.logarithms[0]
}

fn ratios(pairs: &[SimulatedPair]) -> Vec<f64> {
    pairs.iter().map(ratio).collect()
}

fn of_sides(pairs: &[SimulatedPair]) -> f64 {
    let [a, b] = [0, 1].map(|side| {
        median(&mut pairs.iter().map(|pair| pair.logarithms[side]).collect::<Vec<_>>())
    });
    b - a
}

/// Medians of turns, B less A, by round.
fn rounds(pairs: &[SimulatedPair]) -> Vec<f64> {
    pairs.chunk_by(|a, b| a.round == b.round).map(of_sides).collect()
}

/// Means of two rounds: A B, B A.
fn doubled(rounds: &[f64]) -> Vec<f64> {
    rounds.chunks_exact(2).map(mean).collect()
}

fn of_orders(pairs: &[SimulatedPair], location: fn(&mut [f64]) -> f64) -> f64 {
    let of_order = |first: usize| {
        location(&mut pairs.iter().filter(|p| p.first == first).map(ratio).collect::<Vec<_>>())
    };
    mean(&[0, 1].map(of_order))
}

/// The one that is used, of each launch: what the order of turns does is taken off, as all
/// launches together know it.
fn chosen(launches: &[Vec<SimulatedPair>]) -> Vec<f64> {
    let of_order = |first: usize| {
        let pairs = launches.iter().flatten().filter(|pair| pair.first == first);
        middle_third(&mut pairs.map(ratio).collect::<Vec<_>>())
    };
    let effect = (of_order(0) - of_order(1)) / 2.0;
    let without = |pair: &SimulatedPair| ratio(pair) + effect * (2.0 * pair.first as f64 - 1.0);
    let of_launch =
        |pairs: &Vec<_>| middle_third(&mut pairs.iter().map(without).collect::<Vec<_>>());
    launches.iter().map(of_launch).collect()
}

type Estimator = fn(&[SimulatedPair]) -> f64;

const CANDIDATES: [(&str, Estimator); 11] = [
    ("medians of sides", of_sides),
    ("pairs: median", |pairs| median(&mut ratios(pairs))),
    ("pairs: 20 %", |pairs| twenty_percent(&mut ratios(pairs))),
    ("pairs: Hodges-Lehmann", |pairs| hodges_lehmann(&mut ratios(pairs))),
    ("rounds: median", |pairs| median(&mut rounds(pairs))),
    ("double rounds: median", |pairs| median(&mut doubled(&rounds(pairs)))),
    ("double rounds: 20 %", |pairs| twenty_percent(&mut doubled(&rounds(pairs)))),
    ("orders: median", |pairs| of_orders(pairs, median)),
    ("orders: 20 %", |pairs| of_orders(pairs, twenty_percent)),
    ("orders: Hodges-Lehmann", |pairs| of_orders(pairs, hodges_lehmann)),
    ("orders: middle third", |pairs| of_orders(pairs, middle_third)),
];

fn recording(
    machine: &Machine,
    turn: usize,
    launches: usize,
    ratio: f64,
    random: &mut Sequence,
) -> Vec<Vec<SimulatedPair>> {
    let of = |number: usize| launch(machine, (ITERATIONS, turn), number % 2, ratio, random);
    (0..launches).map(of).collect()
}

/// How far each candidate is off in a launch, apart from what the launch itself does,
/// relative to the best of them; on the machine that is worst for it.
fn candidates() {
    const RECORDINGS: usize = 60;
    let mut worst = [1.0f64; CANDIDATES.len() + 1];
    for turn in TURNS {
        for machine in &MACHINES {
            let machine = Machine { launches: 0.0, ..*machine };
            let mut random = Sequence::new(21);
            let mut squares = [0.0; CANDIDATES.len() + 1];
            for _ in 0..RECORDINGS {
                let launches = recording(&machine, turn, 6, RATIO, &mut random);
                let of_launches =
                    |of: &(_, Estimator)| launches.iter().map(|pairs| of.1(pairs)).collect();
                let all = CANDIDATES.iter().map(of_launches).chain([chosen(&launches)]);
                for (sum, values) in squares.iter_mut().zip(all) {
                    *sum += values.iter().map(|value| (value - RATIO).powi(2)).sum::<f64>();
                }
            }
            let best = squares.iter().copied().fold(f64::INFINITY, f64::min);
            for (worst, square) in worst.iter_mut().zip(squares) {
                *worst = worst.max((square / best).sqrt());
            }
        }
    }
    println!("| estimator | times the error of the best, at worst |\n| --- | --- |");
    let names = CANDIDATES.iter().map(|(name, _)| *name);
    for (name, worst) in names.chain(["pairs, order taken off: middle third"]).zip(worst) {
        println!("| {name} | {worst:.2} |");
    }
}

/// Student's interval of 95 % and test of a mean of 0.
struct Student {
    mean: f64,
    half_width: f64,
    p: f64,
}

fn student(values: &[f64]) -> Student {
    let (count, mean) = (values.len() as f64, mean(values));
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0) / count).sqrt();
    let t = StudentsT::new(0.0, 1.0, count - 1.0).unwrap();
    let half_width = t.inverse_cdf(0.975) * deviation;
    let p = match deviation > 0.0 {
        true => 2.0 * t.sf((mean / deviation).abs()),
        false => f64::from(u8::from(mean == 0.0)),
    };
    Student { mean, half_width, p }
}

fn changed(values: &[f64], change: f64) -> Student {
    student(&values.iter().map(|value| value + change.ln_1p()).collect::<Vec<_>>())
}

fn percent(count: usize, of: usize) -> f64 {
    100.0 * count as f64 / of as f64
}

const SIMULATIONS: usize = 500;

/// How many intervals hold the truth, half their width, and how many changes are found at 5 %.
fn interval(machine: &Machine, turn: usize, launches: usize) -> (f64, f64, [f64; 3]) {
    let mut random = Sequence::new(22);
    let (mut held, mut width, mut found) = (0, 0.0, [0; 3]);
    for _ in 0..SIMULATIONS {
        let values = chosen(&recording(machine, turn, launches, 0.0, &mut random));
        let of = student(&values);
        held += usize::from(of.mean.abs() <= of.half_width);
        width += 100.0 * of.half_width / SIMULATIONS as f64;
        for (found, change) in found.iter_mut().zip(CHANGES) {
            *found += usize::from(changed(&values, change).p <= 0.05);
        }
    }
    (percent(held, SIMULATIONS), width, found.map(|found| percent(found, SIMULATIONS)))
}

fn intervals() {
    println!("\n| machine | turns of | launches | hold | half width | 3 % | 5 % | 10 % |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for turn in TURNS {
        for machine in &MACHINES {
            for launches in [3, 5, 10] {
                let (held, width, [a, b, c]) = interval(machine, turn, launches);
                let machine = machine.name;
                print!("| {machine} | {turn} | {launches} | {held:.1} | {width:.1} ");
                println!("| {a:.0} | {b:.0} | {c:.0} |");
            }
        }
    }
}

/// One launch in five is off by four times as much as the others, to the other side: no
/// interval of few launches knows of what it did not see.
fn skewed() {
    let machine = Machine { skewed: true, launches: 0.01, ..QUIET };
    for launches in [5, 10] {
        let (held, ..) = interval(&machine, 5, launches);
        println!("one launch in five far off, {launches} launches: {held:.1} % hold");
    }
}

/// Comparisons of 50 layers of which none changed, or the sixth by 10 %, adjusted by Benjamini
/// and Hochberg with weights.
fn many_layers() {
    const LAYERS: usize = 50;
    let weights: Vec<f64> = (1..=LAYERS).map(|layer| 1.0 / layer as f64).collect();
    let mean_weight = mean(&weights);
    let is_any_found = |p: &[f64]| {
        let mut weighted: Vec<f64> =
            p.iter().zip(&weights).map(|(p, weight)| p * mean_weight / weight).collect();
        weighted.sort_by(f64::total_cmp);
        let limit = |place: usize| 0.05 * (place + 1) as f64 / LAYERS as f64;
        weighted.iter().enumerate().any(|(place, &p)| p <= limit(place))
    };
    let machine = Machine { launches: 0.015, outliers: 0.05, ..QUIET };
    for launches in [3, 5, 10] {
        let mut random = Sequence::new(23);
        let (mut alarms, mut found) = (0, 0);
        for _ in 0..SIMULATIONS {
            let mut of_layer = |change| {
                let pairs = (0..launches)
                    .map(|number| launch(&machine, (20, 5), number % 2, 0.0, &mut random));
                changed(&chosen(&pairs.collect::<Vec<_>>()), change).p
            };
            let mut p: Vec<f64> = (0..LAYERS).map(|_| of_layer(0.0)).collect();
            alarms += usize::from(is_any_found(&p));
            p.fill(1.0);
            p[5] = of_layer(0.1);
            found += usize::from(is_any_found(&p));
        }
        let [alarms, found] = [alarms, found].map(|count| percent(count, SIMULATIONS));
        println!("{LAYERS} layers, {launches} launches: {alarms:.1} % alarms, {found:.0} % found");
    }
}

/// Ten launches under a load that comes and goes: operators of 3 % of the time that alone are
/// slowed down, and a whole that is 1 % slower, beyond a noise threshold of 0.3 %.
fn under_load() {
    let load = Machine { load: 0.4, outliers: 0.05, ..QUIET };
    let operator = Machine { launches: 0.015, ..load };
    let share = |machine: &Machine, turn: usize, change: f64, level: f64, threshold: f64| {
        let mut random = Sequence::new(26);
        let is_found = |_: &usize| {
            let values = chosen(&recording(machine, turn, 10, 0.0, &mut random));
            let found = changed(&values, change);
            found.p <= level && found.mean.exp_m1() > threshold
        };
        percent((0..SIMULATIONS).filter(is_found).count(), SIMULATIONS)
    };
    for turn in TURNS {
        let [a, b, c] = CHANGES.map(|change| share(&operator, turn, change, 0.03 * 0.05, 0.0));
        let whole = share(&load, turn, 0.01, 0.05, 0.003);
        println!(
            "under load, turns of {turn}: 3, 5 and 10 % of an operator found in {a:.0}, {b:.0} \
             and {c:.0} %, 1 % of the whole in {whole:.0} %"
        );
    }
}

/// A recording in turns of iterations and a long one in launches of their own, of the same
/// thing: whether both intervals have something in common.
fn both_ways() {
    let machine = Machine { launches: 0.01, outliers: 0.05, wandering: 0.03, ..QUIET };
    let mut random = Sequence::new(25);
    let mut agree = 0;
    for _ in 0..SIMULATIONS {
        let in_turns = student(&chosen(&recording(&machine, 5, 10, RATIO, &mut random)));
        // Launches with levels of their own, of which one side counts each time.
        let mut of_launch = |side: usize| {
            let pairs = launch(&machine, (200, 5), 0, RATIO, &mut random);
            median(&mut pairs.iter().map(|pair| pair.logarithms[side]).collect::<Vec<_>>())
        };
        let differences: Vec<f64> = (0..30).map(|_| of_launch(1) - of_launch(0)).collect();
        let apart = student(&differences);
        let distance = (in_turns.mean - apart.mean).abs();
        agree += usize::from(distance <= in_turns.half_width + apart.half_width);
    }
    println!("turns of iterations and of launches agree in {:.0} %", percent(agree, SIMULATIONS));
}
