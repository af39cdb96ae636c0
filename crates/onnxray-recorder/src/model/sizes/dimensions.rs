//! Gives every free dimension of the model's inputs a size.

use super::batch::Batch;
pub(crate) use super::batch::IsBatch;
use super::expression::Expression;
use super::formulas::Formulas;
pub use super::given::GivenDimensions;
use crate::error::{MissingDimension, RecordError};
use crate::model::graph::{AxisRole, Graph, GraphInput, InputDimension, InputKind};
use onnxray_format::{Dimension, elements, names_batch};
use onnxray_text::{first_of, shown};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Inputs beyond this are a slip of the hand; a model's largest tensors are
/// larger than its inputs and would not fit either.
const MOST_ELEMENTS: u64 = 1 << 33;

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

/// The sizes, with those that files give free dimensions which were given none.
///
/// # Errors
///
/// If an input is not a tensor.
pub(crate) fn sized(
    graph: &Graph,
    given: &GivenDimensions,
) -> Result<GivenDimensions, RecordError> {
    let mut sized = given.clone();
    for input in graph.inputs.iter().filter(|input| input.dimensions.is_some()) {
        let Some(shape) = given.shapes.get(&input.name) else { continue };
        let dimensions = named_dimensions(input)?;
        // Of another rank: reading the file says so, with both shapes.
        if dimensions.len() != shape.len() {
            continue;
        }
        for (dimension, &size) in dimensions.into_iter().zip(shape) {
            let is_batch = dimension.batch != IsBatch::No;
            let is_given = dimension.fixed.is_some() || is_batch && given.batch_size.is_some();
            if !is_given {
                // What the user gave decides; of several files, the first input's.
                sized.sizes.entry(dimension.name).or_insert(size);
            }
        }
    }
    Ok(sized)
}

/// Binds all dimensions, or says which ones have no size.
///
/// A dimension is the batch if its name says so, or if the graph takes it for that; it is 1
/// unless a size was given. So is an input's first dimension without a name of which nothing
/// is known, but whether it is the batch is for the user to say.
///
/// # Errors
///
/// If a dimension has no size, or two, or one that the model does not take.
pub(crate) fn bind(graph: &Graph, given: &GivenDimensions) -> Result<BoundDimensions, RecordError> {
    formulas(graph)?.check(given)?;
    bind_step(graph, given)
}

/// The same of a model in a file, which is named where a size is for none of its dimensions: a
/// command may have several models.
///
/// # Errors
///
/// As [`bind`].
pub(crate) fn bind_in(
    path: &Path,
    graph: &Graph,
    given: &GivenDimensions,
) -> Result<BoundDimensions, RecordError> {
    bind(graph, given).map_err(|error| match error {
        RecordError::UnknownDimension { name, dimensions, .. } => {
            RecordError::UnknownDimension { model: shown(path), name, dimensions }
        }
        other => other,
    })
}

