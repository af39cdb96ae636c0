//! The pruned encoder: `encoder.onnx` with nine tenths of the 4x1 blocks of its weights zero.
//!
//! The two files have 7 MB each and differ in zeros alone, so one is kept, and tests make the other.
//! `fixtures/generate_models.py` prunes with NumPy and notes the SHA-256, to which tests/tidy holds
//! this file.

use std::array;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub(crate) const NAME: &str = "encoder-pruned-4x1";

/// Outputs of one input that are zero together.
const ROWS: usize = 4;

/// Where the elements of each weight begin in the file, its inputs and its outputs.
const WEIGHTS: [(usize, usize, usize); 13] = [
    (POOLER, 256, 256),
    (730_570, 256, 256),
    (992_748, 256, 256),
    (1_254_926, 256, 256),
    (1_517_104, 256, 256),
    (1_779_282, 256, 1024),
    (2_827_892, 1024, 256),
    (3_876_502, 256, 256),
    (4_138_680, 256, 256),
    (4_400_858, 256, 256),
    (4_663_036, 256, 256),
    (4_925_214, 256, 1024),
    (5_973_824, 1024, 256),
];

/// The weight of a Gemm, stored outputs x inputs; those of MatMul are stored inputs x outputs.
const POOLER: usize = 465_220;

/// The file, in the folder that cargo keeps for tests.
pub(crate) fn path() -> PathBuf {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        let model = pruned(fs::read(folder.join("encoder.onnx")).unwrap());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(NAME).with_extension("onnx");
        if fs::read(&path).ok().as_ref() != Some(&model) {
            // Other test processes may read or make it now: it takes its name once it is whole.
            let new = path.with_extension(std::process::id().to_string());
            fs::write(&new, model).unwrap();
            fs::rename(&new, &path).unwrap();
        }
        path
    };
    MADE.get_or_init(make).clone()
}

fn pruned(mut model: Vec<u8>) -> Vec<u8> {
    for (start, inputs, outputs) in WEIGHTS {
        let at = |output: usize, input: usize| match start {
            POOLER => start + 4 * (output * inputs + input),
            _ => start + 4 * (input * outputs + output),
        };
        let element = |at: &usize| f32::from_le_bytes(array::from_fn(|byte| model[at + byte]));
        let mut blocks = Vec::new();
        for first in (0..outputs).step_by(ROWS) {
            for input in 0..inputs {
                let block: [usize; ROWS] = array::from_fn(|row| at(first + row, input));
                blocks.push((block.iter().map(|at| element(at).abs()).sum::<f32>(), block));
            }
        }
        // Stable, as NumPy sorts there: of blocks of one magnitude, the first ones are pruned.
        blocks.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let zero = (blocks.len() * 9 + 5) / 10;
        for at in blocks[..zero].iter().flat_map(|(_, block)| block) {
            // NumPy multiplies by zero, which leaves the sign.
            model[*at..at + 3].fill(0);
            model[at + 3] &= 0x80;
        }
    }
    model
}
