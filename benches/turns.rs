//! What a comparison sees of two models that took turns: iteration by iteration, and launch
//! by launch.
//!
//! `cargo bench --bench turns` records the bundled encoder against its own copy, over and
//! over, in both ways by turns, with the machine as it is and with a load that keeps one core
//! busy. It prints how wide the intervals are, how often they hold the true ratio, which is
//! 1, how often a layer raises an alarm, and how long a recording took. Then it slows down
//! operators of one side by known shares, and prints how often that is found.
//!
//! `ONNXRAY_BENCH_RECORDINGS` (20) recordings of each, `ONNXRAY_BENCH_MODEL` (encoder).

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[path = "profiles/delay.rs"]
mod delay;
#[path = "profiles/rate.rs"]
mod rate;
#[allow(dead_code)] // two models here
#[path = "profiles/recorded.rs"]
mod recorded;

use delay::{delay, kernels};
use onnxray_analyzer::Share;
use onnxray_analyzer::comparison::{
    Change, ComparedGroup, Comparison, Options, Recording, Verdict, compare,
};
use onnxray_import::Launch;
use rate::Rate;
use recorded::{fixture, in_turns, recording};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Launches of a recording.
const LAUNCHES: usize = 10;
/// Layers that take most of the time.
const LARGEST: usize = 20;

fn main() {
    let setting = |name: &str| std::env::var(name).ok();
    let recordings: usize =
        setting("ONNXRAY_BENCH_RECORDINGS").and_then(|text| text.parse().ok()).unwrap_or(20);
    let model = setting("ONNXRAY_BENCH_MODEL").unwrap_or("encoder".to_string());
    let folder = tempfile::tempdir().expect("a temporary folder");
    for loaded in [false, true] {
        println!(
            "{model} against its copy, {recordings} recordings of {LAUNCHES} launches, {}",
            if loaded { "one core kept busy" } else { "the machine as it is" }
        );
        let mut seen = [Seen::new("iterations"), Seen::new("launches")];
        let stop = AtomicBool::new(!loaded);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
            for _ in 0..recordings {
                // By turns, so that both see the same machine.
                for seen in &mut seen {
                    let begin = Instant::now();
                    let sides = record(&model, seen.turns, folder.path());
                    seen.seconds.push(begin.elapsed().as_secs_f64());
                    seen.look(sides);
                }
            }
            stop.store(true, Ordering::Relaxed);
        });
        seen.iter().for_each(Seen::print);
    }
}

/// What was seen of one way to take turns.
struct Seen {
    turns: &'static str,
    seconds: Vec<f64>,
    whole: Vec<f64>,
    ratios: Vec<f64>,
    largest: Vec<f64>,
    covers: Rate,
    covers_layer: Rate,
    alarms: Rate,
    found: [Rate; 3],
    found_whole: Rate,
}

const DELAYS: [f64; 3] = [0.03, 0.05, 0.1];

impl Seen {
    fn new(turns: &'static str) -> Seen {
        Seen {
            turns,
            seconds: Vec::new(),
            whole: Vec::new(),
            ratios: Vec::new(),
            largest: Vec::new(),
            covers: Rate::default(),
            covers_layer: Rate::default(),
            alarms: Rate::default(),
            found: Default::default(),
            found_whole: Rate::default(),
        }
    }

