//! Our own recordings.

use crate::error::AnalyzeError;
use crate::trace::TraceBuilder;
use onnxray_format::{Launch, Run, Warning, read_launch};
use std::path::PathBuf;

/// Reads the launches and checks that they belong together.
pub fn read(files: &[PathBuf], builder: &mut TraceBuilder) -> Result<(), AnalyzeError> {
    let mut launches: Vec<Launch> = Vec::new();
    for file in files {
        let launch = read_launch(file)?;
        if let Some(first) = launches.first()
            && let Some(difference) = difference(&first.run, &launch.run)
        {
            return Err(AnalyzeError::DifferentRecordings {
                first: first.file.clone(),
                second: launch.file,
                difference,
            });
        }
        launches.push(launch);
    }
    if let Some(other) = launches.iter().find(|l| l.run.recording != launches[0].run.recording) {
        builder.add_warnings([Warning {
            file: other.file.clone(),
            position: None,
            loss: false,
            message: format!(
                "counted as a launch of the recording of {}, though it is one of {}",
                launches[0].run.recording, other.run.recording
            ),
        }]);
    }
    launches.sort_by_key(|launch| (launch.run.recording.clone(), launch.run.launch));
    for launch in launches {
        if !launch.changed_operators.is_empty() {
            builder.add_warnings([Warning {
                file: launch.file.clone(),
                position: None,
                loss: false,
                loss: false,
                message: format!(
                    "the facts of {} operators changed during the launch; shapes, FLOPs and bytes \
                     are those of its first iteration",
                    launch.changed_operators.len()
                ),
            }]);
        }
        builder.add_warnings(launch.warnings);
        builder.add_launch(
            launch.file,
            launch.run,
            launch.operators,
            &launch.iterations,
            launch.events,
        );
    }
    Ok(())
}

/// The first field of the configuration in which two launches differ.
fn difference(a: &Run, b: &Run) -> Option<String> {
    let fields = [
        ("profile", a.profile.clone(), b.profile.clone()),
        ("model", a.model.clone(), b.model.clone()),
        ("model hash", show(&a.model_sha256), show(&b.model_sha256)),
        ("batch size", show(&a.batch_size), show(&b.batch_size)),
        ("dimensions", sizes(a), sizes(b)),
        ("threads", show(&a.threads), show(&b.threads)),
        ("instruction set", show(&a.isa), show(&b.isa)),
        ("processor", show(&a.cpu), show(&b.cpu)),
        ("engine", a.engine.clone(), b.engine.clone()),
        ("engine version", a.engine_version.clone(), b.engine_version.clone()),
    ];
    fields
        .into_iter()
        .find(|(_, a, b)| a != b)
        .map(|(name, a, b)| format!("{name} is {a} in one and {b} in the other"))
}

fn show<T: std::fmt::Display>(value: &Option<T>) -> String {
    value.as_ref().map_or("unknown".to_string(), T::to_string)
}

fn sizes(run: &Run) -> String {
    let sizes = run.dimensions.iter().map(|d| format!("{}={}", d.name, d.size));
    sizes.collect::<Vec<_>>().join(" ")
}
