//! Kernels as operators.
//!
//! Our recorder gives the name of an ONNX node to the kernel that does its work, and
//! `NODE#ROLE` to others that the engine runs for it: those that pack a matrix, or the
//! steps of a loop that the engine made of the node. An operator is all of them:
//!
//! ```text
//!   kernel 0  /fc/MatMul#pack_b ─┐
//!   kernel 1  /fc/MatMul         ├─ operator 0  /fc/MatMul
//!   kernel 2  /fc/MatMul#cast   ─┘
//!   kernel 3  /relu/Relu         ── operator 1  /relu/Relu
//! ```
//!
//! Names of other producers mean nothing of the kind, whatever stands in them. What runs on a
//! device is a kernel of the operator that launched it, which runs on the host.

use crate::Operator;
use std::collections::HashMap;

/// The kernels of a recording in which an operator may have several.
#[derive(Clone, Debug)]
pub struct Kernels {
    /// Kernels by the number in the column `kernel`; `parent` is such a number, too.
    pub table: Vec<Operator>,
    /// By kernel: the number of its operator.
    pub operator_of: Vec<u32>,
    /// By operator: the kernel that bears its name, or the first of its kernels.
    pub main: Vec<u32>,
}

/// The operators of one of our own recordings, in the order of their main kernels;
/// `None` for the kernels where each is an operator.
pub fn fold(table: Vec<Operator>) -> (Vec<Operator>, Option<Kernels>) {
    let homes = homes(&table);
    let mut main: Vec<u32> = Vec::new();
    let mut operator_of = vec![u32::MAX; table.len()];
    // Helpers of a node that no kernel bears the name of are one operator.
    let mut of_node: HashMap<&str, u32> = HashMap::new();
    for number in 0..table.len() {
        let next = main.len() as u32;
        operator_of[number] = match homes[number] {
            Home::Kernel(_) => continue,
            Home::Itself => next,
            Home::Node(node) => *of_node.entry(node).or_insert(next),
        };
        if operator_of[number] == next {
            main.push(number as u32);
        }
    }
    for number in 0..table.len() {
        // In a second pass, since helpers may come before the kernel that they help.
        operator_of[number] = operator_of[root(&homes, number)];
    }
    // Nothing to fold: no second table that says the same.
    if main.len() == table.len() {
        return (table, None);
    }
    let mut members: Vec<Vec<&Operator>> = vec![Vec::new(); main.len()];
    for (kernel, &operator) in table.iter().zip(&operator_of) {
        members[operator as usize].push(kernel);
    }
    let operator = |number: u32| {
        let position = main[number as usize] as usize;
        let (main, members) = (&table[position], &members[number as usize]);
        let parent = main.parent.and_then(|parent| operator_of.get(parent as usize).copied());
        let name = match homes[position] {
            Home::Node(node) => node,
            _ => &main.name,
        };
        Operator {
            number,
            name: name.to_string(),
            // A step of a loop that is folded into the loop would be its own parent.
            parent: parent.filter(|&parent| parent != number),
            flops: cost(members, main, |kernel| kernel.flops),
            bytes: cost(members, main, |kernel| kernel.bytes),
            parameters: sum(members.iter().map(|kernel| kernel.parameters)),
            ..main.clone()
        }
    };
    let operators = (0..main.len() as u32).map(operator).collect();
    (operators, Some(Kernels { table, operator_of, main }))
}

/// Folds kernels on devices into the operators that launch them; `None` for the kernels if nothing
/// runs on a device.
pub fn fold_devices(table: Vec<Operator>) -> (Vec<Operator>, Option<Kernels>) {
    if !table.iter().any(|operator| operator.device) {
        return (table, None);
    }
    let launcher = |kernel: &Operator| {
        let launcher = kernel.parent.filter(|_| kernel.device)?;
        // What a kernel of the device launches is not folded: its launcher is not on the host.
        (!table.get(launcher as usize)?.device).then_some(launcher)
    };
    let launchers: Vec<Option<u32>> = table.iter().map(launcher).collect();
    let is_own = |number: &u32| launchers[*number as usize].is_none();
    let main: Vec<u32> = (0..table.len() as u32).filter(is_own).collect();
    let mut operator_of = vec![0; table.len()];
    (0..).zip(&main).for_each(|(number, &kernel)| operator_of[kernel as usize] = number);
    for (kernel, launcher) in launchers.iter().enumerate() {
        if let Some(launcher) = launcher {
            operator_of[kernel] = operator_of[*launcher as usize];
        }
    }
    let operator = |(number, &kernel): (u32, &u32)| {
        let kernel = &table[kernel as usize];
        let parent = kernel.parent.and_then(|parent| operator_of.get(parent as usize).copied());
        Operator { number, parent, ..kernel.clone() }
    };
    let operators = (0..).zip(&main).map(operator).collect();
    (operators, Some(Kernels { table, operator_of, main }))
}

