//! The tables of operators: their times and facts.

use super::sparse;
use super::tensors::{first_shape, shape, tensors};
use crate::content::selection::{Order, Selection};
use crate::content::shares::partial;
use crate::document::{Cell, Column, End, Table, Unit, column, columns};
use Unit::{Count, Milliseconds as Ms, Number, Quantity, Share, Text};
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::statistics::{DeviceTime, Distribution, NoRoof, OperatorSummary, UnderRoof};
use onnxray_format::{Block, Operator};
use std::iter;

pub(super) const NUMBER: Column<OperatorSummary> =
    column("number", "#", Count, "position in the order of execution", |summary| {
        Cell::Whole(u64::from(summary.operator.number))
    });

columns! {
    pub(super) const OPERATORS: OperatorSummary;

    NUMBER;
    /// name of its ONNX node; `#` separates a node from its helper kernels
    NAME "Operator" Text = |summary| Cell::text(&summary.operator.name);
    /// type of what ran: the kernel's, or the ONNX op type
    "type" "Type" Text = |summary| Cell::text(&summary.operator.operator_type);
    /// ONNX op types of the nodes of a fused operator
    NODE_TYPES "Fused of" Text = |summary| Cell::some_text(fused_of(&summary.operator).join(" + "));
    /// ONNX op types fused after it
    "post_ops" "Post ops" Text = |summary| Cell::some_text(summary.operator.post_ops.join(", "));
    /// the engine's name for the implementation
    "kernel" "Kernel" Text =
        |summary| summary.operator.kernel.clone().map_or(Cell::Unknown, Cell::Text);
    /// executions per iteration
    "executions" "Runs" Number = |summary| Cell::number(summary.executions);
    /// executions in measured iterations, or in the trace
    "calls" "Calls" Count = |summary| Cell::whole(summary.calls);
    /// sum of exclusive times
    TOTAL "Total ms" Ms = |summary| Cell::milliseconds(summary.total.map(Milliseconds::from));
    /// exclusive time per iteration, mean
    MEAN "Time ms" Ms = |summary| told(summary, summary.mean);
    /// upper bound of its time per iteration, if too short to separate from profiling cost
    "time_below_ms" "Below ms" Ms =
        |summary| summary.below.map_or(Cell::None, |below| Cell::Number(below.0));
    /// largest possible share of profiling in its time, if the cost was not measured
    PROFILING_MOST "Profiling, most" Share =
        |summary| summary.profiling_most.map_or(Cell::None, |most| Cell::Number(most.0));
    /// profiling cost inside its events per iteration, subtracted from its times
    "profiling_us" "Profiling us" Number =
        |summary| Cell::number(summary.profiling.map(|time| time.0 * 1e3));
    /// a 95 % interval of the mean
    ends END: End in ["time_low_ms" "Low ms", "time_high_ms" "High ms"] Ms =
        |summary| END.cell(summary.interval);
    /// exclusive time per iteration, median
    "time_median_ms" "Median ms" Ms = |summary| told(summary, summary.median);
    /// 10th percentile
    "time_p10_ms" "p10 ms" Ms = |summary| time(summary, |time| time.p10);
    /// 90th percentile
    "time_p90_ms" "p90 ms" Ms = |summary| time(summary, |time| time.p90);
    /// 99th percentile
    "time_p99_ms" "p99 ms" Ms = |summary| time(summary, |time| time.p99);
    /// smallest
    "time_min_ms" "Min ms" Ms = |summary| told(summary, summary.extremes.map(|(min, _)| min));
    /// largest
    "time_max_ms" "Max ms" Ms = |summary| told(summary, summary.extremes.map(|(_, max)| max));
    /// measured iterations in which it ran
    "iterations" "Iterations" Count = |summary| match (summary.time, summary.calls) {
        (Some(time), _) => Cell::Whole(time.count),
        (None, Some(0)) => Cell::Whole(0),
        (None, _) => Cell::Unknown,
    };
    /// share of operators + framework overhead; of all operators' time if unknown
    "share" "Share" Share = |summary| Cell::share(summary.share);
    /// time of the kernels, copies and sets that it launched on devices
    DEVICE_TOTAL "Self device ms" Ms =
        |summary| Cell::milliseconds(summary.device.map(|device| device.total.into()));
    /// the same per iteration, mean
    DEVICE_MEAN "Self device ms" Ms =
        |summary| Cell::milliseconds(summary.device.and_then(|device| device.mean));
    /// share of the device time of all operators
    DEVICE_SHARE "Device share" Share =
        |summary| Cell::share(summary.device.and_then(|device| device.share));
    /// operations per iteration
    "flops" "FLOPs" Quantity = |summary| Cell::number(summary.flops);
    /// FLOPs / exclusive time
    RATE "GFLOP/s" Number = |summary| rate(summary.gflops_per_second, summary.flops);
    /// bytes read and written per iteration
    "bytes" "Bytes" Quantity = |summary| Cell::number(summary.bytes);
    /// what it would take at the machine's peak rates, of what it takes undisturbed
    ROOF_SHARE "Of roof, undisturbed" Share =
        |summary| under_roof(summary, |roof| Cell::share(roof.share()));
    /// which peak bounds it: arithmetic, or reading from the level of memory that its tensors fit in;
    /// or why that is unknown
    ROOF_BOUND "Roof" Text = |summary| match (&summary.roof, &summary.no_roof) {
        (_, Some(reason @ NoRoof::Exceeded)) => Cell::Text(reason.to_string()),
        (_, Some(reason)) => Cell::Text(format!("unknown: {reason}")),
        (Some(roof), None) => Cell::text(roof.level.as_deref().unwrap_or("arithmetic")),
        (None, None) => rate(None, summary.flops),
    };
    /// its undisturbed time above what it would take at the machine's peak rates, per iteration
    TO_GAIN "To gain ms" Ms =
        |summary| under_roof(summary, |roof| Cell::milliseconds(roof.to_gain()));
    /// bytes of the tensors that are alive while it runs, without inputs of the model, constants and
    /// reuse in place
    "alive_bytes" "Alive" Quantity = |summary| summary.alive.map_or(Cell::Unknown, partial);
    /// bytes that the engine's allocator had handed out when it ended, in a first run: tensors and
    /// workspace, without constants (ONNX Runtime from 1.29 on)
    "allocated_bytes" "Allocated" Quantity = |summary| Cell::whole(summary.operator.allocated_bytes);
    /// elements of the constants it reads
    "parameters" "Parameters" Quantity = |summary| Cell::whole(summary.operator.parameters);
    /// names of the tensors it reads
    "inputs" "Inputs" Text =
        |summary| tensors(&summary.operator.inputs, |tensor| tensor.name.clone());
    /// their element types
    "input_types" "Input types" Text =
        |summary| tensors(&summary.operator.inputs, |tensor| tensor.type_text().to_string());
    /// their shapes
    "input_shapes" "Input shapes" Text = |summary| tensors(&summary.operator.inputs, shape);
    /// names of the tensors it writes
    "outputs" "Outputs" Text =
        |summary| tensors(&summary.operator.outputs, |tensor| tensor.name.clone());
    /// their element types
    "output_types" "Output types" Text =
        |summary| tensors(&summary.operator.outputs, |tensor| tensor.type_text().to_string());
    /// their shapes
    "output_shapes" "Output shapes" Text = |summary| tensors(&summary.operator.outputs, shape);
    /// shape of the first one, and the number of others
    OUTPUT_SHAPE "Output shape" Text = |summary| first_shape(&summary.operator.outputs);
    /// name of the constant matrix
    "weight" "Weight" Text = |summary| {
        let weight = summary.operator.weight.as_ref();
        weight.map_or(Cell::None, |weight| Cell::some_text(weight.name.clone()))
    };
    /// outputs x inputs
    "weight_shape" "Weight shape" Text = |summary| {
        let weight = summary.operator.weight.as_ref();
        weight.map_or(Cell::None, |weight| Cell::text(weight.matrix_shape()))
    };
    /// sparsity of the weight: share of zero elements
    "sparse_ratio_1x1" "Zero 1x1" Share = |summary| sparse_ratio(summary, Block::new(1, 1));
    /// share of zero blocks of 4 outputs x 1 input
    "sparse_ratio_4x1" "Zero 4x1" Share = |summary| sparse_ratio(summary, Block::new(4, 1));
    /// share of zero blocks of 1 output x 4 inputs
    "sparse_ratio_1x4" "Zero 1x4" Share = |summary| sparse_ratio(summary, Block::new(1, 4));
    /// share of zero blocks of 1 output x 16 inputs
    "sparse_ratio_1x16" "Zero 1x16" Share = |summary| sparse_ratio(summary, Block::new(1, 16));
    /// share of zero blocks of 4 outputs x 16 inputs
    "sparse_ratio_4x16" "Zero 4x16" Share = |summary| sparse_ratio(summary, Block::new(4, 16));
    /// whether block-sparse kernels apply
    "sparse_support" "Sparse support" Text =
        |summary| match (summary.operator.sparse_support, summary.operator.parameters) {
            (true, _) => Cell::text("yes"),
            (false, Some(_)) => Cell::text("no"),
            // Without the model nobody knows the weights.
            (false, None) => Cell::Unknown,
        };
    /// instructions that skip the zero blocks of its weight, or why none do (`record --sparse`)
    "zero_blocks" "Zero blocks" Text = |summary| sparse::cell(&summary.operator);
    /// all ONNX nodes it computes
    NODES "ONNX nodes" Text = |summary| Cell::some_text(summary.operator.nodes.join("; "));
    /// number of its pattern
    PATTERN "Pattern" Count =
        |summary| summary.pattern.map_or(Cell::None, |number| Cell::Whole(number.into()));
    /// the operator in whose body it runs, or that launched it
    "parent" "Parent" Text = |summary| {
        summary.operator.parent.map_or(Cell::None, |parent| Cell::text(format!("#{parent}")))
    };
    /// attributes of its ONNX node
    "attributes" "Attributes" Text = |summary| {
        let attributes = summary.operator.attributes.iter();
        let attributes = attributes.map(|(name, value)| format!("{name}={value}"));
        Cell::some_text(attributes.collect::<Vec<_>>().join("; "))
    };
}

