//! Decides what a report says of a judgement: the word, what it rests on, and what to do next.

mod headline;
mod result;
#[cfg(test)]
mod tests;

use result::interval;
pub use result::{Evidence, Expected, JudgeResult};

use super::report::{CAUSES, LAYERS, StudyReport};
use super::setting::{self, MODEL, Setting};
use crate::content::declared::Declared;
use crate::content::report::{Arrangement, TableSheet};
use crate::document::{Answer, Block, Cell, End, Figures, Note, Table, Tone, Unit, columns};
use Unit::{Count, Number, Ratio, Scientific, Share, Text};
use onnxray_analyzer::study::Verified;
use onnxray_analyzer::study::{Sequence, Word};
use onnxray_format::Objective;
use onnxray_text::counted;

impl StudyReport for JudgeResult {
    const NAME: &'static str = "judge";
    const TITLE: &'static str = "Judgement";
    const ARRANGEMENT: &'static Arrangement = &Arrangement {
        title: "onnxray: judgement",
        sheets: &[
            TableSheet { in_front: true, ..TableSheet::new("judge_sides", "Sides") },
            CAUSES,
            LAYERS,
        ],
    };

    fn about(&self) -> String {
        self.names.join(" and ")
    }

    fn headline(&self) -> Vec<String> {
        headline::headline(self)
    }

    fn blocks(&self, _: Option<usize>) -> Vec<Block> {
        let Some(judged) = self.measured() else { return vec![answer(self).into()] };
        let of = |name, objective| move |own| SideRow { name, objective, own };
        let objective = judged.options.objective;
        let judged_by = judged.candidate.map(of("B", objective)).into_iter();
        let control = judged.control.map(of("A's own copy", objective));
        let beside = judged.beside.iter().map(|(objective, own)| of("B", *objective)(*own));
        let rows: Vec<SideRow> = judged_by.chain(control).chain(beside).collect();
        let sides = Table::new("judge_sides", "Next to A", &side_columns(), &rows);
        vec![answer(self).into(), sides.into()]
    }

    fn answer(&self) -> Option<Answer> {
        Some(Answer { verdict: headline::word(self), passed: self.passed() })
    }

    fn notes(&self) -> Vec<Note> {
        let Some(judged) = self.measured() else { return Vec::new() };
        let mut notes = setting::notes(&judged.run.search, judged.other_cores);
        let [a, b] = [&judged.run.baseline, &judged.run.candidate].map(|side| side.threads);
        if a != b && judged.other_cores.is_some_and(|cores| cores >= setting::NOTABLE_LOAD) {
            notes.push(Note::warning(format!(
                "A has {}, B {b}: other programs cost them unlike, which A's copy does not show; \
                 the word is of a machine that is as busy as this one",
                counted(a.into(), "thread", "threads")
            )));
        }
        notes
    }

    fn verified(&self) -> Option<&Verified> {
        self.verified()
    }
}

/// A side next to A.
struct SideRow {
    name: &'static str,
    objective: Objective,
    own: Sequence,
}

columns! {
    fn side_columns: SideRow;

    /// what runs next to A
    "side" "Side" Text = |row| Cell::text(row.name);
    /// latency, CPU time of an inference, memory at its peak, or time up to the first inference
    "figure" "Figure" Text = |row| Cell::text(headline::figure(row.objective));
    /// launches that measured it
    "launches" "Launches" Count = |row| Cell::Whole(row.own.launches as u64);
    /// its figure / A's: geometric mean over launches
    "ratio" "Ratio" Ratio = |row| Cell::Number(row.own.mean.exp());
    /// an interval that holds the truth at all looks together, with a probability of 95 %
    ends END: End in ["ratio_low" "Low", "ratio_high" "High"] Ratio = |row| END.cell(interval(&row.own));
}

