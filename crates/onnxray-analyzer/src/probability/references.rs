//! Values that other programs computed, against which tests hold what is
//! computed here. `tests/references/references.py` wrote them.

use serde_json::Value;

const JSON: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/references/references.json"));

/// The whole file.
pub(crate) struct References(Value);

/// One call of a function with its result.
pub(crate) struct Case(Value);

impl References {
    pub(crate) fn read() -> References {
        References(serde_json::from_str(JSON).unwrap())
    }

    /// Fails if there are none, so that no test passes for want of cases.
    pub(crate) fn cases(&self, name: &str) -> Vec<Case> {
        let cases = self.0["cases"][name].as_array().unwrap();
        assert!(!cases.is_empty(), "{name}");
        cases.iter().cloned().map(Case).collect()
    }
}

impl Case {
    pub(crate) fn number(&self, key: &str) -> f64 {
        self.0[key].as_f64().unwrap()
    }

    pub(crate) fn numbers(&self, key: &str) -> Vec<f64> {
        self.0[key].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    }
}

/// Equal up to a relative error; values below 1e-300 count as 0.
pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let close = (found - expected).abs() <= tolerance * expected.abs() + 1e-300;
    assert!(close, "{what}: found {found:e}, expected {expected:e}");
}

#[test]
fn the_file_says_what_wrote_it() {
    let file = References::read();
    for package in ["python", "numpy", "scipy", "statsmodels"] {
        assert!(file.0["versions"][package].is_string(), "{package}");
    }
}
