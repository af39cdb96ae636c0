//! How a decoder is made to generate: which outputs become inputs of the next step, and which
//! free dimensions grow from step to step.

use super::dimensions::{GivenDimensions, named_dimensions};
use super::graph::{Graph, GraphInput};
use crate::error::RecordError;
use onnxray_format::{Feed, Generation, Phase, Step};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A generation that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationOptions {
    /// Tokens of the prompt.
    pub prompt: u32,
    /// Tokens to generate behind it.
    pub tokens: u32,
    /// Outputs that become inputs, beside those with the usual names.
    pub feeds: Vec<(String, String)>,
}

/// A generation by a model.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerationPlan {
    /// As recordings state it.
    pub generation: Generation,
    /// Positions of the outputs that become inputs, and of these inputs.
    pub(crate) feeds: Vec<(usize, usize)>,
    /// What each free dimension is the number of that a step decides.
    sizes: BTreeMap<String, Extent>,
}

/// What a free dimension is the number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Tokens in the cache before the step.
    Cached,
    /// Tokens of the step.
    Tokens,
    /// Both together.
    Total,
}

/// What names of inputs that take a cache begin with, and those of the outputs that give it
/// back; the rest is the same.
const USUAL: [(&str, &str); 3] = [
    ("past_key_values", "present_key_values"),
    ("past", "present"),
    ("past_key_values", "present"),
];

impl GenerationPlan {
    /// Plans a generation.
    ///
    /// # Errors
    ///
    /// If the model has no such outputs and inputs, or if nobody can tell which of its free
    /// dimensions grow.
    pub(crate) fn of(
        graph: &Graph,
        options: &GenerationOptions,
        given: &GivenDimensions,
    ) -> Result<GenerationPlan, RecordError> {
        let feeds = feeds(graph, options)?;
        let fed: BTreeSet<usize> = feeds.iter().map(|(_, input)| *input).collect();
        let mut sizes = BTreeMap::new();
        for &input in &fed {
            let free = free(&graph.inputs[input], given)?;
            // A state of one size, such as that of a recurrence, has none.
            match free.as_slice() {
                [] => {}
                [cached] => drop(sizes.insert(cached.clone(), Extent::Cached)),
                several => {
                    return Err(RecordError::ManyDimensions {
                        input: graph.inputs[input].name.clone(),
                        dimensions: several.to_vec(),
                    });
                }
            }
        }
        let others = graph.inputs.iter().enumerate().filter(|(input, _)| !fed.contains(input));
        for (_, input) in others {
            for name in free(input, given)? {
                let extent = extent(&name, input);
                sizes.entry(name).or_insert(extent);
            }
        }
        if !sizes.values().any(|extent| *extent == Extent::Tokens) {
            return Err(RecordError::NoTokens);
        }
        let named = |&(output, input): &(usize, usize)| Feed {
            output: graph.outputs[output].clone(),
            input: graph.inputs[input].name.clone(),
        };
        let generation = Generation {
            prompt: options.prompt,
            tokens: options.tokens,
            feeds: feeds.iter().map(named).collect(),
        };
        Ok(GenerationPlan { generation, feeds, sizes })
    }

    /// All steps, in their order.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        let Generation { prompt, tokens, .. } = self.generation;
        let prefill = Step { phase: Phase::Prefill, tokens: prompt, cached: 0 };
        let decode = (0..tokens).map(move |token| Step {
            phase: Phase::Decode,
            tokens: 1,
            cached: prompt + token,
        });
        std::iter::once(prefill).chain(decode)
    }

    /// The first step and the last one of the decode phase.
    pub(crate) fn ends(&self) -> [Step; 2] {
        let Generation { prompt, tokens, .. } = self.generation;
        let step = |cached| Step { phase: Phase::Decode, tokens: 1, cached };
        [step(prompt), step(prompt + tokens.saturating_sub(1))]
    }

    /// The step in the middle of a phase: what its operators do there is the mean of what they
    /// do, as far as it grows with the cache.
    pub(crate) fn typical(&self, phase: Phase) -> Step {
        let Generation { prompt, tokens, .. } = self.generation;
        match phase {
            Phase::Prefill => Step { phase, tokens: prompt, cached: 0 },
            Phase::Decode => {
                Step { phase, tokens: 1, cached: prompt + tokens.saturating_sub(1) / 2 }
            }
        }
    }

    /// The sizes of all dimensions at a step.
    pub(crate) fn sizes(&self, given: &GivenDimensions, step: Step) -> GivenDimensions {
        let Step { tokens, cached, .. } = step;
        let size = |extent: &Extent| {
            u64::from(match extent {
                Extent::Cached => cached,
                Extent::Tokens => tokens,
                Extent::Total => cached + tokens,
            })
        };
        let own = self.sizes.iter().map(|(name, extent)| (name.clone(), size(extent)));
        let sizes = given.sizes.clone().into_iter().chain(own).collect();
        GivenDimensions { sizes, ..given.clone() }
    }

    /// Whether a step decides the size of this dimension.
    pub(crate) fn decides(&self, dimension: &str) -> bool {
        self.sizes.contains_key(dimension)
    }

    /// Whether this input comes from the step before.
    pub(crate) fn is_fed(&self, input: usize) -> bool {
        self.feeds.iter().any(|&(_, fed)| fed == input)
    }
}

