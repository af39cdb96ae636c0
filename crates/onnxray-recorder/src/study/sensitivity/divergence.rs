//! How far outputs are from those of the model as it is.

use onnxray_format::LossMeasure;

/// An output of a run, as numbers.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// Row-major.
    pub(super) values: Vec<f64>,
    /// Elements along the last axis; 1 for a scalar.
    pub(super) last: usize,
}

impl Output {
    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.last.max(1))
    }

    /// Rows along the last axis.
    pub(super) fn row_count(&self) -> usize {
        self.values.len() / self.last.max(1)
    }

    /// Place of the largest element of each row, the first of equal ones; `None` in an empty row.
    pub(super) fn largest(&self) -> Vec<Option<usize>> {
        let first_of = |row: &[f64]| {
            let places = row.iter().enumerate().rev();
            places.max_by(|a, b| a.1.total_cmp(b.1)).map(|(place, _)| place)
        };
        self.rows().map(first_of).collect()
    }

    fn is_finite(&self) -> bool {
        self.values.iter().all(|value| value.is_finite())
    }

    pub(super) fn has_nan(&self) -> bool {
        self.values.iter().any(|value| value.is_nan())
    }
}

/// How far `pruned` is from `dense`, in nats or as a share.
///
/// # Errors
///
/// Why it is not a finite number.
pub(super) fn divergence(
    measure: LossMeasure,
    dense: &Output,
    pruned: &Output,
) -> Result<f64, String> {
    if dense.values.len() != pruned.values.len() || dense.last != pruned.last {
        return Err("its shape differs from the original model's".to_string());
    }
    let value = match measure {
        LossMeasure::RelativeL2 => relative_l2(&dense.values, &pruned.values),
        LossMeasure::KlLogits => mean(dense, pruned, |dense, pruned| {
            let (dense, pruned) = (log_softmax(dense), log_softmax(pruned));
            // 0 ln 0 is 0, by its limit: computed, it would be NaN.
            let of = |(p, q): (&f64, &f64)| if p.exp() == 0.0 { 0.0 } else { p.exp() * (p - q) };
            dense.iter().zip(&pruned).map(of).sum()
        }),
        LossMeasure::KlProbabilities => mean(dense, pruned, |dense, pruned| {
            // The same limit; a zero in `pruned` alone makes it infinite, which is said below.
            let of = |(&p, &q): (&f64, &f64)| if p == 0.0 { 0.0 } else { p * (p.ln() - q.ln()) };
            dense.iter().zip(pruned).map(of).sum()
        }),
    };
    if value.is_finite() {
        // Rounding may leave less than nothing.
        return Ok(value.max(0.0));
    }
    Err(match (measure, [dense, pruned].map(Output::is_finite)) {
        (LossMeasure::KlProbabilities, [true, true]) => {
            "its divergence is not finite: a probability became zero"
        }
        (LossMeasure::RelativeL2, [true, true]) => {
            "its relative L2 is not finite: the original model's output is zero"
        }
        (_, [true, true]) => "its divergence is not finite",
        (_, [true, false]) => "it holds infinite values",
        (_, [false, _]) => "the original model's output holds infinite values",
    }
    .to_string())
}

fn mean(dense: &Output, pruned: &Output, of: impl Fn(&[f64], &[f64]) -> f64) -> f64 {
    let sum: f64 = dense.rows().zip(pruned.rows()).map(|(dense, pruned)| of(dense, pruned)).sum();
    sum / dense.row_count().max(1) as f64
}

/// The logarithm of the softmax, without its overflows.
fn log_softmax(row: &[f64]) -> Vec<f64> {
    let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = row.iter().map(|value| (value - largest).exp()).sum();
    // Shifting all by the largest changes nothing and keeps `exp` at most 1.
    row.iter().map(|value| value - largest - sum.ln()).collect()
}

/// ‖pruned − dense‖₂ / ‖dense‖₂; 0 where nothing changed.
pub(super) fn relative_l2(dense: &[f64], pruned: &[f64]) -> f64 {
    let squares = |values: &mut dyn Iterator<Item = f64>| -> f64 { values.map(|v| v * v).sum() };
    // What is infinite in both did not change.
    let change = |(d, p): (&f64, &f64)| if d == p { 0.0 } else { p - d };
    let changed = squares(&mut dense.iter().zip(pruned).map(change));
    if changed == 0.0 { 0.0 } else { (changed / squares(&mut dense.iter().copied())).sqrt() }
}

