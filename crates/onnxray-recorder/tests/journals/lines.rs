//! Lines of journals. Of entries, the first three may be there; the others no launch can have said.

/// A search, and entries of its journal.
pub(crate) struct Lines {
    pub(crate) run: &'static str,
    pub(crate) entries: [&'static str; 6],
}

pub(crate) const TUNING: Lines = Lines {
    run: r#"{"model":"cnn.onnx","model_sha256":null,"engine":"ONNX Runtime","engine_version":"1.31.1","engine_options":{},"threads":1,"batch_size":1,"dimensions":[{"name":"batch","size":1}],"inputs":"random, seed 1","loss_inputs":{"search":4,"held_out":20},"cpu":"cpu","cores":2,"changes":[{"without_optimizer":"ConstantSharing"},{"without_optimizer":"ConvActivationFusion"}],"idle_optimizers":0}"#,
    entries: [
        r#"{"stage":"single","number":0,"base_ns":481701.0,"rounds":5,"variants":[{"changes":[{"without_optimizer":"ConstantSharing"}],"ratio":1.0012712527013996,"outputs":{"output":null,"absolute":0.0,"relative":0.0}},{"changes":[{"without_optimizer":"ConvActivationFusion"}],"ratio":1.177260629462055,"costs":{"cpu":0.03125,"memory":1.5,"start":null,"paced_latency":1.0,"paced_cpu":0.25},"outputs":{"output":null,"absolute":0.0,"relative":0.0}}]}"#,
        r#"{"changes":[{"without_optimizer":"ConstantSharing"}],"recordings":["2026-11-26_10-00-00","2026-11-26_10-00-01"]}"#,
        r#"{"changes":[{"without_optimizer":"ConstantSharing"}],"held_out":[{"output":null,"absolute":0.0,"relative":0.5},{"output":null,"absolute":0.0,"relative":0.5}]}"#,
        r#"{"changes":[{"without_optimizer":"Other"}],"recordings":["2026-11-26_10-00-00","2026-11-26_10-00-01"]}"#,
        r#"{"stage":"single","number":0,"base_ns":481701.0,"rounds":5,"variants":[{"changes":[{"without_optimizer":"ConstantSharing"}],"ratio":1.0,"costs":{"cpu":-1.0},"outputs":{"output":null,"absolute":0.0,"relative":0.0}}]}"#,
        r#"{"changes":[{"without_optimizer":"ConstantSharing"}],"recordings":["../up","2026-11-26_10-00-01"]}"#,
    ],
};

pub(crate) const MIX: Lines = Lines {
    run: r#"{"a":{"model":"cnn.onnx","sha256":null},"b":{"model":"cnn-int8.onnx","sha256":null},"engine":"tract","engine_version":"0.23.9","engine_options":{},"threads":1,"batch_size":1,"dimensions":[{"name":"batch","size":1}],"inputs":"random, seed 1","cpu":"AMD EPYC","loss_inputs":{"search":4,"held_out":20},"outputs":[{"name":"logits","measure":"kl_logits","reason":"its name"}],"aligned":0,"changes":[{"tensor":"t0","operator_type":"Clip","nodes_a":["a"],"nodes_b":["b"],"difference":0.980524748594953,"needs":[]},{"tensor":"t1","operator_type":"Clip","nodes_a":["a"],"nodes_b":["b"],"difference":1.002566317730019,"needs":[]}]}"#,
    entries: [
        r#"{"number":0,"base_ns":1647990.0,"rounds":5,"variants":[{"from_b":[0,1],"ratio":2.473111297634679,"loss":1.2455558927132507e-07,"output":"logits"},{"from_b":[],"ratio":1.0039802713675094,"loss":0.0,"output":"logits"}]}"#,
        r#"{"with_b":true,"from_b":[0],"recordings":["2026-11-26_10-00-00","2026-11-26_10-00-01"]}"#,
        r#"{"held_out":[{"from_b":[0],"losses":[0.5,0.25]}]}"#,
        r#"{"with_b":false,"from_b":[7],"recordings":["2026-11-26_10-00-00","2026-11-26_10-00-01"]}"#,
        r#"{"number":0,"base_ns":1647990.0,"rounds":5,"variants":[{"from_b":[0,1],"ratio":1e-308,"loss":1.2455558927132507e-07,"output":"logits"}]}"#,
        r#"{"held_out":[{"from_b":[1,0],"losses":[-0.5]}]}"#,
    ],
};
