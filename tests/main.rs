//! The built program, run as its users run it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod alignment;
mod bad_input;
mod compare;
mod comparison_workbook;
mod crash;
mod examples;
mod guide;
mod import;
mod interleaved;
mod office;
mod onnx_file;
mod program;
mod project;
mod record;
#[path = "../benches/profiles/sequence.rs"]
mod sequence;
mod spreadsheet;
mod summary;
#[path = "../benches/profiles/synthetic.rs"]
mod synthetic;
mod workbook;
mod workbook_look;
