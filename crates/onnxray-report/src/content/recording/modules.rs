//! The table of modules: operators whose names say that they belong together.

use crate::content::selection::{Order, Selection};
use crate::document::{Cell, Note, Table, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Number, Quantity, Share as InPercent, Text};
use onnxray_analyzer::statistics::{OperatorSummary, Summary};
use onnxray_analyzer::{Milliseconds, Share};
use onnxray_text::counted;

/// Operators of a module; sums are unknown where one of them is.
pub(super) struct Module {
    name: String,
    operators: u64,
    executions: Option<f64>,
    calls: Option<u64>,
    total: Option<Milliseconds>,
    mean: Option<Milliseconds>,
    share: Option<Share>,
    flops: Option<f64>,
    bytes: Option<f64>,
}

columns! {
    pub(super) const MODULES: Module;

    /// common beginning of its operators' names
    NAME "Module" Text = |module| Cell::text(&module.name);
    /// operators in it
    "operators" "Operators" Count = |module| Cell::Whole(module.operators);
    /// executions per iteration
    "executions" "Runs" Number = |module| Cell::number(module.executions);
    /// executions in measured iterations, or in the trace
    "calls" "Calls" Count = |module| Cell::whole(module.calls);
    /// sum of exclusive times
    "total_ms" "Total ms" Ms = |module| Cell::milliseconds(module.total);
    /// exclusive time per iteration, mean
    "time_ms" "Time ms" Ms = |module| Cell::milliseconds(module.mean);
    /// share of operators + framework overhead; of all operators' time if unknown
    "share" "Share" InPercent = |module| Cell::share(module.share);
    /// operations per iteration
    "flops" "FLOPs" Quantity = |module| Cell::number(module.flops);
    /// bytes read and written per iteration
    "bytes" "Bytes" Quantity = |module| Cell::number(module.bytes);
}

const NAME: &str = "module";

/// What adds up over modules.
const SUMS: [&str; 8] =
    ["operators", "executions", "calls", "total_ms", "time_ms", "share", "flops", "bytes"];

/// A row for each module that one of the patterns names, and one for all other
/// operators; and what to say of patterns that name none.
///
/// A pattern is a part of a path, such as `layer.0` or `layer.*/attention`: parts of
/// names are between `/` and `.`, and `*` is any text in one of them.
pub(crate) fn modules(summary: &Summary, selection: &Selection) -> (Table, Vec<Note>) {
    let patterns = &selection.modules;
    let mut groups: Vec<(String, Vec<&OperatorSummary>)> = Vec::new();
    let mut others = Vec::new();
    let mut is_used = vec![false; patterns.len()];
    for operator in &summary.operators {
        let names = patterns.iter().map(|pattern| prefix(&operator.operator.name, pattern));
        // The first pattern that matches decides.
        let found = names.enumerate().find_map(|(number, name)| name.map(|name| (number, name)));
        let Some((pattern, name)) = found else {
            others.push(operator);
            continue;
        };
        is_used[pattern] = true;
        match groups.iter_mut().find(|(group, _)| group == name) {
            Some((_, operators)) => operators.push(operator),
            None => groups.push((name.to_string(), vec![operator])),
        }
    }
    let modules = groups.iter().map(|(name, operators)| Module::new(name.clone(), operators));
    let mut modules: Vec<Module> = modules.collect();
    // What is unknown comes last.
    let descending =
        |a: Option<f64>, b: Option<f64>| b.unwrap_or(-1.0).total_cmp(&a.unwrap_or(-1.0));
    match selection.order {
        Order::Time => modules.sort_by(|a, b| descending(a.sort_time_ms(), b.sort_time_ms())),
        Order::Execution => {}
        Order::Name => modules.sort_by(|a, b| a.name.cmp(&b.name)),
        Order::Flops => modules.sort_by(|a, b| descending(a.flops, b.flops)),
        Order::Bytes => modules.sort_by(|a, b| descending(a.bytes, b.bytes)),
        // A module has no roof of its own, and no time on devices.
        Order::Gain | Order::Device => {}
    }
    // After sorting: the others are last, whatever they add up to.
    let kept = usize::from(!others.is_empty());
    if !others.is_empty() {
        let name = counted(others.len() as u64, "other operator", "other operators");
        modules.push(Module::new(name, &others));
    }
    let mut hidden = vec![];
    match modules.iter().any(|module| module.mean.is_some()) {
        true => hidden.extend(["calls", "total_ms"]),
        false => hidden.extend(["executions", "time_ms"]),
    }
    let table = Table::new("modules", "Modules", MODULES, modules)
        .hiding(&hidden)
        .essential(&[NAME, "time_ms", "total_ms", "share"])
        .summed_up(selection.rows, kept, &SUMS);
    let unused = patterns.iter().zip(is_used).filter(|(_, is_used)| !is_used);
    let note = |(pattern, _): (&String, bool)| {
        Note::note(format!("no operator's name has the module `{pattern}`"))
    };
    (table, unused.map(note).collect())
}

