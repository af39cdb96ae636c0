//! Launches whose times are known, as ONNX Runtime's profiler writes them.

use crate::program::Place;
use std::fs;

/// A trace: iterations of nodes, whose times are in microseconds.
pub(crate) fn trace(place: &Place, file: &str, nodes: usize, time: impl Fn(usize, usize) -> usize) {
    let (mut events, mut now) = (Vec::new(), 1000);
    for iteration in 0..40 {
        let start = now;
        for node in 0..nodes {
            let time = time(iteration, node);
            events.push(serde_json::json!({"cat": "Node", "pid": 1, "tid": 1, "ph": "X",
                "name": format!("/n{node}/MatMul_kernel_time"), "ts": now, "dur": time,
                "args": {"op_name": "MatMul", "provider": "CPUExecutionProvider",
                    "node_index": node.to_string()}}));
            now += time;
        }
        events.push(serde_json::json!({"cat": "Session", "pid": 1, "tid": 1, "ph": "X",
            "name": "model_run", "ts": start, "dur": now - start + 3, "args": {}}));
        now += 10;
    }
    place.write(file, serde_json::to_string(&events).unwrap().as_bytes());
}

/// A folder of launches, in each of which every node takes as many µs, give or take 5: `1000`; or
/// the first one another time than the others: `1200/1000`.
pub(crate) fn launches(place: &Place, folder: &str, nodes: usize, times: &[&str]) {
    fs::create_dir_all(place.path(folder)).unwrap();
    for (launch, times) in times.iter().enumerate() {
        let (first, others) = times.split_once('/').unwrap_or((times, times));
        let [first, others]: [usize; 2] = [first, others].map(|time| time.parse().unwrap());
        trace(place, &format!("{folder}/{launch}.json"), nodes, |iteration, node| {
            let time = if node == 0 { first } else { others };
            time + (iteration * 7 + launch * 3 + node) % 5
        });
    }
}