    fn look(&mut self, [a, b]: [Vec<Launch>; 2]) {
        let first = recording("a", a);
        let comparison = compared(&first, b.clone(), 0.03);
        self.whole.extend(half_width(&comparison.total.change));
        self.ratios.extend(comparison.total.change.ratio);
        let largest = largest(&comparison);
        self.largest.push(median(
            largest.iter().filter_map(|group| half_width(&group.compared.change)).collect(),
        ));
        self.covers.add(holds(&comparison.total.change, 1.0));
        for group in &comparison.groups {
            self.alarms.add(is_alarm(group.compared.change.verdict));
            self.covers_layer.add(holds(&group.compared.change, 1.0));
        }
        let members = |group: &ComparedGroup| {
            group.group.b.iter().map(|member| member.operator).collect::<Vec<_>>()
        };
        let kernels = |slow: &[u32]| kernels(&first, slow, &b[0]);
        // One after the other: each alone changes.
        for (group, rates) in largest.iter().zip((0..3).cycle()).take(6) {
            let slow = members(group);
            let delayed = kernels(&slow);
            let slowed = b.iter().map(|launch| delay(launch.clone(), &delayed, DELAYS[rates]));
            let found = compared(&first, slowed.collect(), 0.01);
            let same = found.groups.iter().find(|other| members(other) == slow);
            let verdict = same.and_then(|group| group.compared.change.verdict);
            self.found[rates].add(verdict == Some(Verdict::Slower));
        }
        let all: Vec<u32> = comparison.groups.iter().flat_map(members).collect();
        let all = kernels(&all);
        let slowed = b.iter().map(|launch| delay(launch.clone(), &all, 0.01));
        let found = compared(&first, slowed.collect(), 0.003);
        self.found_whole.add(found.total.change.verdict == Some(Verdict::Slower));
    }

    fn print(&self) {
        let percent = |values: &[f64]| 100.0 * median(values.to_vec());
        println!("  turns of {}", self.turns);
        println!("    median time of a recording          {:>6.1} s", median(self.seconds.clone()));
        println!("    half width, whole                   {:>6.2} %", percent(&self.whole));
        println!(
            "    half width, median of {LARGEST} largest    {:>6.2} %",
            percent(&self.largest)
        );
        println!("    whole: ratio, mean                  {}", mean(&self.ratios));
        println!("    whole: interval holds 1            {}", self.covers.text());
        println!("    layers: interval holds 1           {}", self.covers_layer.text());
        println!("    layers: false alarms               {}", self.alarms.text());
        for (share, found) in DELAYS.iter().zip(&self.found) {
            println!(
                "    a layer slower by {:>2.0} %, found       {}",
                share * 100.0,
                found.text()
            );
        }
        println!("    the whole slower by 1 %, found     {}", self.found_whole.text());
    }
}

/// Records a model against its copy with the program itself.
fn record(model: &str, turns: &str, folder: &Path) -> [Vec<Launch>; 2] {
    let copy = folder.join("copy.onnx");
    std::fs::copy(fixture(model), &copy).expect("room for a copy");
    let sizes: &[&str] = match model {
        "encoder" => &["--dim", "sequence=128"],
        "scan" => &["--dim", "frames=64"],
        _ => &[],
    };
    let launches = LAUNCHES.to_string();
    let arguments =
        ["--interleave", turns, "--launches", &launches, "--unprofiled-iterations", "0"];
    let arguments = [&arguments[..], sizes].concat();
    in_turns([&fixture(model), &copy], &arguments, &folder.join("turns"))
}

fn compared(a: &Recording, b: Vec<Launch>, noise_threshold: f64) -> Comparison {
    let options = Options { noise_threshold: Share(noise_threshold), ..Options::default() };
    compare(a, &recording("b", b), &options).expect("a comparison")
}

fn largest(comparison: &Comparison) -> Vec<&ComparedGroup> {
    let mut groups: Vec<&ComparedGroup> = comparison.groups.iter().collect();
    let time = |group: &ComparedGroup| group.compared.sides[0].mean.map_or(0.0, |mean| mean.0);
    groups.sort_by(|a, b| time(b).total_cmp(&time(a)));
    groups.truncate(LARGEST);
    groups
}

fn half_width(change: &Change) -> Option<f64> {
    change.ratio_interval.map(|ends| (ends.high / ends.low).ln() / 2.0)
}

fn holds(change: &Change, truth: f64) -> bool {
    change.ratio_interval.is_some_and(|ends| ends.low <= truth && truth <= ends.high)
}

fn is_alarm(verdict: Option<Verdict>) -> bool {
    matches!(verdict, Some(Verdict::Faster | Verdict::Slower))
}

/// With its standard error, twice.
fn mean(values: &[f64]) -> String {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    format!("{mean:.4} ± {:.4}", 2.0 * error)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count => (values[(count - 1) / 2] + values[count / 2]) / 2.0,
    }
}
