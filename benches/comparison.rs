//! Whether the comparison is right, and what it costs.
//!
//! `cargo bench --bench comparison` prints three things. How often it sees a
//! difference between launches of one model, next to a Mann-Whitney test on their
//! iterations. What it finds when operators are slowed down by known shares. And
//! how long two recordings of up to 5,000 operators take. The launches are of the
//! bundled CNN and encoder, recorded first, each in a process of its own, in
//! `ONNXRAY_BENCH_LAUNCHES` processes (20). With `-- cost` it prints the last only.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[path = "profiles/delay.rs"]
mod delay;
#[path = "profiles/launches.rs"]
mod launches;
#[path = "profiles/rate.rs"]
mod rate;
#[allow(dead_code)] // of one model here
#[path = "profiles/recorded.rs"]
mod recorded;
#[path = "profiles/sequence.rs"]
mod sequence;

use delay::{delay, kernels};
use launches::Plan;
use onnxray_analyzer::comparison::{Comparison, Options, Recording, Verdict, compare};
use onnxray_analyzer::{Needs, Trace, examine};
use onnxray_format::{DataType, Operator, Run, Tensor};
use onnxray_import::Launch;
use rate::Rate;
use recorded::{alone, fixture, recording};
use sequence::Sequence;
use std::path::Path;
use std::time::Instant;

const SPLITS: usize = 200;
const ITERATIONS: u32 = 60;
const ALPHA: f64 = 0.05;

fn main() {
    if std::env::args().any(|argument| argument == "cost") {
        return cost();
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let launches = std::env::var("ONNXRAY_BENCH_LAUNCHES").ok();
    let launches = launches.and_then(|text| text.parse().ok()).unwrap_or(20);
    for (model, size) in [("cnn", None), ("encoder", Some("sequence=32"))] {
        let arguments = arguments(size, launches);
        let recorded = alone(&fixture(model), &words(&arguments), &folder.path().join(model));
        same(model, &recorded);
        slowed(&recorded);
        in_turns(model, size, launches / 2, folder.path());
    }
    cost();
}

/// Of `onnxray record`.
fn arguments(size: Option<&str>, launches: u32) -> Vec<String> {
    let counts =
        format!("--launches {launches} --iterations {ITERATIONS} --unprofiled-iterations 0");
    let size = size.iter().flat_map(|size| ["--dim", size]);
    counts.split(' ').chain(size).map(str::to_string).collect()
}

fn words(arguments: &[String]) -> Vec<&str> {
    arguments.iter().map(String::as_str).collect()
}

/// Two random halves of the launches.
fn halves(launches: &[Launch], random: &mut Sequence) -> [Vec<Launch>; 2] {
    let mut order: Vec<usize> = (0..launches.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last as u64 + 1) as usize);
    }
    let pick = |half: &[usize]| half.iter().map(|&at| launches[at].clone()).collect();
    let middle = order.len() / 2;
    [pick(&order[..middle]), pick(&order[middle..])]
}

/// What is seen where nothing changed.
fn same(model: &str, launches: &[Launch]) {
    let mut random = Sequence::new(1);
    let (mut iterations, mut tested, mut alarms) =
        (Rate::default(), Rate::default(), Rate::default());
    let mut total = [Rate::default(), Rate::default(), Rate::default()];
    let mut any = Rate::default();
    for _ in 0..SPLITS {
        let [a, b] = halves(launches, &mut random).map(|half| recording("half", half));
        let comparison = compare(&a, &b, &Options::default()).expect("a comparison");
        let [first, second] = [&a, &b].map(|half| half.timeline.as_ref().expect("iterations"));
        total[0].add(rank_sum(&first.latencies, &second.latencies) <= ALPHA);
        total[1].add(comparison.total.change.p.is_some_and(|p| p <= ALPHA));
        total[2].add(is_alarm(comparison.total.change.verdict));
        let (mut times_a, mut times_b) = (Vec::new(), Vec::new());
        let mut some = false;
        for group in &comparison.groups {
            first.time_per_iteration(
                group.group.a.iter().map(|member| member.operator),
                &mut times_a,
            );
            second.time_per_iteration(
                group.group.b.iter().map(|member| member.operator),
                &mut times_b,
            );
            iterations.add(rank_sum(&times_a, &times_b) <= ALPHA);
            tested.add(group.compared.change.p.is_some_and(|p| p <= ALPHA));
            alarms.add(is_alarm(group.compared.change.verdict));
            some |= is_alarm(group.compared.change.verdict);
        }
        any.add(some);
    }
    println!(
        "{model}: {} launches of {ITERATIONS} iterations, {SPLITS} random halves against each other",
        launches.len()
    );
    let row = |title: &str, groups: &str, whole: &str| println!("  {title:<46}{groups:<24}{whole}");
    row("alarms where nothing changed, 5 % is nominal", "groups", "whole");
    row("Mann-Whitney on iterations", &iterations.text(), &total[0].text());
    row("test on launches", &tested.text(), &total[1].text());
    row("verdict: band, interval, all groups together", &alarms.text(), &total[2].text());
    row("splits with any alarm in a group", &any.text(), "");
}