/// The same for a step of a generation, which gives some formulas another size than that of
/// their names: exporters write `+ 1` for the tokens of a step.
///
/// # Errors
///
/// As [`bind`].
pub(crate) fn bind_step(
    graph: &Graph,
    given: &GivenDimensions,
) -> Result<BoundDimensions, RecordError> {
    let formulas = formulas(graph)?;
    let (mut dimensions, mut missing) = (Vec::new(), Missing::default());
    let mut batch = Batch::default();
    let mut bound: HashSet<String> = HashSet::new();
    let mut shapes = Vec::new();
    for input in &graph.inputs {
        if let (true, None, Some(shape)) =
            (input.kind == InputKind::Tensor, &input.dimensions, given.shapes.get(&input.name))
        {
            shapes.push(shape.clone());
            continue;
        }
        let mut shape = Vec::new();
        let roles = input.roles.iter().copied().chain(std::iter::repeat(AxisRole::Unknown));
        for (NamedDimension { name, batch: is_batch, fixed }, role) in
            named_dimensions(input)?.into_iter().zip(roles)
        {
            if let Some(size) = fixed {
                batch.note_fixed(role, size);
                shape.push(size);
                continue;
            }
            if let (IsBatch::Yes, Some(asked), Some(&size)) =
                (is_batch, given.batch_size, given.sizes.get(&name))
                && size != asked
            {
                return Err(RecordError::BatchTwice { name, size, asked });
            }
            let own = given.sizes.get(&name).copied();
            // A batch has a size without being given one; every other free dimension needs one.
            let usual = (is_batch != IsBatch::No).then(|| given.batch_size.unwrap_or(1));
            let size = match own {
                Some(size) => Some(size),
                None => formulas.size(&name, given)?.or(usual),
            };
            let Some(size) = size else {
                let of = formulas.names(&name);
                let unknown = of.iter().filter(|name| given.size_of(name).is_none());
                unknown.for_each(|name| missing.note(name, &input.name));
                if of.is_empty() {
                    missing.note(&name, &input.name);
                }
                continue;
            };
            batch.note_free(is_batch, size, given.batch_size == Some(size));
            // Names of a formula, which may stand nowhere else, and then what it makes.
            let names = formulas.names(&name).into_iter();
            let sizes = names.filter_map(|name| Some((name, *given.sizes.get(name)?)));
            for (name, size) in sizes.chain([(name.as_str(), size)]) {
                if bound.insert(name.to_string()) {
                    dimensions.push(Dimension { name: name.to_string(), size });
                }
            }
            shape.push(size);
        }
        if elements(&shape).is_none_or(|elements| elements > MOST_ELEMENTS) {
            let name = input.name.clone();
            return Err(RecordError::HugeInput { name, shape, most: MOST_ELEMENTS });
        }
        shapes.push(shape);
    }
    let missing = missing.described();
    // Before missing ones: a misspelled name is why another one is missing.
    if !given.for_several {
        refuse_unknown(given, &dimensions, &missing, &formulas)?;
    }
    if !missing.is_empty() {
        return Err(RecordError::MissingDimensions { missing });
    }
    let batch_size = batch.size(graph, given.batch_size)?;
    Ok(BoundDimensions { shapes, batch_size, dimensions })
}

fn formulas(graph: &Graph) -> Result<Formulas, RecordError> {
    let mut names: HashSet<String> = HashSet::new();
    for input in graph.inputs.iter().filter(|input| input.dimensions.is_some()) {
        names.extend(named_dimensions(input)?.into_iter().map(|dimension| dimension.name));
    }
    Ok(Formulas::of(&names))
}

pub(crate) struct NamedDimension {
    /// As `--dim` takes it; empty if the model fixes the size.
    pub(crate) name: String,
    pub(crate) batch: IsBatch,
    pub(crate) fixed: Option<u64>,
}

/// The dimensions of an input.
///
/// # Errors
///
/// If it is neither a tensor nor a sequence of them, or of an unknown rank.
pub(crate) fn named_dimensions(input: &GraphInput) -> Result<Vec<NamedDimension>, RecordError> {
    match input.kind {
        InputKind::Tensor => {}
        // Each of its tensors has a shape of its own.
        InputKind::Sequence => return Ok(Vec::new()),
        InputKind::Other => return Err(RecordError::NoTensor { name: input.name.clone() }),
    }
    let Some(dimensions) = &input.dimensions else {
        return Err(RecordError::UnknownRank { name: input.name.clone() });
    };
    let role = |axis: usize| input.roles.get(axis).copied().unwrap_or_default();
    let has_batch = (0..dimensions.len()).any(|axis| role(axis) == AxisRole::Batch);
    let named = dimensions.iter().enumerate().map(|(axis, dimension)| {
        let (name, batch, fixed) = match dimension {
            InputDimension::Fixed(size) => (String::new(), IsBatch::No, Some(*size)),
            InputDimension::Named(name) => {
                // `batch * heads` is a size that follows, not the batch.
                let is_formula = || Expression::of(name, &|_| false).is_some();
                let is_batch = names_batch(name) || role(axis) == AxisRole::Batch;
                let is_batch = if is_batch && !is_formula() { IsBatch::Yes } else { IsBatch::No };
                (name.clone(), is_batch, None)
            }
            InputDimension::Unnamed => {
                let is_batch = match role(axis) {
                    AxisRole::Batch => IsBatch::Yes,
                    // Rows further in may be the tokens of a sequence.
                    AxisRole::Rows if axis == 0 => IsBatch::Yes,
                    AxisRole::Unknown if axis == 0 && !has_batch => IsBatch::Perhaps,
                    _ => IsBatch::No,
                };
                (format!("{}.{axis}", input.name), is_batch, None)
            }
        };
        NamedDimension { name, batch, fixed }
    });
    Ok(named.collect())
}

