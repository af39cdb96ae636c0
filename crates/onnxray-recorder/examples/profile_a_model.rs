//! Runs a model in one's own program. With `ENGINE_PROFILING=1` set, the run is
//! recorded into `engine_profiling`; without, it costs nothing:
//!
//! ```text
//! ENGINE_PROFILING=1 cargo run --release --example profile_a_model fixtures/models/cnn.onnx
//! ```

#![allow(clippy::unwrap_used, clippy::expect_used)] // the example ends there

use onnxray_recorder::{GivenDimensions, IntoTValue, RecordError, Session, Tensor, tvec};

fn main() -> Result<(), RecordError> {
    let path = std::env::args().nth(1).unwrap_or("fixtures/models/cnn.onnx".to_string());
    let mut session = Session::open(path, &GivenDimensions::default())?;
    let iterations = std::env::args().nth(2).and_then(|count| count.parse().ok()).unwrap_or(10);
    for _ in 0..iterations {
        let image = Tensor::zero::<f32>(&[1, 3, 96, 96]).expect("a small tensor");
        session.run(tvec![image.into_tvalue()])?;
    }
    if let Some(recorded) = session.finish()? {
        println!("recorded {}", recorded.trace.display());
    }
    Ok(())
}