/// The operator that a kernel belongs to.
#[derive(Clone, Copy)]
enum Home<'a> {
    /// It bears the name of its operator.
    Itself,
    /// It helps another kernel.
    Kernel(u32),
    /// It helps with a node that no other kernel bears the name of.
    Node(&'a str),
}

fn homes(kernels: &[Operator]) -> Vec<Home<'_>> {
    let named: HashMap<&str, u32> =
        (0..).zip(kernels).map(|(number, kernel)| (kernel.name.as_str(), number)).collect();
    let mut homes: Vec<Home> = kernels.iter().map(|kernel| home(kernel, kernels, &named)).collect();
    // A node that another operator computes beside its own.
    let mut computed: HashMap<&str, u32> = HashMap::new();
    for (number, kernel) in (0..).zip(kernels) {
        if matches!(homes[number as usize], Home::Itself) {
            kernel.nodes.iter().for_each(|node| _ = computed.entry(node).or_insert(number));
        }
    }
    for (home, helper) in homes.iter_mut().zip(kernels) {
        // Not one of another type: what types take would depend on what was fused.
        if let Home::Node(node) = home
            && let Some(&kernel) = computed.get(node)
            && kernels[kernel as usize].naming_type() == helper.operator_type
        {
            *home = Home::Kernel(kernel);
        }
    }
    homes
}

fn home<'a>(kernel: &'a Operator, kernels: &[Operator], named: &HashMap<&str, u32>) -> Home<'a> {
    // From the right: a node's own name may hold `#`, and roles come last.
    for (position, _) in kernel.name.rmatch_indices('#') {
        let node = &kernel.name[..position];
        let bearer = named.get(node).copied();
        // A step of a loop that the engine made is named after the loop.
        let parent = kernel.parent.and_then(|parent| kernels.get(parent as usize));
        let of_parent = kernel.nodes.is_empty() && parent.is_some_and(|parent| parent.name == node);
        if of_parent || kernel.nodes.iter().any(|known| known == node) {
            return bearer.map_or(Home::Node(node), Home::Kernel);
        }
    }
    Home::Itself
}

/// The kernel at the end of the chain of those that help each other. Every link leads
/// to a shorter name, or to a kernel that is a helper of none.
fn root(homes: &[Home], kernel: usize) -> usize {
    let mut root = kernel;
    while let Home::Kernel(next) = homes[root] {
        root = next as usize;
    }
    root
}

/// Cost of all kernels of an operator per execution of the main one; `None` if one is unknown.
fn cost(
    kernels: &[&Operator],
    main: &Operator,
    cost: impl Fn(&Operator) -> Option<u64>,
) -> Option<u64> {
    let in_one = |kernel: &&Operator| match (cost(kernel)?, kernel.executions, main.executions) {
        // Nothing, however often: also where executions are unknown.
        (0, ..) => Some(0),
        (cost, own, of_main) if own == of_main => Some(cost),
        (cost, Some(own), Some(of_main)) => cost.checked_mul(own)?.checked_div(of_main),
        _ => None,
    };
    sum(kernels.iter().map(in_one))
}

