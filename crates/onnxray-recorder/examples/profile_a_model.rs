//! Runs a model in one's own program. With `ENGINE_PROFILING=1` set, the run is
//! recorded into `engine_profiling`; without, it costs nothing:
//!
//! ```text
//! ENGINE_PROFILING=1 cargo run --release --example profile_a_model fixtures/models/cnn.onnx
//! ```

use ndarray::Array4;
use onnxray_recorder::{GivenDimensions, RecordError, Session};

fn main() -> Result<(), RecordError> {
    let path = std::env::args().nth(1).unwrap_or("fixtures/models/cnn.onnx".to_string());
    let mut session = Session::open(path, &GivenDimensions::default())?;
    let iterations = std::env::args().nth(2).and_then(|count| count.parse().ok()).unwrap_or(10);
    for _ in 0..iterations {
        let image = Array4::<f32>::zeros((1, 3, 96, 96));
        session.run(&[image.into()])?;
    }
    if let Some(recorded) = session.finish()? {
        println!("recorded {}", recorded.trace.display());
    }
    Ok(())
}
