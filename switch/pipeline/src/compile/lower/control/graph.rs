//! The tables, conditions and action calls of a pipeline, and the order of their code.

use crate::compile::assembler::{Assembler, Label};
use crate::error::{Problem, Result};
use crate::json;
use std::collections::HashMap;

/// A node of the graph.
#[derive(Debug, Clone, Copy)]
pub(super) enum Node<'p> {
    Table(&'p json::Table),
    Conditional(&'p json::Conditional),
    Call(&'p json::ActionCall),
}

/// The graph of one pipeline.
#[derive(Debug)]
pub(crate) struct Graph<'p> {
    pub(super) nodes: Vec<Node<'p>>,
    indexes: HashMap<&'p str, usize>,
    pub(super) labels: Vec<Label>,
    /// Where the pipeline ends.
    end: Label,
}

impl<'p> Node<'p> {
    fn name(self) -> &'p str {
        match self {
            Node::Table(table) => &table.name,
            Node::Conditional(conditional) => &conditional.name,
            Node::Call(call) => &call.name,
        }
    }

    /// The nodes that can follow.
    fn successors(self) -> Vec<Option<&'p str>> {
        match self {
            Node::Table(table) => table
                .next_tables
                .values()
                .chain([&table.base_default_next])
                .map(Option::as_deref)
                .collect(),
            Node::Conditional(conditional) => {
                vec![conditional.true_next.as_deref(), conditional.false_next.as_deref()]
            }
            Node::Call(call) => vec![call.next_node.as_deref()],
        }
    }
}

impl<'p> Graph<'p> {
    /// The nodes of a pipeline that ends at `end`.
    pub(crate) fn new(
        pipeline: &'p json::Pipeline,
        code: &mut Assembler,
        end: Label,
    ) -> Result<Graph<'p>> {
        let mut graph =
            Graph { nodes: Vec::new(), indexes: HashMap::new(), labels: Vec::new(), end };
        let tables = pipeline.tables.iter().map(Node::Table);
        let conditionals = pipeline.conditionals.iter().map(Node::Conditional);
        let calls = pipeline.action_calls.iter().map(Node::Call);
        for node in tables.chain(conditionals).chain(calls) {
            graph.labels.push(code.new_label());
            if graph.indexes.insert(node.name(), graph.nodes.len()).is_some() {
                return Err(Problem::invalid(format!("'{}' is declared twice", node.name())));
            }
            graph.nodes.push(node);
        }
        Ok(graph)
    }

    /// The position of a node.
    pub(crate) fn index(&self, name: &str) -> Result<usize> {
        self.indexes
            .get(name)
            .copied()
            .ok_or_else(|| Problem::unknown("table, condition or action call", name))
    }

    /// Where a node's code begins; None is the end.
    pub(crate) fn label(&self, name: Option<&str>) -> Result<Label> {
        match name {
            Some(name) => Ok(self.labels[self.index(name)?]),
            None => Ok(self.end),
        }
    }

    /// The reachable nodes in topological order, so that all jumps lead forwards.
    pub(crate) fn order(&self, start: usize) -> Result<Vec<usize>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            OnPath,
            Done,
        }
        let mut marks = vec![Mark::New; self.nodes.len()];
        let mut order = Vec::new();
        let mut path = vec![(start, self.nodes[start].successors())];
        marks[start] = Mark::OnPath;
        while let Some((node, successors)) = path.last_mut() {
            match successors.pop() {
                None => {
                    marks[*node] = Mark::Done;
                    order.push(*node);
                    path.pop();
                }
                Some(None) => {}
                Some(Some(name)) => {
                    let next = self.index(name)?;
                    match marks[next] {
                        Mark::Done => {}
                        Mark::OnPath => {
                            return Err(Problem::invalid(format!("a cycle leads back to '{name}'")))
                        }
                        Mark::New => {
                            marks[next] = Mark::OnPath;
                            path.push((next, self.nodes[next].successors()));
                        }
                    }
                }
            }
        }
        order.reverse();
        Ok(order)
    }
}
