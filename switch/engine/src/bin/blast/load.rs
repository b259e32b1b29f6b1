//! Offers frames at a rate and reports what the interface took.

use std::thread::sleep;
use std::time::{Duration, Instant};

use engine::{FrameSender, Sent, SEND_BATCH};

/// A way to send on an interface.
pub(crate) trait Way: Sized {
    /// Opens it for the interface of that name.
    fn open(interface: &str) -> std::io::Result<Self>;

    /// Sends or loses at least the first frame.
    fn send<'a>(&mut self, frames: impl Iterator<Item = &'a [u8]> + Clone) -> Sent;
}

/// The switch's own.
impl Way for FrameSender {
    fn open(interface: &str) -> std::io::Result<Self> {
        FrameSender::open(interface)
    }

    fn send<'a>(&mut self, frames: impl Iterator<Item = &'a [u8]> + Clone) -> Sent {
        FrameSender::send(self, frames)
    }
}

/// Sends `count` frames, the given ones in turn; a rate of 0 is as fast as it goes. The report is
/// JSON.
pub(crate) fn run<W: Way>(
    interface: &str,
    frames: &[Vec<u8>],
    count: u64,
    frames_per_second: u64,
) -> Result<String, String> {
    let mut way = W::open(interface).map_err(|error| format!("interface {interface}: {error}"))?;
    let mut frames = frames.iter().map(Vec::as_slice).cycle();
    let start = Instant::now();
    let (mut sent, mut refused) = (0, 0);
    while sent + refused < count {
        let offered = sent + refused;
        let batch = (count - offered).min(SEND_BATCH as u64) as usize;
        if let Some(due) = due(offered, frames_per_second) {
            sleep(due.saturating_sub(start.elapsed()));
        }
        let result = way.send(frames.clone().take(batch));
        frames.nth(result.taken + result.lost - 1);
        sent += result.taken as u64;
        refused += result.lost as u64;
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(format!("{{\"sent_packets\":{sent},\"refused_packets\":{refused},\"seconds\":{seconds}}}"))
}

fn due(offered: u64, frames_per_second: u64) -> Option<Duration> {
    (frames_per_second > 0).then(|| Duration::from_secs(offered) / frames_per_second as u32)
}
