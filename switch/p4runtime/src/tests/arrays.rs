//! Registers, counters and meters (P4Runtime 1.5, sections 9.3.2, 9.4.2 and 9.7).

use super::device::{id, signed, Device, ROLLBACK_ON_ERROR};
use super::random::Random;
use crate::entities::Change;
use crate::messages::data::{Data, P4Data};
use crate::messages::info::{
    MeterSpec, P4DataTypeSpec, P4NamedType, P4SerializableEnumTypeSpec, TypeSpec, Width,
};
use crate::messages::runtime::{
    CounterData, CounterEntry, Entity, Index, MeterConfig, MeterCounterData, MeterEntry,
    RegisterEntry,
};
use crate::status::{Code, Error};

const STATE: &str = "pipeline/tests/programs/state";
const METERS: &str = "pipeline/tests/programs/meters";
const CONFIG: MeterConfig =
    MeterConfig { cir: 1_000, cburst: 100, pir: 2_000, pburst: 200, eburst: 0 };

/// A cell of the register at a position; no index: all. No value: for reads.
fn cell(register: usize, index: Option<i64>, value: Option<&[u8]>) -> Entity {
    let data = value.map(|value| P4Data { data: Some(Data::Bitstring(value.to_vec())) });
    let index = index.map(|index| Index { index });
    Entity::Register(RegisterEntry { register_id: id(2, register), index, data })
}

fn counter(index: Option<i64>, counts: Option<(i64, i64)>) -> Entity {
    let data = counts.map(|(packet_count, byte_count)| CounterData { packet_count, byte_count });
    let index = index.map(|index| Index { index });
    Entity::Counter(CounterEntry { counter_id: id(3, 0), index, data })
}

fn meter(position: usize, index: Option<i64>, config: Option<MeterConfig>) -> Entity {
    let index = index.map(|index| Index { index });
    let meter_id = id(5, position);
    Entity::Meter(Box::new(MeterEntry { meter_id, index, config, counter_data: None }))
}

/// With what it has counted, green, yellow and red alike.
fn counted(entity: Entity, packet_count: i64) -> Entity {
    let Entity::Meter(entry) = entity else { return entity };
    let color = Some(CounterData { packet_count, byte_count: 0 });
    let counts = MeterCounterData { green: color, yellow: color, red: color };
    Entity::Meter(Box::new(MeterEntry { counter_data: Some(counts), ..*entry }))
}

fn codes(results: &[Result<(), Error>]) -> Vec<Option<Code>> {
    results.iter().map(|result| result.as_ref().err().map(|error| error.code)).collect()
}

#[test]
fn cells_of_any_width_read_back_as_the_shortest_bytes() {
    let mut random = Random::new(4);
    let mut device = Device::of(STATE);
    for (register, width_bits) in [9_u32, 64, 128, 8, 200].into_iter().enumerate() {
        for _ in 0..50 {
            let mut value = random.bytes(width_bits.div_ceil(8) as usize);
            value[0] &= u8::MAX >> (width_bits.next_multiple_of(8) - width_bits);
            let zeros = random.below(value.len());
            value[..zeros].fill(0);
            let index = Some(random.below(2) as i64);
            device.modify(cell(register, index, Some(&[&[0; 3], &value[..]].concat()))).unwrap();
            let start = value.iter().take_while(|&&byte| byte == 0).count().min(value.len() - 1);
            let expected = vec![cell(register, index, Some(&value[start..]))];
            assert_eq!(device.read(cell(register, index, None)), Ok(expected));
        }
    }
}

