//! The lines above the tables: what was measured, how long it takes, what profiling adds.

use super::cost::{cost, paces};
use super::headline::{iterations_of, notable_stragglers};
use crate::content::recording::operators::sorted;
use crate::content::recording::{placement, sparse};
use crate::content::selection::Order;
use crate::content::shares::{megabytes, short, sizes};
use crate::document::{Line, TimeUnit};
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::statistics::{
    Distribution, Instances, LatencySummary, OperatorSummary, PartInterval, PhaseSummary, Ranks,
    RoofSummary, Stragglers, Summary, chosen_provider, in_place_of_chosen,
};
use onnxray_format::{DataType, Phase, Roofs, Run, names_batch};
use onnxray_text::counted;

/// This many iterations have one beyond their 90th percentile, and this many one beyond their 99th.
const FEWEST_OF_P90: u64 = 10;
const FEWEST_OF_P99: u64 = 100;
/// Name of a profile that nobody named.
const USUAL_PROFILE: &str = "baseline";
/// Operators that a screen has room for.
const SLOWEST: usize = 10;

/// The model, and how it ran.
pub(crate) fn run(summary: &Summary) -> Line {
    behind_model(Line::new("").part(0, stated(&summary.run.model)), summary)
}

/// How it ran, for pages with the model in their title.
pub(crate) fn setup(summary: &Summary) -> Line {
    behind_model(Line::new(""), summary)
}

fn behind_model(line: Line, summary: &Summary) -> Line {
    let run = &summary.run;
    let engine = format!("{} {}", run.engine, run.engine_version);
    let engine = match (chosen_provider(run), in_place_of_chosen(run, &summary.providers)) {
        (Some(provider), Some(others)) => {
            format!("{engine} on {}, none of it on {provider}", others.join(", "))
        }
        (Some(provider), None) => format!("{engine} on {provider}"),
        (None, _) => engine,
    };
    line.part(4, stated(&run.profile).filter(|name| name != USUAL_PROFILE))
        .part(1, stated(engine.trim()))
        .behind(", ", 1, threads(summary))
        .behind(", ", batch_rank(run), run.batch_size.map(|batch| format!("batch {batch}")))
        .behind(", ", 2, dimensions(run))
        .part(5, run.cpu.as_deref().map(processor))
        .part(3, iterations(summary))
}

/// A batch of 1 is what most expect: it goes before the sizes.
fn batch_rank(run: &Run) -> u8 {
    if run.batch_size == Some(1) && dimensions(run).is_some() { 4 } else { 2 }
}

fn stated(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_string())
}

/// `1 thread of 2`, `4 instances of 1 thread`.
fn threads(summary: &Summary) -> Option<String> {
    let threads = counted(summary.run.threads?.into(), "thread", "threads");
    if let Some(instances) = &summary.instances {
        let instances = counted(instances.count as u64, "instance", "instances");
        return Some(format!("{instances} of {threads}"));
    }
    // All launches are of one machine: the first that says how it ran is enough.
    let conditions = summary.conditions.iter().flatten().next();
    let is_pinned = |pinned: &Vec<u32>| !pinned.is_empty();
    let pinned = conditions.is_some_and(|known| known.pinned.as_ref().is_some_and(is_pinned));
    let threads = match conditions.and_then(|known| known.cores.as_ref()) {
        Some(cores) if pinned => format!("{threads}, pinned to core {}", list(cores)),
        Some(cores) => format!("{threads} of {}", cores.len()),
        None => threads,
    };
    let limit = conditions.and_then(|known| known.limit.as_ref()?.cores);
    let limit = limit.map(|cores| format!("{} CPUs", (cores * 100.0).round() / 100.0));
    let memory = conditions.and_then(|known| known.memory_limit);
    let limits: Vec<String> =
        limit.into_iter().chain(memory.map(|bytes| megabytes(bytes as f64))).collect();
    Some(match limits.is_empty() {
        true => threads,
        false => format!("{threads}, {} allowed", limits.join(" and ")),
    })
}

