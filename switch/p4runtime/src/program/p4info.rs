//! Reads a P4Info (P4Runtime 1.5, section 6). Refuses what the switch cannot serve, by name.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use pipeline::ProfileInfo;

use super::agreement;
use super::compiled::Compiled;
use super::data_type::{self, check_depth, width};
use super::objects::{
    check_id, Action, ActionProfile, Counter, Digest, Field, KeyField, MatchKind, Meter, Objects,
    Presence, Register, Table, TableAction, ValueSet,
};
use super::restriction::{Restriction, PRIORITY};
use super::translated_types::Types;
use super::Program;
use crate::messages::info::{
    self, Bitstring, MatchKind as GivenKind, P4DataTypeSpec, P4Info, Preamble, Representation,
    SizeSemantics, TypeSpec,
};
use crate::status::{Error, Result};

const MAX_MULTICAST_GROUPS: i32 = (1 << 16) - 1;

const SCOPES: [&str; 3] = ["TABLE_AND_DEFAULT", "TABLE_ONLY", "DEFAULT_ONLY"];
const TABLE_ONLY: i32 = 1;
const DEFAULT_ONLY: i32 = 2;
const SINGLE_RATE_THREE_COLOR: i32 = 1;
const SINGLE_RATE_TWO_COLOR: i32 = 2;

/// The objects of a P4Info, as far as the compiled program has them. Refuses a P4Info that
/// contradicts itself or the program, and one that has what the switch does not serve: such a config
/// cannot be realized (section 14).
pub(crate) fn index(p4info: &P4Info, compiled: &Compiled) -> Result<Program> {
    if let Some(given) = p4info.externs.first() {
        return Err(invalid!("extern {} is not supported", given.extern_type_name));
    }
    refuse_platform(p4info)?;
    let types = Types::read(p4info, compiled)?;
    let mut program = Indexing { p4info, compiled, types }.program()?;
    agreement::check(&program, compiled)?;
    program.remarks.extend(agreement::versions_differ(&program, compiled));
    program.remarks.extend(agreement::defaults_left_out(&program, compiled));
    Ok(program)
}

/// Replicas are bounded by memory only.
fn refuse_platform(p4info: &P4Info) -> Result {
    let groups = p4info.pkg_info.platform_properties.multicast_group_table_size;
    match groups > MAX_MULTICAST_GROUPS {
        true => Err(invalid!(
            "P4Info asks for {groups} multicast groups; valid: up to {MAX_MULTICAST_GROUPS}"
        )),
        false => Ok(()),
    }
}

/// Whether a restriction may compare a field by this name.
fn is_comparable(field: &Field, name: &str) -> bool {
    field.name == name && field.width_bits <= u128::BITS
}

/// Actions by id, in the order of the P4Info.
type Actions = (Vec<Arc<Action>>, HashMap<u32, Arc<Action>>);

struct Indexing<'a> {
    p4info: &'a P4Info,
    compiled: &'a Compiled,
    types: Types<'a>,
}

