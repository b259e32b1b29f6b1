//! A program with a P4Info that is derived from it, and requests to it.

use std::sync::Arc;

use engine::{PortConfig, ReplicationEngine, SharedSwitch, Switch};
use pipeline::{KeyInfo, Pipeline};
use prost::Message;

use crate::access::Access;
use crate::device::P4Runtime;
use crate::entities::{self, Change, Part};
use crate::messages::info::{
    Action, ActionProfile, ActionRef, Bitstring, Counter, Digest, DirectMeter, DirectResource,
    MatchField, MatchKind, Meter, MeterSpec, P4BitstringLikeTypeSpec, P4DataTypeSpec, P4Info,
    P4NamedType, P4TupleTypeSpec, Param, Preamble, Register, Table, TypeSpec, ValueSet, Width,
};
use crate::messages::requests::{DetailedError, ForwardingPipelineConfig, ReadResponse, Update};
use crate::messages::rpc::{Any, Status};
use crate::messages::runtime::{AnyEntity, Entity};
use crate::plane::{Loaded, Plane, Prepared, Site};
use crate::program::{index, Compiled, Program};
use crate::requests::batch::Writing;
use crate::requests::read::Reading;
use crate::status::{BatchStatus, Code, Error};

pub(super) const CONTINUE_ON_ERROR: i32 = 0;
pub(super) const ROLLBACK_ON_ERROR: i32 = 1;
pub(super) const DATAPLANE_ATOMIC: i32 = 2;

const CODES: [Code; 10] = [
    Code::InvalidArgument,
    Code::NotFound,
    Code::AlreadyExists,
    Code::PermissionDenied,
    Code::ResourceExhausted,
    Code::FailedPrecondition,
    Code::Aborted,
    Code::OutOfRange,
    Code::Unimplemented,
    Code::Internal,
];

/// A loaded program.
pub(super) struct Device {
    prepared: Prepared,
    loaded: Loaded,
}

impl Device {
    /// A program of this folder's neighbours, by its path below them without suffix.
    pub(super) fn of(program: &str) -> Device {
        Device::with(program, |_| {})
    }

