//! Whether launches are of one model: what may be read as one recording.

use crate::Launch;
use std::collections::HashSet;

/// Launches of one model, in their order, for each model.
///
/// Most formats do not name it. Then the operators tell: half of those of two launches
/// are in both. Between runs of one model they differ by branches that were not taken,
/// and between models, fused or quantized ones included, by most of their names.
pub(crate) fn by_model(launches: Vec<Launch>) -> Vec<Vec<Launch>> {
    let mut recordings: Vec<Vec<Launch>> = Vec::new();
    for launch in launches {
        let is_of =
            |recording: &&mut Vec<Launch>| recording.iter().any(|other| same(other, &launch));
        match recordings.iter_mut().find(is_of) {
            Some(recording) => recording.push(launch),
            None => recordings.push(vec![launch]),
        }
    }
    recordings
}

fn same(a: &Launch, b: &Launch) -> bool {
    let recorded =
        |launch: &Launch| launch.format.is_recording() && launch.run.converted_from.is_none();
    // Of these, the reader has compared the whole configuration.
    if recorded(a) && recorded(b) {
        return true;
    }
    // Ranks of one run may have different parts of one model.
    if a.run.rank.is_some() && b.run.rank.is_some() && a.run.rank != b.run.rank {
        return a.run.world_size == b.run.world_size;
    }
    if !a.run.model.is_empty() && !b.run.model.is_empty() {
        return a.run.model == b.run.model;
    }
    let names = |launch: &'_ Launch| -> HashSet<String> {
        launch.operators.iter().map(|operator| operator.name.clone()).collect()
    };
    let (a, b) = (names(a), names(b));
    let common = a.intersection(&b).count();
    a.is_empty() || b.is_empty() || 2 * common >= a.union(&b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use onnxray_format::Operator;

    fn launch(operators: &[&str], model: &str) -> Launch {
        let named = |name: &&str| Operator { name: name.to_string(), ..Operator::default() };
        let mut launch = Launch {
            operators: operators.iter().map(named).collect(),
            format: Format { title: "other", ..Format::ONNXRAY },
            ..Launch::default()
        };
        launch.run.model = model.to_string();
        launch
    }

    fn sizes(launches: Vec<Launch>) -> Vec<usize> {
        by_model(launches).iter().map(Vec::len).collect()
    }

    #[test]
    fn operators_tell_models_apart_where_nothing_names_them() {
        let cnn = || launch(&["conv1", "relu1", "conv2", "fc"], "");
        let branch = || launch(&["conv1", "relu1", "conv2"], "");
        let bert = || launch(&["query", "key", "value", "fc"], "");
        assert_eq!(sizes(vec![cnn(), bert(), branch(), bert(), launch(&[], "")]), [3, 2]);
    }

    #[test]
    fn a_name_goes_before_operators() {
        let names = ["a.onnx", "b.onnx", "a.onnx"].map(|model| launch(&["x"], model));
        assert_eq!(sizes(names.to_vec()), [2, 1]);
    }
}
