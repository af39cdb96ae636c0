//! Tables small enough to say by heart which of their operators do the same work.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

#[path = "alignment/any_tables.rs"]
mod any_tables;
#[path = "alignment/tables.rs"]
mod tables;
#[path = "alignment/traces.rs"]
mod traces;

use onnxray_analyzer::comparison::{Certainty, Method, Side, align};
use onnxray_format::Operator;
use tables::*;

#[test]
fn exact_nodes() {
    let a = [operator("Conv", "/a/Conv"), operator("Relu", "/b/Relu")];
    let b = [operator("QLinearConv", "/a/Conv"), operator("Clip", "/b/Relu")];
    check(&a, &b, &["/a/Conv = /a/Conv", "/b/Relu = /b/Relu"]);
    assert!(methods(&a, &b).iter().all(|&method| method == Some(Method::Node)));
    // The nodes count, not what the operator is called.
    let named = [operator("Conv", "kernel 1").nodes(&["/a/Conv"]), operator("Relu", "/b/Relu")];
    check(&named, &b, &["kernel 1 = /a/Conv", "/b/Relu = /b/Relu"]);
}

#[test]
fn one_operator_for_several() {
    let fused = [operator("Conv", "/a/Conv").nodes(&["/a/Conv", "/a/Add", "/a/Relu"])];
    let single =
        [operator("Conv", "/a/Conv"), operator("Add", "/a/Add"), operator("Relu", "/a/Relu")];
    check(&fused, &single, &["/a/Conv = /a/Conv + /a/Add + /a/Relu"]);
    // Steps of a node belong together, on whichever side they are.
    let steps = [operator("Conv", "/a/Conv#pad").nodes(&["/a/Conv"]), operator("Conv", "/a/Conv")];
    check(&steps, &fused, &["/a/Conv#pad + /a/Conv = /a/Conv"]);
}

#[test]
fn several_operators_for_several() {
    let a = [operator("Conv", "x").nodes(&["1", "2"]), operator("Add", "y").nodes(&["3"])];
    let b = [operator("Conv", "v").nodes(&["1"]), operator("Add", "w").nodes(&["2", "3"])];
    check(&a, &b, &["x + y = v + w"]);
}

#[test]
fn names_that_were_made_from_others() {
    let a = [
        operator("MatMul", "/fc/MatMul"),
        operator("MatMul", "/fc/MatMul_1"),
        operator("Clip", "/a/Clip"),
        operator("Conv", "/b/Conv_output_0_nchwc"),
    ];
    let b = [
        operator("MatMulIntegerToFloat", "/fc/MatMul_quant"),
        operator("MatMulIntegerToFloat", "/fc/MatMul_1_quant"),
        operator("Conv", "/a/Clip_output_0_nchwc"),
        operator("QLinearConv", "/b/Conv_token_51"),
    ];
    let expected = [
        "/fc/MatMul = /fc/MatMul_quant",
        "/fc/MatMul_1 = /fc/MatMul_1_quant",
        "/a/Clip = /a/Clip_output_0_nchwc",
        "/b/Conv_output_0_nchwc = /b/Conv_token_51",
    ];
    check(&a, &b, &expected);
    assert!(methods(&a, &b).iter().all(|&method| method == Some(Method::Name)));
}

#[test]
fn tensors_and_weights() {
    let a = [operator("Conv", "conv 7").writes("scores", &[])];
    let b = [operator("QLinearConv", "node_9").writes("scores", &[])];
    check(&a, &b, &["conv 7 = node_9"]);
    assert_eq!(methods(&a, &b), [Some(Method::Tensor)]);
    // A tensor is named after the node that makes it.
    let b = [operator("QLinearConv", "node_9").writes("/a/Conv_output_0", &[])];
    check(&[operator("Conv", "/a/Conv")], &b, &["/a/Conv = node_9"]);
    // Places among the outputs are not names.
    let a = [operator("Conv", "x").writes("output 0", &[])];
    let b = [operator("Softmax", "y").writes("output 0", &[])];
    check(&a, &b, &["x =", "= y"]);
    let a = [
        operator("Conv", "conv 7").weight("onnx::Conv_5"),
        operator("Conv", "conv 8").weight("onnx::Conv_6"),
    ];
    let b = [
        operator("QLinearConv", "node_8").weight("onnx::Conv_6_quantized"),
        operator("QLinearConv", "node_9").weight("onnx::Conv_5_quantized"),
    ];
    check(&a, &b, &["conv 7 = node_9", "conv 8 = node_8"]);
    assert_eq!(methods(&a, &b), [Some(Method::Weight); 2]);
    // Two operators read it: it does not tell them apart.
    let shared = [a[0].clone(), operator("Conv", "conv 9").weight("onnx::Conv_5")];
    check(&shared, &b[1..], &["conv 7 =", "conv 9 =", "= node_9"]);
}

