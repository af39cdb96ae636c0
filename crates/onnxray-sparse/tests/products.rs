//! Products against a naive one in 64 bits, for any sizes, zeros, steps and instructions.

#![allow(clippy::unwrap_used)]

use onnxray_sparse::{
    Arithmetic, BLOCK_OUTPUTS, Division, InstructionSet, Kernel, Operand, Step, Weight,
    WeightError, over, zero_share,
};
use proptest::prelude::*;

/// A product with all that it needs, made up from a seed.
#[derive(Clone, Debug)]
struct Case {
    outputs: usize,
    inputs: usize,
    columns: usize,
    zeros: f64,
    steps: Vec<(Arithmetic, u8)>,
    seed: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    let arithmetic = prop::sample::select(vec![
        Arithmetic::Add,
        Arithmetic::Subtract,
        Arithmetic::SubtractFrom,
        Arithmetic::Multiply,
        Arithmetic::Max,
        Arithmetic::Min,
        Arithmetic::LeakyRelu,
    ]);
    let steps = prop::collection::vec((arithmetic, 0..4_u8), 0..4);
    let zeros = prop_oneof![Just(0.0), Just(1.0), 0.0..1.0];
    let columns = prop_oneof![0..9_usize, 0..150_usize];
    (0..18_usize, 0..70_usize, columns, zeros, steps, any::<u64>()).prop_map(
        |(fours, inputs, columns, zeros, steps, seed)| Case {
            outputs: fours * BLOCK_OUTPUTS,
            inputs,
            columns,
            zeros,
            steps,
            seed,
        },
    )
}

/// Numbers from -1 to 1 that differ and come again with their seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }

    fn take(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.next()).collect()
    }
}

/// Outputs x inputs, of whose blocks about a share of `zeros` is zero.
fn rows(case: &Case, numbers: &mut Numbers) -> Vec<f32> {
    let mut rows = numbers.take(case.outputs * case.inputs);
    for group in 0..case.outputs / BLOCK_OUTPUTS {
        for input in 0..case.inputs {
            if f64::from(numbers.next()) < 2.0 * case.zeros - 1.0 {
                for row in 0..BLOCK_OUTPUTS {
                    rows[(group * BLOCK_OUTPUTS + row) * case.inputs + input] = 0.0;
                }
            }
        }
    }
    rows
}

/// What steps do, one element at a time; beside it how large numbers became, which rounding goes by.
fn step(arithmetic: Arithmetic, (sum, size): (f64, f64), other: f64) -> (f64, f64) {
    match arithmetic {
        Arithmetic::Add => (sum + other, size + other.abs()),
        Arithmetic::Subtract => (sum - other, size + other.abs()),
        Arithmetic::SubtractFrom => (other - sum, size + other.abs()),
        Arithmetic::Multiply => (sum * other, size * other.abs()),
        Arithmetic::Max => (sum.max(other), size.max(other.abs())),
        Arithmetic::Min => (sum.min(other), size.max(other.abs())),
        Arithmetic::LeakyRelu if sum > 0.0 => (sum, size),
        // A sum around 0 takes either branch.
        Arithmetic::LeakyRelu => (sum * other, size.max(size * other.abs())),
    }
}

