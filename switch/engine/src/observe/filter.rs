//! Which packets a trace shows, where that is known only after a while.

use std::collections::BTreeMap;

use pipeline::TraceEvent;

use super::event::{Event, SwitchEvent};

/// What is kept of packets of which it is not known yet whether they are shown; the oldest are
/// forgotten.
const MOST_PACKETS: usize = 4096;
const MOST_BYTES: usize = 1 << 20;

/// What packets must have done to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TraceFilter {
    /// Fields, as `header.field`, and the value that each must have had in a header that was extracted
    /// or after an assignment, in hexadecimal digits.
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
        while self.packets.len() > MOST_PACKETS || self.bytes > MOST_BYTES {
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
mod tests {
    use super::*;

    fn filter(dropped_only: bool) -> Candidates {
        let fields = vec![("ethernet.type".to_owned(), "800".to_owned())];
        Candidates::of(&TraceFilter { fields, dropped_only }).unwrap()
    }

    fn arrival() -> Event {
        Event::Switch(SwitchEvent::Arrive { port: 1, bytes: 60 })
    }

    fn assignment(value: &str) -> Event {
        let (field, value) = ("ethernet.type".to_owned(), value.to_owned());
        Event::Program(TraceEvent::Assign { field, value })
    }

    #[test]
    fn lines_are_shown_from_the_first_as_soon_as_the_packet_matches() {
        let mut candidates = filter(false);
        assert_eq!(candidates.add(1, &arrival(), "a\n"), None);
        assert_eq!(candidates.add(2, &arrival(), "b\n"), None);
        assert_eq!(candidates.add(1, &assignment("0x0801"), "c\n"), None);
        assert_eq!(candidates.add(2, &assignment("0x0800"), "d\n"), Some("b\nd\n".to_owned()));
        assert_eq!(candidates.add(2, &assignment("0x0801"), "e\n"), Some("e\n".to_owned()));
        assert_eq!(candidates.bytes, 4);
    }

    #[test]
    fn a_packet_that_is_not_dropped_is_not_shown_where_only_those_are() {
        let mut candidates = filter(true);
        candidates.add(1, &arrival(), "a\n");
        assert_eq!(candidates.add(1, &assignment("0x800"), "b\n"), None);
        let drop = Event::Switch(SwitchEvent::Drop { reason: super::super::DropReason::Ingress });
        assert_eq!(candidates.add(1, &drop, "c\n"), Some("a\nb\nc\n".to_owned()));
    }

    #[test]
    fn what_is_kept_is_bounded_and_the_oldest_is_forgotten() {
        let mut candidates = filter(false);
        let line = "x".repeat(1000);
        for number in 0..10_000 {
            candidates.add(number, &arrival(), &line);
        }
        assert!(candidates.bytes <= MOST_BYTES && candidates.packets.len() <= MOST_PACKETS);
        assert_eq!(candidates.add(0, &assignment("0x800"), "late"), None);
        assert!(candidates.add(9_999, &assignment("0x800"), "late").is_some());
    }
}
