//! Names of dimensions that are formulas of others: `past_seq + seq`, `2*s0`, `seq / 2`.

use std::iter::Peekable;
use std::vec::IntoIter;

/// A formula of sizes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Number(i64),
    Name(String),
    Of(Operation, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Plus,
    Minus,
    Times,
    /// Without a remainder.
    Divided,
    DividedDown,
    DividedUp,
    Modulo,
    Least,
    Greatest,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(i64),
    Name(String),
    Sign(&'static str),
}

/// Formulas of exporters have a dozen tokens. A name comes from the file: reading one of a million
/// brackets, or dropping a sum of as many parts, would overflow the stack.
const MOST_TOKENS: usize = 256;

/// In the order in which they are tried: `//` before `/`.
const SIGNS: [&str; 9] = ["//", "+", "-", "*", "/", "%", "(", ")", ","];

impl Expression {
    /// Reads a formula; `None` for anything else, such as a plain name. `is_known` says which
    /// names are dimensions: a name may hold a hyphen or a slash that means nothing.
    pub(crate) fn of(text: &str, is_known: &dyn Fn(&str) -> bool) -> Option<Expression> {
        let tokens = tokens(text).filter(|tokens| tokens.len() <= MOST_TOKENS)?;
        let mut tokens = tokens.into_iter().peekable();
        let expression = sum(&mut tokens)?;
        // A lone name or number is a plain name of a dimension.
        let is_formula = tokens.next().is_none() && matches!(expression, Expression::Of(..));
        let names = expression.names();
        let is_meant = !has_bare(text) || names.iter().all(|name| is_known(name));
        (is_formula && is_meant && !names.is_empty()).then_some(expression)
    }

    /// The names that it is a formula of, each once.
    pub(crate) fn names(&self) -> Vec<&str> {
        match self {
            Expression::Number(_) => Vec::new(),
            Expression::Name(name) => vec![name],
            Expression::Of(_, one, other) => {
                let mut names = one.names();
                for name in other.names() {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                names
            }
        }
    }

    /// What it is worth if all names have a size.
    ///
    /// # Errors
    ///
    /// If it is not a whole number from 0 on.
    pub(crate) fn size(&self, size: &dyn Fn(&str) -> Option<u64>) -> Option<Result<u64, NoSize>> {
        if self.names().into_iter().any(|name| size(name).is_none()) {
            return None;
        }
        let value = self.value(size).and_then(|value| u64::try_from(value).ok());
        Some(value.ok_or(NoSize))
    }

    fn value(&self, size: &dyn Fn(&str) -> Option<u64>) -> Option<i64> {
        let (operation, one, other) = match self {
            Expression::Number(number) => return Some(*number),
            Expression::Name(name) => return i64::try_from(size(name)?).ok(),
            Expression::Of(operation, one, other) => (operation, one, other),
        };
        let (one, other) = (one.value(size)?, other.value(size)?);
        match operation {
            Operation::Plus => one.checked_add(other),
            Operation::Minus => one.checked_sub(other),
            Operation::Times => one.checked_mul(other),
            // An exporter's `/` is exact; a remainder means that the sizes do not fit the model.
            Operation::Divided if one.checked_rem(other)? != 0 => None,
            Operation::Divided | Operation::DividedDown => one.checked_div_euclid(other),
            // ceil(a / b) = -floor(-a / b).
            Operation::DividedUp => Some(-(one.checked_neg()?.checked_div_euclid(other)?)),
            Operation::Modulo => one.checked_rem_euclid(other),
            Operation::Least => Some(one.min(other)),
            Operation::Greatest => Some(one.max(other)),
        }
    }
}

/// A hyphen or a slash is within a word, as in `batch-size`; `seq/2` is a formula.
fn has_bare(text: &str) -> bool {
    let mut places = text.match_indices(['-', '/']);
    places.any(|(place, sign)| {
        let is_bare = !text[..place].ends_with([' ', '(', '/']);
        let behind = text[place + 1..].trim_start_matches('/');
        is_bare && !(sign == "/" && behind.starts_with(|next: char| next.is_ascii_digit()))
    })
}

/// The formula's value is not a size.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoSize;

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut rest = text.trim_start();
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let is_part = |part: char| part.is_alphanumeric() || "_.:#".contains(part);
        let word = rest.find(|part| !is_part(part)).unwrap_or(rest.len());
        let length = if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            tokens.push(Token::Sign(sign));
            sign.len()
        } else if first.is_ascii_digit() {
            tokens.push(Token::Number(rest[..word].parse().ok()?));
            word
        } else if word > 0 {
            tokens.push(Token::Name(rest[..word].to_string()));
            word
        } else {
            return None;
        };
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

type Tokens = Peekable<IntoIter<Token>>;

fn of(operation: Operation, one: Expression, other: Expression) -> Expression {
    Expression::Of(operation, Box::new(one), Box::new(other))
}

fn sign(tokens: &mut Tokens, signs: &[(&str, Operation)]) -> Option<Operation> {
    let Some(Token::Sign(next)) = tokens.peek() else { return None };
    let (_, operation) = signs.iter().find(|(sign, _)| sign == next)?;
    tokens.next();
    Some(*operation)
}

fn sum(tokens: &mut Tokens) -> Option<Expression> {
    const SIGNS: [(&str, Operation); 2] = [("+", Operation::Plus), ("-", Operation::Minus)];
    let mut all = product(tokens)?;
    // Left to right, as `a - b - c` is read.
    while let Some(operation) = sign(tokens, &SIGNS) {
        all = of(operation, all, product(tokens)?);
    }
    Some(all)
}

fn product(tokens: &mut Tokens) -> Option<Expression> {
    const SIGNS: [(&str, Operation); 4] = [
        ("*", Operation::Times),
        ("//", Operation::DividedDown),
        ("/", Operation::Divided),
        ("%", Operation::Modulo),
    ];
    let mut all = factor(tokens)?;
    while let Some(operation) = sign(tokens, &SIGNS) {
        all = of(operation, all, factor(tokens)?);
    }
    Some(all)
}

fn factor(tokens: &mut Tokens) -> Option<Expression> {
    match tokens.next()? {
        Token::Number(number) => Some(Expression::Number(number)),
        Token::Sign("-") => Some(of(Operation::Minus, Expression::Number(0), factor(tokens)?)),
        Token::Sign("(") => {
            let inner = sum(tokens)?;
            (tokens.next()? == Token::Sign(")")).then_some(inner)
        }
        Token::Name(name) if tokens.peek() == Some(&Token::Sign("(")) => {
            tokens.next();
            let mut arguments = vec![sum(tokens)?];
            while tokens.peek() == Some(&Token::Sign(",")) {
                tokens.next();
                arguments.push(sum(tokens)?);
            }
            (tokens.next()? == Token::Sign(")")).then_some(())?;
            called(&name.to_ascii_lowercase(), arguments)
        }
        Token::Name(name) => Some(Expression::Name(name)),
        Token::Sign(_) => None,
    }
}

/// Call of a function, by the names that exporters write.
fn called(name: &str, arguments: Vec<Expression>) -> Option<Expression> {
    let operation = match name {
        "floor" | "ceil" | "ceiling" => {
            let [argument] = <[Expression; 1]>::try_from(arguments).ok()?;
            let rounded =
                if name == "floor" { Operation::DividedDown } else { Operation::DividedUp };
            return Some(match argument {
                Expression::Of(Operation::Divided, one, other) => {
                    // `floor(a / b)` rounds the quotient instead of demanding that there is no
                    // remainder.
                    Expression::Of(rounded, one, other)
                }
                whole => whole,
            });
        }
        "floordiv" => Operation::DividedDown,
        "mod" => Operation::Modulo,
        "min" => Operation::Least,
        "max" => Operation::Greatest,
        _ => return None,
    };
    arguments.into_iter().reduce(|one, other| of(operation, one, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a = 7, b = 3; of other names nothing is known.
    fn size(text: &str) -> Option<Result<u64, NoSize>> {
        let sizes = |name: &str| match name {
            "a" => Some(7),
            "b" => Some(3),
            _ => None,
        };
        Expression::of(text, &|name| sizes(name).is_some())?.size(&sizes)
    }

    #[test]
    fn formulas_are_computed() {
        for (text, expected) in [
            ("a + b", 10),
            ("a+1", 8),
            ("2*a", 14),
            ("a - b - 1", 3),
            ("a-b", 4),
            ("(a + 1) / 2", 4),
            ("a // 2", 3),
            ("floor(a/2)", 3),
            ("ceiling(a/2) + 1", 5),
            ("a % b", 1),
            ("Max(1, a - 8)", 1),
            ("min(a, b) * 2 + 1", 7),
        ] {
            assert_eq!(size(text), Some(Ok(expected)), "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_none() {
        for text in ["a / 2", "b - a", "a / (b - 3)", "a * 9223372036854775807"] {
            assert_eq!(size(text), Some(Err(NoSize)), "{text}");
        }
    }

    #[test]
    fn names_are_no_formulas() {
        let formula = |text: &str| Expression::of(text, &|_| false);
        for text in ["a", "batch-size", "input/axis", "?", "unk__12", "x.0", "2", "a +", "(a", ""] {
            assert_eq!(formula(text), None, "{text}");
        }
        for endless in ["(", "-", "a+", "floor("] {
            assert_eq!(formula(&(endless.repeat(1_000_000) + "a")), None, "{endless}");
        }
        assert_eq!(formula("seq/2 + past").unwrap().names(), ["seq", "past"]);
        assert_eq!(formula("seq / 2").unwrap().names(), ["seq"]);
    }
}