fn close(
    case: &Case,
    set: InstructionSet,
    is: f32,
    should: (f64, f64),
) -> Result<(), TestCaseError> {
    let (value, size) = should;
    let most = 1e-6 * (size + 1.0) * (1.0 + (case.inputs as f64).sqrt());
    prop_assert!(
        (f64::from(is) - value).abs() <= most,
        "{set}: {is} instead of {value} in {case:?}"
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_product_is_that_of_a_naive_one_and_so_are_its_parts(case in cases()) {
        let numbers = &mut Numbers(case.seed);
        let (outputs, inputs, columns) = (case.outputs, case.inputs, case.columns);
        let rows = rows(&case, numbers);
        let weight = Weight::new(&rows, outputs, inputs).unwrap();
        let tokens = numbers.take(columns * inputs);
        let pixels: Vec<f32> = (0..inputs * columns)
            .map(|at| tokens[at % columns * inputs + at / columns])
            .collect();
        let (scalar, per_output) = (numbers.next(), numbers.take(outputs));
        let (per_column, per_element) = (numbers.take(columns), numbers.take(columns * outputs));
        let turned: Vec<f32> = (0..outputs * columns)
            .map(|at| per_element[at % columns * outputs + at / columns])
            .collect();
        let steps = |elements: &'static str| -> Vec<Step> {
            case.steps.iter().map(|&(arithmetic, operand)| Step {
                arithmetic,
                operand: match operand {
                    0 => Operand::Scalar(scalar),
                    1 => Operand::PerOutput(&per_output),
                    2 => Operand::PerColumn(&per_column),
                    _ if elements == "tokens" => Operand::PerElement(&per_element),
                    _ => Operand::PerElement(&turned),
                },
            }).collect()
        };
        let naive = |column: usize, output: usize| {
            let products = (0..inputs).map(|input| {
                f64::from(rows[output * inputs + input]) * f64::from(tokens[column * inputs + input])
            });
            let sum = products.fold((0.0, 0.0), |(sum, size), product: f64| (sum + product, size + product.abs()));
            case.steps.iter().fold(sum, |sum, &(arithmetic, operand)| step(arithmetic, sum, f64::from(match operand {
                0 => scalar,
                1 => per_output[output],
                2 => per_column[column],
                _ => per_element[column * outputs + output],
            })))
        };
        for kernel in InstructionSet::ALL.into_iter().filter_map(Kernel::with) {
            let set = kernel.instruction_set();
            let mut panels = vec![f32::NAN; kernel.packed_len(columns, inputs)];
            kernel.pack(&tokens, inputs, &mut panels);
            let mut whole = vec![f32::NAN; columns * outputs];
            kernel.tokens(&weight, &tokens, columns, &steps("tokens"), 0, &mut over(&mut whole, kernel.token_rows(&weight, columns)));
            for (at, is) in whole.iter().enumerate() {
                close(&case, set, *is, naive(at / outputs, at % outputs))?;
            }
            let mut parts = vec![f32::NAN; columns * outputs];
            let panel = kernel.panel_columns();
            for (part, rows) in over(&mut parts, kernel.token_rows(&weight, columns)).chunks_mut(2).enumerate() {
                kernel.packed_tokens(&weight, &panels, columns, &steps("tokens"), part * panel, rows);
            }
            prop_assert_eq!(&parts, &whole);
            parts.fill(f32::NAN);
            // As threads share it: parts of several panels.
            for (part, rows) in over(&mut parts, kernel.token_rows(&weight, columns)).chunks_mut(4).enumerate() {
                kernel.tokens(&weight, &tokens, columns, &steps("tokens"), part * 2 * panel, rows);
            }
            prop_assert_eq!(&parts, &whole);

            let mut whole = vec![f32::NAN; outputs * columns];
            kernel.pixels(&weight, &pixels, columns, &steps("pixels"), 0, &mut over(&mut whole, kernel.pixel_rows(&weight, columns)));
            for (at, is) in whole.iter().enumerate() {
                close(&case, set, *is, naive(at % columns, at / columns))?;
            }
            let mut parts = vec![f32::NAN; outputs * columns];
            for (part, rows) in over(&mut parts, kernel.pixel_rows(&weight, columns)).chunks_mut(2).enumerate() {
                kernel.pixels(&weight, &pixels, columns, &steps("pixels"), part * 8, rows);
            }
            prop_assert_eq!(&parts, &whole);
        }
    }

    #[test]
    fn shares_of_zeros_are_counted(case in cases()) {
        let numbers = &mut Numbers(case.seed);
        let rows = rows(&case, numbers);
        let zeros = (0..case.outputs / BLOCK_OUTPUTS * case.inputs).filter(|block| {
            let (group, input) = (block / case.inputs, block % case.inputs);
            (0..BLOCK_OUTPUTS).all(|row| rows[(group * BLOCK_OUTPUTS + row) * case.inputs + input] == 0.0)
        });
        let blocks = case.outputs / BLOCK_OUTPUTS * case.inputs;
        let should = if blocks == 0 { 0.0 } else { zeros.count() as f64 / blocks as f64 };
        prop_assert_eq!(zero_share(&rows, case.inputs), should);
        let weight = Weight::new(&rows, case.outputs, case.inputs).unwrap();
        prop_assert_eq!(weight.zero_share(), should);
        prop_assert_eq!((weight.outputs(), weight.inputs()), (case.outputs, case.inputs));
    }
}

