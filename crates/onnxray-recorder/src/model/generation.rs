//! How a decoder is made to generate: which outputs become inputs of the next step, and which
//! free dimensions grow from step to step.

use super::graph::{Graph, GraphInput, InputDimension};
use super::sizes::dimensions::{GivenDimensions, IsBatch, named_dimensions};
use crate::error::RecordError;
use onnxray_format::{DataType, Feed, Generation, Phase, Step};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A generation that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationOptions {
    /// Tokens of the prompt.
    pub prompt: u32,
    /// Tokens to generate after it.
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
    /// Meaning of each free dimension whose size a step decides.
    sizes: BTreeMap<String, Extent>,
    /// A step may have several tokens; otherwise the first one begins with a cache.
    takes_prompt: bool,
}

/// Meaning of a free dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Tokens in the cache before the step.
    Cached,
    /// Tokens of the step.
    Tokens,
    /// Both together.
    Total,
}

/// Prefixes of inputs that take a cache, and of the outputs that return it; the rest of the name is
/// the same.
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
        for &(output, input) in &feeds {
            let free = growing(graph, output, &graph.inputs[input], given)?;
            // A state of one size, such as that of a recurrence or an encoder, has none.
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
        let others: Vec<&GraphInput> = others.map(|(_, input)| input).collect();
        let has_text = others.iter().any(|input| is_of_text(input));
        let mut of_text = BTreeSet::new();
        // Without any input of text, as with embeddings of another name, all may grow.
        for input in others.iter().filter(|input| !has_text || is_of_text(input)) {
            of_text.extend(free(input, given)?);
        }
        for input in others {
            for name in free(input, given)? {
                if is_of_encoder(&name, input) || !of_text.contains(&name) {
                    continue;
                }
                let extent = extent(&name, input);
                // The first input that has the dimension decides, caches before others.
                sizes.entry(name).or_insert(extent);
            }
        }
        let takes_prompt = sizes.values().any(|extent| *extent == Extent::Tokens);
        if !takes_prompt && !sizes.values().any(|extent| *extent == Extent::Cached) {
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
        Ok(GenerationPlan { generation, feeds, sizes, takes_prompt })
    }

    /// All steps in order: one for the prompt, if the model takes one, and one for each token.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        let Generation { prompt, tokens, .. } = self.generation;
        let prefill = Step { phase: Phase::Prefill, tokens: prompt, cached: 0 };
        let prefill = self.takes_prompt.then_some(prefill);
        let decode = (0..tokens).map(move |token| Step {
            phase: Phase::Decode,
            tokens: 1,
            cached: prompt + token,
        });
        prefill.into_iter().chain(decode)
    }

    /// The first step and the last one of the decode phase.
    pub(crate) fn ends(&self) -> [Step; 2] {
        let Generation { prompt, tokens, .. } = self.generation;
        let step = |cached| Step { phase: Phase::Decode, tokens: 1, cached };
        [step(prompt), step(prompt + tokens.saturating_sub(1))]
    }

    /// No step comes before it whose outputs it could take.
    pub(crate) fn is_first(&self, step: Step) -> bool {
        match self.takes_prompt {
            true => step.phase == Phase::Prefill,
            false => step.cached == self.generation.prompt,
        }
    }

    /// Step in the middle of a phase, or of the only phase. Its cost is the mean over the phase as
    /// far as it grows linearly with the cache.
    pub(crate) fn typical(&self, phase: Phase) -> Step {
        let Generation { prompt, tokens, .. } = self.generation;
        match phase {
            Phase::Prefill if self.takes_prompt => Step { phase, tokens: prompt, cached: 0 },
            Phase::Prefill | Phase::Decode => {
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
        // A step's sizes come last and so replace given ones of the same name.
        let sizes = given.sizes.clone().into_iter().chain(own).collect();
        GivenDimensions { sizes, ..given.clone() }
    }

    pub(crate) fn decides(&self, dimension: &str) -> bool {
        self.sizes.contains_key(dimension)
    }

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
        // Feeds that were asked for come first and are not given away again.
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
    let free = named.filter(|dimension| {
        dimension.fixed.is_none()
            && dimension.batch == IsBatch::No
            && !given.sizes.contains_key(&dimension.name)
    });
    Ok(free.map(|dimension| dimension.name).collect())
}

/// Free dimensions of an input that grow: the output that it comes from has another dimension
/// there. Keys of an encoder keep the length of what it read.
fn growing(
    graph: &Graph,
    output: usize,
    input: &GraphInput,
    given: &GivenDimensions,
) -> Result<Vec<String>, RecordError> {
    let becomes = graph.output_dimensions.get(output).and_then(Option::as_ref);
    let stays = |name: &String| {
        let own = input.dimensions.iter().flatten();
        let mut pairs = becomes.into_iter().flatten().zip(own);
        let is_this = |dimension: &InputDimension| matches!(dimension, InputDimension::Named(own) if own == name);
        let is_past = name.to_ascii_lowercase().contains("past");
        !is_past && pairs.any(|(to, from)| is_this(to) && is_this(from))
    };
    let free = free(input, given)?.into_iter();
    let (of_encoder, own): (Vec<_>, Vec<_>) = free.partition(|name| is_of_encoder(name, input));
    let grow: Vec<String> = own.iter().filter(|name| !stays(name)).cloned().collect();
    // Exporters may give both one name although one is longer.
    Ok(if grow.is_empty() && of_encoder.is_empty() { own } else { grow })
}

/// The dimension is an encoder's, by the names that exporters give it or its input.
fn is_of_encoder(name: &str, input: &GraphInput) -> bool {
    let says = |name: &str| {
        let name = name.to_ascii_lowercase();
        (name.contains("encoder") || name.contains("cross")) && !name.contains("decoder")
    };
    let is_named = !name.starts_with(&format!("{}.", input.name));
    says(name) || says(&input.name) && !(is_named && name.to_ascii_lowercase().contains("decoder"))
}

/// The input is about the tokens of the step: ids, positions, masks or embeddings. Others, such as
/// images, have dimensions of their own.
fn is_of_text(input: &GraphInput) -> bool {
    let name = input.name.to_ascii_lowercase();
    let is_named =
        ["ids", "token", "mask", "position", "embed"].iter().any(|part| name.contains(part));
    is_named && !name.contains("image")
        || !matches!(
            input.data_type,
            DataType::Fp64 | DataType::Fp32 | DataType::Fp16 | DataType::Bf16
        )
}

/// Meaning of a dimension of an input that is not fed, by names of exporters: `past_sequence_length
/// + sequence_length`, `total_sequence_length`.
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
    use crate::model::graph::InputKind;

    fn graph(inputs: &[(&str, &[&str])], outputs: &[&str]) -> Graph {
        let inputs = inputs.iter().map(|(name, dimensions)| GraphInput {
            kind: InputKind::Tensor,
            name: name.to_string(),
            dimensions: Some(dimensions.iter().map(|name| dimension(name)).collect()),
            element_type: 1,
            data_type: DataType::Fp32,
            roles: Vec::new(),
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
    fn an_encoder_keeps_its_length() {
        let of_encoder: &[&str] = &["batch", "2", "encoder_sequence_length_out", "4"];
        let source: &[&str] = &["batch", "2", "source", "4"];
        let mut graph = graph(
            &[
                ("input_ids", &["batch", "decoder_sequence_length"]),
                ("encoder_hidden_states", &["batch", "encoder_sequence_length / 2", "8"]),
                ("pixel_values", &["batch", "3", "height"]),
                ("past_key_values.0.decoder.key", &["batch", "2", "past_sequence_length", "4"]),
                ("past_key_values.0.encoder.key", of_encoder),
                ("past_key_values.0.cross", source),
            ],
            &["logits", "present.0.decoder.key", "present.0.encoder.key", "present.0.cross"],
        );
        graph.inputs[0].data_type = DataType::S64;
        let named = |names: &[&str]| Some(names.iter().map(|name| dimension(name)).collect());
        graph.output_dimensions = vec![
            None,
            named(&["batch", "2", "past_sequence_length + 1", "4"]),
            named(of_encoder),
            named(source),
        ];
        let plan = plan(&graph, &[]).unwrap();
        assert_eq!(plan.feeds.len(), 3);
        let grows = ["decoder_sequence_length", "past_sequence_length"];
        assert!(grows.into_iter().all(|name| plan.decides(name)));
        let stays =
            ["encoder_sequence_length / 2", "encoder_sequence_length_out", "source", "height"];
        assert!(stays.into_iter().all(|name| !plan.decides(name)));
    }

    #[test]
    fn one_token_a_step_begins_with_a_cache() {
        let graph = graph(
            &[
                ("input_ids", &["batch", "1"]),
                ("attention_mask", &["batch", "past_sequence_length + 1"]),
                ("past_key_values.0.key", &["batch", "2", "past_sequence_length", "4"]),
            ],
            &["logits", "present.0.key"],
        );
        let plan = plan(&graph, &[]).unwrap();
        let steps: Vec<Step> = plan.steps().collect();
        assert_eq!(steps.len(), 5);
        assert_eq!(steps[0], Step { phase: Phase::Decode, tokens: 1, cached: 16 });
        assert!(plan.is_first(steps[0]) && !plan.is_first(steps[1]));
        let sizes = plan.sizes(&GivenDimensions::default(), steps[1]).sizes;
        assert_eq!(sizes["past_sequence_length + 1"], 18);
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
        let no_tokens = refused(&[fixed, ("state", &["1", "8"])], &[("out", "state")]);
        assert!(no_tokens.starts_with("no input has a free dimension"), "{no_tokens}");
    }
}
