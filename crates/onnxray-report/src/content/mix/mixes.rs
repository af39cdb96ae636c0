//! Both models, the best mix, and all mixes that were measured.

use super::result::{MixResult, found, is_all_of_b};
use super::words;
use crate::content::searches::VerifiedRatio;
use crate::document::{Cell, Chart, ChartKind, Column, Scatter, Series, Table, Tone, Unit, column};
use Unit::{Count, Milliseconds, Ratio, Scientific, Text};
use onnxray_analyzer::mix::{Mix, Mixing};
use onnxray_format::MixSource;

/// A model or a mix.
pub(super) struct Row<'a> {
    mixing: &'a Mixing,
    name: String,
    mix: Option<&'a Mix>,
    remark: Cell,
    is_best: bool,
    is_on_front: bool,
    /// Of a model.
    model: Option<Model<'a>>,
}

/// What is known of one of the two models, or of the file of the mix.
struct Model<'a> {
    file: Option<&'a str>,
    source: Option<&'a MixSource>,
    /// The mix next to it.
    verified: Option<VerifiedRatio>,
    equals: Cell,
}

impl<'a> Row<'a> {
    pub(super) const COLUMNS: [Column<Row<'a>>; 18] = [
        column("mix", "Mix", Text, "what is A's and B's in it", |row| Cell::text(&row.name)),
        column("file", "File", Text, "that holds it", |row| {
            Cell::some_text(row.model().and_then(|model| model.file).unwrap_or_default())
        }),
        column("sha256", "SHA-256", Text, "of the file", |row| {
            let source = row.model().and_then(|model| model.source);
            source.map_or(Cell::None, |own| Cell::stated(own.sha256.clone().unwrap_or_default()))
        }),
        column("latency_ms", "Latency", Milliseconds, "ratio x A's latency", |row| {
            Cell::number(row.latency_ms())
        }),
        column("ratio", "Ratio", Ratio, "latency / A's, in the search", |row| {
            Cell::number(row.mix.and_then(|mix| mix.ratio))
        }),
        column("ratio_low", "from", Ratio, "95 % CI", |row| Cell::number(row.end(false))),
        column("ratio_high", "to", Ratio, "95 % CI", |row| Cell::number(row.end(true))),
        column("loss", "Loss", Scientific, "of the outputs, next to A's", |row| {
            Cell::number(row.mix.and_then(|mix| mix.loss))
        }),
        column("output", "Output", Text, "the one that loses most", |row| {
            let output = row.mix.and_then(|mix| mix.output.clone());
            Cell::some_text(output.unwrap_or_default())
        }),
        column("from_b", "From B", Count, "changes", |row| {
            Cell::whole(row.mix.map(|mix| mix.from_b.len() as u64))
        }),
        column("launches", "Launches", Count, "that ran it", |row| {
            Cell::whole(row.mix.map(|mix| mix.launches as u64))
        }),
        column("verified_ratio", "Mix / it", Ratio, "mix / this, verified", |row| {
            row.verified(|verified| verified.ratio)
        }),
        column("verified_ratio_low", "from", Ratio, "95 % CI", |row| {
            row.verified(|verified| Some(verified.interval?.0))
        }),
        column("verified_ratio_high", "to", Ratio, "95 % CI", |row| {
            row.verified(|verified| Some(verified.interval?.1))
        }),
        column("equals", "Exact", Text, "written as a mix, equal to the last bit", |row| {
            row.model().map_or(Cell::None, |model| model.equals.clone())
        }),
        column("best", "Best", Text, "fastest that loses no more than it may", |row| {
            Cell::yes_or_no(row.is_best)
        }),
        column("remark", "Remark", Text, "which it is, or why not", |row| row.remark.clone()),
        column("on_front", "On front", Text, "none is faster and nearer to A", |row| {
            Cell::yes_or_no(row.is_on_front)
        }),
    ];

