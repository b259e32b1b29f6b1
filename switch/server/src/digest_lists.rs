//! Digests on their way to the controller: lists, duplicates, acknowledgments (P4Runtime 1.5, section
//! 9.8). Time is what the caller says.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::mem;
use std::time::{Duration, Instant};

use engine::unix_time_ns;
use p4runtime::messages::streams::{DigestList, DigestListAck};
use p4runtime::messages::DigestConfig;
use p4runtime::DigestConfigs;

/// Where the controller sets no bound, or a higher one.
const LONGEST_LIST: usize = 1024;
/// Digests that a controller leaves without acknowledgment; the oldest list is forgotten first.
const MAX_UNACKNOWLEDGED: usize = 65_536;

/// Collects digests into lists.
#[derive(Debug, Default)]
pub(crate) struct DigestLists {
    configs: DigestConfigs,
    channels: BTreeMap<u32, Channel>,
    sent: u64,
}

/// One digest: what waits to be sent, and what was sent but not acknowledged.
#[derive(Debug)]
struct Channel {
    config: DigestConfig,
    waiting: Vec<Vec<u8>>,
    /// When what waits is sent, if not before.
    due: Option<Instant>,
    /// In the order in which they were sent, which is that in which they are forgotten.
    unacknowledged: VecDeque<SentList>,
    /// What waits and what is unacknowledged.
    known: HashSet<Vec<u8>>,
}

/// What a list has brought, and when it is forgotten.
#[derive(Debug)]
struct SentList {
    id: u64,
    contents: Vec<Vec<u8>>,
    forgotten_at: Option<Instant>,
}

impl DigestLists {
    /// Takes a digest of the program, as its `P4Data`; returns a list that is full with it. One that is
    /// not enabled, and a duplicate of one that waits or is not acknowledged yet, goes no further.
    pub(crate) fn take(&mut self, id: u32, content: Vec<u8>, now: Instant) -> Option<DigestList> {
        let config = *self.configs.get(&id)?;
        let channel = self.channels.entry(id).or_insert_with(|| Channel::new(config));
        channel.forget_until(now);
        if !channel.known.insert(content.clone()) {
            return None;
        }
        channel.waiting.push(content);
        let longest = match config.max_list_size {
            0 => LONGEST_LIST,
            size => LONGEST_LIST.min(size as usize),
        };
        if channel.waiting.len() >= longest || config.max_timeout_ns == 0 {
            return Some(channel.flush(id, &mut self.sent, now));
        }
        if channel.due.is_none() {
            channel.due = now.checked_add(Duration::from_nanos(config.max_timeout_ns as u64));
        }
        None
    }

    /// When the next list is to be sent, if one waits.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.channels.values().filter_map(|channel| channel.due).min()
    }

    /// The lists that have waited for as long as they may.
    pub(crate) fn take_due(&mut self, now: Instant) -> Vec<DigestList> {
        let is_due = |channel: &Channel| channel.due.is_some_and(|due| due <= now);
        let due = self.channels.iter_mut().filter(|(_, channel)| is_due(channel));
        due.map(|(&id, channel)| channel.flush(id, &mut self.sent, now)).collect()
    }

    /// The controller has acted on a list: its digests may be sent again.
    pub(crate) fn acknowledge(&mut self, ack: DigestListAck) {
        if let Some(channel) = self.channels.get_mut(&ack.digest_id) {
            let found = channel.unacknowledged.binary_search_by_key(&ack.list_id, |list| list.id);
            found.into_iter().for_each(|position| channel.forget(position));
        }
    }

    /// Digests are sent as these say; of those that are not there none is. Returns what has waited as
    /// another config said, to be sent at once: it may say for hours.
    pub(crate) fn adopt(&mut self, configs: DigestConfigs, now: Instant) -> Vec<DigestList> {
        if self.configs == configs {
            return Vec::new();
        }
        self.configs = configs;
        self.channels.retain(|id, _| self.configs.contains_key(id));
        let mut lists = Vec::new();
        for (&id, channel) in &mut self.channels {
            let config = self.configs[&id];
            if channel.config != config && !channel.waiting.is_empty() {
                lists.push(channel.flush(id, &mut self.sent, now));
            }
            channel.config = config;
            channel.hasten(now);
        }
        lists
    }

    /// Starts anew, for another program or another controller.
    pub(crate) fn forget(&mut self) {
        self.channels.clear();
    }
}

impl Channel {
    fn new(config: DigestConfig) -> Channel {
        let (waiting, unacknowledged) = (Vec::new(), VecDeque::new());
        Channel { config, waiting, due: None, unacknowledged, known: HashSet::new() }
    }

    /// What waits, as a list.
    fn flush(&mut self, digest_id: u32, sent: &mut u64, now: Instant) -> DigestList {
        self.due = None;
        *sent += 1;
        let data = mem::take(&mut self.waiting);
        let list = SentList { id: *sent, contents: data.clone(), forgotten_at: self.patience(now) };
        self.unacknowledged.push_back(list);
        self.forget_until(now);
        while self.known.len() > MAX_UNACKNOWLEDGED && !self.unacknowledged.is_empty() {
            self.forget(0);
        }
        DigestList { digest_id, list_id: *sent, data, timestamp: unix_time_ns() as i64 }
    }

    /// When a list of now is forgotten. The specification's example looks for expired lists now and
    /// then. BMv2's server does so once in a timeout, and forgets a list the second time: after one to
    /// two timeouts. Controllers exist that count on more than one.
    fn patience(&self, now: Instant) -> Option<Instant> {
        let timeout = Duration::from_nanos(self.config.ack_timeout_ns as u64);
        now.checked_add(timeout + timeout / 2)
    }

    /// No list is remembered for longer than one of now.
    fn hasten(&mut self, now: Instant) {
        let Some(latest) = self.patience(now) else { return };
        for list in &mut self.unacknowledged {
            list.forgotten_at = list.forgotten_at.map_or(Some(latest), |at| Some(at.min(latest)));
        }
        self.forget_until(now);
    }

    fn forget_until(&mut self, now: Instant) {
        let is_over = |list: &SentList| list.forgotten_at.is_some_and(|at| at <= now);
        while self.unacknowledged.front().is_some_and(is_over) {
            self.forget(0);
        }
    }

    /// What a list has brought may be sent again.
    fn forget(&mut self, position: usize) {
        let list = self.unacknowledged.remove(position);
        for content in list.into_iter().flat_map(|list| list.contents) {
            self.known.remove(&content);
        }
    }
}