/// The ONNX op types of an operator that is fused of several nodes, or of one of another type.
fn fused_of(operator: &Operator) -> &[String] {
    match &operator.node_types[..] {
        [only] if *only == operator.operator_type => &[],
        types => types,
    }
}

/// Whether its node is what ONNX Runtime calls it, since nothing but the model could tell more.
fn is_named_by_runtime(operator: &Operator) -> bool {
    let is_provider = |kernel: &String| kernel.ends_with("ExecutionProvider");
    operator.node_types.is_empty() && operator.kernel.as_ref().is_some_and(is_provider)
}

/// Its first node, and the types of those that are fused with it, where a runtime names it
/// otherwise: `/layers.3/Conv + Clip`.
pub(super) fn node(operator: &Operator) -> Cell {
    let (Some(first), true) = (operator.nodes.first(), operator.is_named_anew()) else {
        return Cell::text(&operator.name);
    };
    let others = operator.node_types.iter().skip(1).map(String::as_str);
    Cell::Text(iter::once(first.as_str()).chain(others).collect::<Vec<_>>().join(" + "))
}

/// Columns of traces that tell of devices.
pub(super) const DEVICE_TOTAL: &str = "device_total_ms";
pub(super) const DEVICE_MEAN: &str = "device_ms";
pub(super) const DEVICE_SHARE: &str = "device_share";
/// What times and shares are called where devices have their own.
pub(super) const OF_HOST: [(&str, &str); 3] =
    [(TOTAL, "Self CPU ms"), (MEAN, "Self CPU ms"), ("share", "CPU share")];