fn is_alarm(verdict: Option<Verdict>) -> bool {
    matches!(verdict, Some(Verdict::Faster | Verdict::Slower))
}

/// Two-sided p of the rank-sum test, normal approximation with ties.
fn rank_sum(a: &[u64], b: &[u64]) -> f64 {
    let mut all: Vec<(u64, bool)> = a.iter().map(|&time| (time, true)).collect();
    all.extend(b.iter().map(|&time| (time, false)));
    all.sort_unstable();
    let (n, m) = (a.len() as f64, b.len() as f64);
    let (mut sum, mut ties, mut before) = (0.0, 0.0, 0.0);
    for equal in all.chunk_by(|first, second| first.0 == second.0) {
        let count = equal.len() as f64;
        let rank = before + (count + 1.0) / 2.0;
        sum += rank * equal.iter().filter(|(_, of_a)| *of_a).count() as f64;
        ties += count.powi(3) - count;
        before += count;
    }
    let u = sum - n * (n + 1.0) / 2.0;
    let variance = n * m / 12.0 * ((n + m + 1.0) - ties / ((n + m) * (n + m - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let z = ((u - n * m / 2.0).abs() - 0.5).max(0.0) / variance.sqrt();
    // Abramowitz and Stegun 26.2.17.
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let polynomial = t
        * (0.319_381_53
            + t * (-0.356_563_782
                + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    2.0 * polynomial * (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// What is found of delays that are put into a copy of half of the launches.
fn slowed(launches: &[Launch]) {
    let row = |title: &str, rates: [&str; 3]| {
        println!("  {title:<24}{:<24}{:<24}{}", rates[0], rates[1], rates[2]);
    };
    row("operators slowed down", ["found", "interval covers", "other groups alarmed"]);
    for share in [0.05, 0.1, 0.2] {
        let mut random = Sequence::new(7);
        let (mut found, mut covered, mut others) =
            (Rate::default(), Rate::default(), Rate::default());
        for _ in 0..40 {
            let [a, b] = halves(launches, &mut random);
            let a = recording("a", a);
            let slow = slow_operators(&a, &mut random);
            let delayed = kernels(&a, &slow, &b[0]);
            let b = recording("b", b.into_iter().map(|l| delay(l, &delayed, share)).collect());
            let comparison = compare(&a, &b, &Options::default()).expect("a comparison");
            judge(&comparison, &slow, 1.0 + share, [&mut found, &mut covered, &mut others]);
        }
        let title = format!("3 by {:.0} %", share * 100.0);
        row(&title, [&found.text(), &covered.text(), &others.text()]);
    }
}

/// Three of the ten groups' worth of operators that take most time.
fn slow_operators(recording: &Recording, random: &mut Sequence) -> Vec<u32> {
    let mut operators: Vec<&_> = recording.summary.operators.iter().collect();
    operators.sort_by(|a, b| b.sort_key().total_cmp(&a.sort_key()));
    let mut slow: Vec<u32> = Vec::new();
    while slow.len() < 3 {
        let number = operators[random.below(10) as usize].operator.number;
        if !slow.contains(&number) {
            slow.push(number);
        }
    }
    slow
}

fn judge(comparison: &Comparison, slow: &[u32], truth: f64, rates: [&mut Rate; 3]) {
    let [found, covered, others] = rates;
    for group in &comparison.groups {
        let members: Vec<u32> = group.group.a.iter().map(|member| member.operator).collect();
        let slowed = members.iter().filter(|member| slow.contains(member)).count();
        let change = &group.compared.change;
        if slowed == 0 {
            others.add(is_alarm(change.verdict));
        } else if members.len() == 1 {
            found.add(change.verdict == Some(Verdict::Slower));
            let interval = change.ratio_interval.expect("an interval");
            covered.add(interval.low <= truth && truth <= interval.high);
        }
    }
}

/// What is seen between a model and its copy that were recorded in turns.
fn in_turns(model: &str, size: Option<&str>, launches: u32, folder: &Path) {
    let original = fixture(model);
    let copy = folder.join(format!("{model}-copy.onnx"));
    std::fs::copy(&original, &copy).expect("room for a copy");
    let arguments = arguments(size, launches);
    let arguments = [&words(&arguments)[..], &["--interleave", "launches"]].concat();
    let both = recorded::in_turns([&original, &copy], &arguments, &folder.join("turns"));
    let [a, b] = both.map(|launches| recording("side", launches));
    let comparison = compare(&a, &b, &Options::default()).expect("a comparison");
    let mut alarms = Rate::default();
    let groups = comparison.groups.iter();
    groups.for_each(|group| alarms.add(is_alarm(group.compared.change.verdict)));
    println!(
        "  next to its copy, {}: alarms {}, whole {:?}",
        comparison.basis.text(),
        alarms.text(),
        comparison.total.change.verdict
    );
}

/// How long a comparison takes, by the number of operators.
fn cost() {
    println!("time of a comparison, 10 launches of 100 iterations on each side, medians of 5");
    println!("  operators  figures of both    comparison  per operator");
    for count in [1_250, 2_500, 5_000] {
        let (a, b) = (operators(count), operators(count));
        let [first, second] = [(&a, 1), (&b, 2)].map(|(operators, seed)| {
            let mut random = Sequence::new(seed);
            let plan = Plan {
                run: Run { engine: "none".to_string(), ..Run::default() },
                operators,
                launches: 10,
                iterations: 100,
            };
            let launches = plan.launches(10_000, |launch, _, operator| {
                1_000 + 10 * (operator as u64 % 97) + u64::from(launch) + random.below(200)
            });
            Trace::new(launches)
        });
        let begin = Instant::now();
        let examined = |trace: &Trace| {
            let (summary, timeline) =
                examine(trace, Needs::Measured).expect("figures").into_timeline();
            Recording { label: "synthetic".to_string(), summary, timeline }
        };
        // As the program does.
        let (a, b) = std::thread::scope(|scope| {
            let a = scope.spawn(|| examined(&first));
            let b = examined(&second);
            (a.join().expect("figures"), b)
        });
        let figures = begin.elapsed().as_secs_f64();
        let mut times: Vec<f64> = (0..5)
            .map(|_| {
                let begin = Instant::now();
                let comparison = compare(&a, &b, &Options::default()).expect("a comparison");
                assert_eq!(comparison.groups.len(), count);
                begin.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!(
            "  {count:>9}  {figures:>13.3} s  {:>10.3} s  {:>9.1} µs",
            times[2],
            times[2] * 1e6 / count as f64
        );
    }
}

fn operators(count: usize) -> Vec<Operator> {
    let types = ["MatMul", "Add", "LayerNormalization", "Softmax", "Gelu"];
    let tensor = |name: String| Tensor {
        name,
        data_type: Some(DataType::Fp32),
        shape: Some(vec![1, 128, 256]),
    };
    (0..count)
        .map(|number| Operator {
            number: number as u32,
            name: format!("/layer.{}/{}", number / types.len(), types[number % types.len()]),
            operator_type: types[number % types.len()].to_string(),
            nodes: vec![format!("/layer.{}/{}", number / types.len(), types[number % types.len()])],
            inputs: vec![tensor(format!("t{number}"))],
            outputs: vec![tensor(format!("t{}", number + 1))],
            ..Operator::default()
        })
        .collect()
}
