//! How often something is so, with an interval.

/// A part of some.
#[derive(Default)]
pub(crate) struct Rate {
    hits: usize,
    all: usize,
}

impl Rate {
    pub(crate) fn add(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.all += 1;
    }

    /// In percent, with Wilson's 95 % interval, as if all were independent.
    pub(crate) fn text(&self) -> String {
        const Z: f64 = 1.96;
        let all = self.all.max(1) as f64;
        let rate = self.hits as f64 / all;
        let center = (rate + Z * Z / (2.0 * all)) / (1.0 + Z * Z / all);
        let reach = Z / (1.0 + Z * Z / all)
            * (rate * (1.0 - rate) / all + Z * Z / (4.0 * all * all)).sqrt();
        format!(
            "{:>5.1} % [{:>4.1}, {:>4.1}]",
            100.0 * rate,
            100.0 * (center - reach).max(0.0),
            100.0 * (center + reach).min(1.0)
        )
    }
}