#[test]
fn without_index_all_cells_are_written_and_read() {
    let mut device = Device::of(STATE);
    device.modify(cell(1, None, Some(b"\x07"))).unwrap();
    let expected: Vec<Entity> = (0..4).map(|index| cell(1, Some(index), Some(b"\x07"))).collect();
    assert_eq!(device.read(cell(1, None, None)), Ok(expected));
    device.modify(counter(None, Some((1, 2)))).unwrap();
    device.modify(counter(Some(1), Some((10, 20)))).unwrap();
    device.modify(counter(Some(2), None)).unwrap();
    let counts = [(1, 2), (10, 20), (1, 2)];
    let expected = (0..3).map(|index| counter(Some(index), Some(counts[index as usize])));
    let expected: Vec<Entity> = expected.collect();
    assert_eq!(device.read(counter(None, None)), Ok(expected.clone()));
    assert_eq!(device.read(Entity::Counter(CounterEntry::default())), Ok(expected));
}

#[test]
fn without_id_the_cells_of_all_arrays_are_read() {
    let mut device = Device::of(STATE);
    let found = device.read(Entity::Register(RegisterEntry::default())).unwrap();
    let sizes = [3, 4, 2, 2, 2].into_iter().enumerate();
    let cells = sizes.flat_map(|(register, size)| (0..size).map(move |cell| (register, cell)));
    let expected = cells.map(|(register, index)| cell(register, Some(index), Some(b"\x00")));
    assert_eq!(found, expected.collect::<Vec<_>>());
    let wanted = RegisterEntry { index: Some(Index { index: 1 }), ..RegisterEntry::default() };
    let error = device.read(Entity::Register(wanted)).unwrap_err();
    let message = "a read of all registers cannot have an index";
    assert_eq!((error.code, error.message.as_str()), (Code::InvalidArgument, message));
}

#[test]
fn signed_registers_keep_their_sign() {
    let mut device = Device::with(STATE, |info| info.registers[3].type_spec = signed(8));
    let cases: [(&[u8], &[u8]); 5] = [
        (b"\xff\xff\xfe", b"\xfe"),
        (b"\x80", b"\x80"),
        (b"\x00\x7f", b"\x7f"),
        (b"\x00", b"\x00"),
        (b"\xff\xff\xff", b"\xff"),
    ];
    for (written, read) in cases {
        device.modify(cell(3, Some(1), Some(written))).unwrap();
        assert_eq!(device.read(cell(3, Some(1), None)), Ok(vec![cell(3, Some(1), Some(read))]));
    }
    let error = device.modify(cell(3, Some(1), Some(b"\x00\x80"))).unwrap_err();
    let message = "data of register TestIngress.signed_cells is 128, which does not fit in int<8>";
    assert_eq!((error.code, error.message.as_str()), (Code::OutOfRange, message));
}

#[test]
fn registers_of_a_serializable_enum_hold_enum_values() {
    let named = || P4NamedType { name: "kind_t".to_owned() };
    let mut device = Device::with(STATE, |info| {
        let underlying_type = Width { bitwidth: 9 };
        let kind = P4SerializableEnumTypeSpec { underlying_type };
        info.type_info.serializable_enums.insert(named().name, kind);
        let type_spec = Some(TypeSpec::SerializableEnum(named()));
        info.registers[0].type_spec = P4DataTypeSpec { type_spec };
    });
    let entry = |value: &[u8]| {
        let data = Some(P4Data { data: Some(Data::EnumValue(value.to_vec())) });
        let index = Some(Index { index: 2 });
        Entity::Register(RegisterEntry { register_id: id(2, 0), index, data })
    };
    device.modify(entry(b"\x00\x01\x05")).unwrap();
    assert_eq!(device.read(cell(0, Some(2), None)), Ok(vec![entry(b"\x01\x05")]));
    let error = device.modify(entry(b"\x02\x00")).unwrap_err();
    assert_eq!(error.code, Code::OutOfRange);
    let error = device.modify(cell(0, Some(2), Some(b"\x01"))).unwrap_err();
    let message = "data of register TestIngress.narrow must be an enum_value, not bitstring";
    assert_eq!((error.code, error.message.as_str()), (Code::InvalidArgument, message));
}

