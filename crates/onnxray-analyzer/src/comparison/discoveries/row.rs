//! What the JSON of comparisons says of the whole and of layers, as far as it is needed here.

use super::documents::{MADE, reason};
use super::family::{Differing, Test, Way};
use crate::comparison::Cost;
use crate::printable::quoted;
use crate::statistics::Interval;
use crate::units::Milliseconds;
use serde::Deserialize;

/// Words for verdicts in JSON.
const VERDICTS: [&str; 11] = [
    "faster",
    "slower",
    "lower",
    "higher",
    "same",
    "negligible",
    "inconclusive",
    "not tested",
    "not executed",
    "not executed in A",
    "not executed in B",
];

/// What is read of an object of the JSON, and by the names of its fields the keys that reports write
/// it with: one cannot be renamed without the other.
macro_rules! keyed {
    (
        $(#[$about:meta])*
        struct $name:ident, $keys:ident {
            $($(#[$of_field:meta])* $field:ident $key:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Deserialize)]
        pub(super) struct $name {
            $($(#[$of_field])* pub(super) $field: Option<$type>,)*
        }

        /// Keys of the JSON that decide a comparison.
        pub mod $keys {
            $(#[doc = concat!("`", stringify!($field), "`")]
            pub const $key: &str = stringify!($field);)*
        }
    };
}

keyed! {
    /// Comparisons of one or several versions with a baseline.
    struct Document, tables {
        report REPORT: String,
        schema_version SCHEMA_VERSION: u64,
        /// Name given by whoever wrote it.
        comparison COMPARISON: String,
        /// Figures of the whole. For each version, the one with a verdict decides.
        inference INFERENCE: Vec<Row>,
        layers LAYERS: Vec<Row>,
        /// Layers, those that repeat as one.
        patterns PATTERNS: Vec<Row>,
    }
}

keyed! {
    /// A figure of the whole, or a layer. Times of layers say their unit.
    struct Row, keys {
        figure FIGURE: String,
        layer LAYER: String,
        version VERSION: String,
        baseline BASELINE: String,
        verdict VERDICT: String,
        a_type A_TYPE: String,
        b_type B_TYPE: String,
        a A: f64,
        b B: f64,
        a_ms A_MS: f64,
        b_ms B_MS: f64,
        a_share A_SHARE: f64,
        b_share B_SHARE: f64,
        difference DIFFERENCE: f64,
        difference_ms DIFFERENCE_MS: f64,
        difference_low_ms DIFFERENCE_LOW_MS: f64,
        difference_high_ms DIFFERENCE_HIGH_MS: f64,
        ratio RATIO: f64,
        ratio_low RATIO_LOW: f64,
        ratio_high RATIO_HIGH: f64,
        p P: f64,
        /// Layers of a pattern.
        count COUNT: u64,
    }
}

#[derive(Deserialize)]
struct Kind {
    report: Option<String>,
}

impl Document {
    /// `line` is the line of the file on which the text begins.
    pub(super) fn read(text: &str, line: u64) -> Result<Document, String> {
        let mut json = serde_json::Deserializer::from_str(text);
        let read: Result<Document, _> = serde_path_to_error::deserialize(&mut json);
        let kind = match &read {
            Ok(document) => document.report.clone(),
            // Another report may have members of these names that are otherwise.
            Err(_) => serde_json::from_str(text).ok().and_then(|Kind { report }| report),
        };
        match (kind.as_deref(), read) {
            (Some("comparison"), Ok(document)) => document.checked(),
            (Some("comparison"), Err(error)) => Err(format!(
                "{}: {}",
                quoted(&error.path().to_string()),
                reason(error.inner(), line)
            )),
            (Some(other), _) => {
                Err(format!("is the JSON of another report ({}); {MADE}", quoted(other)))
            }
            (None, _) => Err(format!("is JSON, but of no comparison; {MADE}")),
        }
    }

    fn checked(self) -> Result<Document, String> {
        if let Some(version) = self.schema_version.filter(|&version| version != 1) {
            return Err(format!("is of schema_version {version}; this version of onnxray reads 1"));
        }
        if self.inference.is_none() && self.layers.is_none() {
            return Err("has neither inference times nor layers; leave out --view".to_string());
        }
        self.inference
            .iter()
            .chain(&self.layers)
            .chain(&self.patterns)
            .flatten()
            .try_for_each(Row::check)?;
        Ok(self)
    }
}

impl Row {
    /// Refuses values that no comparison writes.
    fn check(&self) -> Result<(), String> {
        let Some(name) = self.layer.as_ref().or(self.figure.as_ref()) else {
            return Err("a row has neither `layer` nor `figure`".to_string());
        };
        let name = || quoted(name);
        if let Some(p) = self.p.filter(|p| !(0.0..=1.0).contains(p)) {
            return Err(format!("the p of {} is {p}, not from 0 to 1", name()));
        }
        if let Some(verdict) = &self.verdict
            && !VERDICTS.contains(&verdict.as_str())
        {
            return Err(format!("the verdict of {} is {}, which is none", name(), quoted(verdict)));
        }
        let ratios = [self.ratio, self.ratio_low, self.ratio_high];
        if let Some(ratio) = ratios.into_iter().flatten().find(|ratio| *ratio < 0.0) {
            return Err(format!("a ratio of {} is {ratio}, below 0", name()));
        }
        let shares = [self.a_share, self.b_share];
        if let Some(share) = shares.into_iter().flatten().find(|share| *share < 0.0) {
            return Err(format!("a share of {} is {share}, below 0", name()));
        }
        Ok(())
    }

    /// The figure is a cost of an inference beside its latency.
    pub(super) fn is_cost(&self) -> bool {
        Cost::ALL.iter().any(|cost| self.figure.as_deref() == Some(cost.key()))
    }

    /// Without what has another unit for each cost.
    pub(super) fn without_times(self) -> Row {
        Row { a: None, b: None, difference: None, ..self }
    }

    /// `None` without a p. The weight is the mean share of both sides.
    pub(super) fn test(self, comparison: usize) -> Option<Test> {
        let p = self.p?;
        // Any other verdict leaves the difference open: it counts as a test, with a p of 1.
        let way = match self.verdict.as_deref() {
            Some("faster" | "lower") => Some(Way::Faster),
            Some("slower" | "higher") => Some(Way::Slower),
            _ => None,
        };
        // As in the comparison itself: the mean share of both sides.
        let weight = (self.a_share.unwrap_or(0.0) + self.b_share.unwrap_or(0.0)) / 2.0;
        let differing = way.map(|way| Differing {
            comparison,
            name: self.layer.or(self.figure).unwrap_or_default(),
            layers: self.count.unwrap_or(1),
            types: [self.a_type, self.b_type].map(Option::unwrap_or_default),
            times: [self.a_ms.or(self.a), self.b_ms.or(self.b)].map(|time| time.map(Milliseconds)),
            ratio: self.ratio,
            ratio_interval: interval(self.ratio_low, self.ratio_high),
            difference: self.difference_ms.or(self.difference).map(Milliseconds),
            difference_interval: interval(self.difference_low_ms, self.difference_high_ms),
            p,
            way,
        });
        Some(Test { weight, differing })
    }
}

fn interval(low: Option<f64>, high: Option<f64>) -> Option<Interval> {
    low.zip(high).map(|(low, high)| Interval { low, high })
}
