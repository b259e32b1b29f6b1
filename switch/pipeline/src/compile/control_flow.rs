//! Lowers ingress and egress: graphs of tables, conditions and action calls without cycles
//! (`pipelines` of the JSON format).

use super::assembler::Label;
use super::expression::Lowering;
use super::layout::unknown;
use super::profiles::Profiles;
use super::table::{Actions, TableLabels};
use crate::error::{InObject, LoadError, Problem};
use crate::json::{self, Expression};
use crate::program::Mark;
use crate::table::Table;
use std::collections::HashMap;

/// A node of the graph.
#[derive(Debug, Clone, Copy)]
enum Node<'p> {
    Table(&'p json::Table),
    Conditional(&'p json::Conditional),
    Call(&'p json::ActionCall),
}

/// The graph of one pipeline.
#[derive(Debug)]
pub(crate) struct Graph<'p> {
    nodes: Vec<Node<'p>>,
    indexes: HashMap<&'p str, usize>,
    labels: Vec<Label>,
    /// Where the pipeline ends.
    end: Label,
}

/// The program's tables so far, and what their entries refer to.
#[derive(Debug)]
pub(crate) struct CompiledTables {
    pub(crate) tables: Vec<CompiledTable>,
    pub(crate) profiles: Profiles,
}

/// A table of the program, and the labels in its code.
#[derive(Debug)]
pub(crate) struct CompiledTable {
    pub(crate) table: Table,
    pub(crate) labels: TableLabels,
}

impl Lowering<'_> {
    /// Emits a pipeline. It ends by falling through.
    pub(crate) fn pipeline<'p>(
        &mut self,
        pipeline: &'p json::Pipeline,
        actions: &Actions<'p>,
        tables: &mut CompiledTables,
    ) -> Result<(), LoadError> {
        let end = self.code.new_label();
        self.exit = end;
        let graph = self.pipeline_graph(pipeline, end).in_object("pipeline", &pipeline.name)?;
        self.code.mark(Mark::Pipeline(pipeline.name.clone()));
        if let Some(start) = &pipeline.init_table {
            let start = graph.index(start).in_object("pipeline", &pipeline.name)?;
            let order = graph.order(start).in_object("pipeline", &pipeline.name)?;
            for (position, &index) in order.iter().enumerate() {
                let next = order.get(position + 1).map_or(end, |&next| graph.labels[next]);
                self.code.place(graph.labels[index]);
                match graph.nodes[index] {
                    Node::Conditional(conditional) => self
                        .conditional(&graph, conditional, next)
                        .in_object("condition", &conditional.name)?,
                    Node::Table(table) => self
                        .table(&graph, table, actions, tables, next)
                        .in_object("table", &table.name)?,
                    Node::Call(call) => self
                        .action_call(&graph, call, actions, next)
                        .in_object("action call", &call.name)?,
                }
            }
        }
        self.code.place(end);
        Ok(())
    }

    fn pipeline_graph<'p>(
        &mut self,
        pipeline: &'p json::Pipeline,
        end: Label,
    ) -> Result<Graph<'p>, Problem> {
        let mut graph =
            Graph { nodes: Vec::new(), indexes: HashMap::new(), labels: Vec::new(), end };
        let tables = pipeline.tables.iter().map(Node::Table);
        let conditionals = pipeline.conditionals.iter().map(Node::Conditional);
        let calls = pipeline.action_calls.iter().map(Node::Call);
        for node in tables.chain(conditionals).chain(calls) {
            graph.labels.push(self.code.new_label());
            if graph.indexes.insert(node.name(), graph.nodes.len()).is_some() {
                return Err(Problem::invalid(format!("'{}' is declared twice", node.name())));
            }
            graph.nodes.push(node);
        }
        Ok(graph)
    }

    fn conditional(
        &mut self,
        graph: &Graph<'_>,
        conditional: &json::Conditional,
        next: Label,
    ) -> Result<(), Problem> {
        let condition = Expression::from_json(&conditional.expression)?;
        let yes = graph.label(conditional.true_next.as_deref())?;
        let no = graph.label(conditional.false_next.as_deref())?;
        let source = conditional.source_info.as_ref().map(ToString::to_string);
        self.code.begin_condition(&conditional.name, source);
        if yes == next {
            self.branch(&condition, false, no)?;
        } else {
            self.branch(&condition, true, yes)?;
            if no != next {
                self.code.jump(no)?;
            }
        }
        self.code.end_condition(yes, no, yes == next);
        self.code.end_statement();
        Ok(())
    }

    fn action_call(
        &mut self,
        graph: &Graph<'_>,
        call: &json::ActionCall,
        actions: &Actions<'_>,
        next: Label,
    ) -> Result<(), Problem> {
        let action = actions.get(call.action_id)?;
        if !action.runtime_data.is_empty() {
            return Err(Problem::invalid(format!("action '{}' needs arguments", action.name)));
        }
        self.action(action)?;
        let behind = graph.label(call.next_node.as_deref())?;
        match behind == next {
            true => Ok(()),
            false => self.code.jump(behind),
        }
    }
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

impl Graph<'_> {
    fn index(&self, name: &str) -> Result<usize, Problem> {
        self.indexes
            .get(name)
            .copied()
            .ok_or_else(|| unknown("table, condition or action call", name))
    }

    /// Where a node's code begins; None is the end.
    pub(crate) fn label(&self, name: Option<&str>) -> Result<Label, Problem> {
        match name {
            Some(name) => Ok(self.labels[self.index(name)?]),
            None => Ok(self.end),
        }
    }

    /// The reachable nodes in topological order, so that all jumps lead forwards.
    fn order(&self, start: usize) -> Result<Vec<usize>, Problem> {
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
