//! Both models, the best mix, and all mixes that were measured.

use super::result::MixResult;
use super::words;
use crate::content::study::verified::{Told, VerifiedRatio};
use crate::document::{Cell, Chart, ChartKind, End, Scatter, Series, Table, Tone, Unit, columns};
use Unit::{Count, Milliseconds, Ratio, Scientific, Text};
use onnxray_analyzer::comparison::Cost;
use onnxray_analyzer::study::Verified;
use onnxray_analyzer::study::{Mixing, Spread, Tried};

/// A model or a mix.
pub(super) struct Row<'a> {
    mixing: &'a Mixing,
    name: String,
    mix: Option<&'a Tried>,
    remark: Cell,
    is_best: bool,
    is_on_front: bool,
    /// Of a model.
    model: Option<Model<'a>>,
}

/// What is known of one of the two models, or of the file of the mix.
struct Model<'a> {
    file: Option<&'a str>,
    /// The mix next to it.
    verified: Option<VerifiedRatio>,
    recorded: Option<&'a Verified>,
    held_out: Option<Spread>,
    equals: Cell,
}

impl<'a> Row<'a> {
    columns! {
        pub(super) fn columns: Row<'a>;

        /// A, B, or the changes taken from B
        "mix" "Mix" Text = |row| Cell::text(&row.name);
        /// changes that differ from A or B, if few
        "apart" "Apart" Text = |row| {
            let from_b = row.mix.map(|mix| &mix.changes[..]);
            Cell::some_text(words::apart(&row.mixing.run, from_b.unwrap_or_default()))
        };
        /// file of the model
        "file" "File" Text =
            |row| Cell::some_text(row.model().and_then(|model| model.file).unwrap_or_default());
        /// latency of A * ratio
        "latency_ms" "Latency" Milliseconds = |row| Cell::number(row.latency_ms());
        /// latency / A's latency, in the search
        "ratio" "Ratio" Ratio = |row| Cell::number(row.mix.and_then(|mix| mix.ratio));
        /// the 95 % CI of the ratio
        ends END: End in ["ratio_low" "Low", "ratio_high" "High"] Ratio =
            |row| END.cell(row.mix.and_then(|mix| Some(mix.effect?.interval)));
        /// the ratio, if its changes added up
        "predicted_ratio" "Predicted" Ratio = |row| row.predicted();
        /// distance of its outputs from A's, on the inputs of the search
        "loss" "Loss" Scientific = |row| Cell::number(row.mix.and_then(|mix| mix.loss));
        /// median loss over the inputs held out
        "held_out_loss" "Held out" Scientific = |row| row.held_out(|spread| spread.median);
        /// least loss of these
        "held_out_loss_low" "Held out, least" Scientific =
            |row| row.held_out(|spread| spread.range.0);
        /// largest loss of these
        "held_out_loss_high" "Held out, most" Scientific =
            |row| row.held_out(|spread| spread.range.1);
        /// output that loses most
        "output" "Output" Text = |row| {
            let output = row.mix.and_then(|mix| mix.output.clone());
            Cell::some_text(output.unwrap_or_default())
        };
        /// number of changes taken from B
        "from_b" "From B" Count = |row| Cell::whole(row.mix.map(|mix| mix.changes.len() as u64));
        /// processes that measured it
        "launches" "Launches" Count = |row| Cell::whole(row.mix.map(|mix| mix.launches as u64));
        /// latency of the best mix / this model, verified
        "verified_ratio" "Mix / this" Ratio = |row| row.verified(|verified| verified.ratio);
        /// the 95 % CI of the verified ratio
        ends END: End in [
            "verified_ratio_low" "Verified, low",
            "verified_ratio_high" "Verified, high",
        ] Ratio = |row| row.verified(|verified| Some(END.of(verified.interval?)));
        /// CPU time of the best mix / this model
        "cpu_ratio" "CPU time" Ratio = |row| row.cost(Cost::CpuTime);
        /// memory at peak of the best mix / this model
        "memory_ratio" "Memory" Ratio = |row| row.cost(Cost::MemoryPeak);
        /// start of the best mix / this model
        "start_ratio" "Start" Ratio = |row| row.cost(Cost::Start);
        /// whether the model, written as mixes are, has bit-identical outputs
        "equals" "Exact" Text = |row| row.model().map_or(Cell::None, |model| model.equals.clone());
        /// whether it is the best mix
        "best" "Best" Text = |row| Cell::yes_or_no(row.is_best);
        /// best, recommended, or why not
        "remark" "Remark" Text = |row| row.remark.clone();
        /// whether none is both faster and closer to A
        "on_front" "On front" Text = |row| Cell::yes_or_no(row.is_on_front);
    }

