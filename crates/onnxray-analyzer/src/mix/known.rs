//! What launches say of mixes, next to each other.

use onnxray_format::{MixTrial, MixVariant};
use std::collections::BTreeMap;

/// Results by mix, then by number of the launch.
pub(super) struct Known<'a> {
    mixes: BTreeMap<&'a [u32], BTreeMap<u32, &'a MixVariant>>,
}

impl<'a> Known<'a> {
    pub(super) fn of(launches: &[&'a MixTrial]) -> Known<'a> {
        let mut mixes: BTreeMap<&[u32], BTreeMap<u32, &MixVariant>> = BTreeMap::new();
        for launch in launches {
            for variant in &launch.variants {
                let own = mixes.entry(variant.changes.as_slice()).or_default();
                // By the launch's number: "the first launches" are the same whenever the journal is
                // read.
                own.insert(launch.number, variant);
            }
        }
        Known { mixes }
    }

    /// All mixes that a launch had.
    pub(super) fn mixes(&self) -> impl Iterator<Item = &'a [u32]> {
        self.mixes.keys().copied()
    }

    /// Results of a mix in the order of launches.
    pub(super) fn launches(&self, set: &[u32]) -> impl Iterator<Item = &'a MixVariant> {
        self.mixes.get(set).into_iter().flat_map(|own| own.values().copied())
    }

    /// Why a mix failed, if it did.
    pub(super) fn failure(&self, set: &[u32]) -> Option<&'a str> {
        self.launches(set).find_map(|variant| variant.failed.as_deref())
    }

    /// Largest loss of a mix over launches.
    pub(super) fn loss(&self, set: &[u32]) -> Option<f64> {
        self.launches(set).filter_map(|variant| variant.quality.loss).max_by(f64::total_cmp)
    }

    /// Logarithms of latency / latency of another mix, in each launch that had both.
    pub(super) fn logarithms(&self, set: &[u32], reference: &[u32]) -> Vec<f64> {
        let Some((own, other)) = self.mixes.get(set).zip(self.mixes.get(reference)) else {
            return Vec::new();
        };
        let both = own
            .iter()
            .filter_map(|(number, own)| Some(own.ratio?.ln() - other.get(number)?.ratio?.ln()));
        both.collect()
    }

    /// The mean of the first of them, as many as `launches`; `None` if there are not as many.
    pub(super) fn gain(&self, set: &[u32], reference: &[u32], launches: usize) -> Option<f64> {
        self.gain_behind(set, reference, 0, launches)
    }

    /// The mean of those behind the first `skipped`, up to that many launches in all.
    pub(super) fn gain_behind(
        &self,
        set: &[u32],
        reference: &[u32],
        skipped: usize,
        launches: usize,
    ) -> Option<f64> {
        let logarithms = self.logarithms(set, reference);
        let chosen = logarithms.get(skipped..launches)?;
        Some(chosen.iter().sum::<f64>() / chosen.len() as f64)
    }
}
