//! What a careful reader of a mix should know.

use super::result::MixResult;
use super::words;
use crate::content::study::sensitivity::mixed_measures;
use crate::content::study::setting;
use crate::document::Note;
use onnxray_analyzer::study::{Mixing, Tried};
use onnxray_format::LossInputs;
use onnxray_text::difference::slower_or_faster;
use onnxray_text::{counted, printable};

/// Effects that add up to less than this are as predicted.
const SMALL: f64 = 0.01;
/// Reasons that are told.
const MOST_REASONS: usize = 3;

pub(super) fn notes(result: &MixResult) -> Vec<Note> {
    let mixing = &result.mixing;
    let mut notes = Vec::new();
    let [a, b] = words::models(&mixing.run);
    for (equals, letter, name) in [(result.equals_a, 'A', &a), (result.equals_b, 'B', &b)] {
        if equals == Some(false) {
            notes.push(Note::warning(format!(
                "a mix of all of {letter} does not compute the outputs of {name} to the last bit: \
                 figures of mixes are of models that differ from both files"
            )));
        }
    }
    if mixing.run.aligned > 0 {
        notes.push(Note::note(format!(
            "{b} has other names: {} by place in the graph, as `compare` aligns layers, and by \
             value; reports and the mix have the names of {a}",
            counted(mixing.run.aligned, "tensor corresponds", "tensors correspond")
        )));
    }
    notes.extend(not_adding_up(mixing).map(Note::note));
    notes.extend(setting::notes(&mixing.run.search, mixing.other_cores));
    notes.push(Note::note(inputs(mixing)));
    notes.extend(limit(mixing).map(Note::note));
    notes.extend(mixed_measures(&mixing.run.outputs).map(Note::note));
    notes.extend(failed(mixing).map(Note::note));
    let tied = mixing.run.changes.iter().filter(|change| !change.needs.is_empty()).count();
    if tied > 0 {
        notes.push(Note::note(format!(
            "{} others, whose tensors A's nodes cannot read from B: they were tried with these",
            counted(tied as u64, "change needs", "changes need")
        )));
    }
    notes
}

/// Tells if changes together have another effect than one by one.
fn not_adding_up(mixing: &Mixing) -> Option<String> {
    let best = mixing.mixed()?;
    let (predicted, measured) = (mixing.predicted?, best.ratio?);
    let (low, high) = best.effect.map_or((measured, measured), |effect| effect.interval);
    let beyond = (predicted - measured).abs();
    // Within its interval, or of a single change, there is nothing to explain.
    if beyond <= SMALL || (low..=high).contains(&predicted) || best.changes.len() < 2 {
        return None;
    }
    let why = match measured < predicted {
        true => " (nodes of B in a row convert tensors only at their ends)",
        false => "",
    };
    Some(format!(
        "the effects of the {} single changes come to {}, measured together {}: they do not add \
         up here{why}",
        best.changes.len(),
        slower_or_faster(predicted),
        slower_or_faster(measured)
    ))
}

/// Which inputs losses are of.
fn inputs(mixing: &Mixing) -> String {
    let LossInputs { search, held_out } = mixing.run.search.loss_inputs;
    match held_out {
        0 => {
            "losses are of the only input, by which the mix was chosen: on others it may lose more \
              (inputs that are made up have others)"
                .to_string()
        }
        held_out => format!(
            "mixes were chosen by their mean loss on {search} inputs; what the best one loses is \
             of {held_out} others"
        ),
    }
}

fn limit(mixing: &Mixing) -> Option<String> {
    let limit = words::figure(mixing.limit?);
    Some(match mixing.options.max_loss {
        Some(_) => format!("a mix may lose {limit}, as --max-loss says"),
        None => format!("a mix may lose {limit}, as B does; --max-loss sets another limit"),
    })
}

fn failed(mixing: &Mixing) -> Option<String> {
    let failed: Vec<&Tried> = mixing.mixes.iter().filter(|mix| mix.failed.is_some()).collect();
    let mut reasons: Vec<&str> = Vec::new();
    for reason in failed.iter().filter_map(|mix| mix.failed.as_deref()) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let more = reasons.len().saturating_sub(MOST_REASONS);
    let told: Vec<String> = reasons.into_iter().take(MOST_REASONS).map(printable).collect();
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let count = counted(failed.len() as u64, "mix", "mixes");
    (!failed.is_empty()).then(|| format!("{count} failed: {}{more}", told.join("; ")))
}