/// Positions of outputs and the inputs that they become.
fn feeds(graph: &Graph, options: &GenerationOptions) -> Result<Vec<(usize, usize)>, RecordError> {
    let input_of = |name: &str| graph.inputs.iter().position(|input| input.name == name);
    let output_of = |name: &str| graph.outputs.iter().position(|output| output == name);
    let unknown_output = |name: &String| RecordError::UnknownFeed {
        kind: "output",
        name: name.clone(),
        names: graph.outputs.clone(),
    };
    let unknown_input = |name: &String| RecordError::UnknownFeed {
        kind: "input",
        name: name.clone(),
        names: graph.inputs.iter().map(|input| input.name.clone()).collect(),
    };
    let mut feeds: Vec<(usize, usize)> = Vec::new();
    for (output, input) in &options.feeds {
        let from = output_of(output).ok_or_else(|| unknown_output(output))?;
        let to = input_of(input).ok_or_else(|| unknown_input(input))?;
        if feeds.iter().any(|feed| feed.0 == from || feed.1 == to) {
            return Err(RecordError::FeedTwice { output: output.clone(), input: input.clone() });
        }
        feeds.push((from, to));
    }
    for (to, input) in graph.inputs.iter().enumerate() {
        let names = USUAL.into_iter().filter_map(|(past, present)| {
            Some(format!("{present}{}", input.name.strip_prefix(past)?))
        });
        let Some(from) = names.filter_map(|name| output_of(&name)).next() else { continue };
        if feeds.iter().all(|feed| feed.0 != from && feed.1 != to) {
            feeds.push((from, to));
        }
    }
    match feeds.is_empty() {
        true => Err(RecordError::NoFeeds),
        false => Ok(feeds),
    }
}

/// Names of an input's free dimensions that are neither the batch nor given.
fn free(input: &GraphInput, given: &GivenDimensions) -> Result<Vec<String>, RecordError> {
    let named = named_dimensions(input)?.into_iter();
    let free = named.filter(|(name, is_batch, fixed)| {
        fixed.is_none() && !is_batch && !given.sizes.contains_key(name)
    });
    Ok(free.map(|(name, _, _)| name).collect())
}