impl Module {
    fn new(name: String, operators: &[&OperatorSummary]) -> Module {
        let sum = |figure: fn(&OperatorSummary) -> Option<f64>| {
            operators.iter().map(|operator| figure(operator)).sum::<Option<f64>>()
        };
        Module {
            name,
            operators: operators.len() as u64,
            executions: sum(|operator| operator.executions),
            calls: operators.iter().map(|operator| operator.calls).sum(),
            total: sum(|operator| Some(operator.total?.milliseconds())).map(Milliseconds),
            mean: sum(|operator| Some(operator.mean?.0)).map(Milliseconds),
            share: sum(|operator| Some(operator.share?.0)).map(Share),
            flops: sum(|operator| operator.flops),
            bytes: sum(|operator| operator.bytes),
        }
    }

    fn sort_time_ms(&self) -> Option<f64> {
        self.mean.or(self.total).map(|time| time.0)
    }
}

/// Whether an operator of this name is in a module that the pattern names.
pub fn has_module(name: &str, pattern: &str) -> bool {
    prefix(name, pattern).is_some()
}

/// The beginning of a name up to the end of what the pattern matches in it.
fn prefix<'a>(name: &'a str, pattern: &str) -> Option<&'a str> {
    let parts = parts(name);
    let wanted: Vec<&str> = self::parts(pattern).into_iter().map(|(_, part)| part).collect();
    // `windows` panics at 0; an empty pattern matches nothing.
    let matching = parts.windows(wanted.len().max(1)).find(|window| {
        window.len() == wanted.len()
            && window.iter().zip(&wanted).all(|((_, part), wanted)| is_like(part, wanted))
    })?;
    let (start, part) = matching.last()?;
    Some(&name[..start + part.len()])
}

/// Parts of a name between `/` and `.`, and where they begin.
fn parts(name: &str) -> Vec<(usize, &str)> {
    let mut start = 0;
    let parts = name.split(['/', '.']).map(|part| {
        let place = start;
        // Both separators are one byte.
        start += part.len() + 1;
        (place, part)
    });
    parts.filter(|(_, part)| !part.is_empty()).collect()
}

/// Whether a part is as the pattern says, where `*` is any text.
fn is_like(part: &str, pattern: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return part == pattern };
    let Some(mut part) = part.strip_prefix(first) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let last = pieces.pop().unwrap_or_default();
    // The earliest match leaves most of the part to the pieces that follow.
    for piece in pieces {
        let Some(place) = part.find(piece) else { return false };
        part = &part[place + piece.len()..];
    }
    part.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_parts_of_paths() {
        let name = "/bert/encoder/layer.10/attention/self/query/MatMul";
        let expect = |pattern: &str, expected: Option<&str>| {
            assert_eq!(prefix(name, pattern), expected, "{pattern}");
        };
        expect("layer.*", Some("/bert/encoder/layer.10"));
        expect("layer.1", None);
        expect("layer.1*", Some("/bert/encoder/layer.10"));
        expect("layer.*/attention/self", Some("/bert/encoder/layer.10/attention/self"));
        expect("bert", Some("/bert"));
        expect("yer", None);
        expect("*ye*r", Some("/bert/encoder/layer"));
        expect("", None);
        expect("///", None);
        assert_eq!(prefix("encoder.layer.0.query", "layer.0"), Some("encoder.layer.0"));
    }
}
