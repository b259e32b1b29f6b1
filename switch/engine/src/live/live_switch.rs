//! Starts and stops the packet thread and the switch's clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::ending::Ending;
use super::packet_thread::PacketThread;
use crate::io::{Interface, InterfaceError};
use crate::shared::SharedSwitch;
use crate::time::unix_time_ns;
use crate::warn::Warn;

/// A running packet thread. Dropping it stops the thread.
///
/// If the thread dies, the switch has failed, and [`LiveSwitch::ending`] says why.
#[derive(Debug)]
pub struct LiveSwitch {
    shared: Arc<SharedSwitch>,
    stop: Arc<AtomicBool>,
    ending: Arc<Ending>,
    thread: Option<JoinHandle<()>>,
}

impl LiveSwitch {
    /// Opens the ports' interfaces and starts to move frames. Ports without an interface receive
    /// nothing, and what they send is lost. Time goes on in real time from the switch's present.
    pub fn start(shared: Arc<SharedSwitch>, warn: Warn) -> Result<Self, InterfaceError> {
        let cannot = |reason| InterfaceError::Thread { reason };
        shared.check().map_err(|failed| cannot(failed.to_string()))?;
        let configs = shared.lock().switch.ports().to_vec();
        let interfaces = configs.iter().filter_map(Interface::of).collect::<Result<Vec<_>, _>>()?;
        let stop = Arc::new(AtomicBool::new(false));
        let ending = Arc::new(Ending::default());
        let packets = PacketThread::new(Arc::clone(&shared), interfaces, warn);
        start_clock(&shared);
        let thread = Builder::new().name("p4abs-switch".to_owned()).spawn({
            let (stop, ending) = (Arc::clone(&stop), Arc::clone(&ending));
            move || ending.tell(packets.run_to_the_end(&stop))
        });
        match thread {
            Ok(thread) => Ok(LiveSwitch { shared, stop, ending, thread: Some(thread) }),
            Err(error) => {
                stop_clock(&shared);
                Err(cannot(error.to_string()))
            }
        }
    }

    /// Says when the thread has ended, and why if it died.
    pub fn ending(&self) -> Arc<Ending> {
        Arc::clone(&self.ending)
    }
}

impl Drop for LiveSwitch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.shared.release_all();
        self.shared.waker.wake();
        if let Some(thread) = self.thread.take() {
            // Its panic has been caught, and told of.
            let _ = thread.join();
        }
        stop_clock(&self.shared);
    }
}

fn start_clock(shared: &SharedSwitch) {
    let mut state = shared.lock();
    let elapsed = Duration::from_nanos(state.switch.now_ns());
    let now = Instant::now();
    state.origin = Some(now.checked_sub(elapsed).unwrap_or(now));
    let epoch_ns = unix_time_ns().saturating_sub(state.switch.now_ns());
    state.switch.observer().set_epoch(epoch_ns);
}

fn stop_clock(shared: &SharedSwitch) {
    let mut state = shared.lock();
    // A switch that has failed stays as it was.
    let _ = shared.attempt("the end of the packet thread", &mut state, |state| {
        state.advance();
        Ok(())
    });
    state.origin = None;
}
