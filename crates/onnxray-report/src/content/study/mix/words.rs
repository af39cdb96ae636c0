//! Models, mixes and losses in words.

use crate::content::words::{list, stem};
use onnxray_analyzer::study::{Mixing, Spread, Tried};
use onnxray_format::{LossMeasure, MixRun};
use onnxray_text::{counted, printable};

/// Changes that are named; of more, their number tells.
const MOST_NAMED: usize = 3;

/// Names of the two models: their files, if these differ.
pub(super) fn models(run: &MixRun) -> [String; 2] {
    let names = [&run.a, &run.b].map(|source| printable(stem(&source.model)));
    match names[0] == names[1] {
        true => ["model A", "model B"].map(str::to_string),
        false => names,
    }
}

/// A mix as tables and charts name it: `A`, `B`, `3 from B`, `all but 1 from B`.
pub(super) fn mix(run: &MixRun, from_b: &[u32]) -> String {
    match (from_b.len(), run.changes.len().saturating_sub(from_b.len())) {
        (0, _) => "A".to_string(),
        (_, 0) => "B".to_string(),
        (of_b, of_a) if of_a <= MOST_NAMED && of_a < of_b => format!("all but {of_a} from B"),
        (of_b, _) => format!("{of_b} from B"),
    }
}

/// The changes that set a mix apart from A, or from B, if they are few.
pub(super) fn apart(run: &MixRun, from_b: &[u32]) -> String {
    let (of_b, of_a) = sides(run, from_b);
    let fewer = if of_a.len() < of_b.len() { of_a } else { of_b };
    if fewer.len() <= MOST_NAMED { fewer.join(", ") } else { String::new() }
}

/// `37 of 48 changes from B, all but x`, `2 of 48 changes from B: x and y`
pub(super) fn taken(run: &MixRun, from_b: &[u32], b: &str) -> String {
    let (of_b, of_a) = sides(run, from_b);
    let printed =
        |names: &[String]| list(&names.iter().map(|name| printable(name)).collect::<Vec<_>>());
    let all = counted(run.changes.len() as u64, "change", "changes");
    let count = format!("{} of {all} from {b}", of_b.len());
    match (&of_b[..], &of_a[..]) {
        (few, _) if few.len() <= MOST_NAMED => format!("{count}: {}", printed(few)),
        (_, few) if few.len() <= MOST_NAMED => format!("{count}, all but {}", printed(few)),
        _ => count,
    }
}

/// Names of the changes that come from B, and of the others.
fn sides(run: &MixRun, from_b: &[u32]) -> (Vec<String>, Vec<String>) {
    let all = (0..).zip(&run.changes);
    let (of_b, of_a): (Vec<_>, Vec<_>) = all.partition(|(number, _)| from_b.contains(number));
    let names = |own: Vec<(u32, &onnxray_format::MixChange)>| {
        own.into_iter().map(|(_, change)| change.text().to_string()).collect()
    };
    (names(of_b), names(of_a))
}

/// Measure of the output that is farthest from A's.
fn measure(run: &MixRun, mix: &Tried) -> Option<LossMeasure> {
    let output = mix.output.as_deref()?;
    run.outputs.iter().find(|own| own.name == output)?.measure
}

/// `0.0012 in relative L2`, of the output that is farthest; `None` if it is unknown.
pub(super) fn loss(mixing: &Mixing, mix: &Tried) -> Option<String> {
    let loss = mix.loss?;
    if loss == 0.0 {
        return Some("nothing".to_string());
    }
    let measure = measure(&mixing.run, mix).map(|own| format!(" in {}", own.text()));
    let output = match (&mix.output, mixing.run.outputs.len()) {
        (Some(output), 2..) => format!(" of {}", printable(output)),
        _ => String::new(),
    };
    Some(format!("{}{}{output}", figure(loss), measure.unwrap_or_default()))
}

/// ` in relative L2`, of the output that is farthest.
pub(super) fn measured_in(run: &MixRun, mix: &Tried) -> String {
    measure(run, mix).map_or(String::new(), |own| format!(" in {}", own.text()))
}

/// `3.2e-6 (median of 20, 1.1e-7 to 0.0041)`
pub(super) fn spread(spread: &Spread) -> String {
    let (least, largest) = spread.range;
    let [median, least, largest] = [spread.median, least, largest].map(figure);
    format!("{median} (median of {}, {least} to {largest})", spread.inputs)
}

/// True if both losses are of one output, in one measure.
pub(super) fn is_alike(run: &MixRun, one: &Tried, other: &Tried) -> bool {
    measure(run, one) == measure(run, other) && one.output == other.output
}

/// Two digits of a loss: its size is what matters.
pub(super) fn figure(loss: f64) -> String {
    // Leading zeros would hide the digits.
    if loss != 0.0 && loss.abs() < 1e-4 {
        return format!("{loss:.1e}");
    }
    let place = if loss == 0.0 { 0.0 } else { loss.abs().log10().floor() };
    // Two digits: one beyond the first.
    let decimals = (1.0 - place).clamp(0.0, 6.0) as usize;
    format!("{loss:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_have_two_digits() {
        let said = [
            (0.0041, "0.0041"),
            (0.0312, "0.031"),
            (1.25, "1.2"),
            (31.4, "31"),
            (3.26e-7, "3.3e-7"),
            (0.0, "0.0"),
        ];
        for (loss, text) in said {
            assert_eq!(figure(loss), text);
        }
    }
}
