//! Counters and meters in messages (P4Runtime 1.5, sections 9.3 and 9.4).

use std::fmt::Display;

use pipeline::{ColorCounts, CounterValue};

use crate::messages::runtime::{CounterData, MeterConfig, MeterCounterData};
use crate::program::Meter;
use crate::status::Result;

/// Packets and bytes; both are int64 that are never negative.
pub(crate) fn counter(what: &dyn Display, data: &CounterData) -> Result<CounterValue> {
    match (u64::try_from(data.packet_count), u64::try_from(data.byte_count)) {
        (Ok(packets), Ok(bytes)) => Ok(CounterValue { packets, bytes }),
        _ => Err(invalid!("{what} cannot count to a negative number")),
    }
}

/// The message of a counter; counts past 63 bits wrap to 0, as they have no int64.
pub(crate) fn counter_data(value: CounterValue) -> CounterData {
    let wrapped = |count: u64| (count & (u64::MAX >> 1)) as i64;
    CounterData { packet_count: wrapped(value.packets), byte_count: wrapped(value.bytes) }
}

/// What a meter has counted by color.
pub(crate) fn colors(what: &dyn Display, data: &MeterCounterData) -> Result<ColorCounts> {
    let color = |data: &Option<CounterData>| counter(what, &data.unwrap_or_default());
    Ok(ColorCounts {
        green: color(&data.green)?,
        yellow: color(&data.yellow)?,
        red: color(&data.red)?,
    })
}

/// The message of what a meter has counted.
pub(crate) fn color_data(counts: ColorCounts) -> MeterCounterData {
    MeterCounterData {
        green: Some(counter_data(counts.green)),
        yellow: Some(counter_data(counts.yellow)),
        red: Some(counter_data(counts.red)),
    }
}

/// Refuses counts other than 0: controllers may reset them, not set them (section 9.1.7); rollbacks
/// and reconciliations restore them.
pub(crate) fn check_reset(what: &dyn Display, data: &MeterCounterData) -> Result {
    match colors(what, data)? == ColorCounts::default() {
        true => Ok(()),
        false => Err(invalid!("{what}: counts by color can only be reset to 0")),
    }
}

/// The engine's configuration of a meter.
pub(crate) fn config(meter: &Meter, given: &MeterConfig) -> Result<pipeline::MeterConfig> {
    let what = format!("meter {}", meter.name);
    let unsigned = |value: i64| {
        let negative = |_| invalid!("{what}: rates and bursts cannot be negative");
        u64::try_from(value).map_err(negative)
    };
    let MeterConfig { cir, cburst, pir, pburst, eburst } = *given;
    let config = pipeline::MeterConfig {
        cir: unsigned(cir)?,
        cburst: unsigned(cburst)?,
        pir: unsigned(pir)?,
        pburst: unsigned(pburst)?,
        eburst: unsigned(eburst)?,
    };
    if eburst != 0 && !meter.has_excess {
        return Err(invalid!("{what} is no single-rate three-color meter; it takes no eburst"));
    }
    if meter.is_single_rate && (cir, cburst) != (pir, pburst) {
        return Err(invalid!("{what} has a single rate: pir and pburst must equal cir and cburst"));
    }
    if cir > pir {
        return Err(invalid!("cir {cir} is above pir {pir}; valid: at most pir"));
    }
    Ok(config)
}

/// The message of a configuration.
pub(crate) fn config_message(config: pipeline::MeterConfig) -> MeterConfig {
    let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    MeterConfig {
        cir: signed(config.cir),
        cburst: signed(config.cburst),
        pir: signed(config.pir),
        pburst: signed(config.pburst),
        eburst: signed(config.eburst),
    }
}
