//! The arguments of `onnxray compare` and `onnxray check`.

use super::choice::choice;
use super::files::{ForceArguments, TableArguments};
use super::heading;
use super::input::ReadingArguments;
use super::numbers::{probability, share};
use super::view::{FoldArguments, FormatArguments, RowArguments};
use clap::builder::TypedValueParser;
use clap::{ArgGroup, Args};
use onnxray_analyzer::Share;
use onnxray_analyzer::comparison::{Cost, Field, Gate, Limits, Options, Verdict};
use onnxray_report::ComparisonView;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray compare recordings/encoder recordings/encoder-int8\n  \
    onnxray compare before after -o comparison.xlsx\n  \
    onnxray compare main branch --fail-on slower --format markdown > comment.md\n  \
    onnxray compare main branch --fail-above 3% --fail-layers-above 10%\n  \
    onnxray compare --baseline main.json branch --fail-above 5%\n  \
    onnxray compare a_0.json,a_1.json,a_2.json b_0.json,b_1.json,b_2.json --view layers --all\n  \
    onnxray compare batch1 batch8 --expect-different batch\n  \
    onnxray compare encoder:baseline encoder:batch-8\n\n\
    A is the baseline; each other recording is compared to it. Without B, A may be a\n\
    folder: its two newest recordings are compared. Launches are what is\n\
    tested: record 10 or more of each, interleaved with `record A --against B`.\n\n\
    Exit codes: 0 compared; 1 nothing could be compared; 2 wrong usage; 3 a --fail option\n\
    applies; 4 with a --fail option, the recordings are not comparable.")]
pub(crate) struct CompareArguments {
    /// Baseline: a folder, a trace file, a pattern such as 'before_*.json', or files separated by
    /// commas [default: of the two newest recordings in engine_profiling, the older one]
    #[arg(value_name = "A")]
    pub baseline: Option<PathBuf>,

    /// What to compare to it [default, where A is DIR:PROFILE: the profile of the same
    /// model with the best throughput]
    #[arg(value_name = "B")]
    pub versions: Vec<PathBuf>,

    /// Name of A in reports
    #[arg(long, value_name = "NAME", help_heading = heading::DISPLAY, hide_short_help = true)]
    pub name_a: Option<String>,

    /// Name of B in reports; repeat it for further recordings
    #[arg(long, value_name = "NAME", help_heading = heading::DISPLAY, hide_short_help = true)]
    pub name_b: Vec<String>,

    /// A and B are folders with recordings of several models: compare each model to its own, and
    /// report the geometric mean of their ratios
    #[arg(long, conflicts_with = "baseline_file", help_heading = heading::READING,
          hide_short_help = true)]
    pub per_recording: bool,

    #[command(flatten)]
    pub reading: ReadingArguments,

    /// Show only these parts
    #[arg(long, value_delimiter = ',', value_parser = view(), help_heading = heading::DISPLAY)]
    pub view: Vec<ComparisonView>,

    /// Show only layers with TEXT in their names
    #[arg(long, value_name = "TEXT", help_heading = heading::DISPLAY)]
    pub layer: Option<String>,

    #[command(flatten)]
    pub test: TestArguments,

    /// Difference between the configurations that is intended: no warning
    #[arg(long, value_name = "FIELD", value_delimiter = ',', value_parser = field(),
          help_heading = heading::COMPARISON)]
    pub expect_different: Vec<Field>,

    /// Compare even if the models seem to differ
    #[arg(long, help_heading = heading::COMPARISON, hide_short_help = true)]
    pub allow_model_mismatch: bool,

    /// Compare all recordings to this one, such as what `onnxray convert X --compact` made
    #[arg(long = "baseline", value_name = "FILE", help_heading = heading::COMPARISON,
          hide_short_help = true)]
    pub baseline_file: Option<PathBuf>,

    #[command(flatten)]
    pub gate: GateArguments,

    /// Write a page for a browser, or a workbook; with --format csv, one file per table into a
    /// folder
    #[arg(short, long, alias = "report", value_name = "FILE.html|FILE.xlsx|FOLDER",
          help_heading = heading::OUTPUT)]
    pub output: Option<PathBuf>,

    /// Write the ratios B / A as node data of Model Explorer, which colours the graph of either model
    #[arg(long, value_name = "FILE.json", help_heading = heading::OUTPUT, hide_short_help = true)]
    pub graph: Option<PathBuf>,

    #[command(flatten)]
    pub rows: RowArguments,

    #[command(flatten)]
    pub fold: FoldArguments,

    #[command(flatten)]
    pub force: ForceArguments,

    #[command(flatten)]
    pub shown: FormatArguments,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray check engine_profiling\n  \
    onnxray check recordings/a recordings/b --format json\n\n\
    Looks at warm-up, drift, launches, outliers, the clock and what recording costs, and\n\
    compares parts of the recording with each other: any difference between them is noise.")]
pub(crate) struct CheckArguments {
    /// Recordings, each a folder, a trace file, a pattern such as 'run_*.json', or files separated
    /// by
    /// commas [default: engine_profiling]
    #[arg(value_name = "RECORDING")]
    pub recordings: Vec<PathBuf>,

    /// Check each recording of a folder on its own, also of several runtimes or models
    #[arg(long, help_heading = heading::READING, hide_short_help = true)]
    pub per_recording: bool,

    #[command(flatten)]
    pub reading: ReadingArguments,

    #[command(flatten)]
    pub test: TestArguments,

    #[command(flatten)]
    pub shown: FormatArguments,

    #[command(flatten)]
    pub tables: TableArguments,
}

