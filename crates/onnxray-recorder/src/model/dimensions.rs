//! Gives every free dimension of the model's inputs a size.

use super::graph::{Graph, GraphInput, InputDimension};
use crate::error::{MissingDimension, RecordError};
use onnxray_format::first_of;
use onnxray_format::{Dimension, elements, names_batch};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Inputs beyond this are a slip of the hand; a model's largest tensors are
/// larger than its inputs and would not fit either.
const MOST_ELEMENTS: u64 = 1 << 33;

/// Sizes the user gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GivenDimensions {
    /// Size of the batch; default 1 where it is free.
    pub batch_size: Option<u64>,
    /// By the name that the model gives the dimension, or `INPUT.AXIS` for a
    /// dimension without one.
    pub sizes: BTreeMap<String, u64>,
    /// Whether the sizes are meant for several models, so that a name which this
    /// one does not have is not a mistake.
    pub for_several: bool,
}

/// The outcome: the model's inputs have one shape each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundDimensions {
    /// Shape of every input, in the order of the graph's inputs.
    pub shapes: Vec<Vec<u64>>,
    /// `None` if the inputs have no dimension that is the batch.
    pub batch_size: Option<u64>,
    /// The free dimensions and their sizes, in order of appearance.
    pub dimensions: Vec<Dimension>,
}

/// Binds all dimensions, or says which ones have no size.
///
/// A dimension is the batch if its name says so, or if it has no name and is an
/// input's first; it is 1 unless a size was given.
pub(crate) fn bind(graph: &Graph, given: &GivenDimensions) -> Result<BoundDimensions, RecordError> {
    let (mut dimensions, mut missing, mut batch_size) = (Vec::new(), Missing::default(), None);
    let mut bound: HashSet<String> = HashSet::new();
    let mut shapes = Vec::new();
    for input in &graph.inputs {
        let mut shape = Vec::new();
        for (name, is_batch, fixed) in named_dimensions(input)? {
            let batch = is_batch.then(|| given.batch_size.unwrap_or(1));
            if let (true, Some(asked), Some(&size)) =
                (is_batch, given.batch_size, given.sizes.get(&name))
                && size != asked
            {
                return Err(RecordError::BatchTwice { name, size, asked });
            }
            let size = fixed.or_else(|| given.sizes.get(&name).copied()).or(batch);
            match size {
                None => missing.note(&name, &input.name),
                Some(_) if fixed.is_some() => {}
                Some(size) => {
                    if is_batch {
                        batch_size.get_or_insert(size);
                    }
                    if bound.insert(name.clone()) {
                        dimensions.push(Dimension { name, size });
                    }
                }
            }
            shape.extend(size);
        }
        if elements(&shape).is_none_or(|elements| elements > MOST_ELEMENTS) {
            let name = input.name.clone();
            return Err(RecordError::HugeInput { name, shape, most: MOST_ELEMENTS });
        }
        shapes.push(shape);
    }
    let missing = missing.described();
    if !given.for_several {
        refuse_unknown(given, &dimensions, &missing)?;
    }
    if !missing.is_empty() {
        return Err(RecordError::MissingDimensions { missing });
    }
    let batch_size = batch_size.or_else(|| common_first(graph));
    if let Some(asked) = given.batch_size
        && batch_size != Some(asked)
    {
        let fixed = batch_size.map_or("an unknown size".to_string(), |size| size.to_string());
        return Err(RecordError::FixedBatch { fixed, asked });
    }
    Ok(BoundDimensions { shapes, batch_size, dimensions })
}

/// Name of each dimension of an input, whether it is the batch, and its size if the
/// model fixes it.
pub(crate) fn named_dimensions(
    input: &GraphInput,
) -> Result<Vec<(String, bool, Option<u64>)>, RecordError> {
    if !input.is_tensor {
        return Err(RecordError::NoTensor { name: input.name.clone() });
    }
    let Some(dimensions) = &input.dimensions else {
        return Err(RecordError::UnknownRank { name: input.name.clone() });
    };
    let named = dimensions.iter().enumerate().map(|(axis, dimension)| match dimension {
        InputDimension::Fixed(size) => (String::new(), false, Some(*size)),
        InputDimension::Named(name) => (name.clone(), names_batch(name), None),
        InputDimension::Unnamed => (format!("{}.{axis}", input.name), axis == 0, None),
    });
    Ok(named.collect())
}

/// A size for a dimension that the model does not have is a mistake.
fn refuse_unknown(
    given: &GivenDimensions,
    dimensions: &[Dimension],
    missing: &[MissingDimension],
) -> Result<(), RecordError> {
    let names = || dimensions.iter().map(|d| &d.name).chain(missing.iter().map(|m| &m.name));
    let known: HashSet<&String> = names().collect();
    match given.sizes.keys().find(|name| !known.contains(name)) {
        Some(name) => Err(RecordError::UnknownDimension {
            name: name.clone(),
            dimensions: names().cloned().collect(),
        }),
        None => Ok(()),
    }
}

