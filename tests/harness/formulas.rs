//! Formulas in the workbooks of reports.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What patterns are computed by.
const OF_PATTERNS: [&str; 2] = ["SUMIF('Operators'!$", "IF("];

/// Checks every formula of a workbook: they are totals and sums of patterns, nothing else.
pub(crate) fn no_formula_but_ours(workbook: &Path) {
    let mut archive = zip::ZipArchive::new(File::open(workbook).unwrap()).unwrap();
    let mut formulas = 0;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        if !name.starts_with("xl/worksheets/") || !name.ends_with(".xml") {
            continue;
        }
        let mut xml = String::new();
        entry.read_to_string(&mut xml).unwrap();
        for formula in xml.split("<f>").skip(1) {
            if OF_PATTERNS.iter().any(|own| formula.starts_with(own)) {
                continue;
            }
            assert!(formula.starts_with("SUBTOTAL(109,"), "{}", &formula[..40.min(formula.len())]);
            formulas += 1;
        }
        assert!(!xml.contains("<hyperlink"), "names are not links");
    }
    // Where roofs are known, what there is to gain has a total as well.
    assert!(matches!(formulas, 5 | 6), "{formulas}");
}
