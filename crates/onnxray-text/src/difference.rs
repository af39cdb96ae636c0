//! A ratio of latencies as people say it: `66.2 % slower`, `2.31x slower`, `+0.2 %`.
//!
//! From a factor of two on it is that factor, below it a share of the first latency: percents
//! of more than 100 are hard to read, and factors close to 1 as well.

/// Which way a ratio goes is said by a word, or by a sign.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Word,
    Sign,
}

/// Adjectives of a ratio above 1 and below.
#[derive(Clone, Copy)]
pub struct Adjectives {
    more: &'static str,
    less: &'static str,
}

impl Adjectives {
    /// Of latencies.
    pub const LATENCY: Adjectives = Adjectives { more: " slower", less: " faster" };
    /// Of amounts, such as bytes.
    pub const AMOUNT: Adjectives = Adjectives { more: " higher", less: " lower" };
    /// Of durations of which nothing waits.
    pub const DURATION: Adjectives = Adjectives { more: " longer", less: " shorter" };

    /// `66.2 % higher`, `4.00x lower`
    pub fn of(self, ratio: f64) -> String {
        size(ratio, Way::Word, Unit::of(ratio), self).whole()
    }

    /// `+0.2 %`, `2.31x higher`
    pub fn signed(self, ratio: f64) -> String {
        size(ratio, Way::Sign, Unit::of(ratio), self).whole()
    }

    /// `66.2 % higher (95 % CI 65.0 to 67.4 %)`
    pub fn difference(self, ratio: f64, interval: Option<(f64, f64)>) -> String {
        format!("{}{}", self.of(ratio), in_brackets(self.confidence(ratio, interval)))
    }

    /// `+0.2 % (95 % CI -0.1 to +0.5 %)`, where the direction is not sure or was said before.
    pub fn signed_difference(self, ratio: f64, interval: Option<(f64, f64)>) -> String {
        let ends = interval.map(|ends| format!("95 % CI {}", self.ends_of(ratio, ends, Way::Sign)));
        format!("{}{}", self.signed(ratio), in_brackets(ends))
    }

    /// `95 % CI 65.0 to 67.4 %`, to follow a word for the direction.
    pub fn confidence(self, ratio: f64, interval: Option<(f64, f64)>) -> Option<String> {
        let (low, high) = interval?;
        let ends = match (low >= 1.0, high <= 1.0) {
            // An interval on the ratio's side of 1 needs no signs. The further end last.
            (true, _) if ratio >= 1.0 => self.ends_of(ratio, (low, high), Way::Word),
            (_, true) if ratio < 1.0 => self.ends_of(ratio, (high, low), Way::Word),
            _ => self.ends_of(ratio, (low, high), Way::Sign),
        };
        Some(format!("95 % CI {ends}"))
    }

    /// Both ends of an interval in the unit of the ratio; with [`Way::Word`] without a word, which
    /// the ratio has already.
    fn ends_of(self, ratio: f64, (first, last): (f64, f64), way: Way) -> String {
        let [first, last] = [first, last].map(|end| size(end, way, Unit::of(ratio), self));
        match way {
            Way::Word => format!("{} to {}{}", first.number, last.number, last.unit),
            Way::Sign if first.word == last.word => format!("{} to {}", first.number, last.whole()),
            Way::Sign => format!("{} to {}", first.whole(), last.whole()),
        }
    }
}

/// `66.2 % slower than the others (95 % CI 65.0 to 67.4 %)`, for a latency / the latency of
/// `others` and the ends of its interval.
pub fn difference_from(others: &str, ratio: f64, interval: Option<(f64, f64)>) -> String {
    let difference = slower_or_faster(ratio);
    format!("{difference} than {others}{}", in_brackets(confidence(ratio, interval)))
}

/// `+0.2 % (95 % CI -0.1 to +0.5 %)`, where the direction is not sure or was said before.
pub fn signed_difference(ratio: f64, interval: Option<(f64, f64)>) -> String {
    Adjectives::LATENCY.signed_difference(ratio, interval)
}

/// `66.2 % slower`, `4.00x faster`
pub fn slower_or_faster(ratio: f64) -> String {
    Adjectives::LATENCY.of(ratio)
}

/// `+0.2 %`, `2.31x slower`
pub fn signed(ratio: f64) -> String {
    Adjectives::LATENCY.signed(ratio)
}

/// `95 % CI 65.0 to 67.4 %`, to follow a word for the direction.
pub fn confidence(ratio: f64, interval: Option<(f64, f64)>) -> Option<String> {
    Adjectives::LATENCY.confidence(ratio, interval)
}

/// `95 % CI -0.1 to +0.5 %`
pub fn signed_confidence(ratio: f64, interval: Option<(f64, f64)>) -> Option<String> {
    Some(format!("95 % CI {}", Adjectives::LATENCY.ends_of(ratio, interval?, Way::Sign)))
}

fn in_brackets(text: Option<String>) -> String {
    text.map_or(String::new(), |text| format!(" ({text})"))
}

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Percent,
    Factor,
}