#[test]
fn shapes_and_order_whatever_the_layout() {
    let a = [
        operator("Conv", "1").reads("", &[1, 3, 96, 96]).writes("", &[1, 16, 48, 48]),
        operator("Conv", "2").reads("", &[1, 16, 48, 48]).writes("", &[1, 16, 48, 48]),
        operator("Conv", "3").reads("", &[1, 16, 48, 48]).writes("", &[1, 16, 48, 48]),
    ];
    let b = [
        operator("QLinearConv", "x").reads("", &[96, 96, 3]).writes("", &[48, 48, 16]),
        operator("Convolution", "y").reads("", &[1, 48, 48, 16]).writes("", &[1, 48, 48, 16]),
        operator("FusedConv", "z").reads("", &[1, 48, 48, 16]).writes("", &[1, 48, 48, 16]),
    ];
    check(&a, &b, &["1 = x", "2 = y", "3 = z"]);
    assert_eq!(methods(&a, &b), [Some(Method::Shape); 3]);
    // One more of them on a side: order alone says nothing.
    check(&a[1..], &b[1..2], &["2 =", "3 =", "= y"]);
}

#[test]
fn conversions_belong_to_what_they_serve() {
    let a = [operator("Conv", "/a/Conv"), operator("Conv", "/b/Conv")];
    let expected =
        ["/a/Conv = /a/Conv", "/b/Conv = x_QuantizeLinear + Transpose + x_Dequantize + /b/Conv"];
    // A chain, by its tensors: it stands in front of an operator that it does not serve.
    let chain = [
        operator("QuantizeLinear", "x_QuantizeLinear").reads("x", &[]).writes("q", &[]),
        operator("Transpose", "Transpose").reads("q", &[]).writes("t", &[]),
        operator("DequantizeLinear", "x_Dequantize").reads("t", &[]).writes("d", &[]),
        operator("Conv", "/a/Conv").reads("x", &[]).writes("y", &[]),
        operator("Conv", "/b/Conv").reads("d", &[]).writes("z", &[]),
    ];
    check(&a, &chain, &expected);
    let group = &align(&a, &chain).groups[1];
    let conversions: Vec<bool> = group.b.iter().map(|member| member.conversion).collect();
    assert_eq!(conversions, [true, true, true, false]);
    // Without tensors, by order.
    let bare = |name: &str| Operator { name: name.to_string(), ..chain[0].clone() }.bare();
    let ordered = [
        operator("Conv", "/a/Conv"),
        bare("x_QuantizeLinear"),
        operator("Transpose", "Transpose"),
        bare("x_Dequantize"),
        operator("Conv", "/b/Conv"),
    ];
    check(&a, &ordered, &expected);
    // Behind the last operator, there is only what comes before.
    let last = [operator("Conv", "/a/Conv"), operator("Conv", "/b/Conv"), bare("back")];
    check(&a, &last, &["/a/Conv = /a/Conv", "/b/Conv = /b/Conv + back"]);
}

#[test]
fn of_several_readers_the_first_is_served() {
    let readers = ["/key/MatMul", "/query/MatMul", "/value/MatMul"];
    let a = readers.map(|name| operator("MatMul", name).reads("/x/Norm_output_0", &[]));
    let quantize = operator("DynamicQuantizeLinear", "/x/Norm_output_0_QuantizeLinear");
    let expected = [
        "/key/MatMul = /x/Norm_output_0_QuantizeLinear + /key/MatMul",
        "/query/MatMul = /query/MatMul",
        "/value/MatMul = /value/MatMul",
    ];
    let mut b = vec![quantize.clone().writes("q", &[])];
    b.extend(readers.map(|name| operator("MatMul", name).reads("q", &[])));
    check(&a, &b, &expected);
    // Without tensors, those of the other side say who reads it, and the order of
    // this side who is first.
    b = vec![quantize];
    b.extend(["/query/MatMul", "/key/MatMul", "/value/MatMul"].map(|n| operator("MatMul", n)));
    let expected = [
        "/key/MatMul = /key/MatMul",
        "/query/MatMul = /x/Norm_output_0_QuantizeLinear + /query/MatMul",
        "/value/MatMul = /value/MatMul",
    ];
    check(&a, &b, &expected);
}

