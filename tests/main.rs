//! The built program, run as its users run it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod bad_input;
mod crash;
mod examples;
mod import;
mod onnx_file;
mod program;
mod record;
mod summary;
mod workbook;
