//! The studies that there are.

use super::plan::{Distance, Study, VariantOf};
use onnxray_format::{
    LossMeasure, LossOutput, MixQuality, MixRun, Objective, RuntimeChange, TuneQuality, TuneRun,
};

/// Changes of the runtime.
impl Study for TuneRun {
    type Change = RuntimeChange;
    type Quality = TuneQuality;

    fn changes(&self) -> Vec<RuntimeChange> {
        self.changes.clone()
    }

    fn text(&self, change: u32) -> String {
        self.changes.get(change as usize).map_or(String::new(), RuntimeChange::text)
    }

    fn distance<'q>(&self, set: &[u32], quality: &'q TuneQuality) -> Option<Distance<'q>> {
        let own = quality.outputs.as_ref()?;
        let output = own.output.as_deref();
        // Of other numbers, the largest of many small differences says little.
        let loss = if self.is_of_precision(set) { own.loss? } else { own.relative };
        Some(Distance { loss, relative: Some(own.relative), absolute: Some(own.absolute), output })
    }

    fn is_of_precision(&self, set: &[u32]) -> bool {
        let mut changes = set.iter().filter_map(|&change| self.changes.get(change as usize));
        changes.any(RuntimeChange::is_of_precision)
    }

    fn objectives(&self) -> &[Objective] {
        &self.objectives
    }

    fn ratio(&self, objective: Objective, variant: &VariantOf<TuneRun>) -> Option<f64> {
        let costs = variant.costs;
        match (objective, self.rate) {
            (Objective::Latency, None) => variant.ratio,
            (Objective::Latency, Some(_)) => costs?.paced_latency,
            (Objective::Cpu, Some(_)) => costs?.paced_cpu,
            _ => costs?.of(objective),
        }
    }

    fn has_starts(&self) -> bool {
        self.objective() != Objective::Latency || self.rate.is_some()
    }

    /// Of two values of one setting, only one can be taken.
    fn is_conflict(&self, one: u32, other: u32) -> bool {
        let setting = |number: u32| self.changes.get(number as usize).map(RuntimeChange::setting);
        one != other && setting(one) == setting(other)
    }

    fn takes_more(&self, change: u32) -> bool {
        match self.changes.get(change as usize) {
            Some(RuntimeChange::Threads(threads)) => *threads > self.search.threads,
            Some(RuntimeChange::InterOpThreads(threads)) => *threads > 1,
            _ => false,
        }
    }
}

/// A loss that rounding alone may come to: in nats, and as relative L2.
const ROUNDING: [f64; 2] = [1e-9, 1e-6];

/// Tensors that come from B instead of A.
impl Study for MixRun {
    type Change = u32;
    type Quality = MixQuality;

    fn changes(&self) -> Vec<u32> {
        (0..self.changes.len() as u32).collect()
    }

    fn text(&self, change: u32) -> String {
        self.changes.get(change as usize).map_or(String::new(), |own| own.text().to_string())
    }

    fn distance<'q>(&self, _: &[u32], quality: &'q MixQuality) -> Option<Distance<'q>> {
        let (relative, absolute) = (None, None);
        let output = quality.output.as_deref();
        Some(Distance { loss: quality.loss?, relative, absolute, output })
    }

    fn needs(&self, change: u32) -> &[u32] {
        self.changes.get(change as usize).map_or(&[], |own| &own.needs)
    }

    /// Those of one operator type in one block of the model.
    fn group(&self, change: u32) -> Option<(&str, &str)> {
        let own = self.changes.get(change as usize)?;
        Some((block(own.tensor.as_deref().unwrap_or_default()), &own.operator_type))
    }

    /// In the measure of the outputs; the larger one if they have both.
    fn rounding(&self) -> f64 {
        let is_relative = |output: &LossOutput| output.measure == Some(LossMeasure::RelativeL2);
        ROUNDING[usize::from(self.outputs.iter().any(is_relative))]
    }
}

/// The first part of a name that ends with a number, such as `/layers.3`: a block of the model.
fn block(name: &str) -> &str {
    let is_numbered =
        |part: &str| part.chars().next_back().is_some_and(|last| last.is_ascii_digit());
    let mut end = 0;
    for part in name.split_inclusive(['/', '.']) {
        end += part.len();
        if is_numbered(part.trim_end_matches(['/', '.'])) {
            return &name[..end];
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_numbered_parts_of_names() {
        assert_eq!(block("/encoder/layers.3/attention/MatMul_output_0"), "/encoder/layers.3/");
        assert_eq!(block("/stages/stages.0/layers/layers.1/Conv"), "/stages/stages.0/");
        assert_eq!(block("logits"), "");
    }
}