#[test]
fn what_undoes_the_quantization_of_a_result_belongs_to_its_maker() {
    let a = [operator("Gather", "/x/Gather"), operator("Add", "/x/Add")];
    let dequantize = operator("DequantizeLinear", "/x/Gather_output_0_DequantizeLinear");
    let b = [a[0].clone(), dequantize.clone(), a[1].clone()];
    check(
        &a,
        &b,
        &["/x/Gather = /x/Gather + /x/Gather_output_0_DequantizeLinear", "/x/Add = /x/Add"],
    );
    // If the result is quantized for its reader, so it is dequantized.
    let quantize = operator("QuantizeLinear", "/x/Gather_output_0_QuantizeLinear");
    let b = [a[0].clone(), quantize, dequantize, a[1].clone()];
    let served = "/x/Add = /x/Gather_output_0_QuantizeLinear + \
                  /x/Gather_output_0_DequantizeLinear + /x/Add";
    check(&a, &b, &["/x/Gather = /x/Gather", served]);
}

#[test]
fn what_the_other_side_fused_goes_with_what_feeds_it() {
    let a = [operator("Conv", "/a/Conv"), operator("Relu", "/a/Relu"), operator("Conv", "/b/Conv")];
    let b = [operator("Conv", "/a/Conv"), operator("Conv", "/b/Conv")];
    check(&a, &b, &["/a/Conv + /a/Relu = /a/Conv", "/b/Conv = /b/Conv"]);
    // A residual addition in front of a convolution that is matched by place alone:
    // not both to it.
    let a = [
        operator("Conv", "/a/Conv"),
        operator("Add", "/a/Add"),
        operator("QLinearConv", "/b/Conv_token_1"),
        operator("Conv", "/c/Conv"),
    ];
    let b = [
        operator("Conv", "/a/Conv"),
        operator("Conv", "/b/Clip_output_0_nchwc"),
        operator("Conv", "/c/Conv"),
    ];
    let expected = [
        "/a/Conv + /a/Add = /a/Conv",
        "/b/Conv_token_1 = /b/Clip_output_0_nchwc",
        "/c/Conv = /c/Conv",
    ];
    check(&a, &b, &expected);
}

#[test]
fn what_adds_first_takes_the_addition_of_the_other_side() {
    let a = [
        operator("MatMul", "/fc/MatMul"),
        operator("Add", "/fc/Add"),
        operator("LayerNormalization", "/n/LayerNormalization").writes("n", &[]),
    ];
    let b = [
        operator("MatMul", "/fc/MatMul"),
        operator("SkipLayerNormalization", "SkipLayerNormalization").writes("n", &[]),
    ];
    let expected =
        ["/fc/MatMul = /fc/MatMul", "/fc/Add + /n/LayerNormalization = SkipLayerNormalization"];
    check(&a, &b, &expected);
    // The product adds the bias there, and here what follows it.
    let a = [operator("MatMul", "/fc/MatMul"), operator("BiasGelu", "g").writes("n", &[])];
    let b = [operator("MatMul", "/fc/MatMul"), operator("Gelu", "h").writes("n", &[])];
    check(&a, &b, &["/fc/MatMul + g = /fc/MatMul + h"]);
    check(&a, &a, &["/fc/MatMul = /fc/MatMul", "g = g"]);
}

#[test]
fn names_that_several_have() {
    let twice = [operator("Relu", "Relu"), operator("Relu", "Relu"), operator("Conv", "/a/Conv")];
    check(&twice, &twice[1..], &["Relu + Relu = Relu", "/a/Conv = /a/Conv"]);
    check(&twice[..0], &twice, &["= Relu + Relu", "= /a/Conv"]);
}

#[test]
fn empty_sides() {
    let some = [operator("Conv", "/a/Conv"), operator("QuantizeLinear", "q")];
    check(&[], &[], &[]);
    check(&some, &[], &["/a/Conv + q ="]);
    check(&[], &some, &["= /a/Conv + q"]);
    assert!(methods(&some, &[]).iter().all(Option::is_none));
    check(&some[1..], &[], &["q ="]);
}

