//! What a program forbids of entries and actions: `@entry_restriction` and `@action_restriction`, in
//! the language of p4-constraints (github.com/p4lang/p4-constraints). A clause that is not understood
//! forbids nothing, and is told of: P4Runtime's specification knows no restrictions.

mod expression;
mod parser;

use expression::Expression;
pub(crate) use expression::{Seen, PRIORITY};

/// Clauses that must all hold, each with its text.
#[derive(Debug, Default)]
pub(crate) struct Restriction {
    clauses: Vec<(String, Expression)>,
    /// Those that forbid nothing.
    pub(crate) not_understood: Vec<String>,
}

impl Restriction {
    /// That of an object's annotations, such as `@entry_restriction("a != 0;")`, about names that are
    /// known.
    pub(crate) fn of(
        annotations: &[String],
        name: &str,
        is_known: &dyn Fn(&str) -> bool,
    ) -> Restriction {
        let texts = annotations.iter().filter_map(|annotation| {
            let quoted =
                annotation.strip_prefix(name)?.trim().strip_prefix('(')?.strip_suffix(')')?;
            quoted.trim().strip_prefix('"')?.strip_suffix('"')
        });
        let clauses = texts.flat_map(|text| {
            let text = parser::without_comments(&text.replace("\\n", "\n").replace("\\\"", "\""));
            let clauses = text.split(';').map(one_line).filter(|clause| !clause.is_empty());
            clauses.collect::<Vec<_>>()
        });
        let mut found = Restriction::default();
        for clause in clauses {
            match parser::expression(&clause, is_known) {
                Some(expression) => found.clauses.push((clause, expression)),
                None => found.not_understood.push(clause),
            }
        }
        found
    }

    /// The first clause that does not hold of what each name stands for.
    pub(crate) fn broken(&self, seen: &dyn Fn(&str) -> Option<Seen>) -> Option<&str> {
        let mut clauses = self.clauses.iter();
        let broken = clauses.find(|(_, clause)| clause.holds(seen) == Some(false));
        broken.map(|(text, _)| text.as_str())
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
