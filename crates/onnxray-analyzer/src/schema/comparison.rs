//! The tables of comparisons and of checks, and their columns.

use super::report::Shown::{Count, Milliseconds, Number, Percent, Text, Thousandths};
use super::report::{TableSchema, show};

/// The whole model on both sides.
pub static INFERENCE: TableSchema = TableSchema {
    key: "inference",
    title: "Inference time",
    columns: &[
        show("version", "Version", Text, "what is compared to the baseline A"),
        show("figure", "Figure", Text, "what is stated"),
        show("a", "A", Thousandths, "of the baseline"),
        show("b", "B", Thousandths, "of the version"),
        show("difference", "B - A", Thousandths, "B minus A"),
        show("ratio", "B / A", Thousandths, "B by A"),
        show("ratio_low", "Low", Thousandths, "low end of a 95 % interval of the ratio"),
        show("ratio_high", "High", Thousandths, "high end"),
        show("p", "p", Thousandths, "of the test on launches"),
        show("verdict", "Verdict", Text, "what can be said of the difference"),
    ],
};

/// In what the two were not made alike.
pub static CIRCUMSTANCES: TableSchema = TableSchema {
    key: "circumstances",
    title: "What else differs",
    columns: &[
        show("version", "Version", Text, "what is compared to the baseline A"),
        show("field", "Field", Text, "what differs"),
        show("a", "A", Text, "of the baseline"),
        show("b", "B", Text, "of the version"),
        show("meaning", "Meaning", Text, "whether it is the point, or stands in its way"),
    ],
};

/// What the difference is made of.
pub static CAUSES: TableSchema = TableSchema {
    key: "causes",
    title: "Where the difference comes from",
    columns: &[
        show("version", "Version", Text, "what is compared to the baseline A"),
        show("cause", "Cause", Text, "operator types that do the same work on both sides"),
        show("groups", "Groups", Count, "groups of layers in which it is"),
        show("a_ms", "A ms", Milliseconds, "mean per iteration of the baseline"),
        show("b_ms", "B ms", Milliseconds, "mean per iteration of the version"),
        show("difference_ms", "B - A ms", Milliseconds, "these add up to that of the whole"),
        show("contribution", "Of the difference", Percent, "of the difference of the whole"),
    ],
};

/// Operator types of both versions.
pub static COMPARED_TYPES: TableSchema = TableSchema {
    key: "compared_types",
    title: "Layer types",
    columns: &[
        show("version", "Version", Text, "what is compared to the baseline A"),
        show("type", "Type", Text, "operator type"),
        show("a_layers", "A layers", Count, "layers of the baseline"),
        show("a_precisions", "A precisions", Text, "how many compute in which element type"),
        show("a_ms", "A ms", Milliseconds, "mean per iteration"),
        show("a_share", "A share", Percent, "of the baseline's latency"),
        show("b_layers", "B layers", Count, "layers of the version"),
        show("b_precisions", "B precisions", Text, "how many compute in which element type"),
        show("b_ms", "B ms", Milliseconds, "mean per iteration"),
        show("b_share", "B share", Percent, "of the version's latency"),
        show("difference_ms", "B - A ms", Milliseconds, "difference of the means"),
    ],
};