columns! {
    const ANSWER: JudgeResult;

    /// the word: faster or slower (lower or higher of CPU time and memory), same, inconclusive,
    /// different, harness or not comparable
    "verdict" "verdict" Text = |result| Cell::verdict(headline::word(result), match result.word() {
        Some(Word::Faster | Word::Same) => Tone::Good,
        Some(Word::Slower | Word::Different) | None => Tone::Bad,
        Some(Word::Inconclusive | Word::Harness) => Tone::Doubtful,
    });
    /// what was expected
    "expected" "expected" Text = |result| Cell::text(result.expected.text());
    /// whether it came out so: yes or no; unknown without a word
    "passed" "passed" Text = |result| match result.passed() {
        Some(passed) => Cell::text(if passed { "yes" } else { "no" }),
        None => Cell::Unknown,
    };
    /// the word of the bundle that it repeats
    "first_verdict" "first verdict" Text =
        |result| result.first.map_or(Cell::None, |first| Cell::text(headline::named(first, result.objective())));
    /// what B is judged by
    "judged_by" "judged by" Text = |result| Cell::text(headline::figure(result.objective()));
    /// B's figure / A's
    "ratio" "ratio" Ratio = |result| Cell::number(result.ratio().map(|(ratio, _)| ratio));
    /// an interval that holds the truth at all looks together, with a probability of 95 %; of
    /// recordings, the interval of their comparison
    ends END: End in ["ratio_low" "ratio, low", "ratio_high" "ratio, high"] Ratio =
        |result| END.cell(result.ratio().and_then(|(_, ends)| ends));
    /// that of A's copy / A's
    "control_ratio" "control ratio" Ratio =
        |result| match result.measured().and_then(|judged| judged.control) {
            Some(own) => Cell::Number(own.mean.exp()),
            None => Cell::None,
        };
    /// the share that does not matter
    "threshold" "threshold" Share = |result| result.threshold().map_or(Cell::None, Cell::Number);
    /// engine of B with its version, where it is another one than A's, or another build of it
    "candidate_engine" "engine of B" Text = |result| {
        let run = result.measured().map(|judged| [&judged.run.baseline, &judged.run.candidate]);
        let Some([a, b]) = run else { return Cell::None };
        let [name, other] =
            [a, b].map(|side| format!("{} {}", side.setup.engine, side.setup.engine_version));
        match a.library_sha256 == b.library_sha256 {
            _ if name != other => Cell::text(other),
            true => Cell::None,
            false => Cell::text(format!("{other}, another build")),
        }
    };
    /// what each run generates, if it does
    "generation" "each run" Text =
        |result| match result.measured().and_then(|judged| judged.run.generation.as_ref()) {
            Some(generation) => Cell::Text(generation.text()),
            None => Cell::None,
        };
    /// largest distance of B's outputs from A's, on inputs that are timed
    "loss" "loss" Scientific = |result| match result.measured() {
        Some(judged) => Cell::number(judged.loss),
        None => Cell::None,
    };
    /// largest distance on inputs that are not timed
    "held_out_loss" "loss held out" Scientific =
        |result| result.held_out.map_or(Cell::None, Cell::Number);
    /// share of the rows of logits or probabilities, such as tokens, whose largest element is another
    /// one than A's
    "changed_tokens" "changed tokens" Share =
        |result| match result.measured().and_then(|judged| judged.changed_tokens) {
            Some(changed) => Cell::Number(changed),
            None => Cell::None,
        };
    /// largest distance that is allowed
    "max_loss" "limit of the loss" Scientific = |result| match result.measured() {
        Some(judged) => Cell::Number(judged.options.max_loss),
        None => Cell::None,
    };
    /// time of this run
    "seconds" "time (s)" Number = |result| match result.spent.as_secs_f64() {
        0.0 => Cell::None,
        spent => Cell::Number(spent),
    };
    /// about how much longer it takes until a word is said
    "needs_seconds" "still needed (s)" Number = |result| match result.needed() {
        Some(needed) => Cell::Number(needed.as_secs_f64()),
        None => Cell::None,
    };
    /// the command that measures it anew
    "repeat" "command" Text = |result| Cell::text(&result.command);
}

/// The answer, and on what it rests.
fn answer(result: &JudgeResult) -> Figures {
    let figures = Figures::new("judge", "Judgement", ANSWER, result);
    let figures = figures.applying(&[
        "first_verdict",
        "control_ratio",
        "threshold",
        "candidate_engine",
        "generation",
        "loss",
        "held_out_loss",
        "changed_tokens",
        "max_loss",
        "seconds",
        "needs_seconds",
    ]);
    match result.measured() {
        Some(judged) => {
            let baseline = &judged.run.baseline;
            let setting = Setting {
                setup: &baseline.setup,
                search: Some(&judged.run.search),
                base_ns: judged.baseline_ns,
            };
            figures.with(MODEL, &baseline.file).with(&setting::columns(), &setting)
        }
        None => figures,
    }
}

/// The tables, for their documentation and for schemas.
pub(in crate::content) fn declared() -> Vec<Declared> {
    vec![
        Declared::of("Judgement: run", MODEL).and(ANSWER),
        Declared::of("Judgement: sides", &side_columns()),
    ]
}
