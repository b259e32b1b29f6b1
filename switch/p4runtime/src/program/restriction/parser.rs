//! Reads restrictions. From the loosest to the tightest: `->`, `||`, `&&`, `!`, comparisons.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::expression::{Comparison, Expression, Operand, Part, PRIORITY};

const MAX_LEVELS: usize = 64;
const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];
const PARTS: [(&str, Part); 5] = [
    ("::value", Part::Value),
    ("::mask", Part::Mask),
    ("::prefix_length", Part::PrefixLength),
    ("::low", Part::Low),
    ("::high", Part::High),
];

/// The text without what stands behind `//` in each line.
pub(super) fn without_comments(text: &str) -> String {
    let line = |line: &str| line.split_once("//").map_or(line, |(code, _)| code).to_owned();
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// None: it is not understood, as are names that are not known.
pub(super) fn expression(text: &str, is_known: &dyn Fn(&str) -> bool) -> Option<Expression> {
    let mut parser = Parser { rest: text, levels: 0, is_known };
    let found = parser.implication()?;
    parser.rest.trim().is_empty().then_some(found)
}

struct Parser<'t> {
    rest: &'t str,
    levels: usize,
    is_known: &'t dyn Fn(&str) -> bool,
}

impl<'t> Parser<'t> {
    fn implication(&mut self) -> Option<Expression> {
        self.levels += 1;
        if self.levels > MAX_LEVELS {
            return None;
        }
        let left = self.disjunction()?;
        let found = match self.take("->") {
            true => Expression::Implies(left.into(), self.implication()?.into()),
            false => left,
        };
        self.levels -= 1;
        Some(found)
    }

    fn disjunction(&mut self) -> Option<Expression> {
        let mut found = self.conjunction()?;
        while self.take("||") {
            found = Expression::Or(found.into(), self.conjunction()?.into());
        }
        Some(found)
    }

    fn conjunction(&mut self) -> Option<Expression> {
        let mut found = self.negation()?;
        while self.take("&&") {
            found = Expression::And(found.into(), self.negation()?.into());
        }
        Some(found)
    }

    fn negation(&mut self) -> Option<Expression> {
        let mut negations = 0;
        while self.take("!") {
            negations += 1;
        }
        let found = self.comparison()?;
        Some(if negations % 2 == 1 { Expression::Not(found.into()) } else { found })
    }

    fn comparison(&mut self) -> Option<Expression> {
        if self.take("(") {
            let found = self.implication()?;
            return self.take(")").then_some(found);
        }
        let left = match self.word() {
            Some("true") => return Some(Expression::Constant(true)),
            Some("false") => return Some(Expression::Constant(false)),
            word => self.operand(word)?,
        };
        let (_, comparison) = COMPARISONS.into_iter().find(|(sign, _)| self.take(sign))?;
        let word = self.word();
        Some(Expression::Compare(left, comparison, self.operand(word)?))
    }

    /// An operand that begins with a word, or with none.
    fn operand(&mut self, word: Option<&'t str>) -> Option<Operand> {
        let Some(word) = word else {
            return match self.take("-") {
                true => Some(Operand::Negative(number(self.word()?)?)),
                false if self.take(PRIORITY) => self.named(PRIORITY, Part::Whole),
                false => None,
            };
        };
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            return Some(Operand::Number(number(word)?));
        }
        if self.take("(") {
            let address = self.quoted()?;
            let value = match word {
                "ipv4" => u128::from(u32::from(address.parse::<Ipv4Addr>().ok()?)),
                "ipv6" => u128::from(address.parse::<Ipv6Addr>().ok()?),
                "mac" => mac(address)?,
                _ => return None,
            };
            return self.take(")").then_some(Operand::Number(value));
        }
        let part = PARTS.into_iter().find(|(name, _)| self.take(name));
        self.named(word, part.map_or(Part::Whole, |(_, part)| part))
    }

    fn named(&self, name: &str, part: Part) -> Option<Operand> {
        (self.is_known)(name).then(|| Operand::Name(name.to_owned(), part))
    }

    fn take(&mut self, sign: &str) -> bool {
        let left = self.rest.trim_start().strip_prefix(sign);
        self.rest = left.unwrap_or(self.rest);
        left.is_some()
    }

    /// A name, with dots and indices as p4c writes them, or a number.
    fn word(&mut self) -> Option<&'t str> {
        let rest = self.rest.trim_start();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_.[]".contains(letter);
        let end = rest.find(|letter: char| !is_part(letter)).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn quoted(&mut self) -> Option<&'t str> {
        let rest = self.rest.trim_start();
        let quote = ['\'', '"'].into_iter().find(|quote| rest.starts_with(*quote))?;
        let (text, rest) = rest.strip_prefix(quote)?.split_once(quote)?;
        self.rest = rest;
        Some(text)
    }
}

fn number(word: &str) -> Option<u128> {
    let word = word.replace('_', "").to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8), ("0d", 10)] {
        if let Some(digits) = word.strip_prefix(prefix) {
            return u128::from_str_radix(digits, radix).ok();
        }
    }
    word.parse().ok()
}

fn mac(address: &str) -> Option<u128> {
    let bytes: Option<Vec<u8>> =
        address.split(':').map(|byte| u8::from_str_radix(byte, 16).ok()).collect();
    let bytes = bytes.filter(|bytes| bytes.len() == 6)?;
    Some(bytes.iter().fold(0, |value, byte| value << 8 | u128::from(*byte)))
}
