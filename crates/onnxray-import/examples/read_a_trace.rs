//! Reads a trace of any runtime and says where its time goes:
//! `cargo run --release --example read_a_trace -- profile.json`

use onnxray_import::{Options, Source, detect};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let mut source = Source::open(Path::new(&path))?;
        let importer = detect(&mut source)?;
        for launch in importer.read(vec![source], &Options::default())? {
            println!(
                "{path}: {}, {} operators, {} iterations, {} events",
                importer.format.title,
                launch.operators.len(),
                launch.iterations.len(),
                launch.events.len(),
            );
            for warning in launch.warnings {
                println!("  {warning}");
            }
        }
    }
    Ok(())
}