/// `None` if a term is unknown, or if 64 bits do not hold the sum.
fn sum(terms: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    terms.into_iter().try_fold(0u64, |sum, term| sum.checked_add(term?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, ONNX nodes and parent.
    fn kernel(name: &str, nodes: &[&str], parent: Option<u32>) -> Operator {
        Operator {
            name: name.to_string(),
            nodes: nodes.iter().map(|node| node.to_string()).collect(),
            parent,
            executions: Some(1),
            flops: Some(0),
            ..Operator::default()
        }
    }

    /// The operators' names, and the operator of each kernel.
    #[track_caller]
    fn check(kernels: &[Operator], operators: &[&str], operator_of: &[u32]) {
        let (folded, kernels) = fold(kernels.to_vec());
        let names: Vec<&str> = folded.iter().map(|operator| operator.name.as_str()).collect();
        assert_eq!((&names[..], &kernels.unwrap().operator_of[..]), (operators, operator_of));
        assert!((0..).zip(&folded).all(|(number, operator)| operator.number == number));
    }

    #[test]
    fn helpers_go_with_the_kernel_that_bears_the_name() {
        check(
            &[
                kernel("/fc/MatMul#pack_b", &["/fc/MatMul"], None),
                kernel("/fc/MatMul#pack_b#2", &["/fc/MatMul"], None),
                kernel("/fc/MatMul", &["/fc/MatMul", "/fc/Add"], None),
                kernel("/relu/Relu", &["/relu/Relu"], None),
                kernel("/fc/Add#cast", &["/fc/Add"], None),
            ],
            &["/fc/MatMul", "/relu/Relu"],
            &[0, 0, 0, 1, 0],
        );
    }

    #[test]
    fn helpers_alone_are_an_operator() {
        check(
            &[
                kernel("a", &["a"], None),
                kernel("b#first", &["b"], None),
                kernel("c", &["c"], None),
                kernel("b#last", &["b"], None),
            ],
            &["a", "b", "c"],
            &[0, 1, 2, 1],
        );
    }

    #[test]
    fn steps_of_a_loop_that_the_engine_made_are_the_loop() {
        let kernels = [
            kernel("x", &["x"], None),
            kernel("lstm", &["lstm"], None),
            kernel("lstm#Scan", &[], Some(1)),
            kernel("lstm#Scan#EinSum", &[], Some(2)),
            kernel("body/Add", &["body/Add"], Some(2)),
        ];
        check(&kernels, &["x", "lstm", "body/Add"], &[0, 1, 1, 1, 2]);
        let parents = fold(kernels.to_vec()).0.into_iter().map(|operator| operator.parent);
        assert_eq!(parents.collect::<Vec<_>>(), [None, None, Some(1)]);
    }

    #[test]
    fn names_that_hold_the_sign_are_names() {
        check(
            &[
                kernel("a", &["a"], None),
                kernel("a#b", &["a#b"], None),
                kernel("a#c", &[], None),
                kernel("a#b#pack", &["a#b"], None),
            ],
            &["a", "a#b", "a#c"],
            &[0, 1, 2, 1],
        );
    }

    #[test]
    fn where_every_kernel_is_an_operator_there_are_no_kernels() {
        let kernels = vec![kernel("a", &["a"], None), kernel("a#b", &["c"], None)];
        let (operators, none) = fold(kernels.clone());
        assert!(operators == kernels && none.is_none());
    }

    #[test]
    fn costs_are_those_of_one_execution() {
        let cost = |name, nodes: &[&str], executions, flops, bytes| Operator {
            executions,
            flops,
            bytes,
            parameters: Some(2),
            ..kernel(name, nodes, Some(0))
        };
        let (folded, _) = fold(vec![
            cost("a", &["a"], Some(2), Some(5), Some(7)),
            cost("a#b", &[], Some(6), Some(3), None),
            cost("a#c", &[], None, Some(0), None),
        ]);
        let operator = &folded[0];
        assert_eq!((operator.flops, operator.bytes), (Some(5 + 3 * 3), None));
        assert_eq!(operator.parameters, Some(6));
    }

    #[test]
    fn what_a_device_runs_is_a_part_of_its_launcher() {
        let on_device = |name, parent| Operator { device: true, ..kernel(name, &[], parent) };
        let table = vec![
            on_device("sgemm (mm)", Some(2)),
            on_device("memset", None),
            kernel("mm", &[], None),
            on_device("copy (mm)", Some(2)),
            kernel("add", &[], None),
        ];
        let (operators, kernels) = fold_devices(table.clone());
        let names: Vec<&str> = operators.iter().map(|operator| operator.name.as_str()).collect();
        assert_eq!(names, ["memset", "mm", "add"]);
        let kernels = kernels.unwrap();
        assert_eq!((kernels.operator_of, kernels.main), (vec![1, 0, 1, 1, 2], vec![1, 2, 4]));
        assert!(fold_devices(table[4..].to_vec()).1.is_none());
    }
}