impl Unit {
    /// The ratio's own, which the ends of its interval share: a reader compares the three.
    fn of(ratio: f64) -> Unit {
        // Of no time at all, the factor would be infinite.
        if factor(ratio) >= 2.0 && ratio > 0.0 { Unit::Factor } else { Unit::Percent }
    }
}

/// Faster and slower by one factor read alike: 0.5 is 2.00x faster.
fn factor(ratio: f64) -> f64 {
    if ratio < 1.0 { 1.0 / ratio } else { ratio }
}

/// `66.2`, ` %` and ` slower`; a sign needs no word.
struct Size {
    number: String,
    unit: &'static str,
    word: &'static str,
}

impl Size {
    fn whole(&self) -> String {
        format!("{}{}{}", self.number, self.unit, self.word)
    }
}

fn size(ratio: f64, way: Way, unit: Unit, adjectives: Adjectives) -> Size {
    let word = if ratio < 1.0 { adjectives.less } else { adjectives.more };
    if unit == Unit::Factor {
        let factor = factor(ratio);
        let number = match factor.is_finite() {
            true => format!("{:.2}", (factor * 100.0).round() / 100.0),
            false => "∞".to_string(),
        };
        return Size { number, unit: "x", word };
    }
    let percent = (ratio - 1.0) * 100.0;
    if !percent.is_finite() {
        return Size { number: "∞".to_string(), unit: " %", word };
    }
    // Halves go up, as in the script of pages: printing alone would have them even.
    let tenths = (percent.abs() * 10.0).round() / 10.0;
    let sign = if percent < 0.0 && tenths > 0.0 { '-' } else { '+' };
    match way {
        Way::Word => Size { number: format!("{tenths:.1}"), unit: " %", word },
        Way::Sign => Size { number: format!("{sign}{tenths:.1}"), unit: " %", word: "" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_the_first_up_to_a_factor_of_two() {
        for (ratio, said) in [
            (1.662, "66.2 % slower"),
            (0.949, "5.1 % faster"),
            (1.999, "99.9 % slower"),
            (2.0, "2.00x slower"),
            (2.306, "2.31x slower"),
            (0.501, "49.9 % faster"),
            (0.25, "4.00x faster"),
            (0.0, "100.0 % faster"),
            (f64::INFINITY, "∞x slower"),
            (1.0, "0.0 % slower"),
            (1.0625, "6.3 % slower"),
            (2.125, "2.13x slower"),
        ] {
            assert_eq!(slower_or_faster(ratio), said);
        }
    }

    #[test]
    fn ends_follow_the_same_rule() {
        for (ratio, low, high, said) in [
            (1.662, 1.65, 1.674, "66.2 % slower than A (95 % CI 65.0 to 67.4 %)"),
            (0.949, 0.942, 0.956, "5.1 % faster than A (95 % CI 4.4 to 5.8 %)"),
            (2.299, 1.501, 3.519, "2.30x slower than A (95 % CI 1.50 to 3.52x)"),
            (0.25, 0.24, 0.26, "4.00x faster than A (95 % CI 3.85 to 4.17x)"),
            (1.83, 1.33, 2.52, "83.0 % slower than A (95 % CI 33.0 to 152.0 %)"),
            (1.018, 0.99, 1.05, "1.8 % slower than A (95 % CI -1.0 to +5.0 %)"),
            (2.752, 0.611, 12.386, "2.75x slower than A (95 % CI 1.64x faster to 12.39x slower)"),
            (1.1, 0.2, 4.0, "10.0 % slower than A (95 % CI -80.0 to +300.0 %)"),
        ] {
            assert_eq!(difference_from("A", ratio, Some((low, high))), said);
        }
        assert_eq!(difference_from("A", 1.018, None), "1.8 % slower than A");
    }

    #[test]
    fn amounts_and_durations_have_adjectives_of_their_own() {
        assert_eq!(Adjectives::AMOUNT.of(0.92), "8.0 % lower");
        assert_eq!(Adjectives::DURATION.of(3.1), "3.10x longer");
        assert_eq!(Adjectives::AMOUNT.signed(0.25), "4.00x lower");
        let said = Adjectives::AMOUNT.difference(0.92, Some((0.9, 0.94)));
        assert_eq!(said, "8.0 % lower (95 % CI 6.0 to 10.0 %)");
        let ends = Adjectives::AMOUNT.confidence(2.0, Some((0.9, 4.0)));
        assert_eq!(ends.as_deref(), Some("95 % CI 1.11x lower to 4.00x higher"));
    }

    #[test]
    fn signs_where_the_direction_is_not_sure() {
        let said = signed_difference(1.002, Some((0.999, 1.005)));
        assert_eq!(said, "+0.2 % (95 % CI -0.1 to +0.5 %)");
        assert_eq!(signed_difference(0.9999, None), "+0.0 %");
        assert_eq!(signed_difference(0.9375, None), "-6.3 %");
        assert_eq!(
            signed_difference(2.5, Some((2.1, 3.0))),
            "2.50x slower (95 % CI 2.10 to 3.00x slower)"
        );
    }
}