impl Indexing<'_> {
    fn program(&self) -> Result<Program> {
        let P4Info { tables, registers, counters, meters, value_sets, digests, .. } = self.p4info;
        let actions = self.actions()?;
        let profiles =
            self.p4info.action_profiles.iter().map(|given| self.profile(given, &actions));
        let profiles = Objects::new(profiles)?;
        let tables = tables.iter().map(|given| self.table(given, &actions, &profiles));
        let tables = Objects::new(tables.collect::<Result<Vec<_>, _>>()?)?;
        let registers = registers.iter().map(|given| self.register(given));
        let counters = counters.iter().map(|given| self.counter(given));
        let meters = meters.iter().map(|given| self.meter(given));
        let value_sets = value_sets.iter().map(|given| self.value_set(given));
        let of_tables = tables.compiled().map(|table| (table.to_string(), &table.restriction));
        let of_actions = actions.0.iter();
        let of_actions =
            of_actions.map(|action| (format!("action {}", action.name), &action.restriction));
        let not_understood = of_tables.chain(of_actions).flat_map(|(what, restriction)| {
            let clauses = restriction.not_understood.iter();
            clauses.map(move |clause| format!("{what}: {clause}"))
        });
        let ignored =
            "clauses of restrictions in P4Info that the switch does not understand and ignores";
        Ok(Program {
            remarks: agreement::remark(ignored, &not_understood.collect::<Vec<_>>())
                .into_iter()
                .collect(),
            tables,
            registers: Objects::new(registers.collect::<Result<Vec<_>, _>>()?)?,
            counters: Objects::new(counters)?,
            meters: Objects::new(meters)?,
            profiles,
            value_sets: Objects::new(value_sets.collect::<Result<Vec<_>, _>>()?)?,
            digests: Objects::new(self.digests(digests)?)?,
            packet_in: self.controller_header("packet_in"),
            packet_out: self.controller_header("packet_out"),
            ports: self.types.ports(),
        })
    }

    /// Whether requests can name the cells of an array. Translated numbers are the same numbers; an
    /// index is an int64 in messages, no string.
    fn array(&self, is_compiled: bool, index: &info::P4NamedType) -> Presence {
        match self.types.are_strings(&index.name) {
            true if is_compiled => Presence::OfStrings("index is"),
            _ => Presence::of(is_compiled),
        }
    }

    fn actions(&self) -> Result<Actions> {
        let (mut actions, mut by_id) = (Vec::new(), HashMap::<u32, Arc<Action>>::new());
        for given in &self.p4info.actions {
            let action = Arc::new(self.action(given));
            check_id("action", action.id, &action.name, |id| {
                by_id.get(&id).map(|known| known.name.as_str())
            })?;
            by_id.insert(action.id, Arc::clone(&action));
            actions.push(action);
        }
        Ok((actions, by_id))
    }

    /// Parameters of actions that no table has may be of translated types without a width.
    fn action(&self, given: &info::Action) -> Action {
        let parameter = |param: &info::Param| {
            let name = param.type_name.name.as_str();
            let (width_bits, translation) = self.types.width(width(param.bitwidth), name);
            Field { id: param.id, name: param.name.clone(), width_bits, translation }
        };
        let parameters: Vec<Field> = given.params.iter().map(parameter).collect();
        let is_known = |name: &str| parameters.iter().any(|part| is_comparable(part, name));
        Action {
            id: given.preamble.id,
            name: given.preamble.name.clone(),
            restriction: Restriction::of(
                &given.preamble.annotations,
                "@action_restriction",
                &is_known,
            ),
            parameters,
        }
    }

    fn table(
        &self,
        given: &info::Table,
        (_, actions): &Actions,
        profiles: &Objects<ActionProfile>,
    ) -> Result<Table> {
        let (id, name) = (given.preamble.id, given.preamble.name.as_str());
        let missing = |kind: &str, id: u32| {
            invalid!("P4Info: table {name} refers to {kind} {id:#010x}, which is not there")
        };
        if let Some(reference) = given.action_refs.iter().find(|r| !actions.contains_key(&r.id)) {
            return Err(missing("action", reference.id));
        }
        if given.implementation_id != 0 && !profiles.contains(given.implementation_id) {
            return Err(missing("action profile", given.implementation_id));
        }
        let what = format!("table {name}");
        let key = given.match_fields.iter().map(|part| self.key_field(&what, part));
        let key = key.collect::<Result<Vec<_>, _>>()?;
        let is_known = |name: &str| {
            name == PRIORITY || key.iter().any(|part| is_comparable(&part.field, name))
        };
        let initial = given.initial_default_action.as_ref().map(|call| call.action_id);
        let compiled = self.compiled.tables.get(name);
        Ok(Table {
            id,
            name: name.to_owned(),
            restriction: Restriction::of(
                &given.preamble.annotations,
                "@entry_restriction",
                &is_known,
            ),
            key,
            actions: self.table_actions(given, actions)?,
            size: given.size,
            is_const: given.is_const_table,
            has_initial_entries: given.has_initial_entries,
            initial_default: initial.and_then(|id| actions.get(&id)).cloned(),
            has_const_default: given.const_default_action_id != 0,
            direct_counter: self
                .has_direct_counter(id)
                .then(|| Presence::of(compiled.is_some_and(|table| table.direct_counter))),
            direct_meter: self
                .direct_meter(id, Presence::of(compiled.is_some_and(|table| table.direct_meter))),
            profile: profiles.known(given.implementation_id).ok().cloned(),
            has_idle_timeout: given.idle_timeout_behavior != 0,
            presence: Presence::of(compiled.is_some()),
        })
    }

    fn has_direct_counter(&self, table: u32) -> bool {
        self.p4info.direct_counters.iter().any(|counter| counter.direct_table_id == table)
    }

    fn direct_meter(&self, table: u32, presence: Presence) -> Option<Meter> {
        let meters = &self.p4info.direct_meters;
        let given = meters.iter().rfind(|meter| meter.direct_table_id == table)?;
        let size = 0;
        Some(meter(&given.preamble, &given.spec, size, presence))
    }

    fn table_actions(
        &self,
        given: &info::Table,
        actions: &HashMap<u32, Arc<Action>>,
    ) -> Result<Vec<TableAction>> {
        let name = given.preamble.name.as_str();
        let compiled = self.compiled.tables.get(name);
        let mut result: Vec<TableAction> = Vec::new();
        for reference in &given.action_refs {
            let action = Arc::clone(&actions[&reference.id]);
            if !(0..SCOPES.len() as i32).contains(&reference.scope) {
                return Err(invalid!(
                    "table {name} has action {} with scope {}; supported: {}",
                    action.name,
                    reference.scope,
                    SCOPES.join(", ")
                ));
            }
            let is_compiled = compiled
                .is_none_or(|table| table.actions.iter().any(|known| known.name == action.name));
            let in_table = TableAction {
                in_entries: reference.scope != DEFAULT_ONLY,
                as_default: reference.scope != TABLE_ONLY,
                presence: Presence::of(is_compiled),
                action,
            };
            match result.iter_mut().find(|known| known.action.id == reference.id) {
                Some(known) => *known = in_table,
                None => result.push(in_table),
            }
        }
        Ok(result)
    }

    fn key_field(&self, owner: &str, given: &info::MatchField) -> Result<KeyField> {
        let what = match given.name.as_str() {
            "" => format!("key field {} of {owner}", given.id),
            name => format!("key field {name} of {owner}"),
        };
        let type_of_field = given.type_name.name.as_str();
        let (width_bits, translation) = self.types.width(width(given.bitwidth), type_of_field);
        let kind = match_kind(given.match_kind.as_ref())
            .map_err(|called| invalid!("{what} has match type {called}"))?;
        let field = Field { id: given.id, name: given.name.clone(), width_bits, translation };
        Ok(KeyField { field, kind })
    }

    /// All tables of a profile have the same actions (section 9.2.1).
    fn profile(&self, given: &info::ActionProfile, (actions, _): &Actions) -> ActionProfile {
        let (id, name) = (given.preamble.id, given.preamble.name.as_str());
        let tables = self.p4info.tables.iter().filter(|table| table.implementation_id == id);
        let references = tables.flat_map(|table| &table.action_refs);
        let references = references.filter(|reference| reference.scope != DEFAULT_ONLY);
        let offered: HashSet<u32> = references.map(|reference| reference.id).collect();
        // The compiler keeps a profile whose tables it has left out, but without actions.
        let is_used = |found: &ProfileInfo| offered.is_empty() || !found.actions.is_empty();
        let max_member_weight = match &given.size_semantics {
            Some(SizeSemantics::SumOfMembers(members)) => Some(members.max_member_weight),
            _ => None,
        };
        ActionProfile {
            id,
            name: name.to_owned(),
            size: given.size,
            has_selector: given.with_selector,
            max_group_size: given.max_group_size,
            counts_members: max_member_weight.is_some(),
            max_member_weight: max_member_weight.unwrap_or(0),
            weights_disallowed: given.weights_disallowed,
            actions: actions.iter().filter(|a| offered.contains(&a.id)).cloned().collect(),
            ports: self.types.ports(),
            presence: Presence::of(self.compiled.profiles.get(name).is_some_and(is_used)),
        }
    }

    fn counter(&self, given: &info::Counter) -> Counter {
        let name = given.preamble.name.as_str();
        Counter {
            id: given.preamble.id,
            name: name.to_owned(),
            size: given.size,
            presence: self.array(self.compiled.counters.contains_key(name), &given.index_type_name),
        }
    }

    fn meter(&self, given: &info::Meter) -> Meter {
        let is_compiled = self.compiled.meters.contains_key(given.preamble.name.as_str());
        let presence = self.array(is_compiled, &given.index_type_name);
        meter(&given.preamble, &given.spec, given.size, presence)
    }

    fn value_set(&self, given: &info::ValueSet) -> Result<ValueSet> {
        let name = given.preamble.name.as_str();
        let what = format!("value set {name}");
        let key = given.key.iter().map(|part| self.key_field(&what, part));
        Ok(ValueSet {
            id: given.preamble.id,
            name: name.to_owned(),
            key: key.collect::<Result<_, _>>()?,
            size: given.size,
            presence: Presence::of(self.compiled.value_sets.contains_key(name)),
        })
    }

    /// The compiler may have renamed a digest: one that is of a name of its own is found by the
    /// widths of its fields, if only one could be meant.
    fn digests(&self, given: &[info::Digest]) -> Result<Vec<Digest>> {
        let mut digests = Vec::new();
        for digest in given {
            let name = digest.preamble.name.as_str();
            let what = format!("digest {name}");
            let data_type = data_type::read(&what, &digest.type_spec, self.types.info)?;
            digests.push(Digest {
                id: digest.preamble.id,
                name: name.to_owned(),
                name_in_engine: name.to_owned(),
                presence: Presence::InP4InfoOnly,
                data_type,
            });
        }
        agreement::name_digests(&mut digests, &self.compiled.digests);
        Ok(digests)
    }

    fn register(&self, given: &info::Register) -> Result<Register> {
        let name = given.preamble.name.as_str();
        let what = format!("register {name}");
        let (width_bits, kind) = self.integer_type(&what, &given.type_spec, 0)?;
        let presence =
            self.array(self.compiled.registers.contains_key(name), &given.index_type_name);
        Ok(Register {
            id: given.preamble.id,
            name: name.to_owned(),
            size: given.size,
            width_bits,
            signed: kind == Integer::Signed,
            is_enum: kind == Integer::Enum,
            presence: match (kind, presence) {
                (Integer::Strings, Presence::Compiled) => Presence::OfStrings("cells are"),
                _ => presence,
            },
        })
    }

    /// A `type` is looked through to what it is made from.
    fn integer_type(
        &self,
        what: &str,
        spec: &P4DataTypeSpec,
        depth: usize,
    ) -> Result<(u32, Integer)> {
        check_depth(&what, depth)?;
        let spec = spec.type_spec.as_ref();
        match spec {
            Some(TypeSpec::NewType(named)) => {
                let name = &named.name;
                let kind = match self.types.are_strings(name) {
                    true => Integer::Strings,
                    false => Integer::Unsigned,
                };
                let known = self.types.info.new_types.get(name);
                match known.and_then(|known| known.representation.as_ref()) {
                    Some(Representation::TranslatedType(_)) => {
                        // None where the compiler has left out all of this type.
                        Ok((self.types.translated_width(name).unwrap_or(0), kind))
                    }
                    Some(Representation::OriginalType(original)) => {
                        self.integer_type(what, original, depth + 1)
                    }
                    None => Err(unsupported(what, None)),
                }
            }
            Some(TypeSpec::SerializableEnum(named)) => {
                let known = self.types.info.serializable_enums.get(&named.name);
                let bits = known.map_or(0, |known| known.underlying_type.bitwidth);
                Ok((width(bits), Integer::Enum))
            }
            Some(TypeSpec::Bitstring(bits)) => match &bits.type_spec {
                Some(Bitstring::Bit(bit)) => Ok((width(bit.bitwidth), Integer::Unsigned)),
                Some(Bitstring::Int(int)) => Ok((width(int.bitwidth), Integer::Signed)),
                _ => Err(unsupported(what, spec)),
            },
            _ => Err(unsupported(what, spec)),
        }
    }

    /// The fields of a header between switch and controller; none if the program has none.
    fn controller_header(&self, wanted: &str) -> Vec<Field> {
        let mut headers = self.p4info.controller_packet_metadata.iter();
        let header = headers.find(|header| header.preamble.name.as_str() == wanted);
        let field = |part: &info::Metadata| {
            let type_of_field = part.type_name.name.as_str();
            let (width_bits, translation) = self.types.width(width(part.bitwidth), type_of_field);
            Field { id: part.id, name: part.name.clone(), width_bits, translation }
        };
        header.into_iter().flat_map(|header| &header.metadata).map(field).collect()
    }
}