/// Of the mean time, on any machine.
pub(super) const RATE: &str = "gflops_per_second";
/// Columns of recordings that measured the machine's peak rates.
pub(super) const ROOF_SHARE: &str = "roof_share";
/// At a glance: the line above says that it is of undisturbed times.
pub(super) const SHORT_HEADINGS: [(&str, &str); 1] = [(ROOF_SHARE, "Of roof")];
pub(super) const ROOF_BOUND: &str = "roof";
pub(super) const TO_GAIN: &str = "to_gain_ms";

pub(super) const NAME: &str = "name";
pub(super) const PATTERN: &str = "pattern";
pub(super) const OUTPUT_SHAPE: &str = "output_shape";
const NODES: &str = "nodes";
pub(super) const NODE_TYPES: &str = "node_types";
pub(super) const PROFILING_MOST: &str = "profiling_share_most";
/// Of an operator's time: from then on, people see how much of it profiling may be.
pub(super) const MOSTLY: f64 = 0.5;
pub(super) const MEAN: &str = "time_ms";
pub(super) const TOTAL: &str = "total_ms";

/// What adds up over operators.
pub(super) const SUMS: [&str; 12] = [
    "executions",
    "calls",
    TOTAL,
    MEAN,
    "share",
    DEVICE_TOTAL,
    DEVICE_MEAN,
    DEVICE_SHARE,
    "flops",
    "bytes",
    TO_GAIN,
    "parameters",
];

