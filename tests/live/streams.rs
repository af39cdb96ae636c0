//! Runs of models while standard output or standard error cannot be written to.

use crate::broken_streams::{case, lose_no_result};
use crate::program::{Place, model};
use std::fs;

#[test]
fn streams_that_cannot_be_written_to_lose_no_run() {
    let place = Place::new();
    fs::copy(model("cnn"), place.path("model.onnx")).unwrap();
    let cases = [
        case(
            "sensitivity model.onnx --loss-only --sparsities 0.5 --layer /classifier/Gemm --save OUT/loss.json -o OUT/loss.xlsx",
            0,
            &["loss.json", "loss.xlsx"],
        ),
        case(
            "record model.onnx --batch-size 1 --iterations 2 --out OUT/rec --report OUT/rec.xlsx",
            0,
            &["rec.xlsx"],
        ),
    ];
    lose_no_result(&place, &cases);
}