/// Of a `MatchField`; else, what its kind is called.
fn match_kind(given: Option<&GivenKind>) -> Result<MatchKind, String> {
    match given {
        Some(GivenKind::MatchType(2)) => Ok(MatchKind::Exact),
        Some(GivenKind::MatchType(3)) => Ok(MatchKind::Lpm),
        Some(GivenKind::MatchType(4)) => Ok(MatchKind::Ternary),
        Some(GivenKind::MatchType(5)) => Ok(MatchKind::Range),
        Some(GivenKind::MatchType(6)) => Ok(MatchKind::Optional),
        Some(GivenKind::MatchType(number)) if *number != 0 => Err(number.to_string()),
        Some(GivenKind::OtherMatchType(other)) if !other.is_empty() => Err(other.clone()),
        _ => Err("UNSPECIFIED".to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Integer {
    Unsigned,
    Signed,
    Enum,
    /// For controllers, at least.
    Strings,
}

fn unsupported(what: &str, spec: Option<&TypeSpec>) -> Error {
    let given = spec.map_or("a type that P4Info does not name", TypeSpec::name);
    invalid!("{what} holds {given}; supported: bit, int, enums with an underlying type")
}

fn meter(preamble: &Preamble, spec: &info::MeterSpec, size: i64, presence: Presence) -> Meter {
    let has_excess = spec.kind == SINGLE_RATE_THREE_COLOR;
    Meter {
        id: preamble.id,
        name: preamble.name.clone(),
        size,
        is_single_rate: has_excess || spec.kind == SINGLE_RATE_TWO_COLOR,
        has_excess,
        presence,
    }
}
