//! Ingress and egress: graphs of tables, conditions and action calls.

mod flow;
mod graph;
mod table;
