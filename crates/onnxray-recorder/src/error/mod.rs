//! Everything that can go wrong between a model file and its recording.

mod takes;

pub(crate) use takes::Takes;

use crate::cores::PinError;
use crate::memory::size;
use onnxray_text::{FileKind, did_you_mean, file_failure, first_of, printable, shell_word, shown};
use std::io;
use std::path::{Path, PathBuf};

/// Why a model could not be loaded, run or recorded.
///
/// The first line of a message says where and what; one that begins with `hint:`, what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // fields are what their message calls them
pub enum RecordError {
    /// A file cannot be read.
    #[error("{}", file_failure(path, source))]
    ReadFile { path: PathBuf, source: io::Error },

    /// A graph optimizer is to be left out that the engine does not have.
    #[error(
        "{engine} has no graph optimizer `{}`\nhint: {}",
        printable(name),
        did_you_mean(name, "graph optimizers", names)
    )]
    NoOptimizer { engine: &'static str, name: String, names: Vec<String> },

    /// Two models do not make one.
    #[error("{} and {} cannot be mixed: {reason}", shown(a), shown(b))]
    NoMix { a: PathBuf, b: PathBuf, reason: String },

    /// The model is not a regular file.
    #[error("{}: {}", shown(path), other_than_file(path))]
    NoFile { path: PathBuf },

    /// The file is larger than a model can be.
    #[error(
        "{}: an ONNX file has at most 2.15 GB, and this one has {}\n\
         hint: larger models keep their tensors in files beside it (external data)",
        shown(path), size(*bytes)
    )]
    HugeModel { path: PathBuf, bytes: u64 },

    /// Elements of a tensor are in a file that is not read.
    #[error(
        "{}: the data of `{}`, `{}`, {reason}",
        shown(path),
        printable(tensor),
        printable(place)
    )]
    ExternalData { path: PathBuf, tensor: String, place: String, reason: &'static str },

    /// The file is something else.
    #[error("{}: not an ONNX file but {kind}\nhint: {}", shown(path), kind.instead_of_a_model())]
    OtherFile { path: PathBuf, kind: FileKind },

    /// The file is damaged, or something unknown.
    #[error(
        "{}: not a whole ONNX model: {}\n\
         hint: {}",
        shown(path),
        printable(reason),
        no_model(path, *bytes)
    )]
    NotOnnx { path: PathBuf, bytes: u64, reason: String },

    /// The engine's library is not installed.
    #[error(
        "ONNX Runtime is not installed\n\
         hint: install it with `pip install onnxruntime`, or name the library with --engine-library"
    )]
    NoEngineLibrary,

    /// A file is not the engine's library, or one that cannot be used.
    #[error("{}: cannot be used as ONNX Runtime: {}", shown(path), printable(reason))]
    EngineLibrary { path: PathBuf, reason: String },

    /// There is no such execution provider, or its library cannot be used.
    #[error("{reason}")]
    Provider { reason: String },

    /// The engine lacks operator types of the model; of each, the first node.
    #[error(
        "{engine} cannot run {}\n\
         hint: ONNX Runtime has more operator types: --engine onnxruntime",
        list_unsupported(operators)
    )]
    UnsupportedOperators { engine: String, operators: Vec<(String, String)> },

    /// Free dimensions without a size.
    #[error(
        "{} {}\nhint: give {} with {}",
        first_of(missing.iter().map(|m| printable(&m.text)), ", "),
        if missing.len() == 1 { "needs a size" } else { "need sizes" },
        if missing.len() == 1 { "it" } else { "them" },
        first_of(missing.iter().map(|m| format!("--dim {}", shell_word(format!("{}=SIZE", m.name)))), " ")
    )]
    MissingDimensions { missing: Vec<MissingDimension> },

    /// A size was given for none of the model's dimensions.
    #[error(
        "{model} has no free dimension `{}`\nhint: {}",
        printable(name),
        did_you_mean(name, "free dimensions", dimensions)
    )]
    UnknownDimension { model: String, name: String, dimensions: Vec<String> },

    /// The engine runs a model at one shape.
    #[error(
        "{engine} runs a model at one shape, and each step of a generation has its own\n\
         hint: --engine onnxruntime"
    )]
    NoGeneration { engine: &'static str },

    /// Nothing is known to go from one step of a generation to the next.
    #[error(
        "no output of the model is known to become an input of the next step\n\
         hint: name them with --feed OUTPUT=INPUT; usual names, such as present.0.key and \
         past_key_values.0.key, are recognized"
    )]
    NoFeeds,

    /// The model has no such output or input.
    #[error(
        "the model has no {kind} `{}` to feed\nhint: {}",
        printable(name),
        did_you_mean(name, &format!("{kind}s"), names)
    )]
    UnknownFeed { kind: &'static str, name: String, names: Vec<String> },

    /// An output or an input is in two pairs.
    #[error(
        "`{}={}` is fed twice: an output becomes one input",
        printable(output),
        printable(input)
    )]
    FeedTwice { output: String, input: String },

    /// Any of these might be the one that grows.
    #[error(
        "which dimension of input `{}` grows is unclear: {}\n\
         hint: give the others a size with --dim",
        printable(input),
        first_of(dimensions.iter().map(|name| format!("`{}`", printable(name))), ", ")
    )]
    ManyDimensions { input: String, dimensions: Vec<String> },

    /// Nothing tells how many tokens a step has.
    #[error(
        "no input has a free dimension for the tokens of a step or of the cache, so that nothing \
         grows"
    )]
    NoTokens,

    /// The model fails on its own outputs.
    #[error(
        "the model accepts the prompt, and fails at the token after it: {}\n\
         hint: an output that becomes an input has its type and shape; --feed says which",
        printable(reason)
    )]
    Feed { reason: String },

    /// The model fixes its batch size.
    #[error(
        "the model's batch size is fixed to {fixed}, {asked} was asked for\n\
         hint: export the model with a dynamic batch dimension, or leave --batch-size out"
    )]
    FixedBatch { fixed: u64, asked: u64 },

    /// Nothing tells which dimension the batch is.
    #[error(
        "the model has no free dimension that could be its batch, and a batch of {asked} was \
         asked for\n\
         hint: leave --batch-size out, and give free dimensions a size with --dim"
    )]
    NoBatch { asked: u64 },

    /// A formula of sizes makes none.
    #[error(
        "dimension `{}` is not a whole number with {sizes}\nhint: give it a size of its own with --dim {}",
        printable(dimension),
        shell_word(format!("{dimension}=SIZE"))
    )]
    NoSize { dimension: String, sizes: String },

    /// A formula of sizes makes another size than was given.
    #[error(
        "dimension `{}` is {size} with {}, and --dim gives it {asked}\nhint: leave one of them out",
        printable(dimension),
        printable(sizes)
    )]
    FormulaTwice { dimension: String, size: u64, sizes: String, asked: u64 },

    /// Two options give the batch dimension different sizes.
    #[error(
        "the batch size is given twice: --batch-size {asked} and --dim {}\n\
         hint: leave one of them out",
        shell_word(format!("{name}={size}"))
    )]
    BatchTwice { name: String, size: u64, asked: u64 },

    /// A file was given for none of the model's inputs.
    #[error(
        "the model has no input `{}`\nhint: {}",
        printable(name),
        did_you_mean(name, "inputs", inputs)
    )]
    UnknownInput { name: String, inputs: Vec<String> },

    /// The values of an input cannot be read.
    #[error("{}: {}", shown(path), printable(reason))]
    InputFile { path: PathBuf, reason: String },

    /// The values of an input are of another type or shape.
    #[error(
        "input `{}` should be {expected}, but {} holds {}{}",
        printable(name),
        shown(path),
        printable(actual),
        conversion(*cast)
    )]
    InputMismatch {
        name: String,
        path: PathBuf,
        expected: String,
        actual: String,
        /// What NumPy calls the elements that it should have, if they are of another type.
        cast: Option<&'static str>,
    },

    /// Values of that type exist in models only.
    #[error(
        "input `{}` has element type {data_type}, which cannot be made up or read from a file",
        printable(name)
    )]
    NoValues { name: String, data_type: String },

    /// The model asks for something else than a tensor.
    #[error(
        "input `{}` is a map or an optional, and only tensors and sequences of them can be read \
         from a file",
        printable(name)
    )]
    NoTensor { name: String },

    /// The number of tensors and their shapes are unknown.
    #[error(
        "input `{}` is a sequence of tensors, which cannot be made up\n\
         hint: give them with --input {}: its arrays, in their order",
        printable(name),
        shell_word(format!("{name}=FILE.npz"))
    )]
    NoSequence { name: String },

    /// The file does not say how many dimensions an input has.
    #[error(
        "input `{}` has no declared shape\n\
         hint: give its values with --input {}: it takes the shape of the file",
        printable(name),
        shell_word(format!("{name}=FILE.npy"))
    )]
    UnknownRank { name: String },

    /// A size that must be a slip of the hand.
    #[error(
        "input `{}` of shape {} is too large: an input has at most {most} elements",
        printable(name),
        show(shape)
    )]
    HugeInput { name: String, shape: Vec<u64>, most: u64 },

    /// More than the machine has.
    #[error(
        "the inputs take {}, and as much again in the engine, but there are {} of memory\n\
         hint: the largest is `{}` of shape {}",
        size(*bytes),
        size(*limit),
        printable(name),
        show(shape)
    )]
    Memory { bytes: u64, limit: u64, name: String, shape: Vec<u64> },

    /// Models that are to run in one process take more than the machine has.
    #[error(
        "the models need {} of memory together, and there are {}\n\
         hint: --interleave launches runs each in a process of its own",
        size(*bytes),
        size(*limit)
    )]
    MemoryOfBoth { bytes: u64, limit: u64 },

    /// Instances that are to run side by side take more than the machine has.
    #[error(
        "{instances} instances need {} of memory together, and there are {}\n\
         hint: take fewer --instances",
        size(*bytes),
        size(*limit)
    )]
    MemoryOfInstances { instances: u32, bytes: u64, limit: u64 },

    /// The inputs of all steps take more than the machine has.
    #[error(
        "the inputs of {steps} steps take {}, and there are {} of memory\n\
         hint: a smaller --prompt or --generate",
        size(*bytes),
        size(*limit)
    )]
    MemoryOfSteps { steps: usize, bytes: u64, limit: u64 },

    /// More than the system gives.
    #[error("no memory for input `{}` of shape {}", printable(name), show(shape))]
    NoMemory { name: String, shape: Vec<u64> },

    /// The launch cannot be bound to cores.
    #[error(transparent)]
    Pin(#[from] PinError),

    /// The engine refuses the model.
    #[error("{engine} cannot load the model: {}", printable(reason))]
    Load { engine: &'static str, reason: String },

    /// The engine lacks what the model needs, which another one may have.
    #[error(
        "{engine} cannot run the model: {}\n\
         hint: ONNX Runtime may run it: --engine onnxruntime",
        printable(reason)
    )]
    CannotRun { engine: String, reason: String },

    /// The engine has nothing to do.
    #[error(
        "there is nothing to record: {engine} computes the whole model while it loads it, \
         because no result depends on an input, or hands inputs on as they are"
    )]
    NothingToRecord { engine: &'static str },

    /// The model fails in a certain place.
    #[error(
        "the model fails in operator `{}` ({}): {}",
        printable(operator),
        printable(operator_type),
        printable(reason)
    )]
    Operator { operator: String, operator_type: String, reason: String },

    /// The model has no such layer.
    #[error(
        "the model has no layer `{}` that could be pruned\nhint: {}",
        printable(name),
        did_you_mean(name, "layers", layers)
    )]
    UnknownLayer { name: String, layers: Vec<String> },

    /// The model has no layer at all.
    #[error(
        "the model has no layer that could be pruned: no MatMul, Gemm or Conv has a constant weight"
    )]
    NoLayer,

    /// No layer can be pruned, each for a reason of its own.
    #[error("none of the layers can be pruned: {}", first_of(reasons, ", "))]
    NoPrunableLayer { reasons: Vec<String> },

    /// A plan prunes a layer that cannot be pruned.
    #[error("layer `{}` of the plan cannot be pruned: {reason}", printable(layer))]
    PlannedLayer { layer: String, reason: String },

    /// An output of the model as it is cannot be compared with anything.
    #[error(
        "output `{}` of the unchanged model holds NaN, so nothing can be compared with it",
        printable(output)
    )]
    NotANumber { output: String },

    /// No output of the model is made of numbers.
    #[error("the model has no output of numbers that could be compared")]
    NothingToCompare,

    /// Labels say nothing of such a model.
    #[error(
        "none of the outputs is of classes, which labels could be compared with\n\
         hint: --measure kl says that they are"
    )]
    NoClasses,

    /// Labels do not fit the model.
    #[error("{}: {}", shown(path), printable(reason))]
    Labels { path: PathBuf, reason: String },

    /// What another process says that runs the model.
    #[error("{reason}")]
    Apart { reason: String },
    /// The model fails.
    #[error("the model fails: {}", printable(reason))]
    Run { reason: String },

    /// The model fails on values that were made up.
    #[error(
        "{error}\n\
         hint: {} made up, and may not suit the model; {}",
        match inputs.as_slice() {
            [only] => format!("input `{}` was", printable(only)),
            _ => format!("inputs {} were", first_of(inputs.iter().map(|name| format!("`{}`", printable(name))), ", ")),
        },
        takes.text(inputs)
    )]
    MadeUp { error: Box<RecordError>, inputs: Vec<String>, takes: Takes },

    /// A folder of the recording cannot be made.
    #[error("{}: cannot create the folder: {source}", shown(path))]
    CreateFolder { path: PathBuf, source: io::Error },

    /// A folder of the recording cannot hold files.
    #[error("{}: cannot write there: {source}", shown(path))]
    WriteFolder { path: PathBuf, source: io::Error },

    /// The recording cannot be written. The message of `source` may name the file.
    #[error("cannot write the recording{}: {source}", kept(trace.as_deref(), *iterations))]
    Write { trace: Option<PathBuf>, iterations: u32, source: io::Error },
}

