//! Lowers ingress and egress: graphs of tables, conditions and action calls without cycles
//! (`pipelines` of the JSON format).

use super::graph::{Graph, Node};
use crate::compile::assembler::Label;
use crate::compile::lower::lowering::Lowering;
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json::{self, Expression};
use crate::program::Mark;

impl Lowering<'_> {
    /// Emits a pipeline. It ends by falling through.
    pub(crate) fn pipeline(&mut self, pipeline: &json::Pipeline) -> Result<(), LoadError> {
        let end = self.code.new_label();
        self.exit = end;
        let graph = Graph::new(pipeline, self.code, end).in_object("pipeline", &pipeline.name)?;
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
                    Node::Table(table) => {
                        self.table(&graph, table, next).in_object("table", &table.name)?
                    }
                    Node::Call(call) => {
                        self.action_call(&graph, call, next).in_object("action call", &call.name)?
                    }
                }
            }
        }
        self.code.place(end);
        Ok(())
    }

    fn conditional(
        &mut self,
        graph: &Graph<'_>,
        conditional: &json::Conditional,
        next: Label,
    ) -> Result {
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

    fn action_call(&mut self, graph: &Graph<'_>, call: &json::ActionCall, next: Label) -> Result {
        let action = self.actions.get(call.action_id)?;
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
