//! What all fuzz targets do with their bytes.

use onnxray_import::{Importer, Launch, NO_ITERATION, Options, Source, detect};

/// Reads the bytes as a format, whatever they are, and checks what came of it.
pub fn import(importer: &Importer, bytes: &[u8]) {
    for slice_bytes in [1 << 20, 64 + bytes.len() / 7] {
        let Ok(source) = Source::from_bytes("input", bytes.to_vec()) else { return };
        let options = Options { slice_bytes, workers: 1 };
        if let Ok(launches) = importer.read(vec![source], &options) {
            launches.iter().for_each(check);
        }
    }
}

/// Finds out the format and reads the bytes as that.
pub fn detected(bytes: &[u8]) {
    let Ok(mut source) = Source::from_bytes("input", bytes.to_vec()) else { return };
    if let Ok(importer) = detect(&mut source) {
        let _ = importer.read(vec![source], &Options { slice_bytes: 256, workers: 1 });
    }
}

/// Every number in a launch must refer to something that is there.
fn check(launch: &Launch) {
    for (position, operator) in launch.operators.iter().enumerate() {
        assert_eq!(operator.number as usize, position);
        assert!(operator.parent.is_none_or(|parent| (parent as usize) < launch.operators.len()));
    }
    for average in &launch.averages {
        assert!((average.operator as usize) < launch.operators.len());
    }
    for chunk in &launch.events.chunks {
        let rows = chunk.len();
        let lengths = [chunk.iteration.len(), chunk.thread.len(), chunk.start.len()];
        assert_eq!(lengths, [rows; 3]);
        assert_eq!(chunk.duration.len(), rows);
        assert_eq!(chunk.figures.len(), launch.events.figures.len());
        assert!(chunk.figures.iter().all(|figure| figure.len() == rows));
        for row in 0..rows {
            assert!((chunk.operator[row] as usize) < launch.operators.len());
            assert!((chunk.thread[row] as usize) < launch.events.threads.len());
            let iteration = chunk.iteration[row];
            assert!(iteration == NO_ITERATION || (iteration as usize) < launch.iterations.len());
        }
    }
}