#[test]
fn what_is_no_weight_in_blocks_is_named() {
    assert_eq!(Weight::new(&[1.0; 6], 6, 1), Err(WeightError::Outputs(6)));
    let mut rows = [1.0; 12];
    rows[7] = f32::INFINITY;
    let error = Weight::new(&rows, 4, 3).unwrap_err();
    assert_eq!(error.to_string(), "the weight of output 2 and input 1 is inf");
    let blocks = Weight::new(&[-0.0; 8], 4, 2).unwrap();
    assert_eq!(blocks.zero_share(), 1.0, "-0 is zero");
}

#[test]
fn of_a_number_and_none_the_larger_and_the_smaller_is_the_number() {
    let weight = Weight::new(&[1.0; 4], 4, 1).unwrap();
    for kernel in InstructionSet::ALL.into_iter().filter_map(Kernel::with) {
        for columns in [1, 7, 40] {
            for (arithmetic, operand) in [(Arithmetic::Max, 0.5), (Arithmetic::Min, 0.5)] {
                let steps = [Step { arithmetic, operand: Operand::Scalar(operand) }];
                let mut rows = vec![0.0; 4 * columns];
                kernel.pixels(
                    &weight,
                    &vec![f32::NAN; columns],
                    columns,
                    &steps,
                    0,
                    &mut over(&mut rows, kernel.pixel_rows(&weight, columns)),
                );
                assert_eq!(rows, vec![0.5; 4 * columns], "{}", kernel.instruction_set());
                // Before and behind an operand per element, which other code applies.
                let zeros = vec![0.0; 4 * columns];
                let add =
                    Step { arithmetic: Arithmetic::Add, operand: Operand::PerElement(&zeros) };
                for steps in [[steps[0], add], [add, steps[0]]] {
                    let mut rows = vec![0.0; 4 * columns];
                    kernel.tokens(
                        &weight,
                        &vec![f32::NAN; columns],
                        columns,
                        &steps,
                        0,
                        &mut over(&mut rows, kernel.token_rows(&weight, columns)),
                    );
                    assert_eq!(rows, vec![0.5; 4 * columns], "{}", kernel.instruction_set());
                }
            }
        }
    }
}

#[test]
fn a_zero_is_skipped_whatever_it_would_be_multiplied_with() {
    let weight = Weight::new(&[0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0], 4, 2).unwrap();
    for kernel in InstructionSet::ALL.into_iter().filter_map(Kernel::with) {
        let mut rows = [0.0; 4];
        kernel.pixels(
            &weight,
            &[f32::INFINITY, 3.0],
            1,
            &[],
            0,
            &mut over(&mut rows, kernel.pixel_rows(&weight, 1)),
        );
        assert_eq!(rows, [3.0; 4], "{}", kernel.instruction_set());
    }
}

#[test]
fn rows_of_another_product_are_refused() {
    let kernel = Kernel::best();
    let weight = Weight::new(&[1.0; 8], 8, 1).unwrap();
    let columns = 3 * kernel.panel_columns();
    let fits = |division: Division, first: usize, from: usize| {
        let (data, mut memory) = (vec![1.0; columns], vec![0.0; columns * 8]);
        let multiply = || {
            let mut rows = over(&mut memory, division);
            kernel.tokens(&weight, &data, columns, &[], first, &mut rows[from..]);
        };
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(multiply)).is_ok()
    };
    let (own, panel) = (kernel.token_rows(&weight, columns), kernel.panel_columns());
    assert!(fits(own, 0, 0) && fits(own, panel, 2) && fits(own, columns, 6));
    assert!(!fits(own, panel, 0), "more columns than there are");
    assert!(!fits(own, own.together, 1), "from the middle of a panel on");
    assert!(!fits(Division { length: 4, rows: 2 * columns, ..own }, 0, 0), "half the outputs");
    assert!(!fits(Division { together: 1, ..own }, 0, 0), "one after the other");
}

#[test]
fn the_best_instructions_are_the_widest_ones() {
    let widest = InstructionSet::ALL.into_iter().find_map(Kernel::with).unwrap();
    assert_eq!(Kernel::best().instruction_set(), widest.instruction_set());
    assert!(Kernel::with(InstructionSet::Portable).is_some());
}
