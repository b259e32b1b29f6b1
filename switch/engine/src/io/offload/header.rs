//! What the kernel says of a frame that is not as it will be on the wire: `struct virtio_net_hdr`
//! of linux/virtio_net.h.

/// What stands before each frame that a packet socket with `PACKET_VNET_HDR` passes.
pub const HEADER_BYTES: usize = 10;

const NEEDS_CHECKSUM: u8 = 1;
const NO_SEGMENTATION: u8 = 0;
const TCP_IPV4: u8 = 1;
const TCP_IPV6: u8 = 4;
const UDP: u8 = 5;
/// Beside the kind: the first segment alone tells of congestion.
const ECN: u8 = 0x80;

/// Where a checksum is to be completed: the field holds the sum of the pseudo-header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Checksum {
    /// From the start of the frame: the first byte that is summed up.
    pub(crate) start: usize,
    /// From there: the checksum's field.
    pub(crate) field: usize,
}

/// The transport protocol whose payload is to be split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Tcp,
    Udp,
}

impl Transport {
    /// The most segments that Linux leaves to be made of one frame: TCP's carry at least 8 of at
    /// most 65,535 bytes (`TCP_MIN_GSO_SIZE` in include/net/tcp.h; shorter ones that receive offload
    /// has put together are few), UDP's are counted (`UDP_MAX_SEGMENTS` in include/linux/udp.h).
    pub(crate) fn max_segments(self) -> usize {
        match self {
            Transport::Tcp => 65_535 / 8,
            Transport::Udp => 128,
        }
    }
}

/// How a frame is to be split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Segmentation {
    /// None: a protocol that is not known here.
    pub(crate) transport: Option<Transport>,
    /// From the start of the frame to the transport header.
    pub(crate) transport_start: usize,
    /// Payload of each segment but the last.
    pub(crate) segment_bytes: usize,
}

/// What is left to do for a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offload {
    pub(crate) checksum: Checksum,
    pub(crate) segmentation: Option<Segmentation>,
}

impl Offload {
    /// None: nothing is left to do.
    #[inline]
    pub fn parse(header: &[u8; HEADER_BYTES]) -> Option<Self> {
        let [flags, kind, ..] = *header;
        if flags & NEEDS_CHECKSUM == 0 && kind == NO_SEGMENTATION {
            return None;
        }
        let word = |at: usize| usize::from(u16::from_ne_bytes([header[at], header[at + 1]]));
        let checksum = Checksum { start: word(6), field: word(8) };
        let transport = match kind & !ECN {
            TCP_IPV4 | TCP_IPV6 => Some(Transport::Tcp),
            UDP => Some(Transport::Udp),
            _ => None,
        };
        let transport_start = checksum.start;
        let segmentation = Segmentation { transport, transport_start, segment_bytes: word(4) };
        let is_split = kind != NO_SEGMENTATION;
        Some(Offload { checksum, segmentation: is_split.then_some(segmentation) })
    }
}
