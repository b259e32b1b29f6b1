//! Who else receives an interface's frames.

use std::fs;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::MetadataExt;

/// The kernel's list of packet sockets in the network namespace of this thread.
const PACKET_SOCKETS: &str = "/proc/thread-self/net/packet";

/// As that list has it: `ETH_P_ALL`.
const ALL_PROTOCOLS: &str = "0003";

/// The processes other than `own`'s socket that receive all frames of an interface, as far as they can
/// be seen; none: there is nobody.
pub(super) fn sharers(own: &impl AsFd, interface_index: u32) -> Option<String> {
    let descriptor = format!("/proc/self/fd/{}", own.as_fd().as_raw_fd());
    let own_inode = fs::metadata(descriptor).ok()?.ino();
    let inodes: Vec<_> = fs::read_to_string(PACKET_SOCKETS)
        .ok()?
        .lines()
        .skip(1)
        .filter_map(|line| receiver(line, interface_index))
        .filter(|&inode| inode != own_inode)
        .collect();
    if inodes.is_empty() {
        return None;
    }
    let names = holders(&inodes);
    Some(if names.is_empty() { "another process".to_owned() } else { names.join(", ") })
}

/// The inode of a socket that receives all frames of the interface.
fn receiver(line: &str, interface_index: u32) -> Option<u64> {
    let words: Vec<_> = line.split_whitespace().collect();
    let [_socket, _references, _kind, protocol, interface, .., inode] = words[..] else {
        return None;
    };
    let is_it = protocol == ALL_PROTOCOLS && interface.parse() == Ok(interface_index);
    is_it.then(|| inode.parse().ok())?
}

/// The processes that hold sockets, by name and number; those of others cannot be seen without rights.
fn holders(inodes: &[u64]) -> Vec<String> {
    let links: Vec<_> = inodes.iter().map(|inode| format!("socket:[{inode}]")).collect();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let holder = |process: fs::DirEntry| {
        // Not `self` and `thread-self`, which are this process once more.
        process.file_name().to_str()?.parse::<u32>().ok()?;
        let descriptors = fs::read_dir(process.path().join("fd")).ok()?;
        let mut targets = descriptors.flatten().filter_map(|link| fs::read_link(link.path()).ok());
        let holds =
            targets.any(|target| links.iter().any(|link| target.as_os_str() == link.as_str()));
        let name = fs::read_to_string(process.path().join("comm")).ok().filter(|_| holds)?;
        Some(format!("{} ({})", name.trim_end(), process.file_name().to_string_lossy()))
    };
    processes.filter_map(holder).collect()
}