fn list(cores: &[u32]) -> String {
    cores.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// The other dimensions; the batch has its own place.
fn dimensions(run: &Run) -> Option<String> {
    let others = run.dimensions.iter().filter(|size| !names_batch(&size.name));
    let others: Vec<_> = others.cloned().collect();
    (!others.is_empty()).then(|| sizes(&others))
}

/// The name of a processor without what says little.
fn processor(name: &str) -> String {
    let name = name.replace("(R)", "").replace("(TM)", "");
    // The clock in `Xeon CPU @ 2.20GHz` is not the one that it ran at.
    let name = name.split(" @ ").next().unwrap_or_default();
    let words = name.split_whitespace().filter(|word| !["CPU", "Processor"].contains(word));
    words.collect::<Vec<_>>().join(" ")
}

/// `100 iterations in 1 launch`.
fn iterations(summary: &Summary) -> Option<String> {
    let count = summary.model.latency()?.times.count;
    let launches = summary.launches.len() as u64;
    if launches == 1 && !summary.advice.is_recorded() {
        return Some(counted(count, "iteration", "iterations"));
    }
    let of = match (&summary.ranks, &summary.instances) {
        (Some(ranks), _) => format!("of {} ranks", ranks.count),
        (None, Some(Instances { all_rounds, .. })) => {
            format!("in {}", counted(*all_rounds as u64, "round", "rounds"))
        }
        (None, None) => format!("in {}", counted(launches, "launch", "launches")),
    };
    Some(format!("{} {of}", counted(count, "iteration", "iterations")))
}

/// The unit of all times: the one that suits the latency and where it goes.
pub(super) fn time_unit(summary: &Summary) -> TimeUnit {
    let latency = summary.model.latency().map(|latency| latency.times.median.0);
    let types = summary.types.iter().map(|one| (one.mean, one.total));
    let operators = sorted(&summary.operators, Order::Time).into_iter().take(SLOWEST);
    let times = types.chain(operators.map(|one| (one.mean, one.total)));
    let times = times.filter_map(|(mean, total)| mean.or(total.map(Milliseconds::from)));
    TimeUnit::fitting(latency.into_iter().chain(times.map(|time| time.0)))
}

/// What the first screen says of cost, roof and placement, for pages, whose times are in milliseconds.
pub(crate) fn sentences(summary: &Summary) -> Vec<String> {
    let unit = TimeUnit::MILLISECONDS;
    let of_cost = summary.costs.as_ref().and_then(|costs| cost(costs, unit));
    let of_pace = summary.costs.iter().flat_map(|costs| paces(costs, Some(unit)));
    let of_roof = summary.roofs.as_ref().and_then(|roofs| roof(roofs, unit));
    let of_providers = placement::line(&summary.providers);
    let of_zeros = sparse::line(summary);
    let of_blocks = profiling(summary).filter(|_| summary.run.blocks);
    let lines = of_cost.into_iter().chain(of_pace).chain(of_roof);
    let lines = lines.chain(of_providers).chain(of_blocks).chain(of_zeros);
    lines.map(|line| format!("{}: {}.", line.name, line.texts().join(", "))).collect()
}

/// Latency of an iteration, and what profiling adds.
pub(super) fn lines(summary: &Summary, unit: TimeUnit) -> Vec<Line> {
    let mut lines = Vec::new();
    match summary.phases.as_slice() {
        [] => lines.push(latency(summary, unit)),
        phases => lines.extend(phases.iter().map(|of_phase| phase(of_phase, unit))),
    }
    lines.extend(summary.instances.as_ref().and_then(instances));
    lines.extend(summary.ranks.as_ref().map(|all| ranks(all, unit)));
    lines.extend(summary.costs.as_ref().and_then(|costs| cost(costs, unit)));
    lines.extend(summary.costs.iter().flat_map(|costs| paces(costs, None)));
    lines.extend(placement::line(&summary.providers).filter(|_| !summary.is_unprofiled()));
    lines.extend(sparse::line(summary));
    lines.extend(profiling(summary));
    lines.extend(elsewhere(summary, unit));
    lines.extend(summary.roofs.as_ref().and_then(|roofs| roof(roofs, unit)));
    lines.extend(no_roof(summary));
    lines.extend(left_out(summary, unit));
    lines.extend(apart(summary, unit));
    lines
}

fn latency(summary: &Summary, unit: TimeUnit) -> Line {
    let model = &summary.model;
    let line = Line::new(if model.profiled.is_some() && model.unprofiled.is_none() {
        "Profiled latency"
    } else {
        "Latency"
    });
    let Some(LatencySummary { times, interval, items_per_second, iterations_per_second }) =
        model.latency()
    else {
        return line.part(0, "unknown: the trace has no iterations".to_string());
    };
    let throughput = match (&summary.instances, items_per_second) {
        (Some(_), _) => None, // what instances do together has a line of its own
        (None, Some(items)) => Some(format!("{} items/s", short(items))),
        (None, None) => Some(format!("{} iterations/s", short(iterations_per_second))),
    };
    let rate = model
        .gflops_per_second
        .filter(|&rate| rate > 0.0)
        .map(|rate| format!("{} GFLOP/s", short(rate)));
    percentiles(line, times, interval, unit).part(1, throughput).part(3, rate)
}

fn phase(phase: &PhaseSummary, unit: TimeUnit) -> Line {
    let name = match phase.phase {
        Phase::Prefill => "Prefill",
        Phase::Decode => "Decode",
    };
    let tokens = counted(phase.tokens.round() as u64, "token", "tokens");
    percentiles(Line::new(name), phase.latency, phase.interval, unit)
        .part(1, format!("{} tokens/s", short(phase.tokens_per_second)))
        .part(3, format!("{tokens} each"))
}

/// Median, its interval, and the percentiles that this many iterations can tell.
fn percentiles(
    line: Line,
    times: Distribution,
    interval: Option<PartInterval>,
    unit: TimeUnit,
) -> Line {
    // All times of the line have the decimals of the median, which is known to its interval.
    let reach = interval.map(|known| known.interval.high - times.median.0);
    let decimals = unit.decimals_within(times.median.0, reach);
    let time = |time: f64| format!("{:.decimals$}", unit.of(time));
    let median = format!("{} {}", time(times.median.0), unit.name);
    // One iteration has no spread.
    if times.count == 1 {
        return line.part(0, format!("{median}, a single iteration"));
    }
    let about = match interval {
        Some(known) => known.reach(times.median.0),
        None => "± unknown".to_string(),
    };
    let percentile = |name: &str, value: f64, fewest: u64| {
        (times.count >= fewest).then(|| format!("{name} {}", time(value)))
    };
    line.part(0, format!("{median} median ({about})"))
        .part(1, percentile("p90", times.p90.0, FEWEST_OF_P90))
        .part(2, percentile("p99", times.p99.0, FEWEST_OF_P99))
}

/// Throughput of all instances together, if it is known.
fn instances(instances: &Instances) -> Option<Line> {
    let rate = instances.iterations_per_second?;
    let about = instances.interval.map_or("± unknown".to_string(), |known| known.reach(rate));
    let (rate, unit) = match instances.items_per_second {
        Some(items) => (items, "items/s"),
        None => (rate, "iterations/s"),
    };
    Some(Line::new("Together").part(0, format!("{} {unit} ({about})", short(rate))))
}

/// Which rank the others wait for.
fn ranks(ranks: &Ranks, unit: TimeUnit) -> Line {
    let Ranks { slowest, slowest_median, spread, .. } = ranks;
    let median = unit.text(slowest_median.0);
    let spread = spread.map(|spread| format!("{:.1} % more than the fastest", spread.0 * 100.0));
    Line::new("Ranks")
        .part(0, format!("rank {slowest} is the slowest: {median} median"))
        .behind(", ", 1, spread)
}

/// Profiling overhead; `None` for traces that do not state it.
fn profiling(summary: &Summary) -> Option<Line> {
    let model = &summary.model;
    if summary.run.blocks {
        let line = Line::new("Blocks");
        return Some(match summary.operators.len() {
            0 | 1 => line.part(0, "not cut: one block is the whole model".to_string()),
            blocks => line
                .part(0, format!("{blocks} blocks between cuts, without a profiler"))
                .part(1, "they add up to the latency".to_string()),
        });
    }
    let line = Line::new("Profiling");
    let Some(overhead) = &model.recording_overhead else {
        // Ours should tell the overhead; others are not expected to.
        let is_ours = summary.advice.is_recorded() && !summary.is_unprofiled();
        return is_ours.then(|| {
            line.part(0, "overhead unknown: no iterations without the profiler".to_string())
        });
    };
    let times = match model.is_calibrated {
        // A gain cannot be taken out: what is, was measured by itself.
        true if overhead.share < 0.0 => Some("the profiler's own time is taken out of those below"),
        true => Some("taken out of the times below"),
        false => overhead.is_costly().then_some("the times below include it"),
    };
    let text = overhead.text();
    // After the figure comes what it was taken over, or why it is unknown.
    let end = text.find([':', '(']).unwrap_or(text.len());
    let (figure, over) = (text[..end].trim_end(), text[end..].trim_start_matches(": "));
    Some(
        line.part(0, format!("overhead {figure}"))
            .behind(if over.starts_with('(') { " " } else { ": " }, 1, over.to_string())
            .part(2, times.map(str::to_string)),
    )
}

/// What of the latency no operator on the host has, where that is most of it: beside times on
/// devices, no row of the types has the rest.
fn elsewhere(summary: &Summary, unit: TimeUnit) -> Option<Line> {
    summary.model.device.as_ref()?;
    let latency = summary.model.latency()?.times.median;
    let host = summary.types.iter().map(|one| Some(one.mean?.0)).sum::<Option<f64>>()?;
    let left = latency.0 - host;
    let decimals = unit.decimals([left].into_iter());
    (left > latency.0 / 2.0).then(|| {
        Line::new("Elsewhere")
            .part(
                0,
                format!(
                    "{:.decimals$} {} are in no operator on the host",
                    unit.of(left),
                    unit.name
                ),
            )
            .behind(": ", 1, Some("compiling, waiting for devices, or not traced".to_string()))
    })
}

/// Operators whose share of their roof is unknown.
pub(super) const NO_ROOF: &str = "No roof";

/// What the machine can do at most, and what operators reach of it; `None` where that is unknown.
fn roof(summary: &RoofSummary, unit: TimeUnit) -> Option<Line> {
    let Roofs { threads, isa, bandwidth, .. } = &summary.roofs;
    let (share, to_gain) = summary.share().zip(summary.to_gain())?;
    let how = [isa.clone(), threads.map(|count| counted(count.into(), "thread", "threads"))];
    let how = how.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let peak = summary.roofs.gflops(DataType::Fp32)?;
    let memory =
        bandwidth.last().map(|memory| format!("{} GB/s memory", short(memory.gb_per_second)));
    // Of undisturbed times, which beside other programs are far below the means in the table.
    let reached = format!("{:.0} % reached undisturbed", share.0 * 100.0);
    let decimals = unit.decimals([summary.takes.0].into_iter());
    let [gain, whole] = [to_gain.0, summary.takes.0].map(|time| unit.of(time));
    let gain = format!("{gain:.decimals$} {} to gain", unit.name);
    let whole = format!("of {whole:.decimals$} {}", unit.name);
    let exceeded = match summary.exceeded.len() as u64 {
        0 => None,
        count => Some(format!("{} above it, left out", counted(count, "operator", "operators"))),
    };
    Some(
        Line::new("Roof")
            .part(0, format!("{} GFLOP/s fp32 ({how})", short(peak)))
            .behind(", ", 3, memory)
            .behind(": ", 1, reached)
            .behind("; ", 1, gain)
            .behind(" ", 2, whole)
            .behind("; ", 2, exceeded),
    )
}

/// Types whose roof is unknown, with what is missing; the first two with FLOPs.
fn no_roof(summary: &Summary) -> Option<Line> {
    // Where nothing was measured, nothing is missing.
    summary.roofs.as_ref()?.share()?;
    let mut without = summary.types.iter().filter_map(|one| {
        let (count, reason) = one.no_roof.as_ref().filter(|_| one.flops.whole() != Some(0.0))?;
        let name = onnxray_text::printable(&one.operator_type);
        Some(format!("{count} of {} {name} ({reason})", one.operators))
    });
    let line = Line::new(NO_ROOF).part(0, without.next()?);
    let line = line.behind(", ", 2, without.next());
    Some(line.behind("; ", 1, "--all --columns name,roof".to_string()))
}

/// Iterations that times of operators are not of, where that matters.
fn left_out(summary: &Summary, unit: TimeUnit) -> Option<Line> {
    let Stragglers { count, of, shortest, longest } = notable_stragglers(summary)?;
    let decimals = unit.decimals([shortest.0].into_iter());
    let [shortest, longest] = [shortest, longest].map(|time| unit.of(time.0));
    let (times, fastest) = match count {
        1 => (format!("{longest:.decimals$} {}", unit.name), ", and the fastest".to_string()),
        _ => (
            format!("{shortest:.decimals$} to {longest:.decimals$} {}", unit.name),
            format!(", and the {count} fastest"),
        ),
    };
    let iterations = iterations_of(summary, of);
    Some(
        Line::new("Left out")
            .part(0, format!("{count} of {iterations} that took {times}{fastest}"))
            .behind(", ", 1, "not in the times below".to_string())
            .behind("; ", 2, "--level iteration shows them".to_string()),
    )
}

/// That the times below add up to something else than the latency, where their intervals have
/// nothing in common.
fn apart(summary: &Summary, unit: TimeUnit) -> Option<Line> {
    let model = &summary.model;
    let (whole, about) = (model.whole?.0, model.whole_interval?);
    let latency = model.latency()?;
    let (median, ends) = (latency.times.median.0, latency.interval?.interval);
    // Intervals that overlap show no difference; timed apart, the sum is of another run.
    if summary.operators_timed_apart || about.low <= ends.high && ends.low <= about.high {
        return None;
    }
    let more = if whole > median { "more" } else { "less" };
    let share = (whole / median - 1.0).abs() * 100.0;
    let sum = unit.text(whole);
    let why = match model.unprofiled {
        Some(_) => "profiled iterations differ from the others",
        None => "a mean is not a median",
    };
    Some(
        Line::new("Sum")
            .part(0, format!("the times below come to {sum}, {share:.1} % {more}"))
            .behind(": ", 1, why.to_string()),
    )
}

/// Next: add the model if nodes are unknown, write a page, show all other figures.
pub(super) fn next(words: &str, summary: &Summary) -> Line {
    let is_known = |one: &OperatorSummary| !one.operator.node_types.is_empty();
    let is_foreign = summary.run.is_of_onnx_runtime() && !summary.advice.is_recorded();
    let lacks_model = is_foreign && !summary.operators.iter().any(is_known);
    let hint = "add --model MODEL.onnx to see ONNX nodes and FLOPs";
    Line::new("Next")
        .part(1, lacks_model.then(|| hint.to_string()))
        .part(if lacks_model { 2 } else { 1 }, format!("onnxray report {words} -o report.html"))
        .part(3, "--level model has all other figures".to_string())
}
