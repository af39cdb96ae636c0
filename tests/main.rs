//! The built program, run as its users run it.

mod bad_input;
mod crash;
mod examples;
mod onnx_file;
mod program;
mod record;
mod summary;
mod workbook;
