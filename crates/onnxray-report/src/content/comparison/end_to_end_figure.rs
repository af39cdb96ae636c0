//! The end-to-end figures of a model.

use crate::document::{Cell, CellStyle, Unit};
use onnxray_analyzer::comparison::{Comparison, Cost, Whole};

/// An end-to-end figure of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndToEndFigure {
    /// The latency that decides, or what replaces it.
    Typical,
    /// Of all iterations of the latency that decides, as a summary has it.
    Median,
    /// Items per second at that median, as a summary has it.
    ItemRate,
    IterationRate,
    Mean,
    /// With profiling, where the latency is known without it.
    ProfiledTypical,
    ProfiledMean,
    OperatorsMean,
    /// What operators leave of the mean; framework overhead where nothing else is in it.
    OverheadMean,
    /// What an inference costs beside its latency.
    Cost(Cost),
    LeftOut,
    UnprofiledLeftOut,
}

impl EndToEndFigure {
    /// Figures that a comparison has, in the order in which they are shown.
    pub(crate) fn of(comparison: &Comparison) -> &'static [EndToEndFigure] {
        use EndToEndFigure::*;
        // Operators and overhead come after the mean that they add up to: see `of_parts`.
        match (&comparison.unprofiled, comparison.total_is) {
            (Some(_), Whole::Latency) => &[
                Typical,
                Median,
                ItemRate,
                IterationRate,
                Mean,
                OperatorsMean,
                OverheadMean,
                ProfiledTypical,
                ProfiledMean,
            ],
            (Some(_), _) => &[
                Typical,
                Median,
                ItemRate,
                IterationRate,
                Mean,
                ProfiledTypical,
                ProfiledMean,
                OperatorsMean,
                OverheadMean,
            ],
            (None, Whole::Wall | Whole::Latency) => {
                &[Typical, Median, ItemRate, IterationRate, Mean, OperatorsMean, OverheadMean]
            }
            (None, Whole::Operators) => &[Typical, Mean],
        }
    }

    /// Like [`of`](Self::of), then what an inference costs; of x-rays, without what blocks add up to.
    pub(crate) fn for_people(comparison: &Comparison) -> Vec<EndToEndFigure> {
        use EndToEndFigure::{OperatorsMean, OverheadMean, ProfiledMean, ProfiledTypical};
        // Blocks add up to the latency: the rest would say it again, under a profiler's name.
        let says_it_again = |figure: &EndToEndFigure| {
            matches!(figure, ProfiledTypical | ProfiledMean | OperatorsMean | OverheadMean)
        };
        let mut figures = EndToEndFigure::with_costs(comparison);
        figures.retain(|figure| !comparison.are_x_rays || !says_it_again(figure));
        figures
    }

    /// Like [`of`](Self::of), then what an inference costs beside its latency.
    fn with_costs(comparison: &Comparison) -> Vec<EndToEndFigure> {
        let costs = comparison.costs.iter().map(|compared| EndToEndFigure::Cost(compared.cost));
        EndToEndFigure::of(comparison).iter().copied().chain(costs).collect()
    }

    /// Then how many iterations are in no mean; for people, a note tells that.
    pub(crate) fn all(comparison: &Comparison) -> Vec<EndToEndFigure> {
        let known = [
            (&comparison.left_out, EndToEndFigure::LeftOut),
            (&comparison.unprofiled_left_out, EndToEndFigure::UnprofiledLeftOut),
        ];
        let known = known.into_iter().filter(|(sides, _)| sides.iter().any(Option::is_some));
        let left_out = known.map(|(_, figure)| figure);
        EndToEndFigure::with_costs(comparison).into_iter().chain(left_out).collect()
    }

    /// The mean that layers and what is beyond them add up to.
    pub(crate) fn of_parts(comparison: &Comparison) -> EndToEndFigure {
        match (comparison.total_is, &comparison.unprofiled) {
            (Whole::Wall | Whole::Operators, Some(_)) => EndToEndFigure::ProfiledMean,
            (Whole::Latency, _) | (_, None) => EndToEndFigure::Mean,
        }
    }

    /// The typical time that layers and causes are parts of.
    pub(crate) fn of_typical_parts(comparison: &Comparison) -> EndToEndFigure {
        match EndToEndFigure::of_parts(comparison) {
            EndToEndFigure::ProfiledMean => EndToEndFigure::ProfiledTypical,
            _ => EndToEndFigure::Typical,
        }
    }

    /// True for throughputs.
    pub(crate) fn is_rate(self) -> bool {
        matches!(self, EndToEndFigure::ItemRate | EndToEndFigure::IterationRate)
    }

    /// Style in a workbook.
    pub(crate) fn style(self) -> CellStyle {
        match self {
            _ if self.is_rate() => CellStyle::Unit(Unit::Number),
            EndToEndFigure::LeftOut | EndToEndFigure::UnprofiledLeftOut => CellStyle::QUANTITY,
            EndToEndFigure::Cost(Cost::MemoryPeak | Cost::MemoryRetained) => {
                CellStyle::Unit(Unit::Number)
            }
            _ => CellStyle::MILLISECONDS,
        }
    }

    pub(super) fn label(self, comparison: &Comparison, sides: Sides) -> Cell {
        const LATENCY: [(&str, &str); 2] = [
            ("latency_typical_ms", "latency, typical (ms)"),
            ("latency_mean_ms", "latency, mean (ms)"),
        ];
        const PROFILED: [(&str, &str); 2] = [
            ("profiled_latency_typical_ms", "profiled latency, typical (ms)"),
            ("profiled_latency_mean_ms", "profiled latency, mean (ms)"),
        ];
        const OPERATORS: [(&str, &str); 2] = [
            ("operators_typical_ms", "operators, typical (ms)"),
            ("operators_mean_ms", "operators, mean (ms)"),
        ];
        let of_parts = match comparison.total_is {
            Whole::Operators => OPERATORS,
            Whole::Wall | Whole::Latency if comparison.is_timed_apart() => LATENCY,
            Whole::Wall | Whole::Latency => PROFILED,
        };
        const MEDIAN: [(&str, &str); 2] = [
            ("latency_median_ms", "latency, median (ms)"),
            ("profiled_latency_median_ms", "profiled latency, median (ms)"),
        ];
        let is_profiled = comparison.unprofiled.is_none() && !comparison.is_timed_apart();
        let decisive = if comparison.unprofiled.is_some() { LATENCY } else { of_parts };
        let of_blocks = comparison.are_x_rays.then(|| self.block_text()).flatten();
        let (key, text) = match self {
            EndToEndFigure::Typical => decisive[0],
            EndToEndFigure::Median => MEDIAN[usize::from(is_profiled)],
            EndToEndFigure::Mean => decisive[1],
            EndToEndFigure::ProfiledTypical => of_parts[0],
            EndToEndFigure::ProfiledMean => of_parts[1],
            EndToEndFigure::OperatorsMean => OPERATORS[1],
            EndToEndFigure::ItemRate if sides.are_instances => {
                ("throughput_items_per_second", "throughput of each instance (items/s)")
            }
            EndToEndFigure::ItemRate => ("throughput_items_per_second", "throughput (items/s)"),
            EndToEndFigure::IterationRate if sides.are_instances => {
                ("throughput_iterations_per_second", "throughput of each instance (iterations/s)")
            }
            EndToEndFigure::IterationRate => {
                ("throughput_iterations_per_second", "throughput (iterations/s)")
            }
            EndToEndFigure::OverheadMean if !sides.are_calibrated => {
                ("overhead_mean_ms", "framework overhead, mean (ms)")
            }
            EndToEndFigure::OverheadMean => {
                ("outside_operators_mean_ms", "outside operators, mean (ms)")
            }
            EndToEndFigure::Cost(cost) => cost_label(cost),
            EndToEndFigure::LeftOut => ("iterations_left_out", "profiled iterations in no mean"),
            EndToEndFigure::UnprofiledLeftOut => {
                ("unprofiled_iterations_left_out", "unprofiled iterations in no mean")
            }
        };
        Cell::label(key, of_blocks.unwrap_or(text))
    }

    /// What it is called where no profiler was at work.
    fn block_text(self) -> Option<&'static str> {
        match self {
            EndToEndFigure::ProfiledTypical => Some("all blocks, typical (ms)"),
            EndToEndFigure::ProfiledMean => Some("all blocks, mean of iterations (ms)"),
            EndToEndFigure::OperatorsMean => Some("blocks, mean (ms)"),
            EndToEndFigure::OverheadMean => Some("outside blocks, mean (ms)"),
            EndToEndFigure::LeftOut => Some("iterations in no mean of blocks"),
            EndToEndFigure::UnprofiledLeftOut => Some("iterations in no mean"),
            _ => None,
        }
    }
}

/// What names of figures depend on, of either side.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    /// Instances ran side by side: rates are of one, as latencies that are compared are.
    pub are_instances: bool,
    /// The profiling cost is out of the times of operators, and so in what these leave, which is
    /// then not the framework overhead of a summary.
    pub are_calibrated: bool,
}

/// Beside milliseconds in one column, bytes would hide them: megabytes.
fn cost_label(cost: Cost) -> (&'static str, &'static str) {
    let label = match cost {
        Cost::CpuTime => "CPU time (ms)",
        Cost::MemoryPeak => "memory at peak (MB)",
        Cost::MemoryRetained => "memory retained (MB)",
        Cost::Start => "start (ms)",
        Cost::PacedLatency => "latency at pace (ms)",
        Cost::PacedCpuTime => "CPU time of a call at pace (ms)",
    };
    (cost.key(), label)
}