    fn of(
        result: &'a MixResult,
        front: &[&Tried],
        name: String,
        mix: Option<&'a Tried>,
    ) -> Row<'a> {
        let mixing = &result.mixing;
        // Without a mix both sides below are `None`, and nothing is the best.
        let is_best = mix.is_some()
            && mix.map(|mix| &mix.changes) == mixing.best.as_ref().map(|best| &best.changes);
        let remark = match mix {
            Some(Tried { failed: Some(reason), .. }) => Cell::text(format!("failed: {reason}")),
            Some(mix) if !mix.is_admissible() => Cell::verdict("loses too much", Tone::Bad),
            Some(_) if is_best && result.recommended().is_some() => {
                Cell::verdict("recommended", Tone::Good)
            }
            Some(_) if is_best => Cell::text("best"),
            _ => Cell::None,
        };
        let is_on_front =
            mix.is_some_and(|mix| front.iter().any(|other| other.changes == mix.changes));
        Row { mixing, name, mix, remark, is_best, is_on_front, model: None }
    }

    fn model(&self) -> Option<&Model<'a>> {
        self.model.as_ref()
    }

    /// Of the mix that was found; A and B are what they are.
    fn predicted(&self) -> Cell {
        match self.mix {
            Some(mix) if self.mixing.mixed() == Some(mix) => Cell::number(self.mixing.predicted),
            _ => Cell::None,
        }
    }

    fn latency_ms(&self) -> Option<f64> {
        // The base is measured in nanoseconds.
        Some(self.mixing.base_ns? * self.mix?.ratio? / 1e6)
    }

    fn held_out(&self, figure: fn(&Spread) -> f64) -> Cell {
        let spread = self.model().and_then(|model| model.held_out.as_ref());
        spread.map_or(Cell::None, |spread| Cell::number(Some(figure(spread))))
    }

    /// Nothing where no fresh processes were asked for.
    fn cost(&self, cost: Cost) -> Cell {
        let recorded = self.model().and_then(|model| model.recorded);
        let has_costs = |own: &&Verified| !own.comparison.costs.is_empty();
        let verified = recorded.filter(has_costs).map(|own| own.cost(cost));
        verified.map_or(Cell::None, |verified| Cell::number(verified.ratio))
    }

    fn verified(&self, figure: fn(VerifiedRatio) -> Option<f64>) -> Cell {
        let verified = self.model().and_then(|model| model.verified);
        verified.map_or(Cell::None, |verified| Cell::number(figure(verified)))
    }
}

/// Keys of what is only known of A, B and the best mix.
const OF_MODELS: [&str; 12] = [
    "file",
    "held_out_loss",
    "held_out_loss_low",
    "held_out_loss_high",
    "predicted_ratio",
    "verified_ratio",
    "verified_ratio_low",
    "verified_ratio_high",
    "cpu_ratio",
    "memory_ratio",
    "start_ratio",
    "equals",
];