    fn of(result: &'a MixResult, front: &[&Mix], name: String, mix: Option<&'a Mix>) -> Row<'a> {
        let mixing = &result.mixing;
        let is_best = mix.is_some()
            && mix.map(|mix| &mix.from_b) == mixing.best.as_ref().map(|best| &best.from_b);
        let remark = match mix {
            Some(Mix { failed: Some(reason), .. }) => Cell::text(format!("failed: {reason}")),
            Some(mix) if !mix.is_admissible => Cell::verdict("loses too much", Tone::Bad),
            Some(_) if is_best && result.recommended().is_some() => {
                Cell::verdict("recommended", Tone::Good)
            }
            Some(_) if is_best => Cell::text("best"),
            _ => Cell::None,
        };
        let is_on_front =
            mix.is_some_and(|mix| front.iter().any(|other| other.from_b == mix.from_b));
        Row { mixing, name, mix, remark, is_best, is_on_front, model: None }
    }

    fn model(&self) -> Option<&Model<'a>> {
        self.model.as_ref()
    }

    fn latency_ms(&self) -> Option<f64> {
        Some(self.mixing.base_ns? * self.mix?.ratio? / 1e6)
    }

    fn end(&self, high: bool) -> Option<f64> {
        let (from, to) = self.mix?.effect?.interval;
        Some(if high { to } else { from })
    }

    fn verified(&self, figure: fn(VerifiedRatio) -> Option<f64>) -> Cell {
        let verified = self.model().and_then(|model| model.verified);
        verified.map_or(Cell::None, |verified| Cell::number(figure(verified)))
    }
}

/// Keys of what is only known of A, B and the best mix.
const OF_MODELS: [&str; 6] =
    ["file", "sha256", "verified_ratio", "verified_ratio_low", "verified_ratio_high", "equals"];

/// A, B and the best mix, side by side.
pub(super) fn models(result: &MixResult) -> Table {
    let mixing = &result.mixing;
    let measured =
        |is_it: fn(&Mixing, &Mix) -> bool| mixing.mixes.iter().find(|mix| is_it(mixing, mix));
    let ratios = result.ratios();
    let equals = |known: Option<bool>| known.map_or(Cell::Unknown, Cell::yes_or_no);
    let model = |source, place: usize, known| Model {
        file: Some(&*<&MixSource>::clone(&source).model),
        source: Some(source),
        verified: ratios.map(|ratios| ratios[place]),
        equals: equals(known),
    };
    let [a, b] = [
        (measured(|_, mix| mix.from_b.is_empty()), model(&mixing.run.a, 0, result.equals_a)),
        (measured(is_all_of_b), model(&mixing.run.b, 1, result.equals_b)),
    ];
    let row = |name: &str, mix, model| Row {
        model: Some(model),
        ..Row::of(result, &[], name.to_string(), mix)
    };
    let mut rows = vec![row("A", a.0, a.1), row("B", b.0, b.1)];
    if let Some(best) = found(mixing) {
        let file = result.written.as_deref();
        let own = Model { file, source: None, verified: None, equals: Cell::None };
        rows.push(row("mix", Some(best), own));
    }
    Table::new("mix_models", "Models", &Row::COLUMNS, rows)
        .without(&["output", "best", "on_front"])
        .hiding(&["sha256"])
        .essential(&["mix", "latency_ms", "ratio", "loss", "verified_ratio"])
}

/// Those to which no other is both faster and nearer to A, from the fastest on.
pub(super) fn front(result: &MixResult, most: Option<usize>) -> Table {
    let front = result.mixing.front();
    table(
        "mix_front",
        "Mixes that none is both faster and nearer to A than",
        result,
        &front,
        &front,
    )
    .hiding(&["on_front"])
    .shortened(most)
}

/// All mixes, the fastest first; terminals show those of the front alone.
pub(super) fn all(result: &MixResult, most: Option<usize>) -> Table {
    let all: Vec<&Mix> = result.mixing.mixes.iter().collect();
    table("mixes", "All mixes that were measured", result, &all, &result.mixing.front())
        .folded()
        .shortened(most)
}

fn table(
    key: &'static str,
    title: &'static str,
    result: &MixResult,
    mixes: &[&Mix],
    front: &[&Mix],
) -> Table {
    let run = &result.mixing.run;
    let rows =
        mixes.iter().map(|mix| Row::of(result, front, words::mix(run, &mix.from_b), Some(mix)));
    Table::new(key, title, &Row::COLUMNS, rows.collect::<Vec<_>>())
        .without(&OF_MODELS)
        .hiding(&["best", "output"])
        .essential(&["mix", "latency_ms", "ratio", "loss", "remark"])
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
