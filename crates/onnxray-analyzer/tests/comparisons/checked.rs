//! What holds of any text that is read as the JSON of comparisons.

use onnxray_analyzer::comparison::Fleet;
use onnxray_import::Source;

/// Parts of such texts.
pub(crate) const PIECES: [&str; 12] = [
    r#"{"report":"comparison","schema_version":1,"inference":["#,
    r#"{"figure":"latency_ms","version":"b","baseline":"a","verdict":"slower","a":1.0,"b":2.0,"ratio":2.0,"p":1e-9}"#,
    r#"],"layers":["#,
    r#"{"layer":"conv","verdict":"slower","a_ms":1.0,"b_ms":2.0,"a_share":0.5,"b_share":0.25,"p":0.001}"#,
    r#"{"layer":"relu","verdict":"same","a_ms":0.5,"b_ms":0.5,"p":0.5}"#,
    r#"{"layer":"new","verdict":"not executed in A","b_ms":null}"#,
    "]}",
    "\n",
    ",",
    r#"{"a":["#,
    "-1e999",
    r#"{"report":"summary"}"#,
];

/// Reads the text: what is found is of what was read, and no p is above the rate.
pub(crate) fn check(text: Vec<u8>) {
    let Ok(source) = Source::from_bytes("comparisons.json", text) else { return };
    let mut fleet = Fleet::default();
    if fleet.read(source).is_err() {
        return;
    }
    for family in [&fleet.wholes, &fleet.layers] {
        assert!(family.differing() <= family.tested);
        let found = family.discoveries(0.05);
        assert!(found.len() as u64 <= family.differing());
        for discovery in found {
            assert!(discovery.differing.comparison < fleet.comparisons.len());
            assert!((0.0..=0.05).contains(&discovery.p_adjusted), "{discovery:?}");
        }
    }
}
