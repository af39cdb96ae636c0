//! Many comparisons, read from files one after the other.

use super::documents::documents;
use super::family::Family;
use super::row::{Document, Row};
use onnxray_import::{ImportError, Source};
use onnxray_text::shown;

/// Many comparisons. What is held of each is its name, and what differs in it.
#[derive(Debug, Default)]
pub struct Fleet {
    /// Names, in the order in which they were read.
    pub comparisons: Vec<String>,
    /// Latencies, or profiled latencies where a comparison has no other.
    pub wholes: Family,
    /// The layers of all.
    pub layers: Family,
    /// Costs of an inference beside its latency, of all that tell of some.
    pub costs: Family,
    /// The patterns of layers of all, those of documents that have some.
    pub patterns: Family,
    /// Documents that could not be read, with reasons.
    pub losses: Vec<String>,
}

/// A version of a document.
#[derive(Default)]
struct Version {
    version: Option<String>,
    baseline: Option<String>,
    whole: Option<Row>,
    costs: Vec<Row>,
    /// The document has a figure of the whole.
    has_figures: bool,
    layers: Vec<Row>,
    patterns: Vec<Row>,
}

impl Fleet {
    /// Adds the comparisons of a file, which are JSON documents one after the other. What cannot
    /// be read of them is a loss.
    ///
    /// # Errors
    ///
    /// If nothing of the file can be read.
    pub fn read(&mut self, source: Source) -> Result<(), ImportError> {
        let file = shown(source.path());
        let mut is_empty = true;
        documents(source, |line, text| {
            is_empty = false;
            match text.and_then(|text| Document::read(text, line)) {
                Ok(document) => self.add(document),
                Err(reason) => self.losses.push(format!("{file}: line {line}: {reason}")),
            }
        })?;
        if is_empty {
            self.losses.push(format!("{file}: the file is empty"));
        }
        Ok(())
    }

    /// Each version is a comparison of its own.
    fn add(&mut self, document: Document) {
        let mut versions: Vec<Version> = Vec::new();
        for row in document.inference.into_iter().flatten() {
            let version = version_of(&mut versions, &row);
            if row.is_cost() {
                version.costs.push(row.without_times());
                continue;
            }
            version.has_figures = true;
            // A version has several figures of the whole: the one with a verdict decides.
            if version.whole.is_none() && row.verdict.is_some() {
                version.whole = Some(row);
            }
        }
        for row in document.layers.into_iter().flatten() {
            version_of(&mut versions, &row).layers.push(row);
        }
        for row in document.patterns.into_iter().flatten() {
            // The others are layers, which are counted as such.
            if row.count.is_some_and(|count| count > 1) {
                version_of(&mut versions, &row).patterns.push(row);
            }
        }
        let are_several = versions.len() > 1;
        for Version { version, baseline, whole, costs, has_figures, layers, patterns } in versions {
            let comparison = self.comparisons.len();
            let test = whole.and_then(|whole| whole.test(comparison));
            let not_tested = u64::from(has_figures && test.is_none());
            self.wholes.add(test.into_iter().collect(), not_tested);
            let families = [
                (&mut self.costs, costs),
                (&mut self.layers, layers),
                (&mut self.patterns, patterns),
            ];
            for (family, rows) in families {
                let count = rows.len();
                let tests: Vec<_> =
                    rows.into_iter().filter_map(|row| row.test(comparison)).collect();
                let not_tested = (count - tests.len()) as u64;
                family.add(tests, not_tested);
            }
            let version = version.unwrap_or_else(|| "B".to_string());
            self.comparisons.push(match (&document.comparison, baseline) {
                (Some(name), _) if are_several => format!("{name}: {version}"),
                (Some(name), _) => name.clone(),
                (None, Some(baseline)) => format!("{baseline} → {version}"),
                (None, None) => version,
            });
        }
    }
}

/// The version of a row, added if it is the first row of it.
fn version_of<'a>(versions: &'a mut Vec<Version>, row: &Row) -> &'a mut Version {
    let known = versions.iter().position(|known| known.version == row.version);
    let at = known.unwrap_or_else(|| {
        versions.push(Version { version: row.version.clone(), ..Version::default() });
        versions.len() - 1
    });
    let version = &mut versions[at];
    if version.baseline.is_none() {
        version.baseline.clone_from(&row.baseline);
    }
    version
}