/// Every layer of both versions.
pub static LAYERS: TableSchema = TableSchema {
    key: "layers",
    title: "Layers",
    columns: &[
        show("version", "Version", Text, "what is compared to the baseline A"),
        show("number", "#", Count, "position in the order of execution"),
        show("layer", "Layer", Text, "the operator of the group that takes most time"),
        show("a_type", "A type", Text, "type that takes most time"),
        show("b_type", "B type", Text, "type that takes most time"),
        show("a_precision", "A precision", Text, "element type it computes in"),
        show("b_precision", "B precision", Text, "element type it computes in"),
        show("a_ms", "A ms", Milliseconds, "typical time per iteration"),
        show("b_ms", "B ms", Milliseconds, "typical time per iteration"),
        show("difference_ms", "B - A ms", Milliseconds, "difference of the typical times"),
        show("difference_low_ms", "Low ms", Milliseconds, "low end of a 95 % interval"),
        show("difference_high_ms", "High ms", Milliseconds, "high end"),
        show("ratio", "B / A", Thousandths, "ratio of the typical times"),
        show("ratio_low", "Low", Thousandths, "low end of a 95 % interval"),
        show("ratio_high", "High", Thousandths, "high end"),
        show("p", "p", Number, "of the test on launches"),
        show("p_adjusted", "p adjusted", Number, "after Benjamini and Hochberg over all layers"),
        show("verdict", "Verdict", Text, "what can be said of the difference"),
        show("launches_needed", "Launches needed", Count, "on each side, to tell"),
        show("a_mean_ms", "A mean ms", Milliseconds, "mean per iteration; means add up"),
        show("b_mean_ms", "B mean ms", Milliseconds, "mean per iteration"),
        show("mean_difference_ms", "Mean B - A ms", Milliseconds, "difference of the means"),
        show("contribution", "Of the difference", Percent, "of the difference of the whole"),
        show("a_share", "A share", Percent, "mean, of the baseline's latency"),
        show("b_share", "B share", Percent, "mean, of the version's latency"),
        show("a_outliers", "A outliers", Count, "iterations far beyond the others"),
        show("b_outliers", "B outliers", Count, "iterations far beyond the others"),
        show("matched_by", "Matched by", Text, "what says that both do the same work"),
        show("certainty", "Certainty", Text, "how surely it is so"),
        show("a_operators", "A operators", Text, "operators of the baseline in the group"),
        show("b_operators", "B operators", Text, "operators of the version in the group"),
    ],
};

/// Parameters in which the layers differ.
pub static DETAILS: TableSchema = TableSchema {
    key: "details",
    title: "Parameters that differ",
    columns: &[
        show("version", "Version", Text, "what is compared to the baseline A"),
        show("number", "#", Count, "position of the layer in the order of execution"),
        show("layer", "Layer", Text, "name of the layer"),
        show("parameter", "Parameter", Text, "what differs"),
        show("a", "A", Text, "of the baseline"),
        show("b", "B", Text, "of the version"),
    ],
};

/// What the time of each side is made of.
pub static CONSERVATION: TableSchema = TableSchema {
    key: "conservation",
    title: "What the time is made of",
    columns: &[
        show("version", "Version", Text, "what is compared to the baseline A"),
        show("side", "Side", Text, "A or B"),
        show("aligned_ms", "Aligned ms", Milliseconds, "operators that both sides have"),
        show("only_ms", "Only here ms", Milliseconds, "operators that only this side has"),
        show("overhead_ms", "Overhead ms", Milliseconds, "time that no operator covers"),
        show(
            "concurrent_ms",
            "Concurrent ms",
            Milliseconds,
            "time that operators ran side by side; it is in the parts and not in the whole",
        ),
        show("whole_ms", "Whole ms", Milliseconds, "parts less the concurrent time"),
        show("aligned_by_more_than_place", "Surely aligned", Percent, "of the operators' time"),
    ],
};

/// What was found about a recording.
pub static CHECKS: TableSchema = TableSchema {
    key: "checks",
    title: "Can this recording be trusted?",
    columns: &[
        show("recording", "Recording", Text, "what was looked at"),
        show("subject", "Subject", Text, "what was checked"),
        show("grade", "Grade", Text, "good, unknown, doubtful or bad"),
        show("found", "Found", Text, "what was found"),
        show("advice", "Advice", Text, "what to do"),
    ],
};

/// How often parts of a recording seem to differ.
pub static FALSE_ALARMS: TableSchema = TableSchema {
    key: "false_alarms",
    title: "False alarms in comparisons with itself",
    columns: &[
        show("recording", "Recording", Text, "what was split"),
        show("of", "Of", Text, "each operator, or the whole"),
        show("split", "Parts", Text, "how the recording is parted"),
        show("splits", "Comparisons", Count, "pairs of parts that were compared"),
        show("operators", "Operators", Count, "that were compared, those with most time"),
        show("rate", "Rate", Percent, "share of comparisons with an alarm"),
        show("low", "Low", Percent, "low end of a 95 % interval"),
        show("high", "High", Percent, "high end"),
    ],
};