/// A table of what was measured, under the name of what the summaries are of.
pub(crate) fn operators(
    (key, title): (&'static str, &'static str),
    summaries: &[OperatorSummary],
    selection: &Selection,
) -> Table {
    let operators = sorted(summaries, selection.order);
    let has_roofs = operators.iter().any(|summary| summary.roof.is_some());
    let device = operators.iter().find_map(|summary| summary.device);
    let mut keys = vec!["number", NAME, "type", "share", "flops", "weight_shape"];
    // Where the type says what the nodes were fused to, and not what they are.
    if operators.iter().any(|summary| summary.operator.is_renamed()) {
        keys.push(NODE_TYPES);
    }
    if operators.iter().any(|summary| summary.operator.is_named_anew()) {
        keys.push(NODES);
    }
    if operators.iter().any(|summary| summary.mean.is_some()) {
        keys.push(MEAN);
        keys.extend(shown_of_arithmetic(has_roofs));
        // Of two clocks, nothing but what compares them.
        let times = operators.iter().filter_map(|summary| summary.time.as_ref());
        if device.is_none() && !are_of_one(times) {
            keys.extend(["time_median_ms", "time_p90_ms"]);
        }
    } else {
        keys.extend(["calls", TOTAL, "kernel"]);
    }
    // Rows that are left out show nothing that a column would be for.
    let mut shown = operators.iter().take(selection.rows.unwrap_or(usize::MAX));
    if shown.any(|summary| summary.profiling_most.is_some_and(|most| most.0 >= MOSTLY)) {
        keys.push(PROFILING_MOST);
    }
    keys.extend(device.map_or(&[][..], shown_of_device));
    let are_of_runtime = operators.iter().any(|summary| is_named_by_runtime(&summary.operator));
    let table = Table::new(key, title, OPERATORS, operators).showing(&keys);
    let table = if are_of_runtime { table.headed(&[(NODES, "Node")]) } else { table };
    under_roofs(of_clocks(table, device), has_roofs)
        .essential(&[NAME, MEAN, TOTAL, "share", DEVICE_MEAN, DEVICE_TOTAL, DEVICE_SHARE])
        .summed_up(selection.rows, 0, &SUMS)
}

/// What people see of times on devices.
pub(super) fn shown_of_device(device: DeviceTime) -> &'static [&'static str] {
    match device.mean {
        Some(_) => &[DEVICE_MEAN, DEVICE_SHARE],
        None => &[DEVICE_TOTAL, DEVICE_SHARE],
    }
}

/// A table with columns of devices if there are any, beside which times are those of the host.
pub(super) fn of_clocks(table: Table, device: Option<DeviceTime>) -> Table {
    match device {
        Some(_) => table.headed(&OF_HOST),
        None => table.without(&[DEVICE_TOTAL, DEVICE_MEAN, DEVICE_SHARE]),
    }
}

/// What people see of how fast it computes: where roofs are known, the share of these, which is of
/// undisturbed times. A rate of mean times beside it would be of another kind.
pub(super) fn shown_of_arithmetic(has_roofs: bool) -> &'static [&'static str] {
    if has_roofs { &[ROOF_SHARE, TO_GAIN] } else { &[RATE] }
}

/// The same at a glance. Rates of the host say nothing of what ran on devices.
pub(super) fn rate_at_a_glance(has_roofs: bool, has_devices: bool) -> Option<&'static str> {
    if has_roofs { Some(ROOF_SHARE) } else { (!has_devices).then_some(RATE) }
}

/// A table without columns of roofs where none is known.
pub(super) fn under_roofs(table: Table, has_roofs: bool) -> Table {
    if has_roofs { table } else { table.without(&[ROOF_SHARE, ROOF_BOUND, TO_GAIN]) }
}

