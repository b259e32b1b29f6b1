//! The controllers of a device: who may do what, and what they are told.

use std::sync::Arc;
use std::time::Instant;

use engine::unix_time_ns;
use p4runtime::messages::streams::{
    DigestList, IdleTimeoutNotification, MasterArbitrationUpdate, ToController,
};
use p4runtime::messages::Packet;
use p4runtime::{DigestConfigs, Error};

use crate::arbitration::election::Notices;
use crate::arbitration::Arbitration;
use crate::digest_lists::DigestLists;
use crate::outbox::{encoded, Outbox};

/// All that is known of them.
#[derive(Debug)]
pub(crate) struct Controllers {
    pub(crate) arbitration: Arbitration,
    pub(crate) digests: DigestLists,
    streams: Vec<Arc<Outbox>>,
    /// Programs so far, as far as they have been noticed.
    loads: u64,
}

impl Controllers {
    pub(crate) fn new(device_id: u64) -> Controllers {
        Controllers {
            arbitration: Arbitration::new(device_id),
            digests: DigestLists::default(),
            streams: Vec::new(),
            loads: 0,
        }
    }

    /// Takes a stream that a controller has opened.
    pub(crate) fn enter(&mut self) -> Arc<Outbox> {
        let stream = Arc::new(Outbox::default());
        self.streams.push(Arc::clone(&stream));
        stream
    }

    /// Takes a bid. An error must end the stream.
    pub(crate) fn bid(
        &mut self,
        stream: &Arc<Outbox>,
        request: &MasterArbitrationUpdate,
    ) -> Result<(), Error> {
        let before = self.arbitration.primaries();
        notify(self.arbitration.update(stream, request)?);
        let after = self.arbitration.primaries();
        let is_same = |((one, _), (other, _)): (&(Arc<Outbox>, _), &(Arc<Outbox>, _))| {
            Arc::ptr_eq(one, other)
        };
        if before.len() != after.len() || !before.iter().zip(&after).all(is_same) {
            self.digests.forget();
        }
        Ok(())
    }

    /// Forgets a controller whose stream has ended.
    pub(crate) fn leave(&mut self, stream: &Arc<Outbox>) {
        self.streams.retain(|other| !Arc::ptr_eq(other, stream));
        notify(self.arbitration.leave(stream));
    }

    /// Ends all streams.
    pub(crate) fn end(&self, error: &Error) {
        for stream in &self.streams {
            stream.end(Some(error.clone()));
        }
    }

    /// Takes note of a program if there is another one, whose predecessor's digests are forgotten.
    /// Tells whether there is.
    pub(crate) fn adopt_program(&mut self, loads: u64, digests: DigestConfigs) -> bool {
        let is_news = self.loads != loads;
        if is_news {
            self.loads = loads;
            self.digests.forget();
            self.adopt_digests(digests);
        }
        is_news
    }

    pub(crate) fn adopt_digests(&mut self, digests: DigestConfigs) {
        let lists = self.digests.adopt(digests, Instant::now());
        self.send_lists(lists);
    }

    pub(crate) fn take_digest(&mut self, id: u32, data: Vec<u8>) {
        let list = self.digests.take(id, data, Instant::now());
        self.send_lists(list);
    }

    pub(crate) fn send_due_lists(&mut self) {
        let lists = self.digests.take_due(Instant::now());
        self.send_lists(lists);
    }

    pub(crate) fn send_packet(&self, packet: Packet) {
        let mut primaries = self.arbitration.primaries();
        primaries.retain(|(_, scope)| scope.receives(&packet));
        if !primaries.is_empty() {
            let message = encoded(ToController::Packet(packet));
            primaries.iter().for_each(|(primary, _)| primary.send(&message));
        }
    }

    /// Tells of table entries, each with its table's id.
    pub(crate) fn send_idle(&self, entries: &[(u32, Vec<u8>)]) {
        for (primary, scope) in self.arbitration.primaries() {
            let told = entries.iter().filter(|(id, _)| self.arbitration.may_access(&scope, *id));
            let table_entry: Vec<_> = told.map(|(_, entry)| entry.clone()).collect();
            if !table_entry.is_empty() {
                let timestamp = unix_time_ns() as i64;
                let notification = IdleTimeoutNotification { table_entry, timestamp };
                primary.send(&encoded(ToController::Idle(notification)));
            }
        }
    }

    fn send_lists(&self, lists: impl IntoIterator<Item = DigestList>) {
        for list in lists {
            let id = list.digest_id;
            let message = encoded(ToController::Digest(list));
            for (primary, scope) in self.arbitration.primaries() {
                if self.arbitration.may_access(&scope, id) {
                    primary.send(&message);
                }
            }
        }
    }
}

fn notify(notices: Notices) {
    for (stream, update) in notices {
        stream.notify(update);
    }
}