#[test]
fn register_writes_that_do_not_fit_are_refused_and_change_nothing() {
    let mut device = Device::of(STATE);
    let before = device.state();
    let bool_data = Some(P4Data { data: Some(Data::Bool(true)) });
    let cases = [
        (cell(0, Some(3), Some(b"\x01")), Code::OutOfRange),
        (cell(0, Some(i64::MAX), Some(b"\x01")), Code::OutOfRange),
        (cell(0, Some(-1), Some(b"\x01")), Code::InvalidArgument),
        (cell(0, Some(i64::MIN), Some(b"\x01")), Code::InvalidArgument),
        (cell(0, None, Some(b"\x02\x00")), Code::OutOfRange),
        (cell(0, None, Some(&[1; 4_000])), Code::OutOfRange),
        (cell(0, Some(0), Some(b"")), Code::OutOfRange),
        (cell(0, Some(0), None), Code::InvalidArgument),
        (cell(9, None, Some(b"\x01")), Code::InvalidArgument),
        (
            Entity::Register(RegisterEntry { register_id: id(2, 0), index: None, data: bool_data }),
            Code::InvalidArgument,
        ),
    ];
    for (entity, code) in cases {
        let error = device.modify(entity).unwrap_err();
        assert_eq!(error.code, code, "{error:?}");
        assert!(error.message.len() < 300);
    }
    assert_eq!(device.state(), before);
}

#[test]
fn arrays_are_only_modified() {
    let cases = [
        (STATE, cell(0, Some(0), Some(b"\x01"))),
        (STATE, counter(Some(0), Some((1, 1)))),
        (METERS, meter(0, Some(0), Some(CONFIG))),
    ];
    for (program, entity) in cases {
        let mut device = Device::of(program);
        for change in [Change::Insert, Change::Delete] {
            let error = device.write(change, entity.clone()).unwrap_err();
            assert_eq!(error.code, Code::InvalidArgument);
            assert!(error.message.ends_with(" can only be modified"), "{error:?}");
        }
    }
}

#[test]
fn counts_that_do_not_fit_are_refused() {
    let mut device = Device::of(STATE);
    let cases = [
        (counter(Some(3), Some((1, 1))), Code::OutOfRange),
        (counter(Some(-1), Some((1, 1))), Code::InvalidArgument),
        (counter(Some(0), Some((-1, 1))), Code::InvalidArgument),
        (counter(None, Some((1, i64::MIN))), Code::InvalidArgument),
    ];
    let before = device.state();
    for (entity, code) in cases {
        assert_eq!(device.modify(entity).unwrap_err().code, code);
    }
    assert_eq!(device.state(), before);
    device.modify(counter(Some(0), Some((i64::MAX, i64::MAX)))).unwrap();
    let expected = vec![counter(Some(0), Some((i64::MAX, i64::MAX)))];
    assert_eq!(device.read(counter(Some(0), None)), Ok(expected));
}

#[test]
fn meters_read_back_as_written_and_without_config_are_green() {
    let mut device = Device::of(METERS);
    device.modify(meter(0, Some(2), Some(CONFIG))).unwrap();
    let config = |index| if index == 2 { Some(CONFIG) } else { None };
    let expected = (0..4).map(|index| meter(0, Some(index), config(index))).collect();
    assert_eq!(device.read(meter(0, None, None)), Ok(expected));
    device.modify(meter(0, None, Some(CONFIG))).unwrap();
    let all = |config| (0..4).map(|index| meter(0, Some(index), config)).collect::<Vec<_>>();
    assert_eq!(device.read(meter(0, None, None)), Ok(all(Some(CONFIG))));
    device.modify(meter(0, None, None)).unwrap();
    assert_eq!(device.read(meter(0, None, None)), Ok(all(None)));
}

