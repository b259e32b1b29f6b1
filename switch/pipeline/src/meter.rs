//! Three-colour meters, colour-blind, with BMv2's arithmetic: of two rates (RFC 2698) or of one (RFC
//! 2697).

use crate::program::Word;
use crate::types::{ColorCounts, MeterConfig};

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

/// A meter; every packet is green until it is configured. What is neither configured nor used takes
/// next to no memory: every table entry has one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meter(Option<Box<Metering>>);

/// The most that a meter takes.
pub(crate) const METER_BYTES: usize = size_of::<Meter>() + size_of::<Metering>();

#[derive(Debug, Clone, Default)]
struct Metering {
    counts: ColorCounts,
    /// None: not configured.
    buckets: Option<Buckets>,
}

#[derive(Debug, Clone)]
struct Buckets {
    config: MeterConfig,
    committed: Bucket,
    /// The peak's; with an excess burst the excess bucket.
    second: Bucket,
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
    /// Configures it, with full buckets, or takes its configuration away. Its counts go on.
    pub(crate) fn configure(&mut self, config: Option<MeterConfig>) {
        if self.0.is_some() || config.is_some() {
            self.metering().buckets = config.map(Buckets::new);
        }
    }

    pub(crate) fn config(&self) -> Option<MeterConfig> {
        Some(self.0.as_ref()?.buckets.as_ref()?.config)
    }

    pub(crate) fn counts(&self) -> ColorCounts {
        self.0.as_ref().map_or_else(ColorCounts::default, |metering| metering.counts)
    }

    pub(crate) fn set_counts(&mut self, counts: ColorCounts) {
        if self.0.is_some() || counts != ColorCounts::default() {
            self.metering().counts = counts;
        }
    }

    /// Meters a packet and counts it.
    #[inline]
    pub(crate) fn execute(&mut self, unit: MeterUnit, packet_bytes: usize, now_us: u64) -> Color {
        let Metering { counts, buckets } = self.metering();
        let color = match buckets {
            Some(buckets) => buckets.color(unit.of(packet_bytes), now_us),
            None => Color::Green,
        };
        let count = match color {
            Color::Green => &mut counts.green,
            Color::Yellow => &mut counts.yellow,
            Color::Red => &mut counts.red,
        };
        count.count(packet_bytes);
        color
    }

    #[inline]
    fn metering(&mut self) -> &mut Metering {
        self.0.get_or_insert_with(Box::default)
    }
}

impl Buckets {
    fn new(config: MeterConfig) -> Buckets {
        let second = match config.eburst {
            0 => Bucket::new(config.pir, config.pburst),
            size => Bucket::new(0, size),
        };
        Buckets { config, committed: Bucket::new(config.cir, config.cburst), second }
    }

    #[inline]
    fn color(&mut self, cost: u64, now_us: u64) -> Color {
        match self.config.eburst {
            0 => self.color_by_two_rates(cost, now_us),
            _ => self.color_by_one_rate(cost, now_us),
        }
    }

    /// As in BMv2, a packet that is red costs no tokens, and one that is yellow costs tokens of the
    /// peak bucket only.
    fn color_by_two_rates(&mut self, cost: u64, now_us: u64) -> Color {
        self.second.earn(now_us);
        if !self.second.take(cost) {
            return Color::Red;
        }
        self.committed.earn(now_us);
        match self.committed.take(cost) {
            true => Color::Green,
            false => Color::Yellow,
        }
    }

    /// The excess bucket gets what the committed one has no room for, and pays for yellow packets.
    fn color_by_one_rate(&mut self, cost: u64, now_us: u64) -> Color {
        let excess = self.committed.earn(now_us);
        self.second.add(excess);
        if self.committed.take(cost) {
            Color::Green
        } else if self.second.take(cost) {
            Color::Yellow
        } else {
            Color::Red
        }
    }
}

impl Bucket {
    fn new(tokens_per_s: u64, size: u64) -> Bucket {
        Bucket { tokens_per_us: tokens_per_s as f64 / 1e6, size, tokens: size, earned: 0 }
    }

    /// Takes in the tokens earned until now; returns those that it has no room for.
    fn earn(&mut self, now_us: u64) -> u64 {
        let earned = (now_us as f64 * self.tokens_per_us) as u64;
        let new = earned.saturating_sub(self.earned);
        self.earned = earned;
        self.add(new)
    }

    fn add(&mut self, tokens: u64) -> u64 {
        let all = self.tokens.saturating_add(tokens);
        self.tokens = all.min(self.size);
        all - self.tokens
    }

    fn take(&mut self, cost: u64) -> bool {
        match self.tokens.checked_sub(cost) {
            Some(left) => {
                self.tokens = left;
                true
            }
            None => false,
        }
    }
}