/// What makes a comparison fail.
#[derive(Args)]
#[command(
    group = ArgGroup::new("layers_gate").args(["fail_layers_on", "fail_layers_above"]).multiple(true),
    group = ArgGroup::new("limits").multiple(true).args([
        "fail_on", "fail_above", "fail_call_above", "fail_cpu_above", "fail_memory_above",
        "fail_start_above", "fail_layers_on", "fail_layers_above",
    ])
)]
pub(crate) struct GateArguments {
    /// Fail (exit code 3) if the latency is one of these
    #[arg(long, value_name = "VERDICT", value_delimiter = ',', value_parser = verdict(),
          help_heading = heading::GATE)]
    pub fail_on: Vec<Verdict>,

    /// Fail (exit code 3) if B is slower for sure, and by an estimate of more than SHARE, whatever
    /// the noise threshold
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = heading::GATE)]
    pub fail_above: Option<f64>,

    /// Fail (exit code 3) if the CPU time of an inference, or of a call where both have one at a pace, is
    /// higher for sure (p of 0.01 or less), and by an estimate of more than SHARE. That of a loop whose
    /// threads spin is decided in turns only (record --against). --fail-call-above, --fail-memory-above
    /// and --fail-start-above limit other costs
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = heading::GATE)]
    pub fail_cpu_above: Option<f64>,

    /// The same of the latency of a call at a pace, as record --rate measures it
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = heading::GATE,
          hide_short_help = true)]
    pub fail_call_above: Option<f64>,

    /// The same of memory at its peak
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = heading::GATE,
          hide_short_help = true)]
    pub fail_memory_above: Option<f64>,

    /// The same of the start: loading the library and the model, and the first inference
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = heading::GATE,
          hide_short_help = true)]
    pub fail_start_above: Option<f64>,

    /// Fail (exit code 3) if a layer is one of these
    #[arg(long, value_name = "VERDICT", value_delimiter = ',', value_parser = verdict(),
          help_heading = heading::GATE)]
    pub fail_layers_on: Vec<Verdict>,

    /// Fail (exit code 3) if a layer is slower for sure, and by an estimate of more than SHARE,
    /// whatever the noise threshold
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = heading::GATE)]
    pub fail_layers_above: Option<f64>,

    /// Ignore layers below this share of the latency in --fail-layers-on and -above
    #[arg(long, value_name = "SHARE", default_value = "0.01", value_parser = share,
          requires = "layers_gate", help_heading = heading::GATE, hide_short_help = true)]
    pub min_share: f64,

    /// Fail (exit code 3) as well if it is undecided whether a limit is exceeded
    #[arg(long, requires = "limits", help_heading = heading::GATE, hide_short_help = true)]
    pub fail_undecided: bool,
}

impl CompareArguments {
    /// How differences are told from noise: as closely as the gates look.
    pub(crate) fn options(&self) -> Options {
        let GateArguments { fail_above, fail_layers_above, .. } = &self.gate;
        self.test.options([*fail_above, *fail_layers_above])
    }
}

impl GateArguments {
    fn costs(&self) -> Vec<(Cost, Share)> {
        let limits = [
            (Cost::CpuTime, self.fail_cpu_above),
            (Cost::PacedLatency, self.fail_call_above),
            (Cost::MemoryPeak, self.fail_memory_above),
            (Cost::Start, self.fail_start_above),
        ];
        limits.into_iter().filter_map(|(cost, above)| Some((cost, Share(above?)))).collect()
    }

    pub(crate) fn gate(&self) -> Gate {
        let limits = |verdicts: &[Verdict], above: Option<f64>| Limits {
            verdicts: verdicts.to_vec(),
            above: above.map(Share),
        };
        Gate {
            whole: limits(&self.fail_on, self.fail_above),
            layers: limits(&self.fail_layers_on, self.fail_layers_above),
            share: self.min_share,
            costs: self.costs(),
            stops_undecided: self.fail_undecided,
        }
    }
}

/// How differences are told from noise.
#[derive(Args)]
pub(crate) struct TestArguments {
    /// Differences up to this share of the baseline's time do not matter (equivalence margin)
    /// [default: 0.03, or the smallest limit of a gate if that is less]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = heading::COMPARISON)]
    pub noise_threshold: Option<f64>,

    /// Significance level: largest p, adjusted for all layers, of a difference that counts
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = probability,
          help_heading = heading::COMPARISON, hide_short_help = true)]
    pub alpha: f64,
}

impl TestArguments {
    /// With the limits of a gate, which decides as the verdicts do.
    pub(crate) fn options(&self, limits: [Option<f64>; 2]) -> Options {
        let usual = Options::default();
        // A verdict of `same` must not hide what a gate fails on.
        let least = limits.into_iter().flatten().fold(usual.noise_threshold.0, f64::min);
        let noise_threshold = Share(self.noise_threshold.unwrap_or(least));
        Options { noise_threshold, alpha: self.alpha, ..usual }
    }
}

fn view() -> impl TypedValueParser<Value = ComparisonView> {
    choice([
        ("inference".into(), ComparisonView::Inference),
        ("causes".into(), ComparisonView::Causes),
        ("types".into(), ComparisonView::Types),
        ("layers".into(), ComparisonView::Layers),
        ("details".into(), ComparisonView::Details),
        ("conservation".into(), ComparisonView::Conservation),
    ])
}

fn verdict() -> impl TypedValueParser<Value = Verdict> {
    choice([
        ("slower".into(), Verdict::Slower),
        ("faster".into(), Verdict::Faster),
        ("inconclusive".into(), Verdict::Inconclusive),
        ("not-tested".into(), Verdict::NotTested),
    ])
}

fn field() -> impl TypedValueParser<Value = Field> {
    choice(Field::ALL.map(|field| (field.key().into(), field)))
}
