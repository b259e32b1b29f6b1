//! What a program forbids of entries and actions: `@entry_restriction` and `@action_restriction`, in
//! the language of p4-constraints (github.com/p4lang/p4-constraints). A restriction that is not
//! understood forbids nothing: the specification knows none of them.

mod expression;
mod parser;

use expression::Expression;
pub(crate) use expression::Seen;

/// Clauses that must all hold, each with its text.
#[derive(Debug, Default)]
pub(crate) struct Restriction {
    clauses: Vec<(String, Expression)>,
}

impl Restriction {
    /// That of an object's annotations, such as `@entry_restriction("a != 0;")`.
    pub(crate) fn of(annotations: &[String], name: &str) -> Restriction {
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
        let read = |clause: String| Some((parser::expression(&clause)?, clause));
        let clauses = clauses.filter_map(read).map(|(read, clause)| (clause, read)).collect();
        Restriction { clauses }
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
