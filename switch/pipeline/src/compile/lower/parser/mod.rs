//! Parsers: graphs of states that extract headers.

mod extraction;
mod graph;
mod states;
mod transition;
mod value_set;