fn kept(trace: Option<&Path>, iterations: u32) -> String {
    match (trace, iterations) {
        (Some(trace), 0) => format!(" {}", shown(trace)),
        (Some(trace), 1) => format!(" {} after 1 iteration, which is kept", shown(trace)),
        (Some(trace), _) => {
            format!(" {} after {iterations} iterations, which are kept", shown(trace))
        }
        (None, _) => String::new(),
    }
}

/// Next step for somebody who gave this kind of file as a model.
fn other_than_file(path: &Path) -> &'static str {
    if path.join("saved_model.pb").is_file() {
        return "is a TensorFlow model, not an ONNX file\n\
                hint: convert it with python -m tf2onnx.convert --saved-model FOLDER --output \
                model.onnx";
    }
    if path.is_dir() {
        return "is a folder, not an ONNX file\n\
                hint: name the .onnx file; `onnxray summary FOLDER` shows a recording";
    }
    "not a regular file\nhint: a model is read several times; write it to a file first"
}

/// What to do about a file that is not whole, or of TensorFlow, whose format begins as ONNX does.
fn no_model(path: &Path, bytes: u64) -> String {
    match path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pb")) {
        true => "a TensorFlow model has to be converted: python -m tf2onnx.convert --graphdef \
                 FILE.pb, or --saved-model FOLDER, with --output model.onnx"
            .to_string(),
        false => format!(
            "the file has {bytes} bytes; is it an .onnx file, and was it copied completely?"
        ),
    }
}

fn conversion(cast: Option<&str>) -> String {
    cast.map_or(String::new(), |name| format!("; convert it with a.astype('{name}')"))
}

/// A free dimension without a size.
#[derive(Debug)]
pub struct MissingDimension {
    /// Its name for `--dim`.
    pub name: String,
    /// With the inputs that have it: "dimension `sequence` of input `input_ids`".
    pub text: String,
}

fn list_unsupported(operators: &[(String, String)]) -> String {
    let listed = operators
        .iter()
        .map(|(operator_type, node)| format!("operator type {operator_type} (node `{node}`)"));
    printable(&first_of(listed, ", "))
}

fn show(shape: &[u64]) -> String {
    shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}
