//! Generated traces of the size that people complain about.

use crate::sequence::Sequence;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes an ONNX Runtime profile, as version 1.31 does with two threads, of
/// about `bytes` bytes, and returns its iterations and node events.
pub(crate) fn onnx_runtime(path: &Path, bytes: u64) -> io::Result<(u64, u64)> {
    let mut out = Counted { out: BufWriter::with_capacity(1 << 20, File::create(path)?), bytes: 0 };
    let mut random = Sequence::new(1);
    write!(
        out,
        "[\n{{\"cat\" : \"Session\",\"pid\" :13609,\"tid\" :13609,\"dur\" :1562,\"ts\" :8,\"ph\" : \"X\",\
         \"name\" :\"model_loading_uri\",\"args\" : {{}}}},\n\
         {{\"cat\" : \"Session\",\"pid\" :13609,\"tid\" :13609,\"dur\" :12946,\"ts\" :1608,\"ph\" : \"X\",\
         \"name\" :\"session_initialization\",\"args\" : {{}}}}"
    )?;
    let (mut clock, mut iterations, mut events) = (20_000, 0, 0);
    while out.bytes < bytes {
        let begin = clock;
        for layer in 0..6 {
            for (index, kind) in ["MatMul", "Add", "Gelu", "LayerNormalization"].iter().enumerate()
            {
                let node = layer * 4 + index as u64;
                let duration = 20 + random.below(400);
                node_event(&mut out, &mut random, node, layer, kind, clock, duration)?;
                clock += duration + random.below(4);
                events += 1;
            }
        }
        for (name, start) in [("SequentialExecutor::Execute", begin - 5), ("model_run", begin - 9)]
        {
            write!(
                out,
                ",\n{{\"cat\" : \"Session\",\"pid\" :13609,\"tid\" :13609,\"dur\" :{},\"ts\" :{start},\
                 \"ph\" : \"X\",\"name\" :\"{name}\",\"args\" : {{}}}}",
                clock - start
            )?;
        }
        clock += 40;
        iterations += 1;
    }
    out.write_all(b"\n]\n")?;
    out.flush()?;
    Ok((iterations, events))
}

fn node_event(
    out: &mut impl Write,
    random: &mut Sequence,
    node: u64,
    layer: u64,
    kind: &str,
    start: u64,
    duration: u64,
) -> io::Result<()> {
    let (run, wait) = (duration * 3 / 4, random.below(duration));
    let threads = format!(
        "\"thread_scheduling_stats\" : {{\"main_thread\": {{\"thread_pool_name\": \"session-1-intra-op\", \
         \"thread_id\": \"139989128145792\", \"block_size\": [1], \"core\": {}, \"Distribution\": {}, \
         \"DistributionEnqueue\": 0, \"Run\": {run}, \"Wait\": {wait}, \"WaitRevoke\": 0}}, \
         \"sub_threads\": {{\"139988925671104\": {{\"num_run\": {}, \"core\": 1}}}}}}",
        random.below(2),
        random.below(9),
        random.below(3)
    );
    let shapes = "\"input_type_shape\" : [{\"float\":[2,64,256]},{\"float\":[256]}]";
    let sizes = "\"parameter_size\" : \"1024\",\"activation_size\" : \"131072\",\"output_size\" : \"524288\"";
    // The order of the arguments changes from event to event, as it does there.
    let (first, second) = match random.below(2) {
        0 => (&threads[..], shapes),
        _ => (shapes, &threads[..]),
    };
    write!(
        out,
        ",\n{{\"cat\" : \"Node\",\"pid\" :13609,\"tid\" :13609,\"dur\" :{duration},\"ts\" :{start},\
         \"ph\" : \"X\",\"name\" :\"/encoder/layer.{layer}/{kind}_{node}_kernel_time\",\"args\" : {{\
         {first},\"mem_bytes_requested_in_use\" : \"8912896\",\"node_index\" : \"{node}\",{sizes},\
         \"mem_bytes_in_use\" : \"{}\",{second},\"mem_in_use_peak\" : \"9437184\",\
         \"mem_requested_in_use_delta\" : \"524288\",\"op_name\" : \"{kind}\",\
         \"provider\" : \"CPUExecutionProvider\",\"mem_arena_held_delta\" : \"0\",\
         \"mem_arena_held\" : \"9437184\",\"mem_in_use_delta\" : \"524288\",\
         \"output_type_shape\" : [{{\"float\":[2,64,1024]}}]}}}}",
        8_912_896 + 4096 * node
    )
}

/// Writes a PyTorch trace of about `bytes` bytes: operators that nest, with
/// shapes, and steps.
pub(crate) fn pytorch(path: &Path, bytes: u64) -> io::Result<()> {
    let mut out = Counted { out: BufWriter::with_capacity(1 << 20, File::create(path)?), bytes: 0 };
    let mut random = Sequence::new(1);
    out.write_all(
        b"{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n  ],\n  \"record_shapes\": 1,\n  \
          \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": 1712195495000000000,\n  \
          \"traceEvents\": [\n  {\n    \"name\": \"process_name\", \"ph\": \"M\", \"ts\": 0.000, \
          \"pid\": 865, \"tid\": 0,\n    \"args\": {\n      \"name\": \"python\"\n    }\n  }",
    )?;
    let (mut clock, mut step, mut id) = (2_413_669_000u64, 0, 0);
    while out.bytes < bytes {
        let begin = clock;
        for layer in 0..200 {
            for (depth, name) in
                ["aten::linear", "aten::addmm", "aten::mm", "aten::copy_"].iter().enumerate()
            {
                let nanoseconds = random.below(90_000);
                event(&mut out, "cpu_op", name, clock + depth as u64, nanoseconds, id, layer)?;
                id += 1;
            }
            clock += 120;
        }
        write!(
            out,
            ",\n  {{\n    \"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#{step}\", \
             \"pid\": 865, \"tid\": 1457,\n    \"ts\": {}.000, \"dur\": {}.500,\n    \"args\": {{\n      \
             \"External id\": {id},\"Ev Idx\": {id}\n    }}\n  }}",
            begin - 5,
            clock - begin + 10
        )?;
        clock += 100;
        step += 1;
    }
    out.write_all(b"\n  ],\n  \"traceName\": \"trace.json\"\n}\n")?;
    out.flush()
}

fn event(
    out: &mut impl Write,
    category: &str,
    name: &str,
    start: u64,
    nanoseconds: u64,
    id: u64,
    layer: u64,
) -> io::Result<()> {
    write!(
        out,
        ",\n  {{\n    \"ph\": \"X\", \"cat\": \"{category}\", \"name\": \"{name}\", \"pid\": 865, \
         \"tid\": 1457,\n    \"ts\": {start}.{:03}, \"dur\": {}.{:03},\n    \"args\": {{\n      \
         \"External id\": {id},\"Record function id\": 0, \"Concrete Inputs\": [\"\", \"0\", \"{layer}\"], \
         \"Input type\": [\"float\", \"float\", \"Scalar\"], \"Input Strides\": [[768, 1], [1], []], \
         \"Input Dims\": [[128, 768], [768], []], \"Ev Idx\": {id}\n    }}\n  }}",
        nanoseconds % 1000,
        nanoseconds / 1000,
        nanoseconds % 1000
    )
}

/// Counts what is written.
struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