/// Cross-entropy of each row with its label, in nats, and how many rows are largest at their label.
///
/// # Errors
///
/// If a label is outside of the classes, or a cross-entropy is not finite.
pub(super) fn cross_entropy(
    measure: LossMeasure,
    output: &Output,
    labels: &[i64],
) -> Result<(Vec<f64>, u64), String> {
    let (mut each, mut right) = (Vec::with_capacity(labels.len()), 0);
    for (row, &label) in output.rows().zip(labels) {
        let class = usize::try_from(label).ok().filter(|&class| class < row.len());
        let class = class.ok_or_else(|| {
            format!("a label is {label}, and there are the classes 0 to {}", row.len() - 1)
        })?;
        let likelihood = match measure {
            LossMeasure::KlProbabilities => row[class].ln(),
            _ => log_softmax(row)[class],
        };
        each.push(-likelihood);
        // The first of several that are as large.
        let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        right += u64::from(row.iter().position(|&value| value == largest) == Some(class));
    }
    match each.iter().all(|entropy| entropy.is_finite()) {
        true => Ok((each, right)),
        false => Err("the loss is not finite: a label's probability is zero".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(values: &[f64], last: usize) -> Output {
        Output { values: values.to_vec(), last }
    }

    /// Relative difference.
    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * b.abs()
    }

    #[test]
    fn divergences_are_those_of_the_formulas() {
        // 0.5 ln(0.5 / 0.25) + 0.5 ln(0.5 / 0.75), and nothing for a row that stays.
        let dense = output(&[0.5, 0.5, 0.9, 0.1], 2);
        let pruned = output(&[0.25, 0.75, 0.9, 0.1], 2);
        let expected = (0.5 * 2f64.ln() + 0.5 * (2.0f64 / 3.0).ln()) / 2.0;
        let of = |measure, dense: &Output, pruned: &Output| divergence(measure, dense, pruned);
        assert!(near(of(LossMeasure::KlProbabilities, &dense, &pruned).unwrap(), expected));
        // Logits that are off by a constant are the same probabilities, however large.
        let logs = |output: &Output, more: f64| Output {
            values: output.values.iter().map(|value| value.ln() + more).collect(),
            last: 2,
        };
        let value = of(LossMeasure::KlLogits, &logs(&dense, 1000.0), &logs(&pruned, -1000.0));
        assert!((value.unwrap() - expected).abs() < 1e-12);
        let l2 = of(LossMeasure::RelativeL2, &output(&[3.0, 4.0], 2), &output(&[3.0, 0.0], 2));
        assert!(near(l2.unwrap(), 0.8));
        let zero = output(&[0.0, 0.0], 2);
        assert_eq!(of(LossMeasure::RelativeL2, &zero, &zero), Ok(0.0));
        assert!(of(LossMeasure::RelativeL2, &zero, &dense).is_err(), "another shape");
        let one = output(&[1.0, 0.0], 2);
        let why = |dense, pruned| of(LossMeasure::RelativeL2, dense, pruned).unwrap_err();
        assert!(why(&zero, &one).ends_with("the original model's output is zero"));
        // No norm is zero there.
        let infinite = output(&[1.0, f64::INFINITY], 2);
        assert_eq!(why(&one, &infinite), "it holds infinite values");
        assert_eq!(why(&infinite, &one), "the original model's output holds infinite values");
        let certain = output(&[1.0, 0.0], 2);
        let other = output(&[0.0, 1.0], 2);
        assert_eq!(of(LossMeasure::KlProbabilities, &certain, &certain), Ok(0.0));
        assert!(of(LossMeasure::KlProbabilities, &certain, &other).is_err());
    }

    #[test]
    fn labels_are_classes() {
        let logits = output(&[0.0, 0.0, 3.0, 1.0], 2);
        let (each, right) = cross_entropy(LossMeasure::KlLogits, &logits, &[0, 0]).unwrap();
        let expected = [2f64.ln(), (1.0 + (-2f64).exp()).ln()];
        assert!(near(each[0], expected[0]) && near(each[1], expected[1]) && right == 2);
        let (_, right) = cross_entropy(LossMeasure::KlLogits, &logits, &[1, 1]).unwrap();
        assert_eq!(right, 0, "of equal ones the first is the largest");
        for label in [-1, 2] {
            assert!(cross_entropy(LossMeasure::KlLogits, &logits, &[0, label]).is_err());
        }
        let sure = output(&[1.0, 0.0], 2);
        assert!(cross_entropy(LossMeasure::KlProbabilities, &sure, &[1]).is_err());
    }
}
