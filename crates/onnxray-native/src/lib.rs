//! What takes `unsafe`, which all other crates forbid: an instruction that not every processor
//! has, the functions of ONNX Runtime's library, and memory that holds nothing yet.

pub mod onnxruntime;
pub mod registers;
pub mod rows;
