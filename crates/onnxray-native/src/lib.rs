//! What takes `unsafe`, which all other crates forbid: an instruction that not every processor
//! has, and the functions of ONNX Runtime's library.

pub mod onnxruntime;
pub mod registers;