/// The first dimension that all inputs have in common, all of it fixed: what a
/// model exported for one batch size has.
fn common_first(graph: &Graph) -> Option<u64> {
    let mut firsts =
        graph.inputs.iter().map(|input| match input.dimensions.iter().flatten().next() {
            Some(InputDimension::Fixed(size)) => Some(*size),
            _ => None,
        });
    let first = firsts.next()??;
    firsts.all(|other| other == Some(first)).then_some(first)
}

/// Dimensions without a size, in order of appearance, with the inputs that have them.
#[derive(Default)]
struct Missing {
    dimensions: Vec<(String, Vec<String>)>,
    by_name: HashMap<String, usize>,
}

impl Missing {
    fn note(&mut self, name: &str, input: &str) {
        let next = self.dimensions.len();
        let position = *self.by_name.entry(name.to_string()).or_insert(next);
        if position == next {
            self.dimensions.push((name.to_string(), Vec::new()));
        }
        self.dimensions[position].1.push(format!("`{input}`"));
    }

    fn described(self) -> Vec<MissingDimension> {
        let describe = |(name, inputs): (String, Vec<String>)| MissingDimension {
            text: format!("dimension `{name}` of input {}", first_of(inputs, " and ")),
            name,
        };
        self.dimensions.into_iter().map(describe).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::DataType;

    fn graph(inputs: &[(&str, &[InputDimension])]) -> Graph {
        let inputs = inputs
            .iter()
            .map(|(name, dimensions)| GraphInput {
                is_tensor: true,
                name: name.to_string(),
                dimensions: Some(dimensions.to_vec()),
                element_type: 1,
                data_type: DataType::Fp32,
            })
            .collect();
        Graph { inputs, ..Graph::default() }
    }

    fn named(name: &str) -> InputDimension {
        InputDimension::Named(name.to_string())
    }

    fn given(batch_size: Option<u64>, sizes: &[(&str, u64)]) -> GivenDimensions {
        let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
        GivenDimensions { batch_size, sizes, for_several: false }
    }

    #[test]
    fn batch_is_found_by_name_and_others_must_be_given() {
        let encoder = graph(&[
            ("ids", &[named("batch"), named("sequence")]),
            ("mask", &[named("batch"), named("sequence")]),
        ]);
        let bound = bind(&encoder, &given(Some(8), &[("sequence", 128)])).unwrap();
        assert_eq!(bound.shapes, [[8, 128], [8, 128]]);
        assert_eq!(bound.batch_size, Some(8));
        let error = bind(&encoder, &given(None, &[])).unwrap_err().to_string();
        assert_eq!(
            error,
            "dimension `sequence` of input `ids` and `mask` needs a size\n\
             hint: give it with --dim sequence=SIZE"
        );
    }

    #[test]
    fn a_fixed_batch_cannot_be_changed() {
        let image = graph(&[("image", &[InputDimension::Fixed(1), InputDimension::Fixed(3)])]);
        assert_eq!(bind(&image, &given(None, &[])).unwrap().batch_size, Some(1));
        assert!(bind(&image, &given(Some(1), &[])).is_ok());
        let error = bind(&image, &given(Some(4), &[])).unwrap_err();
        assert!(matches!(error, RecordError::FixedBatch { asked: 4, .. }));
    }

    #[test]
    fn a_batch_that_is_given_twice_is_given_once_or_refused() {
        let model = graph(&[("x", &[named("N"), InputDimension::Fixed(3)])]);
        assert_eq!(bind(&model, &given(Some(8), &[("N", 8)])).unwrap().batch_size, Some(8));
        let error = bind(&model, &given(Some(4), &[("N", 8)])).unwrap_err().to_string();
        assert_eq!(
            error,
            "the batch size is given twice: --batch-size 4 and --dim N=8\n\
             hint: leave one of them out"
        );
    }

    #[test]
    fn a_misspelled_dimension_is_named_with_the_known_ones() {
        let model = graph(&[("x", &[named("N"), InputDimension::Unnamed])]);
        let error = bind(&model, &given(None, &[("frames", 3)])).unwrap_err().to_string();
        assert!(error.contains("`frames`") && error.contains("`N`, `x.1`"), "{error}");
        let bound = bind(&model, &given(None, &[("x.1", 3)])).unwrap();
        assert_eq!((bound.shapes, bound.batch_size), (vec![vec![1, 3]], Some(1)));
    }

    #[test]
    fn sizes_for_several_models_may_name_what_one_of_them_lacks() {
        let model = graph(&[("x", &[named("N"), named("frames")])]);
        let several = |sizes| GivenDimensions { for_several: true, ..given(None, sizes) };
        let bound = bind(&model, &several(&[("frames", 3), ("sequence", 5)])).unwrap();
        assert_eq!((bound.shapes, bound.dimensions.len()), (vec![vec![1, 3]], 2));
        let error = bind(&model, &several(&[("sequence", 5)])).unwrap_err().to_string();
        assert!(error.starts_with("dimension `frames` of input `x` needs a size"), "{error}");
    }
}
