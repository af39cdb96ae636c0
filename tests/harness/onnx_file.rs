//! Writes small ONNX files byte by byte, to make models that no exporter would.

/// A message of the protobuf encoding, under construction.
#[derive(Clone, Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    pub(crate) fn number(mut self, field: u64, value: u64) -> Message {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    pub(crate) fn float(mut self, field: u64, value: f32) -> Message {
        self.varint(field << 3 | 5);
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }

    pub(crate) fn bytes(mut self, field: u64, value: &[u8]) -> Message {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    pub(crate) fn text(self, field: u64, value: &str) -> Message {
        self.bytes(field, value.as_bytes())
    }

    pub(crate) fn message(self, field: u64, value: Message) -> Message {
        self.bytes(field, &value.0)
    }

    pub(crate) fn messages(self, field: u64, values: impl IntoIterator<Item = Message>) -> Message {
        values.into_iter().fold(self, |message, value| message.message(field, value))
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

pub(crate) const FLOAT: u64 = 1;
pub(crate) const INT64: u64 = 7;
pub(crate) const STRING: u64 = 8;
pub(crate) const BOOL: u64 = 9;
pub(crate) const DOUBLE: u64 = 11;

pub(crate) fn node(operator_type: &str, name: &str, inputs: &[&str], outputs: &[&str]) -> Message {
    let message = inputs.iter().fold(Message::default(), |message, input| message.text(1, input));
    let message = outputs.iter().fold(message, |message, output| message.text(2, output));
    message.text(3, name).text(4, operator_type)
}

pub(crate) fn value(name: &str, element_type: u64, shape: &[u64]) -> Message {
    let dimensions = shape.iter().map(|&size| Message::default().number(1, size));
    let shape = Message::default().messages(1, dimensions);
    let tensor = Message::default().number(1, element_type).message(2, shape);
    Message::default().text(1, name).message(2, Message::default().message(1, tensor))
}

/// The same with dimensions that may have names instead of sizes; `?` has none, and without a
/// list the shape is open.
pub(crate) fn open_value(name: &str, element_type: u64, dimensions: Option<&[&str]>) -> Message {
    let dimension = |text: &&str| match text.parse() {
        Ok(size) => Message::default().number(1, size),
        Err(_) if *text == "?" => Message::default(),
        Err(_) => Message::default().text(2, text),
    };
    let tensor = Message::default().number(1, element_type);
    let tensor = match dimensions {
        Some(dimensions) => {
            tensor.message(2, Message::default().messages(1, dimensions.iter().map(dimension)))
        }
        None => tensor,
    };
    Message::default().text(1, name).message(2, Message::default().message(1, tensor))
}

/// Whole numbers that do not change.
pub(crate) fn whole_numbers(name: &str, shape: &[u64], values: &[i64]) -> Message {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let message = shape.iter().fold(Message::default(), |message, &size| message.number(1, size));
    message.number(2, INT64).text(8, name).bytes(9, &raw)
}

/// An attribute that is a whole number, for a node's field 5.
pub(crate) fn whole_attribute(name: &str, value: u64) -> Message {
    const INT: u64 = 2;
    Message::default().text(1, name).number(3, value).number(20, INT)
}

pub(crate) fn floats(name: &str, shape: &[u64], values: &[f32]) -> Message {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let message = shape.iter().fold(Message::default(), |message, &size| message.number(1, size));
    message.number(2, FLOAT).text(8, name).bytes(9, &raw)
}

/// The body of a branch or loop: it has outputs and may read what is around it.
pub(crate) fn graph(nodes: Vec<Message>, outputs: Vec<Message>) -> Message {
    Message::default().messages(1, nodes).text(2, "body").messages(12, outputs)
}

/// An attribute of a node, for its field 5.
pub(crate) fn graph_attribute(name: &str, graph: Message) -> Message {
    const GRAPH: u64 = 5;
    Message::default().text(1, name).message(6, graph).number(20, GRAPH)
}

pub(crate) fn model(
    nodes: Vec<Message>,
    constants: Vec<Message>,
    inputs: Vec<Message>,
    outputs: Vec<Message>,
) -> Vec<u8> {
    model_of(&[("", 17)], nodes, constants, inputs, outputs)
}

/// The same with these versions of operator sets.
pub(crate) fn model_of(
    operator_sets: &[(&str, u64)],
    nodes: Vec<Message>,
    constants: Vec<Message>,
    inputs: Vec<Message>,
    outputs: Vec<Message>,
) -> Vec<u8> {
    let graph = Message::default()
        .messages(1, nodes)
        .text(2, "graph")
        .messages(5, constants)
        .messages(11, inputs)
        .messages(12, outputs);
    let set =
        |(domain, version): &(&str, u64)| Message::default().text(1, domain).number(2, *version);
    let model = Message::default().number(1, 8).message(7, graph);
    model.messages(8, operator_sets.iter().map(set)).0
}
