//! Formulas, without `=`, of numbers in settable cells, as `settings` reads them: also where they
//! were typed as text, such as `80 %`, `0,8` or `4 (settable)`, as programs that edit workbooks
//! write them.

/// Whether a cell is blank; one of spaces is.
pub(super) fn is_blank(cell: &str) -> String {
    format!("TRIM({cell})=\"\"")
}

/// The number in a cell; 0 if it is blank, an error if it holds no number.
pub(super) fn number(cell: &str) -> String {
    // `NUMBERVALUE` knows percents and no locale: its decimal sign is given.
    format!(
        "IF(ISNUMBER({cell}),{cell},IF({},0,_xlfn.NUMBERVALUE(SUBSTITUTE(\
         SUBSTITUTE({cell},\"(settable)\",\"\"),\",\",\".\"),\".\",\" \")))",
        is_blank(cell)
    )
}

/// The sparsity in a cell: above 1, it is in percent; blank if the cell is.
pub(crate) fn level(cell: &str) -> String {
    let number = number(cell);
    // Rounded, so that headings of one level match: `52.57 %` and `0.5257` differ in the last bit.
    format!("IF({},\"\",ROUND({number}/IF({number}>1,100,1),12))", is_blank(cell))
}

/// The same, or what another formula says where the cell is blank.
pub(super) fn level_or(cell: &str, blank: &str) -> String {
    format!("IF({},{blank},{})", is_blank(cell), level(cell))
}