#[test]
fn counts_by_color_are_reset_but_not_set() {
    let mut device = Device::of(METERS);
    device
        .pipeline()
        .control()
        .meter_fill_counts("TestIngress.by_bytes", 1..3, {
            let seven = pipeline::CounterValue { packets: 7, bytes: 0 };
            pipeline::ColorCounts { green: seven, yellow: seven, red: seven }
        })
        .unwrap();
    let wanted = counted(meter(0, None, None), 0);
    let state = |counts: [i64; 4]| {
        let cells = (0..4).map(|cell| counted(meter(0, Some(cell), None), counts[cell as usize]));
        cells.collect::<Vec<_>>()
    };
    assert_eq!(device.read(wanted.clone()), Ok(state([0, 7, 7, 0])));
    device.modify(meter(0, Some(1), None)).unwrap();
    assert_eq!(device.read(wanted.clone()), Ok(state([0, 7, 7, 0])));
    let error = device.modify(counted(meter(0, Some(1), None), 1)).unwrap_err();
    let message = "meter TestIngress.by_bytes: counts by color can only be reset to 0";
    assert_eq!((error.code, error.message.as_str()), (Code::InvalidArgument, message));
    device.modify(counted(meter(0, Some(1), None), 0)).unwrap();
    assert_eq!(device.read(wanted), Ok(state([0, 0, 7, 0])));
}

#[test]
fn meter_configs_keep_to_the_meter_s_type() {
    let spec = |kind| MeterSpec { kind };
    let mut device = Device::with(METERS, |info| {
        (info.meters[0].spec, info.meters[1].spec) = (spec(1), spec(2));
    });
    let single = MeterConfig { cir: 10, cburst: 20, pir: 10, pburst: 20, eburst: 0 };
    device.modify(meter(0, None, Some(MeterConfig { eburst: 5, ..single }))).unwrap();
    device.modify(meter(1, None, Some(single))).unwrap();
    let before = device.state();
    for (position, config) in [
        (0, MeterConfig { pir: 11, ..single }),
        (0, MeterConfig { pburst: 21, ..single }),
        (1, MeterConfig { pir: 11, ..single }),
        (1, MeterConfig { eburst: 1, ..single }),
        (1, MeterConfig { cir: -1, pir: -1, ..single }),
        (0, MeterConfig { eburst: i64::MIN, ..single }),
    ] {
        let error = device.modify(meter(position, None, Some(config))).unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument);
        assert!(error.message.starts_with("meter TestIngress.by_"), "{error:?}");
    }
    assert_eq!(device.state(), before);
}

#[test]
fn a_batch_that_fails_brings_back_all_cells() {
    let mut random = Random::new(5);
    for (program, entities) in [
        (STATE, vec![cell(0, None, Some(b"\x09")), counter(None, Some((9, 9)))]),
        (METERS, vec![meter(0, None, None), counted(meter(1, None, Some(CONFIG)), 0)]),
    ] {
        let mut device = Device::of(program);
        for index in 0..3 {
            let value = [random.bits() as u8];
            let written = match program {
                STATE => {
                    vec![cell(0, Some(index), Some(&value)), counter(Some(index), Some((index, 7)))]
                }
                _ => vec![meter(0, Some(index), Some(MeterConfig { cir: index, ..CONFIG }))],
            };
            written.into_iter().for_each(|entity| device.modify(entity).unwrap());
        }
        if program == METERS {
            let counts = pipeline::ColorCounts {
                green: pipeline::CounterValue { packets: 3, bytes: 4 },
                ..Default::default()
            };
            let mut control = device.pipeline().control();
            control.meter_fill_counts("TestIngress.by_packets", 1..2, counts).unwrap();
        }
        let before = device.state();
        let mut updates: Vec<_> = entities.into_iter().map(|e| (Change::Modify, e)).collect();
        updates.push((Change::Insert, updates[0].1.clone()));
        let results = device.batch(updates, ROLLBACK_ON_ERROR);
        let (aborted, invalid) = (Some(Code::Aborted), Some(Code::InvalidArgument));
        assert_eq!(codes(&results), [aborted, aborted, invalid]);
        assert_eq!(device.state(), before);
    }
}
