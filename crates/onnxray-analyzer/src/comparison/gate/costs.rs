//! Limits of what an inference costs beside its latency.

use super::limit::{LEVEL, percent};
use crate::comparison::{ComparedCost, Comparison, Cost, Verdict};
use crate::units::Share;
use onnxray_text::difference::Adjectives;

/// What such limits say.
#[derive(Default)]
pub(super) struct GatedCosts {
    /// A sentence for each limit that stops the change.
    pub failures: Vec<String>,
    /// A phrase for each limit that does not.
    pub passed: Vec<String>,
    /// It passed although a cost may be beyond its limit.
    pub is_undecided: bool,
}

pub(super) fn gated(comparison: &Comparison, limits: &[(Cost, Share)]) -> GatedCosts {
    let mut gated = GatedCosts::default();
    let find = |cost: Cost| comparison.costs.iter().find(|compared| compared.cost == cost);
    // The limit of the CPU time is that of a call as well, where calls came at a pace: threads that spin
    // between two of them cost what no loop shows.
    let paced = find(Cost::PacedCpuTime).filter(|paced| paced.change.ratio.is_some());
    let of_call = |&(cost, limit): &(Cost, Share)| {
        paced.filter(|_| cost == Cost::CpuTime).map(|paced| (paced.cost, limit))
    };
    // Where the loop's depends on what else ran, that of a call decides alone.
    let of_loop = |&(cost, limit): &(Cost, Share)| {
        let depends = find(cost).is_some_and(|compared| compared.depends_on_load);
        (!depends || paced.is_none()).then_some((cost, limit))
    };
    let limits = limits.iter().flat_map(|own| [of_loop(own), of_call(own)]).flatten();
    for (cost, limit) in limits {
        let compared = find(cost);
        let known = compared.and_then(|compared| Some((compared, compared.change.ratio?)));
        let label = &comparison.labels[1];
        let name = compared.map_or(cost.name().to_string(), ComparedCost::name);
        if compared.is_some_and(|compared| compared.is_of_two_kinds) {
            gated.failures.push(format!(
                "{label}: starts are of a cold file on one side only, so that the limit of {name} \
                 cannot be checked; record both with --cold, or neither"
            ));
            continue;
        }
        let Some((compared, ratio)) = known else {
            gated.failures.push(format!(
                "{label}: {name} is unknown on a side, so that its limit cannot be checked; \
                 onnxray record measures it in processes of its own ({})",
                if cost.is_paced() { "--rate" } else { "--starts" }
            ));
            continue;
        };
        let extent = extent(compared, ratio);
        if exceeds(compared, ratio, limit) {
            let limit = percent(limit.0);
            gated
                .failures
                .push(format!("{label}: {name} is higher by more than {limit}: {extent}"));
            continue;
        }
        let high = compared.change.ratio_interval.map(|interval| interval.high);
        let is_open = compared.depends_on_load || high.is_none_or(|high| high > 1.0 + limit.0);
        gated.is_undecided |= is_open;
        let open = match is_open {
            true => format!("; {}, {}", open_because(compared, ratio, limit), next_step(compared)),
            false => String::new(),
        };
        gated.passed.push(format!("{name} {extent}{open}"));
    }
    gated
}

/// `may exceed 5 %`; of an estimate that does, why that does not suffice.
fn open_because(compared: &ComparedCost, ratio: f64, limit: Share) -> String {
    match compared.change.p.filter(|_| ratio > 1.0 + limit.0 && !compared.depends_on_load) {
        Some(p) => format!("its p is {p:.3}, and a limit stops at {LEVEL} or below"),
        None => format!("may exceed {}", percent(limit.0)),
    }
}

/// What tells more of a cost.
fn next_step(compared: &ComparedCost) -> &'static str {
    match compared.depends_on_load {
        true => {
            "for threads that spin take what other programs leave: record A --against B, or record both \
             with --rate"
        }
        false => "more --starts tell more",
    }
}

/// The estimate is beyond the limit, and p is small enough for a gate. Where nothing can be tested,
/// the estimate alone decides.
fn exceeds(compared: &ComparedCost, ratio: f64, limit: Share) -> bool {
    let is_sure = match compared.change.verdict {
        _ if compared.depends_on_load => false,
        Some(Verdict::NotTested) | None => true,
        _ => compared.change.p.is_some_and(|p| p <= LEVEL),
    };
    ratio > 1.0 + limit.0 && is_sure
}

/// `8.0 % higher (95 % CI 6.1 to 9.9 %)`
fn extent(compared: &ComparedCost, ratio: f64) -> String {
    let interval = compared.change.ratio_interval.map(|interval| (interval.low, interval.high));
    let ends = match Adjectives::AMOUNT.confidence(ratio, interval) {
        Some(ends) => format!(" ({ends})"),
        None => ", not tested".to_string(),
    };
    format!("{}{ends}", Adjectives::AMOUNT.of(ratio))
}