#[test]
fn unrelated_models_do_not_align() {
    let a = [
        operator("Conv", "/stem/Conv").writes("s", &[1, 16, 48, 48]),
        operator("Relu", "/stem/Relu").writes("t", &[1, 16, 48, 48]),
        operator("Gemm", "/classifier/Gemm").writes("u", &[1, 10]),
    ];
    let b = [
        operator("Gather", "/words/Gather").writes("w", &[1, 128, 256]),
        operator("MatMul", "/key/MatMul").writes("x", &[1, 128, 256]),
        operator("Softmax", "/Softmax").writes("y", &[1, 4, 128, 128]),
        operator("Gemm", "/classifier/Gemm").writes("z", &[1, 2]),
    ];
    let alignment = align(&a, &b);
    let sure = alignment.groups.iter().filter(|group| {
        group.method().is_some_and(|method| method.certainty() != Certainty::Possible)
    });
    assert_eq!(sure.count(), 1);
    // Nothing in common at all.
    check(
        &a[..2],
        &b[..3],
        &["/stem/Conv =", "/stem/Relu =", "= /words/Gather", "= /key/MatMul", "= /Softmax"],
    );
}

#[test]
fn the_order_of_a_side_does_not_change_what_names_say() {
    let names: Vec<String> = (0..60).map(|layer| format!("/layer.{layer}/MatMul")).collect();
    let a: Vec<Operator> = names.iter().map(|name| operator("MatMul", name)).collect();
    let quantized = |(at, name): (usize, &String)| match at % 3 {
        0 => operator("MatMul", name),
        1 => operator("MatMulIntegerToFloat", &format!("{name}_quant")),
        _ => operator("Gemm", &format!("gemm {at}")).writes(&format!("{name}_output_0"), &[]),
    };
    let mut b: Vec<Operator> = names.iter().enumerate().map(quantized).collect();
    let expected = shown(&a, &b);
    assert_eq!(expected.len(), 60);
    let mut random = 1u64;
    for _ in 0..20 {
        for at in (1..b.len()).rev() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            b.swap(at, (random >> 33) as usize % (at + 1));
        }
        assert_eq!(shown(&a, &b), expected);
        let mirrored: Vec<String> = shown(&b, &a).iter().map(|group| mirror(group)).collect();
        assert_eq!(sorted(mirrored), expected);
    }
}

/// Work must grow with the tables, not with their product or square.
#[test]
fn a_hundred_thousand_operators() {
    const MANY: usize = 100_000;
    let table = |make: &dyn Fn(usize) -> Operator| (0..MANY).map(make).collect::<Vec<_>>();
    let named = table(&|at| operator("MatMul", &format!("/a.{at}/MatMul")));
    let derived = table(&|at| operator("MatMul", &format!("/a.{at}/MatMul_quant_{at}x")));
    let nameless = table(&|_| operator("Conv", "").writes("", &[1, 16, 48, 48]));
    let unlike = table(&|at| operator("Conv", &format!("c {at}")).writes("", &[at as u64 + 2]));
    // A chain of conversions that serves the last operator.
    let chain = table(&|at| {
        let kind = if at + 1 == MANY { "MatMul" } else { "QuantizeLinear" };
        let named = operator(kind, &format!("x_{at}_QuantizeLinear"));
        named.reads(&format!("t {at}"), &[]).writes(&format!("t {}", at + 1), &[])
    });
    // All read, or convert, one tensor.
    let readers = table(&|at| operator("Add", &format!("r {at}")).reads("x_output_0", &[]));
    let converters = table(&|at| match at {
        0 => operator("Add", "r 0"),
        _ => operator("QuantizeLinear", "x_output_0_QuantizeLinear").nodes(&["x_output_0_Cast"]),
    });
    let tables = [&named, &derived, &nameless, &unlike, &chain, &readers, &converters];
    for pair in tables.windows(2) {
        assert_eq!(count(&align(pair[0], pair[1]), Side::A), MANY);
        assert_eq!(count(&align(pair[1], pair[0]), Side::A), MANY);
    }
    assert_eq!(align(&named, &derived).groups.len(), MANY);
    assert_eq!(align(&named, &chain).groups.len(), MANY + 1);
}
