//! `columns!`: the one way to declare a list of columns, two lines each.
//!
//! ```text
//! columns! {
//!     /// Of every operator.
//!     pub(super) const OPERATORS: OperatorSummary;
//!
//!     /// exclusive time per iteration, mean
//!     "time_ms" "Time ms" Ms = |summary| told(summary, summary.mean);
//!     /// a 95 % interval of the mean
//!     ends END: End in ["time_low_ms" "Low ms", "time_high_ms" "High ms"] Ms =
//!         |summary| END.cell(summary.interval);
//!     /// share of the latency
//!     for SIDE: Side in ["a_share" "A share" = A, "b_share" "B share" = B] Share =
//!         |row| row.share(SIDE), formula(|row| row.share_formula(SIDE)), width(9.0);
//!     helper "group" "group" = |row| row.group(), only(Row::is_settable);
//! }
//! ```
//!
//! The comment of a column is its meaning. After it come key, heading and unit, then the value of
//! a row, then calls of the methods of [`Column`](super::Column) that a workbook needs. `own`
//! columns have a style instead of a unit; like a `helper`, they are in workbooks alone.
//!
//! `for` declares columns that differ by one constant. `ends` does so for an interval, whose
//! comment says what it is an interval of. Values are function pointers, which capture nothing:
//! hence a constant and not a variable.
//!
//! `const NAME: Row;` declares a list of rows without lifetimes, `fn name<'a>: Row<'a>;` of any.

/// Declares a list of columns.
macro_rules! columns {
    ($(#[$about:meta])* $vis:vis const $name:ident: $row:ty; $($entries:tt)+) => {
        $(#[$about])*
        $vis const $name: &[$crate::document::Column<$row>] =
            &$crate::document::columns!(@list $row; [] $($entries)+);
    };
    ($(#[$about:meta])* $vis:vis fn $name:ident $(<$lifetime:lifetime>)?: $row:ty; $($entries:tt)+) => {
        $(#[$about])*
        $vis fn $name $(<$lifetime>)?() -> Vec<$crate::document::Column<$row>> {
            $crate::document::columns!(@list $row; [] $($entries)+).into()
        }
    };

    // From here on entries go, one by one, from the end of the input into the brackets. Each is one
    // step of the compiler's 128, a `for` two.
    (@list $row:ty; [$($done:tt)*]) => { [$($done)*] };
    (
        @list $row:ty; [$($done:tt)*]
        helper $key:tt $heading:tt = $value:expr $(, $set:ident($($to:expr),*))*;
        $($rest:tt)*
    ) => {
        $crate::document::columns!(@list $row; [
            $($done)*
            $crate::document::Column::<$row>::helper($key, $heading, $value)$(.$set($($to),*))*,
        ] $($rest)*)
    };
    (
        @list $row:ty; [$($done:tt)*]
        $(#[doc = $meaning:literal])*
        own $key:tt $heading:tt $style:ident = $value:expr $(, $set:ident($($to:expr),*))*;
        $($rest:tt)*
    ) => {
        $crate::document::columns!(@list $row; [
            $($done)*
            $crate::document::Column::<$row>::own(
                $key,
                $heading,
                $crate::document::CellStyle::$style,
                concat!($($meaning),*).trim_ascii_start(),
                $value,
            )$(.$set($($to),*))*,
        ] $($rest)*)
    };
    (
        @list $row:ty; [$($done:tt)*]
        $(#[doc = $meaning:literal])+
        ends $of:ident: $kind:ident in [$low:tt $lows:tt, $high:tt $highs:tt $(,)?]
        $unit:ident = $value:expr $(, $set:ident($($to:expr),*))*;
        $($rest:tt)*
    ) => {
        $crate::document::columns!(@list $row; [
            $($done)*
            {
                const $of: $kind = $kind::Low;
                $crate::document::columns!(
                    @column $row; ("low end of", $($meaning),+) $low $lows $unit ($value)
                    ($(.$set($($to),*))*)
                )
            },
            {
                const $of: $kind = $kind::High;
                $crate::document::columns!(
                    @column $row; ("high end of", $($meaning),+) $high $highs $unit ($value)
                    ($(.$set($($to),*))*)
                )
            },
        ] $($rest)*)
    };
    (
        @list $row:ty; [$($done:tt)*]
        $(#[doc = $meaning:literal])+
        for $of:ident: $kind:ident in [$($each:tt)+]
        $unit:ident = $value:expr $(, $set:ident($($to:expr),*))*;
        $($rest:tt)*
    ) => {
        $crate::document::columns!(
            @each $row; [$($done)*] [$($each)+] $of $kind ($($meaning),+) $unit ($value)
            ($(.$set($($to),*))*)
            $($rest)*
        )
    };
    // A comment, a value and what is set are one token each here, so that all columns can have them.
    (
        @each $row:ty; [$($done:tt)*] [$($key:tt $heading:tt = $at:expr),+ $(,)?]
        $of:ident $kind:ident $meaning:tt $unit:ident $value:tt $sets:tt
        $($rest:tt)*
    ) => {
        $crate::document::columns!(@list $row; [
            $($done)*
            $({
                const $of: $kind = $at;
                $crate::document::columns!(
                    @column $row; $meaning $key $heading $unit $value $sets
                )
            },)+
        ] $($rest)*)
    };
    (
        @list $row:ty; [$($done:tt)*]
        $(#[doc = $meaning:literal])+
        $key:literal $heading:tt $unit:ident = $value:expr $(, $set:ident($($to:expr),*))*;
        $($rest:tt)*
    ) => {
        $crate::document::columns!(@list $row; [
            $($done)*
            $crate::document::columns!(
                @column $row; ($($meaning),+) $key $heading $unit ($value) ($(.$set($($to),*))*)
            ),
        ] $($rest)*)
    };
    (
        @list $row:ty; [$($done:tt)*]
        $(#[doc = $meaning:literal])+
        $key:ident $heading:tt $unit:ident = $value:expr $(, $set:ident($($to:expr),*))*;
        $($rest:tt)*
    ) => {
        $crate::document::columns!(@list $row; [
            $($done)*
            $crate::document::columns!(
                @column $row; ($($meaning),+) $key $heading $unit ($value) ($(.$set($($to),*))*)
            ),
        ] $($rest)*)
    };
    // A column that other lists have as well.
    (@list $row:ty; [$($done:tt)*] $column:ident; $($rest:tt)*) => {
        $crate::document::columns!(@list $row; [$($done)* $column,] $($rest)*)
    };

    (
        @column $row:ty; ($($meaning:tt)*) $key:tt $heading:tt $unit:ident ($value:expr)
        ($($sets:tt)*)
    ) => {
        $crate::document::Column::<$row>::new(
            $key,
            $heading,
            $unit,
            // A comment begins with a blank.
            concat!($($meaning)*).trim_ascii_start(),
            $value,
        )$($sets)*
    };
}

pub(crate) use columns;
