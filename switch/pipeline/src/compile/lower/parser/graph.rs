//! The states of a parser and the order of their code.

use crate::compile::assembler::{Assembler, Label};
use crate::error::{Problem, Result};
use crate::json::{self, ParseState};
use std::collections::HashMap;

/// The states of one parser.
#[derive(Debug)]
pub(crate) struct Graph<'p> {
    pub(crate) states: Vec<&'p ParseState>,
    indexes: HashMap<&'p str, usize>,
    pub(crate) labels: Vec<Label>,
    /// States that a cycle returns to.
    pub(crate) loops: Vec<bool>,
    /// Where the parser ends.
    pub(crate) end: Label,
}

impl<'p> Graph<'p> {
    /// The states of a parser that ends at `end`.
    pub(crate) fn new(
        parser: &'p json::Parser,
        code: &mut Assembler,
        end: Label,
    ) -> Result<Graph<'p>> {
        let mut graph = Graph {
            states: parser.parse_states.iter().collect(),
            indexes: HashMap::new(),
            labels: Vec::new(),
            loops: Vec::new(),
            end,
        };
        for (index, state) in parser.parse_states.iter().enumerate() {
            graph.labels.push(code.new_label());
            if graph.indexes.insert(&state.name, index).is_some() {
                return Err(Problem::invalid(format!("state '{}' is declared twice", state.name)));
            }
        }
        Ok(graph)
    }

    /// The position of a state.
    pub(crate) fn index(&self, name: &str) -> Result<usize> {
        self.indexes.get(name).copied().ok_or_else(|| Problem::unknown("parser state", name))
    }

    /// Where a transition leads.
    pub(crate) fn target(&self, transition: &json::Transition) -> Result<Label> {
        match &transition.next_state {
            Some(name) => Ok(self.labels[self.index(name)?]),
            None => Ok(self.end),
        }
    }

    /// The reachable states, each as late as possible, so that most transitions lead forwards.
    pub(crate) fn order(&self, start: usize) -> Result<Vec<usize>> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.states.len()];
        // A state and how many of its transitions have been followed.
        let mut path = vec![(start, 0)];
        seen[start] = true;
        while let Some((state, followed)) = path.last_mut() {
            let Some(transition) = self.states[*state].transitions.get(*followed) else {
                order.push(*state);
                path.pop();
                continue;
            };
            *followed += 1;
            if let Some(name) = &transition.next_state {
                let next = self.index(name)?;
                if !std::mem::replace(&mut seen[next], true) {
                    path.push((next, 0));
                }
            }
        }
        order.reverse();
        Ok(order)
    }

    /// The states that a transition returns to from a later one or from themselves: every cycle
    /// passes one of them.
    pub(crate) fn loops(&self, order: &[usize]) -> Result<Vec<bool>> {
        let mut positions = vec![0; self.states.len()];
        for (position, &state) in order.iter().enumerate() {
            positions[state] = position;
        }
        let mut loops = vec![false; self.states.len()];
        for &state in order {
            for transition in &self.states[state].transitions {
                if let Some(name) = &transition.next_state {
                    let next = self.index(name)?;
                    loops[next] |= positions[next] <= positions[state];
                }
            }
        }
        Ok(loops)
    }
}