/// Whether all times are of a single iteration, which has no percentiles.
pub(super) fn are_of_one<'a>(times: impl IntoIterator<Item = &'a Distribution>) -> bool {
    let mut times = times.into_iter().peekable();
    // `all` holds for no times, too.
    times.peek().is_some() && times.all(|time| time.is_one())
}

/// The table of operators of a model that was not run.
pub(crate) fn unmeasured(
    (key, title): (&'static str, &'static str),
    summaries: &[OperatorSummary],
    selection: &Selection,
) -> Table {
    let shown = [
        "number",
        NAME,
        "type",
        "executions",
        "flops",
        "bytes",
        "parameters",
        "weight_shape",
        "sparse_ratio_4x1",
    ];
    let table = Table::new(key, title, OPERATORS, sorted(summaries, selection.order));
    let table = under_roofs(of_clocks(table.without(&[PATTERN]), None), false);
    table.showing(&shown).essential(&[NAME, "flops", "bytes"]).summed_up(selection.rows, 0, &SUMS)
}

/// Operators in the order of their rows.
pub(crate) fn sorted<'a>(
    operators: impl IntoIterator<Item = &'a OperatorSummary>,
    order: Order,
) -> Vec<&'a OperatorSummary> {
    let mut operators: Vec<&OperatorSummary> = operators.into_iter().collect();
    sort(&mut operators, order, |operator| operator);
    operators
}

/// Puts rows in an order, by their figures.
pub(super) fn sort<T>(rows: &mut [T], order: Order, figures: impl Fn(&T) -> &OperatorSummary) {
    // What is unknown comes last.
    let descending =
        |a: Option<f64>, b: Option<f64>| b.unwrap_or(-1.0).total_cmp(&a.unwrap_or(-1.0));
    let gain = |one: &OperatorSummary| one.roof.as_ref()?.to_gain().map(|gain| gain.0);
    let by = |a: &OperatorSummary, b: &OperatorSummary| match order {
        Order::Time => b.sort_key().total_cmp(&a.sort_key()),
        Order::Execution => a.operator.number.cmp(&b.operator.number),
        Order::Name => a.operator.name.cmp(&b.operator.name),
        Order::Flops => descending(a.flops, b.flops),
        Order::Bytes => descending(a.bytes, b.bytes),
        Order::Gain => descending(gain(a), gain(b)),
        Order::Device => descending(on_devices(a.device), on_devices(b.device)),
    };
    rows.sort_by(|a, b| by(figures(a), figures(b)));
}

/// Milliseconds on devices; `None` where there are none.
pub(super) fn on_devices(device: Option<DeviceTime>) -> Option<f64> {
    device.map(|device| Milliseconds::from(device.total).0)
}

/// A roof is unknown where the operations are, and nothing where there are none.
fn under_roof(summary: &OperatorSummary, figure: impl Fn(&UnderRoof) -> Cell) -> Cell {
    match &summary.roof {
        Some(roof) => figure(roof),
        None => rate(None, summary.flops),
    }
}

/// A rate is unknown where the operations are, and nothing where there are none.
pub(crate) fn rate(rate: Option<f64>, flops: Option<f64>) -> Cell {
    match (rate, flops) {
        (Some(rate), _) => Cell::Number(rate),
        (None, Some(flops)) if flops <= 0.0 => Cell::None,
        _ => Cell::Unknown,
    }
}

fn time(summary: &OperatorSummary, pick: fn(&Distribution) -> Milliseconds) -> Cell {
    told(summary, summary.time.as_ref().map(pick))
}

/// A time, if it is large enough to be told from what profiling costs.
pub(super) fn told(summary: &OperatorSummary, time: Option<Milliseconds>) -> Cell {
    match (summary.below, time) {
        (Some(below), Some(time)) if time.0 < below.0 => {
            Cell::Below { most: below.0, part: time.0 }
        }
        _ => Cell::milliseconds(time),
    }
}

fn sparse_ratio(summary: &OperatorSummary, block: Block) -> Cell {
    match &summary.operator.weight {
        Some(weight) => Cell::number(weight.sparse_ratio(block)),
        None => Cell::None,
    }
}