/// A, B and the best mix, side by side.
pub(super) fn models(result: &MixResult) -> Table {
    let mixing = &result.mixing;
    let measured =
        |is_it: fn(&Mixing, &Tried) -> bool| mixing.mixes.iter().find(|mix| is_it(mixing, mix));
    let (ratios, held_out) = (result.ratios(), result.held_out.as_ref());
    let equals = |known: Option<bool>| known.map_or(Cell::Unknown, Cell::yes_or_no);
    let a = Model {
        file: Some(&mixing.run.a.model),
        verified: ratios.map(|[a, _]| a),
        recorded: result.verified.as_ref().map(|own| &own.with_a),
        // Losses are distances from A.
        held_out: None,
        equals: equals(result.equals_a),
    };
    let b = Model {
        file: Some(&mixing.run.b.model),
        verified: ratios.map(|[_, b]| b),
        recorded: result.verified.as_ref().map(|own| &own.with_b),
        held_out: held_out.and_then(|held_out| held_out.b),
        equals: equals(result.equals_b),
    };
    let own = Model {
        file: result.written.as_deref(),
        verified: None,
        recorded: None,
        held_out: held_out.map(|held_out| held_out.mix),
        equals: Cell::None,
    };
    let row = |name: &str, mix, model| Row {
        model: Some(model),
        ..Row::of(result, &[], name.to_string(), mix)
    };
    let all_of_a = measured(|_, mix| mix.changes.is_empty());
    let mut rows = vec![row("A", all_of_a, a), row("B", measured(Mixing::is_all_of_b), b)];
    rows.extend(mixing.mixed().map(|best| row("mix", Some(best), own)));
    Table::new("mix_models", "Models", &Row::columns(), rows)
        .without(&["apart", "output", "best", "on_front"])
        .hiding(&["launches", "remark"])
        .essential(&["mix", "latency_ms", "ratio", "held_out_loss", "verified_ratio"])
}

/// Those to which no other is both faster and nearer to A, from the fastest on, and the best one:
/// what was measured less often may look better than it is.
pub(super) fn front(result: &MixResult, most: Option<usize>) -> Table {
    let mixing = &result.mixing;
    let front = mixing.front();
    let is_best =
        |mix: &Tried| mixing.best.as_ref().is_some_and(|best| best.changes == mix.changes);
    let is_shown =
        |mix: &&Tried| is_best(mix) || front.iter().any(|own| own.changes == mix.changes);
    let shown: Vec<&Tried> = mixing.mixes.iter().filter(is_shown).collect();
    // What was measured less often may look faster than the best one.
    let first = shown.iter().take_while(|mix| !is_best(mix)).count();
    let caveat = (0 < first && first < shown.len())
        .then(|| "in few launches, the best of many looks faster than it is".to_string());
    table("mix_front", "Fastest mixes by loss", result, &shown, &front)
        .with_caveat(caveat)
        .hiding(&["on_front"])
        .shortened(most)
}

/// All mixes, the fastest first.
pub(super) fn all(result: &MixResult) -> Table {
    let all: Vec<&Tried> = result.mixing.mixes.iter().collect();
    table("mixes", "All mixes that were measured", result, &all, &result.mixing.front()).folded()
}

fn table(
    key: &'static str,
    title: &'static str,
    result: &MixResult,
    mixes: &[&Tried],
    front: &[&Tried],
) -> Table {
    let run = &result.mixing.run;
    let rows =
        mixes.iter().map(|mix| Row::of(result, front, words::mix(run, &mix.changes), Some(mix)));
    Table::new(key, title, &Row::columns(), rows.collect::<Vec<_>>())
        .without(&OF_MODELS)
        .hiding(&["best", "output", "from_b"])
        .essential(&["mix", "latency_ms", "ratio", "loss", "remark"])
}

/// Latencies of A, B and the best mix.
pub(super) fn latencies() -> Chart {
    Chart {
        title: "Latency (ms)".to_string(),
        kind: ChartKind::Bars,
        table: "mix_models",
        categories: "mix",
        series: vec![Series::of("latency_ms")],
        shows: "the latencies of A, B and the best mix",
    }
}

/// Loss against latency, of the mixes of the front.
pub(super) fn chart() -> Chart {
    Chart {
        title: "Loss against latency".to_string(),
        kind: ChartKind::Scatter(Scatter {
            across: "latency (ms)",
            up: "loss",
            labels: "mix",
            marks: &["on_front", "best"],
            from_zero: false,
        }),
        table: "mix_front",
        categories: "latency_ms",
        series: vec![Series::of("loss")],
        shows: "latency and loss of the mixes that none is both faster and nearer to A than; the \
                best one is marked",
    }
}
