//! What this process takes, by Linux's account.

use std::fs;
use std::time::Duration;

/// The processor time of this process.
pub(crate) fn cpu_time() -> Duration {
    const TICK: Duration = Duration::from_millis(10);
    let statistics = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the program's name: state, ten numbers, user and system time in ticks.
    let fields = statistics.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u32>().ok());
    TICK * ticks.sum::<u32>()
}

/// Memory of this process.
pub(crate) fn resident_bytes() -> Result<u64, String> {
    const PAGE_BYTES: u64 = 4096;
    let statistics = fs::read_to_string("/proc/self/statm").map_err(|error| error.to_string())?;
    let pages = statistics.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    let pages: u64 = pages.ok_or("/proc/self/statm has another form")?;
    Ok(pages * PAGE_BYTES)
}
