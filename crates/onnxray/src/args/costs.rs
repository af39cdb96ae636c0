//! Arguments of what an inference costs beside its latency: how often to start anew, and at which
//! pace to call.

use super::heading;
use super::numbers::{duration, whole};
use clap::Args;
use onnxray_recorder::study::costs::{CostPlan, PaceSpec};
use std::time::Duration;

/// The word for calls that each follow the answer before.
const CLOSED: &str = "max";
/// Calls per second.
const MOST: f64 = 1e6;
/// Calls at a rate, in each process.
const FEWEST: f64 = 10.0;
/// Calls per second of a search, at least.
const LEAST: f64 = 1.0;
/// Seconds of calls in each of its processes, at least.
const SHORTEST: f64 = 0.5;

#[derive(Args)]
pub(crate) struct CostArguments {
    /// Measure CPU time, memory and start in this many fresh processes before the first launch; 0
    /// for none
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole::<u32>(0..=100),
          help_heading = heading::PROCESSES, hide_short_help = true)]
    starts: u32,

    /// Also call the model at this pace, as a program does, such as 20, 1200/min or 5,20,80,max:
    /// calls per second that do not wait for the answer before, and max, where each does
    #[arg(long, value_name = "RATES", value_delimiter = ',', value_parser = rate,
          help_heading = heading::PROCESSES)]
    rate: Vec<Rate>,

    /// Space calls at random (a Poisson process), as those of many users are, rather than evenly
    #[arg(long, requires = "rate", help_heading = heading::PROCESSES, hide_short_help = true)]
    poisson: bool,

    /// How long to call at each rate, in each fresh process
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = duration,
          requires = "rate", help_heading = heading::PROCESSES, hide_short_help = true)]
    rate_duration: Duration,
}

/// Calls per second; none of calls that each follow the answer before.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rate(Option<f64>);

impl CostArguments {
    /// # Errors
    ///
    /// If there is a rate and no process to call at it.
    pub(crate) fn plan(&self) -> Result<CostPlan, String> {
        if self.rate.is_empty() {
            return Ok(CostPlan { starts: self.starts, ..CostPlan::default() });
        }
        if self.starts == 0 {
            return Err("--rate calls the model in fresh processes, and --starts 0 leaves none; \
                        leave it out"
                .to_string());
        }
        let seconds = self.rate_duration.as_secs_f64();
        let rates = self.rate.iter().filter_map(|rate| rate.0);
        if let Some(rate) = rates.into_iter().find(|rate| rate * seconds < FEWEST) {
            return Err(format!(
                "{rate} calls per second are fewer than {FEWEST} in {seconds} s, too few for any \
                 figure: use --rate-duration {}s",
                (FEWEST / rate).ceil()
            ));
        }
        let pace = PaceSpec {
            rates: self.rate.iter().map(|rate| rate.0).collect(),
            is_poisson: self.poisson,
            duration: self.rate_duration,
            rests: true,
        };
        Ok(CostPlan { starts: self.starts, pace: Some(pace), ..CostPlan::default() })
    }
}

/// Calls per second of a search, which has many processes call at one rate.
pub(super) fn one_rate(text: &str) -> Result<f64, String> {
    if text.contains(',') {
        return Err("tune takes one rate: run it for each, with --out of its own".to_string());
    }
    match rate(text)?.0 {
        None => Err("without --rate, calls follow each other: leave it out".to_string()),
        Some(rate) if rate < LEAST => Err(format!(
            "{FEWEST} calls at this rate take longer than {} s, in each of many processes: {LEAST}/s \
             or more",
            FEWEST / LEAST
        )),
        Some(rate) => Ok(rate),
    }
}

/// Calls at this rate in each process of a search.
pub(super) fn pace(rate: f64) -> PaceSpec {
    let duration = Duration::from_secs_f64((FEWEST / rate).max(SHORTEST));
    PaceSpec { rates: vec![Some(rate)], is_poisson: false, duration, rests: false }
}

/// `20`, `20/s`, `1200/min` or `max`.
fn rate(text: &str) -> Result<Rate, String> {
    let text = text.trim();
    if text == CLOSED {
        return Ok(Rate(None));
    }
    let (number, seconds) = match text.split_once('/').map(|(number, unit)| (number, unit.trim())) {
        None => (text, 1.0),
        Some((number, "s")) => (number.trim(), 1.0),
        Some((number, "min" | "m")) => (number.trim(), 60.0),
        Some((number, "h")) => (number.trim(), 3600.0),
        Some(_) => ("", 1.0),
    };
    // `inf` and `NaN` are numbers to Rust.
    let is_number = number.chars().all(|letter| letter.is_ascii_digit() || ".e-".contains(letter));
    let rate = number.parse::<f64>().ok().filter(|_| is_number);
    let rate = rate.map(|number| number / seconds);
    rate.filter(|rate| *rate > 0.0 && *rate <= MOST).map(|rate| Rate(Some(rate))).ok_or_else(|| {
        "expected calls per second above 0 and up to a million, such as 20, 20/s, 1200/min or max"
            .to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_per_second_unless_they_say_otherwise() {
        for (text, expected) in
            [("20", 20.0), ("20/s", 20.0), ("1200/min", 20.0), ("0.5", 0.5), ("1e3 / s", 1000.0)]
        {
            assert_eq!(rate(text), Ok(Rate(Some(expected))), "{text}");
        }
        assert_eq!(rate("max"), Ok(Rate(None)));
        assert_eq!((one_rate("1200/min"), pace(20.0).duration.as_millis()), (Ok(20.0), 500));
        assert_eq!(pace(1.0).duration.as_secs(), 10);
        for (wrong, said) in [("5,20", "run it for each"), ("max", "leave it out"), ("0.5", "1/s")]
        {
            assert!(one_rate(wrong).unwrap_err().contains(said), "{wrong}");
        }
        for wrong in ["0", "-1", "NaN", "inf", "1e7", "fast", "20/d", "", "/s", "20Hz"] {
            assert!(rate(wrong).unwrap_err().contains("such as 20"), "{wrong}");
        }
    }
}
