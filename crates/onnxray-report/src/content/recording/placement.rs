//! Which execution provider ran which operators: a line, and a table.

use crate::content::selection::Selection;
use crate::document::{Cell, Table, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Share, Text};
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::statistics::{ProviderSummary, Summary};
use onnxray_text::counted;

/// Types that the line names of a provider.
const MOST_TYPES: usize = 3;

columns! {
    pub(super) const PROVIDERS: ProviderSummary;

    /// execution provider of ONNX Runtime; `copies`: between providers
    NAME "Provider" Text = |provider| Cell::text(&provider.name);
    /// operators it ran
    "operators" "Operators" Count = |provider| Cell::Whole(provider.operators);
    /// sum of exclusive times
    TOTAL "Total ms" Ms = |provider| Cell::milliseconds(provider.total.map(Milliseconds::from));
    /// exclusive time per iteration, mean
    MEAN "Time ms" Ms = |provider| Cell::milliseconds(provider.mean);
    /// share of the time of all operators
    "share" "Share" Share = |provider| Cell::share(provider.share);
    /// their types, most time first
    "types" "Types" Text = |provider| Cell::text(provider.types.join(", "));
}

const NAME: &str = "provider";
const TOTAL: &str = "total_ms";
const MEAN: &str = "time_ms";

columns! {
    /// The line, as a figure of the model.
    pub(super) const PLACEMENT: Summary;

    /// execution providers, and what they ran
    "placement" "placement" Text = |summary| Cell::some_text(line(&summary.providers));
}

/// The table; `None` if no operator names its provider.
pub(super) fn providers(summary: &Summary, selection: &Selection) -> Option<Table> {
    let providers = &summary.providers;
    let by_iteration = providers.iter().any(|provider| provider.mean.is_some());
    let table = Table::new("providers", "Execution providers", PROVIDERS, providers)
        .hiding(&[if by_iteration { TOTAL } else { MEAN }])
        .summed_up(selection.rows, 0, &["operators", TOTAL, MEAN, "share"]);
    (!providers.is_empty()).then_some(table)
}

/// `CUDA 409 of 412 operators (99.3 % of the time), 3 on CPU: Loop; 6 copies (1.200 ms)`.
fn line(providers: &[ProviderSummary]) -> String {
    // Copies are the runtime's, not operators of the model.
    let all: u64 = providers.iter().filter(|p| !p.is_copies).map(|p| p.operators).sum();
    let parts = providers.iter().enumerate().map(|(position, provider)| {
        let ProviderSummary { name, operators, types, share, .. } = provider;
        let time = provider.mean.or(provider.total.map(Milliseconds::from));
        if provider.is_copies {
            let time = time.map_or(String::new(), |time| format!(" ({:.3} ms)", time.0));
            return format!("; {}{time}", counted(*operators, "copy", "copies"));
        }
        if position > 0 {
            let more = if types.len() > MOST_TYPES { ", …" } else { "" };
            let types = types[..types.len().min(MOST_TYPES)].join(", ");
            return format!(", {operators} on {name}: {types}{more}");
        }
        let share = share.map(|share| format!(" ({:.1} % of the time)", share.0 * 100.0));
        match *operators == all {
            true => format!("{name}, all {}", counted(all, "operator", "operators")),
            false => {
                format!("{name} {operators} of {all} operators{}", share.unwrap_or_default())
            }
        }
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_analyzer::Share;

    fn provider(name: &str, operators: u64, types: &[&str], share: f64) -> ProviderSummary {
        ProviderSummary {
            name: name.to_string(),
            is_copies: name == "copies",
            operators,
            types: types.iter().map(|name| name.to_string()).collect(),
            mean: Some(Milliseconds(1.2)),
            total: None,
            share: Some(Share(share)),
        }
    }

    #[test]
    fn the_line_says_who_ran_what() {
        let cuda = provider("CUDA", 409, &["Conv"], 0.993);
        let cpu = provider("CPU", 3, &["Loop", "If", "Scan", "Gather"], 0.005);
        let copies = provider("copies", 6, &["MemcpyToHost"], 0.002);
        let of = |providers: &[&ProviderSummary]| {
            line(&providers.iter().map(|&provider| provider.clone()).collect::<Vec<_>>())
        };
        assert_eq!(
            of(&[&cuda, &cpu, &copies]),
            "CUDA 409 of 412 operators (99.3 % of the time), 3 on CPU: Loop, If, Scan, …; \
             6 copies (1.200 ms)"
        );
        assert_eq!(of(&[&cpu]), "CPU, all 3 operators");
        assert_eq!(of(&[]), "");
    }
}