/// What a dimension of an input that comes from nowhere is the number of, by the names that
/// exporters give them: `past_sequence_length + sequence_length`, `total_sequence_length`.
fn extent(name: &str, input: &GraphInput) -> Extent {
    let lower = name.to_ascii_lowercase();
    let is_named = name != format!("{}.0", input.name) && name != format!("{}.1", input.name);
    let is_total = lower.contains('+') || lower.contains("total") || lower.contains("all_");
    match () {
        () if is_total => Extent::Total,
        () if is_named && lower.contains("past") => Extent::Cached,
        () if !is_named && input.name.to_ascii_lowercase().contains("mask") => Extent::Total,
        () => Extent::Tokens,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::graph::InputDimension;
    use onnxray_format::DataType;

    fn graph(inputs: &[(&str, &[&str])], outputs: &[&str]) -> Graph {
        let inputs = inputs.iter().map(|(name, dimensions)| GraphInput {
            is_tensor: true,
            name: name.to_string(),
            dimensions: Some(dimensions.iter().map(|name| dimension(name)).collect()),
            element_type: 1,
            data_type: DataType::Fp32,
        });
        let outputs = outputs.iter().map(|name| name.to_string()).collect();
        Graph { inputs: inputs.collect(), outputs, ..Graph::default() }
    }

    /// `?` has no name, and a number is fixed.
    fn dimension(text: &str) -> InputDimension {
        match text.parse() {
            Ok(size) => InputDimension::Fixed(size),
            Err(_) if text == "?" => InputDimension::Unnamed,
            Err(_) => InputDimension::Named(text.to_string()),
        }
    }

    fn options(feeds: &[(&str, &str)]) -> GenerationOptions {
        let named = |(output, input): &(&str, &str)| (output.to_string(), input.to_string());
        GenerationOptions { prompt: 16, tokens: 5, feeds: feeds.iter().map(named).collect() }
    }

    fn plan(graph: &Graph, feeds: &[(&str, &str)]) -> Result<GenerationPlan, String> {
        GenerationPlan::of(graph, &options(feeds), &GivenDimensions::default())
            .map_err(|error| error.to_string())
    }

    const TOTAL: &str = "past_sequence_length + sequence_length";

    #[test]
    fn usual_names_are_recognized() {
        let cache: &[&str] = &["batch_size", "4", "past_sequence_length", "32"];
        for (past, present) in [
            ("past_key_values.0.key", "present.0.key"),
            ("past_key_values.0.key", "present_key_values.0.key"),
            ("past_0", "present_0"),
            ("past_key_self_0", "present_key_self_0"),
        ] {
            let graph = graph(
                &[
                    ("input_ids", &["batch_size", "sequence_length"]),
                    ("attention_mask", &["batch_size", TOTAL]),
                    (past, cache),
                ],
                &["logits", present],
            );
            let plan = plan(&graph, &[]).unwrap();
            assert_eq!(plan.feeds, [(1, 2)], "{past}");
            let steps: Vec<Step> = plan.steps().collect();
            assert_eq!(steps.len(), 6);
            assert_eq!(steps[0], Step { phase: Phase::Prefill, tokens: 16, cached: 0 });
            assert_eq!(steps[5], Step { phase: Phase::Decode, tokens: 1, cached: 20 });
            assert_eq!(plan.typical(Phase::Decode).cached, 18);
            let sizes = plan.sizes(&GivenDimensions::default(), steps[5]).sizes;
            let named = ["past_sequence_length", "sequence_length", TOTAL].map(|name| sizes[name]);
            assert_eq!(named, [20, 1, 21]);
            assert!(plan.decides(TOTAL) && !plan.decides("batch_size") && plan.is_fed(2));
        }
    }

    #[test]
    fn dimensions_without_a_name_go_by_their_inputs() {
        let graph = graph(
            &[("ids", &["?", "?"]), ("mask", &["?", "?"]), ("state", &["1", "?", "8"])],
            &["new_state", "logits"],
        );
        let plan = plan(&graph, &[("new_state", "state")]).unwrap();
        let sizes = plan.sizes(&GivenDimensions::default(), plan.typical(Phase::Decode)).sizes;
        let named = ["ids.1", "mask.1", "state.1"].map(|name| sizes[name]);
        assert_eq!(named, [1, 19, 18]);
    }

    #[test]
    fn what_cannot_generate_is_refused() {
        let ids: (&str, &[&str]) = ("ids", &["1", "tokens"]);
        let state: (&str, &[&str]) = ("state", &["1", "heads", "length"]);
        let fixed: (&str, &[&str]) = ("ids", &["1", "1"]);
        let refused = |inputs: &[(&str, &[&str])], feeds: &[(&str, &str)]| {
            plan(&graph(inputs, &["out", "other"]), feeds).unwrap_err()
        };
        assert!(refused(&[ids], &[]).starts_with("no output of the model"));
        assert!(refused(&[ids], &[("x", "ids")]).contains("no output `x`"));
        assert!(refused(&[ids], &[("out", "x")]).contains("no input `x`"));
        let twice = [("out", "state"), ("other", "state")];
        assert!(refused(&[ids, state], &twice).contains("twice"));
        let several = refused(&[ids, state], &[("out", "state")]);
        assert!(several.contains("`heads`, `length`"), "{several}");
        let no_tokens = refused(&[fixed, ("state", &["1", "length"])], &[("out", "state")]);
        assert!(no_tokens.starts_with("no input has a free dimension"), "{no_tokens}");
    }
}
