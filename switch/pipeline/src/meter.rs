//! Two-rate three-colour meters (RFC 2698, colour-blind) with BMv2's arithmetic.

use crate::program::Word;
use crate::types::MeterConfig;

/// What a meter finds a packet to be; the values are v1model's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Color {
    Green = 0,
    Yellow = 1,
    Red = 2,
}

/// What a meter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MeterUnit {
    Bytes,
    Packets,
}

impl MeterUnit {
    /// A packet in this unit.
    #[inline]
    fn of(self, packet_bytes: usize) -> u64 {
        match self {
            MeterUnit::Bytes => packet_bytes as u64,
            MeterUnit::Packets => 1,
        }
    }
}

/// A meter array.
#[derive(Debug)]
pub(crate) struct MeterArray {
    pub(crate) name: String,
    pub(crate) unit: MeterUnit,
    pub(crate) cells: Vec<Meter>,
}

impl MeterArray {
    /// Meters a packet; None if there is no cell with this index.
    #[inline]
    pub(crate) fn execute(&mut self, index: u64, bytes: usize, now_us: u64) -> Option<Color> {
        let cell = self.cells.get_mut(usize::try_from(index).ok()?)?;
        Some(cell.execute(self.unit, bytes, now_us))
    }
}

/// How a table meters the packets that hit its entries, before their actions run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DirectMeter {
    pub(crate) unit: MeterUnit,
    /// Where the color goes.
    pub(crate) target: Word,
}

impl DirectMeter {
    /// Meters a packet with an entry's meter.
    #[inline]
    pub(crate) fn execute(&self, meter: &mut Meter, slots: &mut [u64], bytes: usize, now_us: u64) {
        let color = meter.execute(self.unit, bytes, now_us);
        slots[self.target.place.slots()].fill(0);
        self.target.write(slots, color as u64);
    }
}

/// A meter; every packet is green until it is configured.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meter(Option<Box<Buckets>>);

/// What a configured meter takes.
pub(crate) const METER_BYTES: usize = size_of::<Meter>() + size_of::<Buckets>();

#[derive(Debug, Clone)]
struct Buckets {
    config: MeterConfig,
    peak: Bucket,
    committed: Bucket,
}

/// A token bucket.
#[derive(Debug, Clone)]
struct Bucket {
    tokens_per_us: f64,
    size: u64,
    tokens: u64,
    /// All tokens since time 0, counted from there so that nothing is lost to rounding.
    earned: u64,
}

impl Meter {
    /// A meter with full buckets, or one that is not configured.
    pub(crate) fn new(config: Option<MeterConfig>) -> Meter {
        let buckets = |config: MeterConfig| Buckets {
            config,
            peak: Bucket::new(config.pir, config.pburst),
            committed: Bucket::new(config.cir, config.cburst),
        };
        Meter(config.map(|config| Box::new(buckets(config))))
    }

    pub(crate) fn config(&self) -> Option<MeterConfig> {
        self.0.as_ref().map(|buckets| buckets.config)
    }

    /// Meters a packet. As in BMv2, a packet that is red costs no tokens, and one that is yellow
    /// costs tokens of the peak bucket only.
    pub(crate) fn execute(&mut self, unit: MeterUnit, packet_bytes: usize, now_us: u64) -> Color {
        let Some(buckets) = &mut self.0 else {
            return Color::Green;
        };
        let cost = unit.of(packet_bytes);
        if !buckets.peak.take(cost, now_us) {
            Color::Red
        } else if !buckets.committed.take(cost, now_us) {
            Color::Yellow
        } else {
            Color::Green
        }
    }
}

impl Bucket {
    fn new(tokens_per_s: u64, size: u64) -> Bucket {
        Bucket { tokens_per_us: tokens_per_s as f64 / 1e6, size, tokens: size, earned: 0 }
    }

    fn take(&mut self, cost: u64, now_us: u64) -> bool {
        let earned = (now_us as f64 * self.tokens_per_us) as u64;
        let new = earned.saturating_sub(self.earned);
        self.earned = earned;
        self.tokens = self.tokens.saturating_add(new).min(self.size);
        match self.tokens.checked_sub(cost) {
            Some(left) => {
                self.tokens = left;
                true
            }
            None => false,
        }
    }
}