/// A size for a dimension that the model does not have is a mistake.
fn refuse_unknown(
    given: &GivenDimensions,
    dimensions: &[Dimension],
    missing: &[MissingDimension],
    formulas: &Formulas,
) -> Result<(), RecordError> {
    let listed = || dimensions.iter().map(|d| &d.name).chain(missing.iter().map(|m| &m.name));
    let mut known: HashSet<&str> = listed().map(String::as_str).collect();
    known.extend(formulas.all_names());
    match given.sizes.keys().find(|name| !known.contains(name.as_str())) {
        Some(name) => Err(RecordError::UnknownDimension {
            model: "the model".to_string(),
            name: name.clone(),
            dimensions: listed().cloned().collect(),
        }),
        None => Ok(()),
    }
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
        let (inputs, input) = (&mut self.dimensions[position].1, format!("`{input}`"));
        // Two axes of one input may have one size.
        if inputs.last() != Some(&input) {
            inputs.push(input);
        }
    }

    fn described(self) -> Vec<MissingDimension> {
        let describe = |(name, inputs): (String, Vec<String>)| MissingDimension {
            text: match &inputs[..] {
                [only] => format!("dimension `{name}` of input {only}"),
                [others @ .., last] if inputs.len() <= 8 => {
                    format!("dimension `{name}` of inputs {} and {last}", others.join(", "))
                }
                many => format!("dimension `{name}` of inputs {}", first_of(many, ", ")),
            },
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
                kind: InputKind::Tensor,
                name: name.to_string(),
                dimensions: Some(dimensions.to_vec()),
                element_type: 1,
                data_type: DataType::Fp32,
                roles: Vec::new(),
            })
            .collect();
        Graph { inputs, ..Graph::default() }
    }

    fn named(name: &str) -> InputDimension {
        InputDimension::Named(name.to_string())
    }

    fn given(batch_size: Option<u64>, sizes: &[(&str, u64)]) -> GivenDimensions {
        let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
        GivenDimensions { batch_size, sizes, ..GivenDimensions::default() }
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
            "dimension `sequence` of inputs `ids` and `mask` needs a size\n\
             hint: give it with --dim sequence=SIZE"
        );
    }

    #[test]
    fn a_fixed_batch_cannot_be_changed() {
        let image = graph(&[("image", &[InputDimension::Fixed(1), InputDimension::Fixed(3)])]);
        assert_eq!(bind(&image, &given(None, &[])).unwrap().batch_size, None, "nobody says so");
        let mut image = image;
        image.inputs[0].roles = vec![AxisRole::Batch, AxisRole::Other];
        assert_eq!(bind(&image, &given(None, &[])).unwrap().batch_size, Some(1));
        assert!(bind(&image, &given(Some(1), &[])).is_ok());
        let error = bind(&image, &given(Some(4), &[])).unwrap_err();
        assert!(matches!(error, RecordError::FixedBatch { fixed: 1, asked: 4 }));
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
