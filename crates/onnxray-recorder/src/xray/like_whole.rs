//! Whether an engine makes of what is behind a cut what it makes of it in the whole.
//!
//! It optimizes by what it knows of shapes. Of the bundled encoder, ONNX Runtime does not know that
//! inputs of additions have the same shape, since a slice of a computed length hides it; where names say
//! so, it makes `SkipLayerNormalization` of them, and three quarters of the model take 2.6 instead of 2.1
//! ms. What it knows in the whole it does not tell, so both are tried.

use super::side::{Side, Whole};
use super::timing::has_no_provider;
use crate::model::cut::{Cut, Halves};
use crate::tensor::Tensor;
use onnxray_format::Operator;

/// Names free dimensions across cuts if the engine then makes fewer operators that it does not make of the
/// whole, or else leaves them unknown, by what is behind this cut; inputs are among these values. Decided
/// once, by the first cut of which the engine takes what is behind it.
pub(crate) fn name_dimensions_as_in_whole(
    halves: &Halves,
    whole: Whole,
    operators: &[Operator],
    cut: &Cut,
    values: &[(String, Tensor)],
) {
    // One that loads a model for the sizes of a run knows all of them; a provider does not tell what it
    // makes of a model.
    let is_told = whole.engine.capabilities().runs_any_shape && has_no_provider(whole.engine);
    if !is_told || operators.is_empty() || !halves.has_undecided_dimensions() {
        return;
    }
    let unmatched = |are_named: bool| {
        halves.name_free_dimensions(Some(are_named));
        let side = Side::load(whole, halves.behind(cut, values)?, values).ok()?;
        Some(count_unmatched(operators, &side.operators().ok()?))
    };
    let unknown = unmatched(false);
    if unknown != Some(0) {
        halves.name_free_dimensions(match (unmatched(true), unknown) {
            (Some(named), Some(unknown)) => Some(named < unknown),
            (Some(_), None) => Some(true),
            (None, Some(_)) => Some(false),
            (None, None) => None,
        });
    }
}

/// How many of these operators of a part are none of the whole's, by type and the nodes that they compute.
fn count_unmatched(whole: &[Operator], part: &[Operator]) -> usize {
    let is_in_whole = |own: &Operator| {
        let is_same =
            |other: &Operator| other.nodes == own.nodes && other.operator_type == own.operator_type;
        whole.iter().any(is_same)
    };
    part.iter().filter(|own| !is_in_whole(own)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{
        Capabilities, Engine, EngineSpec, Engines, InstalledEngines, Instrumentation, LoadedModel,
        Model, Runner, infer,
    };
    use crate::error::RecordError;
    use crate::model::cut::{Blocks, places};
    use crate::model::file::OnnxFile;
    use crate::model::graph::InputDimension;
    use crate::model::input_values::inputs::InputFiles;
    use crate::model::sizes::dimensions::{BoundDimensions, GivenDimensions};
    use crate::model::tensor_table::TensorTable;
    use onnxray_format::VectorRegisters;
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::rc::Rc;

    /// tract, which makes one operator of all where a dimension across a cut has a name.
    struct ByNames(Rc<dyn Engine>);

    fn has_named_sequence(file: &OnnxFile) -> bool {
        let sequence = InputDimension::Named("sequence".to_string());
        let mut dimensions = file.graph.inputs.iter().flat_map(|input| &input.dimensions);
        dimensions.any(|own| own.contains(&sequence))
    }

    struct Described {
        loaded: Box<dyn LoadedModel>,
        is_one: bool,
    }

    impl Engine for ByNames {
        fn name(&self) -> &'static str {
            self.0.name()
        }

        fn version(&self) -> &str {
            self.0.version()
        }

        fn options(&self) -> BTreeMap<String, String> {
            self.0.options()
        }

        fn capabilities(&self) -> Capabilities {
            Capabilities { runs_any_shape: true, ..self.0.capabilities() }
        }

        fn load(
            &self,
            file: &Rc<OnnxFile>,
            bound: &BoundDimensions,
            threads: u32,
        ) -> Result<Box<dyn LoadedModel>, RecordError> {
            let is_one = has_named_sequence(file);
            Ok(Box::new(Described { loaded: self.0.load(file, bound, threads)?, is_one }))
        }
    }

    impl LoadedModel for Described {
        fn tensors(&self) -> &TensorTable {
            self.loaded.tensors()
        }

        fn operators(&self, inputs: &[Tensor]) -> Result<Vec<Operator>, RecordError> {
            let mut rows = self.loaded.operators(inputs)?;
            if self.is_one {
                let nodes = rows.iter().flat_map(|row| row.nodes.clone()).collect();
                rows = vec![Operator { nodes, ..rows.swap_remove(0) }];
            }
            Ok(rows)
        }

        fn runner(
            &self,
            registers: VectorRegisters,
            instrumentation: Instrumentation,
        ) -> Result<Box<dyn Runner>, RecordError> {
            self.loaded.runner(registers, instrumentation)
        }
    }

    /// What is behind a cut of the encoder with 8 tokens: whether it has named dimensions, once it was
    /// decided for a whole with these operators.
    fn has_names(operators: impl Fn(Vec<Operator>) -> Vec<Operator>) -> bool {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        let sizes = [("batch", 1), ("sequence", 8)].map(|(name, size)| (name.to_string(), size));
        let given = GivenDimensions { sizes: sizes.into(), ..GivenDimensions::default() };
        let path = models.join("encoder.onnx");
        let model =
            Model::load_in(&InstalledEngines, &EngineSpec::default(), &path, &given, 1).unwrap();
        let inputs = model.inputs(&InputFiles::default(), 1).unwrap();
        let halves = Halves::of(&model.file, &model.bound, infer).unwrap();
        let tensors = infer(&model.file, &model.bound).unwrap();
        let asked = Blocks { most: 4, ..Blocks::default() };
        let cut = &places(&model.file.graph, &tensors, &asked)[2];
        let whole = Whole::of(&model);
        let mut values = whole.values(&inputs);
        let before = Side::load(whole, halves.before(cut).unwrap(), &values).unwrap();
        let mut runner = before.runner(VectorRegisters::AsIs).unwrap();
        runner.prepare(&before.inputs).unwrap();
        runner.run().unwrap();
        values.extend(cut.tensors.iter().cloned().zip(runner.outputs().unwrap()));
        let engine = ByNames(InstalledEngines.start(&EngineSpec::default(), 1).unwrap());
        let whole = Whole { engine: &engine, ..whole };
        let plain = Side::load(Whole::of(&model), halves.behind(cut, &values).unwrap(), &values);
        let operators = operators(plain.unwrap().operators().unwrap());
        name_dimensions_as_in_whole(&halves, whole, &operators, cut, &values);
        assert!(operators.is_empty() || !halves.has_undecided_dimensions());
        // What was decided stays.
        name_dimensions_as_in_whole(
            &halves,
            whole,
            &operators[..1.min(operators.len())],
            cut,
            &values,
        );
        let behind = halves.behind(cut, &values).unwrap();
        let file = OnnxFile::made("behind", behind).unwrap();
        has_named_sequence(&file)
    }

    #[test]
    fn free_dimensions_have_names_if_the_engine_then_makes_the_operators_of_the_whole() {
        assert!(!has_names(|operators| operators), "apart, as without names");
        let one = |operators: Vec<Operator>| {
            let nodes = operators.iter().flat_map(|row| row.nodes.clone()).collect();
            vec![Operator { nodes, ..operators[0].clone() }]
        };
        assert!(has_names(one), "as one, as with names");
        assert!(has_names(|_| Vec::new()), "unknown");
    }
}
