//! Profiles as a sweep measures them, made up.

use onnxray_analyzer::profiles::{Configuration, Profile, RecordingPlace};
use onnxray_analyzer::statistics::{Interval, Latencies, Measured};

/// A figure and how far it may be off.
pub(crate) fn measured(value: f64, half: Option<f64>) -> Measured {
    let interval = half.map(|half| Interval { low: value - half, high: value + half });
    Measured { value, interval }
}

/// A profile of batch 4; the higher percentiles are 1.5 and 2.5 times the median.
pub(crate) fn profile(name: &str, model: &str, latency: Measured, items: Measured) -> Profile {
    let scaled = |by: f64| {
        let scale = |i: Interval| Interval { low: i.low * by, high: i.high * by };
        Measured { value: latency.value * by, interval: latency.interval.map(scale) }
    };
    let iterations = Interval { low: items.ends().low / 4.0, high: items.ends().high / 4.0 };
    Profile {
        name: name.to_string(),
        model: model.to_string(),
        model_sha256: None,
        configuration: Configuration {
            batch_size: Some(4),
            threads: Some(2),
            instances: 1,
            engine: "tract".to_string(),
            ..Configuration::default()
        },
        recording: RecordingPlace { folder: "recording".into(), time: String::new() },
        recorded_at: None,
        iterations: 1000,
        rounds: 5,
        latency_ms: Latencies { p50: scaled(1.0), p90: scaled(1.5), p99: scaled(2.5) },
        iterations_per_second: Measured {
            value: items.value / 4.0,
            interval: items.interval.map(|_| iterations),
        },
        items_per_second: Some(items),
        costs: None,
        other_cores: None,
        plan: None,
        unknown: Default::default(),
    }
}
