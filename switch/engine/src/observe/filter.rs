//! Which packets a trace shows, where that is known only after a while.

use std::collections::BTreeMap;

use pipeline::TraceEvent;

use super::event::{Event, SwitchEvent};

/// What is kept of packets of which it is not known yet whether they are shown; the oldest are
/// forgotten.
const MAX_PACKETS: usize = 4096;
const MAX_BYTES: usize = 1 << 20;

/// What packets must have done to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TraceFilter {
    /// Fields, as `header.field`, and the value that each must have had in a header that was extracted,
    /// after an assignment, or as the switch set its ports and its length, in hexadecimal digits.
    pub fields: Vec<(String, String)>,
    /// They must have been dropped.
    pub dropped_only: bool,
}

/// Packets under way of a trace with a filter.
#[derive(Debug)]
pub(super) struct Candidates {
    filter: TraceFilter,
    packets: BTreeMap<u64, Candidate>,
    bytes: usize,
}

#[derive(Debug, Default)]
struct Candidate {
    lines: String,
    /// By the filter's fields.
    has_had: Vec<bool>,
    was_dropped: bool,
    is_shown: bool,
}

impl Candidates {
    /// None for a filter that shows every packet.
    pub(super) fn of(filter: &TraceFilter) -> Option<Self> {
        (*filter != TraceFilter::default()).then(|| Candidates {
            filter: filter.clone(),
            packets: BTreeMap::new(),
            bytes: 0,
        })
    }

    /// Something happens to a packet: returns the lines that are to be shown now, which end with
    /// this one, if any.
    pub(super) fn add(&mut self, number: u64, event: &Event, line: &str) -> Option<String> {
        if let Event::Switch(SwitchEvent::Arrive { .. }) = event {
            let has_had = vec![false; self.filter.fields.len()];
            self.packets.insert(number, Candidate { has_had, ..Candidate::default() });
        }
        let candidate = self.packets.get_mut(&number)?;
        if candidate.is_shown {
            return Some(line.to_owned());
        }
        candidate.lines += line;
        self.bytes += line.len();
        candidate.see(event, &self.filter);
        if candidate.matches(&self.filter) {
            candidate.is_shown = true;
            let lines = std::mem::take(&mut candidate.lines);
            self.bytes -= lines.len();
            return Some(lines);
        }
        while self.packets.len() > MAX_PACKETS || self.bytes > MAX_BYTES {
            let Some((_, oldest)) = self.packets.pop_first() else { break };
            self.bytes -= oldest.lines.len();
        }
        None
    }
}

impl Candidate {
    fn see(&mut self, event: &Event, filter: &TraceFilter) {
        match event {
            Event::Switch(SwitchEvent::Drop { .. }) => self.was_dropped = true,
            Event::Switch(SwitchEvent::Arrive { port, bytes }) => {
                self.see_number("ingress_port", (*port).into(), filter);
                self.see_number("packet_length", *bytes, filter);
            }
            Event::Switch(SwitchEvent::Dequeue { port, .. }) => {
                self.see_number("egress_port", (*port).into(), filter);
            }
            Event::Program(TraceEvent::Extract { header, fields }) => {
                for (field, value) in &fields.0 {
                    self.see_field(&format!("{header}.{field}"), value, filter);
                }
            }
            Event::Program(TraceEvent::Assign { field, value }) => {
                self.see_field(field, value, filter);
            }
            _ => (),
        }
    }

    /// Metadata that the switch sets, and no assignment.
    fn see_number(&mut self, name: &str, number: usize, filter: &TraceFilter) {
        self.see_field(&format!("standard_metadata.{name}"), &format!("{number:x}"), filter);
    }

    fn see_field(&mut self, name: &str, value: &str, filter: &TraceFilter) {
        for (position, (wanted, digits)) in filter.fields.iter().enumerate() {
            self.has_had[position] |= wanted == name && significant(digits) == significant(value);
        }
    }

    fn matches(&self, filter: &TraceFilter) -> bool {
        self.has_had.iter().all(|&has_had| has_had) && (self.was_dropped || !filter.dropped_only)
    }
}

/// The digits of a hexadecimal number without those that stand for nothing.
fn significant(number: &str) -> &str {
    number.trim_start_matches("0x").trim_start_matches('0')
}

#[cfg(test)]
#[path = "tests/filter.rs"]
mod tests;