    /// One whose P4Info differs.
    pub(super) fn with(program: &str, change: impl FnOnce(&mut P4Info)) -> Device {
        Device::try_with(program, change).unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// One whose BMv2 JSON and P4Info differ: the JSON has other texts in the place of some.
    pub(super) fn replacing(
        program: &str,
        texts: &[(&str, &str)],
        change: impl FnOnce(&mut P4Info),
    ) -> Device {
        let replace = |json: String, (text, other): &(&str, &str)| {
            assert!(json.contains(text), "{text}");
            json.replace(text, other)
        };
        let json = texts.iter().fold(json(program), replace);
        Device::loaded(&json, change).unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// One whose P4Info differs and may be refused.
    pub(super) fn try_with(
        program: &str,
        change: impl FnOnce(&mut P4Info),
    ) -> Result<Device, Error> {
        Device::loaded(&json(program), change)
    }

    fn loaded(json: &str, change: impl FnOnce(&mut P4Info)) -> Result<Device, Error> {
        let mut pipeline = Pipeline::load(json.as_bytes())?;
        let mut p4info = derived(&mut pipeline);
        change(&mut p4info);
        let program = index(&p4info, &Compiled::of(&pipeline.control()))?;
        let ports = (0..4).map(PortConfig::new).collect();
        let replication = ReplicationEngine::default();
        let prepared = Prepared { pipeline, replication, ports, cpu_port: Some(510) };
        Ok(Device { prepared, loaded: Loaded::new(Arc::new(program)) })
    }

    pub(super) fn program(&self) -> &Program {
        &self.loaded.program
    }

    pub(super) fn shared_program(&self) -> Arc<Program> {
        Arc::clone(&self.loaded.program)
    }

    pub(super) fn pipeline(&mut self) -> &mut Pipeline {
        &mut self.prepared.pipeline
    }

    pub(super) fn replication(&mut self) -> &mut ReplicationEngine {
        &mut self.prepared.replication
    }

    /// Applies one update.
    pub(super) fn write(&mut self, change: Change, entity: Entity) -> Result<(), Error> {
        self.batch(vec![(change, entity)], CONTINUE_ON_ERROR).remove(0)
    }

    pub(super) fn modify(&mut self, entity: Entity) -> Result<(), Error> {
        self.write(Change::Modify, entity)
    }

    pub(super) fn insert(&mut self, entity: Entity) -> Result<(), Error> {
        self.write(Change::Insert, entity)
    }

    /// Applies several.
    pub(super) fn batch(
        &mut self,
        updates: Vec<(Change, Entity)>,
        atomicity: i32,
    ) -> Vec<Result<(), Error>> {
        let updates = updates.into_iter().map(|(change, entity)| update(change, entity));
        self.apply(updates.collect(), atomicity)
    }

    /// Applies those of a request; one error if there is something wrong with the request itself.
    pub(super) fn apply(
        &mut self,
        updates: Vec<Vec<u8>>,
        atomicity: i32,
    ) -> Vec<Result<(), Error>> {
        let count = updates.len();
        self.apply_parts(updates, atomicity, |_| {})
            .map_or_else(|error| vec![Err(error)], |status| results(status, count))
    }

    /// The same, and calls `look` after each part.
    pub(super) fn apply_parts(
        &mut self,
        updates: Vec<Vec<u8>>,
        atomicity: i32,
        mut look: impl FnMut(&mut Device),
    ) -> Result<BatchStatus, Error> {
        let mut writing = Writing::new(updates.into(), atomicity, Access::default(), 0)?;
        while !writing.is_complete() {
            let mut site = Site::Saved(&mut self.prepared);
            writing.go_on(&mut site, &mut self.loaded)?;
            look(self);
        }
        Ok(writing.status())
    }

    /// Writes what a request may not write, too, as rollbacks and reconciliations do.
    pub(super) fn restore(&mut self, change: Change, entity: &Entity) -> Result<(), Error> {
        let Loaded { program, digests } = &mut self.loaded;
        self.prepared.at_once(program, digests, |plane| entities::write(plane, change, entity))
    }

    /// The digest of a frame, by the engine's name.
    pub(super) fn digest(&mut self, frame: &[u8]) -> (String, Vec<Vec<u8>>) {
        let pipeline = &mut self.prepared.pipeline;
        let mut packet = pipeline.new_packet();
        packet.set_frame(frame);
        pipeline.ingress(&mut packet, 1, 0);
        let digest = pipeline.take_digest(&mut packet).unwrap();
        (digest.name.to_string(), digest.fields)
    }

    /// What an update would overwrite.
    pub(super) fn present(&mut self, entity: &Entity) -> Result<Vec<Entity>, Error> {
        let Loaded { program, digests } = &mut self.loaded;
        let present = |plane: &mut Plane<'_>| entities::present(plane, Change::Modify, entity);
        self.prepared.at_once(program, digests, present)
    }

    /// The sizes of the parts in which a request is answered.
    pub(super) fn parts(&mut self, wanted: &Entity) -> Vec<usize> {
        let Loaded { program, digests } = &mut self.loaded;
        self.prepared.at_once(program, digests, |plane| {
            let mut cursor = entities::read(plane, wanted).unwrap();
            let (mut parts, mut more) = (Vec::new(), true);
            while more {
                let mut part = Part::behind(Vec::new());
                more = cursor.next(plane, &mut part).unwrap();
                parts.push(part.found.len());
            }
            parts
        })
    }

    /// What one request finds.
    pub(super) fn read(&mut self, wanted: Entity) -> Result<Vec<Entity>, Error> {
        let (found, mut results) = self.read_all(&[wanted]);
        results.remove(0).map(|()| found)
    }

    /// What several find, and what came of each.
    pub(super) fn read_all(&mut self, wanted: &[Entity]) -> (Vec<Entity>, Vec<Result<(), Error>>) {
        let mut found = Vec::new();
        let results = self.read_parts(wanted, |part| found.extend(part));
        (found, results)
    }

    /// The same, in parts.
    pub(super) fn read_parts(
        &mut self,
        wanted: &[Entity],
        take: impl FnMut(Vec<Entity>),
    ) -> Vec<Result<(), Error>> {
        let encoded = |entity: &Entity| AnyEntity { entity: Some(entity.clone()) }.encode_to_vec();
        self.read_bytes(wanted.iter().map(encoded).collect(), take)
    }

    /// The same, of messages `Entity`.
    pub(super) fn read_bytes(
        &mut self,
        wanted: Vec<Vec<u8>>,
        mut take: impl FnMut(Vec<Entity>),
    ) -> Vec<Result<(), Error>> {
        let count = wanted.len();
        let mut site = Site::Saved(&mut self.prepared);
        let mut reading = Reading::new(wanted.into(), None, 0);
        while !reading.is_complete() {
            reading.go_on(&mut site, &mut self.loaded).unwrap();
            for message in reading.take_messages() {
                let message: ReadResponse = Message::decode(&message[..]).unwrap();
                take(message.entities.into_iter().filter_map(|entity| entity.entity).collect());
            }
        }
        results(reading.status(), count)
    }

    /// All state that can be read.
    pub(super) fn state(&mut self) -> Vec<Entity> {
        let (found, results) = self.read_all(&entities::everything());
        assert!(results.iter().all(Result::is_ok), "{results:?}");
        found
    }
}

/// A switch that runs a program.
pub(super) fn running(program: &str) -> P4Runtime {
    let json = json(program);
    let p4info = derived(&mut Pipeline::load(json.as_bytes()).unwrap()).encode_to_vec();
    let config = ForwardingPipelineConfig {
        p4info: vec![p4info],
        p4_device_config: json.into_bytes(),
        cookie: None,
    };
    let switch = Switch::new((0..4).map(PortConfig::new).collect(), Some(510)).unwrap();
    let p4runtime = P4Runtime::new(Arc::new(SharedSwitch::new(switch).unwrap()));
    p4runtime.commit(&config.encode_to_vec()).unwrap();
    p4runtime
}

/// A message `Update`.
pub(super) fn update(change: Change, entity: Entity) -> Vec<u8> {
    let kind = match change {
        Change::Insert => 1,
        Change::Modify => 2,
        Change::Delete => 3,
    };
    Update { kind, entity: Some(AnyEntity { entity: Some(entity) }) }.encode_to_vec()
}

fn json(program: &str) -> String {
    let path = format!("{}/../{program}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The most memory that the process has had at once.
pub(super) fn peak_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

/// What came of each of so many parts.
fn results(status: BatchStatus, count: usize) -> Vec<Result<(), Error>> {
    let Some((_, status)) = status else { return vec![Ok(()); count] };
    let result = |detail: &Any| {
        let error = DetailedError::decode(&detail.value[..]).unwrap();
        let code = CODES.into_iter().find(|&code| code as i32 == error.canonical_code);
        code.map_or(Ok(()), |code| Err(Error { code, message: error.message }))
    };
    let details = Status::decode(&status[..]).unwrap().details;
    assert_eq!(details.len(), count);
    details.iter().map(result).collect()
}

/// What a P4Info says of a program: ids are positions in its lists, from 1, and a digit for the kind.
/// Actions of all tables are in its profiles, too. Value sets are matched ternary.
fn derived(pipeline: &mut Pipeline) -> P4Info {
    let control = pipeline.control();
    let mut info = P4Info::default();
    let profiles = control.profiles();
    for (position, profile) in profiles.iter().enumerate() {
        info.action_profiles.push(ActionProfile {
            preamble: preamble(4, position, &profile.name),
            with_selector: profile.with_selector,
            size: profile.size as i64,
            ..ActionProfile::default()
        });
    }
    for (position, table) in control.tables().iter().enumerate() {
        let action_refs = table.actions.iter().map(|action| action_ref(&mut info, action));
        let action_refs = action_refs.collect();
        let profile = table.profile.as_ref();
        let profile = profile.and_then(|name| profiles.iter().position(|p| p.name == *name));
        let table_id = id(1, position);
        if table.direct_counter {
            let preamble = preamble(7, position, &format!("{}.counter", table.name));
            info.direct_counters.push(DirectResource { preamble, direct_table_id: table_id });
        }
        if table.direct_meter {
            let preamble = preamble(8, position, &format!("{}.meter", table.name));
            let meter =
                DirectMeter { preamble, direct_table_id: table_id, spec: MeterSpec::default() };
            info.direct_meters.push(meter);
        }
        info.tables.push(Table {
            preamble: preamble(1, position, &table.name),
            match_fields: table.key.iter().enumerate().map(match_field).collect(),
            action_refs,
            implementation_id: profile.map_or(0, |position| id(4, position)),
            size: table.size as i64,
            idle_timeout_behavior: i32::from(table.idle_timeout),
            is_const_table: table.constant_entries,
            ..Table::default()
        });
    }
    add_arrays(&mut info, &control);
    for (position, digest) in control.digests().iter().enumerate() {
        let members = digest.widths_bits.iter().map(|&width| bits(width as i32)).collect();
        let type_spec = Some(TypeSpec::Tuple(P4TupleTypeSpec { members }));
        info.digests.push(Digest {
            preamble: preamble(9, position, &digest.name),
            type_spec: P4DataTypeSpec { type_spec },
        });
    }
    info
}

fn add_arrays(info: &mut P4Info, control: &pipeline::Control<'_>) {
    for (position, register) in control.registers().iter().enumerate() {
        info.registers.push(Register {
            preamble: preamble(2, position, &register.name),
            type_spec: bits(register.bitwidth as i32),
            size: register.size as i32,
            index_type_name: P4NamedType::default(),
        });
    }
    for (position, counter) in control.counters().iter().enumerate() {
        let preamble = preamble(3, position, &counter.name);
        let size = counter.size as i64;
        info.counters.push(Counter { preamble, size, index_type_name: P4NamedType::default() });
    }
    for (position, meter) in control.meters().iter().enumerate() {
        let preamble = preamble(5, position, &meter.name);
        let size = meter.size as i64;
        info.meters.push(Meter {
            preamble,
            size,
            spec: MeterSpec::default(),
            index_type_name: P4NamedType::default(),
        });
    }
    for (position, set) in control.value_sets().iter().enumerate() {
        let field = |(position, &width): (usize, &usize)| {
            let kind = pipeline::MatchKind::Ternary;
            match_field((position, &KeyInfo { name: "f".to_owned(), kind, bitwidth: width }))
        };
        info.value_sets.push(ValueSet {
            preamble: preamble(6, position, &set.name),
            key: set.bitwidths.iter().enumerate().map(field).collect(),
            size: set.size as i32,
        });
    }
}

/// The id of the first, second, ... object of a kind.
pub(super) fn id(kind: u32, position: usize) -> u32 {
    kind << 24 | (position as u32 + 1)
}

pub(super) fn preamble(kind: u32, position: usize, name: &str) -> Preamble {
    Preamble { id: id(kind, position), name: name.to_owned(), annotations: Vec::new() }
}

/// `bit<W>`
pub(super) fn bits(bitwidth: i32) -> P4DataTypeSpec {
    let type_spec = Some(Bitstring::Bit(Width { bitwidth }));
    P4DataTypeSpec { type_spec: Some(TypeSpec::Bitstring(P4BitstringLikeTypeSpec { type_spec })) }
}

/// `int<W>`
pub(super) fn signed(bitwidth: i32) -> P4DataTypeSpec {
    let type_spec = Some(Bitstring::Int(Width { bitwidth }));
    P4DataTypeSpec { type_spec: Some(TypeSpec::Bitstring(P4BitstringLikeTypeSpec { type_spec })) }
}

fn action_ref(info: &mut P4Info, action: &pipeline::ActionInfo) -> ActionRef {
    let named = |known: &Action| known.preamble.name == action.name;
    let position = info.actions.iter().position(named).unwrap_or_else(|| {
        let param = |(position, part): (usize, &pipeline::ParameterInfo)| Param {
            id: position as u32 + 1,
            name: part.name.clone(),
            bitwidth: part.bitwidth as i32,
            type_name: P4NamedType::default(),
        };
        let params = action.parameters.iter().enumerate().map(param).collect();
        let preamble = preamble(10, info.actions.len(), &action.name);
        info.actions.push(Action { preamble, params });
        info.actions.len() - 1
    });
    ActionRef { id: id(10, position), scope: 0 }
}

fn match_field((position, field): (usize, &KeyInfo)) -> MatchField {
    let kind = match field.kind {
        pipeline::MatchKind::Exact => 2,
        pipeline::MatchKind::Lpm => 3,
        pipeline::MatchKind::Ternary => 4,
        pipeline::MatchKind::Range => 5,
    };
    MatchField {
        id: position as u32 + 1,
        name: field.name.clone(),
        bitwidth: field.bitwidth as i32,
        match_kind: Some(MatchKind::MatchType(kind)),
        type_name: P4NamedType::default(),
    }
}
