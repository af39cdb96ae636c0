//! Which execution provider ran which operators: those of ONNX Runtime's profiles name it.

use super::OperatorSummary;
use crate::units::{Milliseconds, Share};
use onnxray_format::Nanoseconds;

/// End of every provider's name, which tables leave out.
const SUFFIX: &str = "ExecutionProvider";
/// Operators that ONNX Runtime inserts to copy between providers.
const COPIES: [&str; 2] = ["MemcpyFromHost", "MemcpyToHost"];
const COPIES_NAME: &str = "copies";

/// Operators of one execution provider, or all copies between providers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProviderSummary {
    /// Without `ExecutionProvider`: `CUDA`; `unknown` of operators that name none.
    pub name: String,
    /// True for the row of copies between providers.
    pub is_copies: bool,
    /// Number of operators.
    pub operators: u64,
    /// Their types, each once, from most to least time.
    pub types: Vec<String>,
    /// Exclusive time per iteration; `None` without iterations.
    pub mean: Option<Milliseconds>,
    /// Exclusive time of all of them.
    pub total: Option<Nanoseconds>,
    /// Share of the time of all operators.
    pub share: Option<Share>,
}

impl ProviderSummary {
    /// Providers from most to least time, copies last; empty if no operator names its provider.
    pub(super) fn all(operators: &[OperatorSummary]) -> Vec<ProviderSummary> {
        if !operators.iter().any(|operator| provider(operator).is_some()) {
            return Vec::new();
        }
        // So that each provider lists its types from most to least time.
        let mut by_time: Vec<&OperatorSummary> = operators.iter().collect();
        by_time.sort_by(|a, b| b.sort_key().total_cmp(&a.sort_key()));
        let mut providers: Vec<ProviderSummary> = Vec::new();
        for operator in by_time {
            let operator_type = &operator.operator.operator_type;
            let is_copies = COPIES.contains(&operator_type.as_str());
            let name = match is_copies {
                true => COPIES_NAME,
                false => provider(operator).unwrap_or("unknown"),
            };
            let same = |known: &ProviderSummary| known.name == name && known.is_copies == is_copies;
            let position = providers.iter().position(same).unwrap_or_else(|| {
                let name = name.to_string();
                providers.push(ProviderSummary { name, is_copies, ..Default::default() });
                providers.len() - 1
            });
            let provider = &mut providers[position];
            provider.operators += 1;
            if !provider.types.contains(operator_type) {
                provider.types.push(operator_type.clone());
            }
            provider.total = sum(provider.total, operator.total);
            provider.mean = sum(provider.mean, operator.mean);
        }
        let all: Nanoseconds = providers.iter().filter_map(|provider| provider.total).sum();
        for provider in &mut providers {
            provider.share = provider.total.and_then(|total| Share::of(total, all));
        }
        providers.sort_by_key(|provider| (provider.is_copies, std::cmp::Reverse(provider.total)));
        providers
    }
}

fn provider(operator: &OperatorSummary) -> Option<&str> {
    operator.operator.kernel.as_deref()?.strip_suffix(SUFFIX)
}

fn sum<T: std::ops::Add<Output = T>>(sum: Option<T>, term: Option<T>) -> Option<T> {
    match (sum, term) {
        (Some(sum), Some(term)) => Some(sum + term),
        (sum, term) => sum.or(term),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::Operator;

    fn operator(operator_type: &str, kernel: Option<&str>, total: u64) -> OperatorSummary {
        let operator = Operator {
            operator_type: operator_type.to_string(),
            kernel: kernel.map(str::to_string),
            ..Operator::default()
        };
        let total = Some(Nanoseconds(total));
        OperatorSummary { total, ..OperatorSummary::unmeasured(operator) }
    }

    #[test]
    fn providers_and_copies_add_up() {
        let (cuda, cpu) = (Some("CUDAExecutionProvider"), Some("CPUExecutionProvider"));
        let operators = [
            operator("Loop", cpu, 5),
            operator("Conv", cuda, 60),
            operator("MemcpyToHost", cuda, 15),
            operator("Gather", cpu, 9),
            operator("Loop", cpu, 1),
            operator("Conv", cuda, 10),
        ];
        let providers = ProviderSummary::all(&operators);
        let row = |row: &ProviderSummary| {
            let share = (row.share.unwrap().0 * 100.0).round();
            (row.name.clone(), row.operators, row.types.join(" "), share)
        };
        let rows: Vec<_> = providers.iter().map(row).collect();
        assert_eq!(rows[0], ("CUDA".to_string(), 2, "Conv".to_string(), 70.0));
        assert_eq!(rows[1], ("CPU".to_string(), 3, "Gather Loop".to_string(), 15.0));
        assert_eq!(rows[2], ("copies".to_string(), 1, "MemcpyToHost".to_string(), 15.0));
        assert!(ProviderSummary::all(&[operator("Conv", Some("sgemm"), 1)]).is_empty());
    }
}
