//! A program's objects by id: the engine knows them by name and position, controllers by id
//! (P4Runtime 1.5, section 6).

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::sync::Arc;

use pipeline::Match;

use super::data_type::DataType;
use super::restriction::{Restriction, Seen, PRIORITY};
use super::translation::{SdnStrings, Translation};
use crate::status::Result;
use crate::text;

/// What core.p4 calls the action that does nothing.
const NO_ACTION: &str = "NoAction";

/// How a key field is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatchKind {
    Exact,
    Lpm,
    Ternary,
    Range,
    /// p4c hands it to BMv2 as ternary.
    Optional,
}

impl MatchKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            MatchKind::Exact => "exact",
            MatchKind::Lpm => "lpm",
            MatchKind::Ternary => "ternary",
            MatchKind::Range => "range",
            MatchKind::Optional => "optional",
        }
    }
}

/// A value of `bit<W>`: an action's parameter, a key field or a field of a controller header.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) width_bits: u32,
    /// What controllers give in the place of its number.
    pub(crate) translation: Option<Translation>,
}

/// A field of a key.
#[derive(Debug, Clone)]
pub(crate) struct KeyField {
    pub(crate) field: Field,
    pub(crate) kind: MatchKind,
}

/// What has a key: a table or a value set.
pub(crate) trait Keyed: Display {
    fn key(&self) -> &[KeyField];
}

/// An action with its parameters in the order of its declaration.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) parameters: Vec<Field>,
    pub(super) restriction: Restriction,
}

impl Action {
    /// Refuses arguments, in the order of the parameters, that the program forbids.
    pub(crate) fn check(&self, arguments: &[Vec<u8>]) -> Result {
        let seen = |name: &str| {
            let position = self.parameters.iter().position(|part| part.name == name)?;
            Seen::value(arguments.get(position)?, self.parameters[position].width_bits)
        };
        match self.restriction.broken(&seen) {
            None => Ok(()),
            Some(clause) => Err(invalid!("action {} is restricted by {clause}", self.name)),
        }
    }
}

/// An action that a table may use, and where: in entries, as its default, or both.
#[derive(Debug, Clone)]
pub(crate) struct TableAction {
    pub(crate) action: Arc<Action>,
    pub(crate) in_entries: bool,
    pub(crate) as_default: bool,
    pub(crate) presence: Presence,
}

/// Whether the compiled program has what P4Info names: the compiler leaves out what no packet meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Compiled,
    /// Requests for it are refused, by name.
    InP4InfoOnly,
    /// It may be there under another name, as may others that are like it. Requests are refused, too.
    Unidentified,
    /// What is said is translated to strings, for which requests have no place. They are refused, too.
    OfStrings(&'static str),
}

impl Presence {
    pub(crate) fn of(is_compiled: bool) -> Presence {
        if is_compiled {
            Presence::Compiled
        } else {
            Presence::InP4InfoOnly
        }
    }

    /// Refuses a request for what is not compiled.
    pub(crate) fn check(self, what: impl Display) -> Result {
        match self {
            Presence::Compiled => Ok(()),
            Presence::InP4InfoOnly => Err(invalid!(
                "{what} is in P4Info only: the compiler has left it out of p4_device_config, because \
                 no packet reaches it, or P4Info is of another version of the program"
            )),
            Presence::Unidentified => Err(invalid!(
                "{what} has the same fields as another one, and the compiler has renamed both in \
                 p4_device_config; name its type in the program, as in digest<seen_t>(..)"
            )),
            Presence::OfStrings(part) => Err(invalid!(
                "{what}: its {part} of a type that is translated to strings, and requests have numbers \
                 there"
            )),
        }
    }
}

/// An action profile, or action selector: actions that entries of tables refer to by id.
#[derive(Debug)]
pub(crate) struct ActionProfile {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) size: i64,
    pub(crate) has_selector: bool,
    /// Bounds the sum of a group's weights, or its members if `counts_members`; 0: no bound.
    pub(crate) max_group_size: i32,
    pub(crate) counts_members: bool,
    pub(crate) max_member_weight: i32,
    pub(crate) weights_disallowed: bool,
    pub(crate) actions: Vec<Arc<Action>>,
    pub(crate) ports: Option<Arc<SdnStrings>>,
    pub(crate) presence: Presence,
}

/// A meter array, or the direct meter of a table, whose size is 0.
#[derive(Debug, Clone)]
pub(crate) struct Meter {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) size: i64,
    /// pir and pburst are cir and cburst.
    pub(crate) is_single_rate: bool,
    /// There is an eburst, too.
    pub(crate) has_excess: bool,
    pub(crate) presence: Presence,
}

/// A set of values that a parser state matches against.
#[derive(Debug)]
pub(crate) struct ValueSet {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) key: Vec<KeyField>,
    pub(crate) size: i32,
    pub(crate) presence: Presence,
}

impl Keyed for ValueSet {
    fn key(&self) -> &[KeyField] {
        &self.key
    }
}

/// What the program sends to the controller, and its type.
#[derive(Debug)]
pub(crate) struct Digest {
    pub(crate) id: u32,
    pub(crate) name: String,
    /// What the engine calls it: the compiler may have renamed it.
    pub(crate) name_in_engine: String,
    pub(crate) data_type: DataType,
    pub(crate) presence: Presence,
}

/// A match-action table.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) key: Vec<KeyField>,
    pub(crate) actions: Vec<TableAction>,
    pub(crate) size: i64,
    pub(crate) is_const: bool,
    pub(crate) has_initial_entries: bool,
    pub(crate) initial_default: Option<Arc<Action>>,
    pub(crate) has_const_default: bool,
    pub(crate) direct_counter: Option<Presence>,
    pub(crate) direct_meter: Option<Meter>,
    pub(crate) profile: Option<Arc<ActionProfile>>,
    pub(crate) has_idle_timeout: bool,
    pub(crate) presence: Presence,
    pub(super) restriction: Restriction,
}

impl Table {
    /// The default action that the program declares, if it is another than `NoAction`.
    pub(crate) fn own_default(&self) -> Option<&Action> {
        self.initial_default.as_deref().filter(|action| action.name != NO_ACTION)
    }

    /// Refuses an entry that the program forbids.
    pub(crate) fn check(&self, key: &[Match], priority: i32) -> Result {
        let seen = |name: &str| {
            if name == PRIORITY {
                return Seen::value(&priority.to_be_bytes(), i32::BITS);
            }
            let position = self.key.iter().position(|part| part.field.name == name)?;
            Seen::matched(key.get(position)?, self.key[position].field.width_bits)
        };
        match self.restriction.broken(&seen) {
            None => Ok(()),
            Some(clause) => Err(invalid!("entries of {self} are restricted by {clause}")),
        }
    }

    /// Whether entries are ordered by a priority that the controller gives.
    pub(crate) fn has_priority(&self) -> bool {
        let is_ordered = |part: &KeyField| {
            matches!(part.kind, MatchKind::Ternary | MatchKind::Range | MatchKind::Optional)
        };
        self.key.iter().any(is_ordered)
    }

    pub(crate) fn action(&self, id: u32) -> Option<&TableAction> {
        self.actions.iter().find(|known| known.action.id == id)
    }

    pub(crate) fn action_named(&self, name: &str) -> Option<&Arc<Action>> {
        self.actions.iter().map(|known| &known.action).find(|action| action.name == name)
    }

    /// Whether its entries count, in the compiled program.
    pub(crate) fn counts(&self) -> bool {
        self.direct_counter == Some(Presence::Compiled)
    }

    /// Its direct meter, if the compiled program has it.
    pub(crate) fn meter(&self) -> Option<&Meter> {
        self.direct_meter.as_ref().filter(|meter| meter.presence == Presence::Compiled)
    }
}

impl Keyed for Table {
    fn key(&self) -> &[KeyField] {
        &self.key
    }
}

/// An array of `bit<W>` or `int<W>`, or of an enum with such an underlying type.
#[derive(Debug)]
pub(crate) struct Register {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) size: i32,
    pub(crate) width_bits: u32,
    pub(crate) signed: bool,
    /// Values are `enum_value`, not `bitstring`.
    pub(crate) is_enum: bool,
    pub(crate) presence: Presence,
}

/// An indirect counter array.
#[derive(Debug)]
pub(crate) struct Counter {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) size: i64,
    pub(crate) presence: Presence,
}

/// What a P4Info lists by id. Messages name it by its kind and its name.
pub(crate) trait Identified: Display {
    /// What messages call such objects.
    const KIND: &'static str;
    fn id(&self) -> u32;
    fn name(&self) -> &str;
    fn presence(&self) -> Presence;
}

macro_rules! identified {
    ($($object:ty, $kind:literal;)*) => {$(
        impl Identified for $object {
            const KIND: &'static str = $kind;
            fn id(&self) -> u32 { self.id }
            fn name(&self) -> &str { &self.name }
            fn presence(&self) -> Presence { self.presence }
        }

        impl Display for $object {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "{} {}", Self::KIND, self.name)
            }
        }
    )*};
}

identified! {
    ActionProfile, "action profile";
    Counter, "counter";
    Digest, "digest";
    Meter, "meter";
    Register, "register";
    Table, "table";
    ValueSet, "value set";
}

/// Objects of a kind, in the order of the P4Info.
#[derive(Debug)]
pub(crate) struct Objects<T> {
    objects: Vec<Arc<T>>,
    by_id: BTreeMap<u32, usize>,
}

impl<T: Identified> Objects<T> {
    /// Refuses two of one id, and one without.
    pub(crate) fn new(objects: impl IntoIterator<Item = T>) -> Result<Objects<T>> {
        let mut result: Objects<T> = Objects { objects: Vec::new(), by_id: BTreeMap::new() };
        for object in objects {
            check_id(T::KIND, object.id(), object.name(), |id| {
                result.by_id.get(&id).map(|&position| result.objects[position].name())
            })?;
            result.by_id.insert(object.id(), result.objects.len());
            result.objects.push(Arc::new(object));
        }
        Ok(result)
    }

    /// The object of an id that the compiled program has.
    pub(crate) fn find(&self, id: u32) -> Result<&Arc<T>> {
        let object = self.known(id)?;
        object.presence().check(object)?;
        Ok(object)
    }

    /// The object of an id, whether or not the compiled program has it.
    pub(crate) fn known(&self, id: u32) -> Result<&Arc<T>> {
        match self.by_id.get(&id) {
            Some(&position) => Ok(&self.objects[position]),
            None => {
                let valid = self.objects.iter().map(|known| (known.id(), known.name()));
                Err(invalid!("no {} has id {id:#010x}; valid: {}", T::KIND, listed(valid)))
            }
        }
    }

    /// Kind and name of an object.
    pub(super) fn title(&self, id: u32) -> Option<String> {
        Some(self.objects[*self.by_id.get(&id)?].to_string())
    }

    /// Whether there is an object of this id.
    pub(crate) fn contains(&self, id: u32) -> bool {
        self.by_id.contains_key(&id)
    }

    /// All that the compiled program has.
    pub(crate) fn compiled(&self) -> impl Iterator<Item = &Arc<T>> {
        self.objects.iter().filter(|object| object.presence() == Presence::Compiled)
    }

    /// All, in the order of the P4Info.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Arc<T>> {
        self.objects.iter()
    }

    /// Those that a request names by id; 0: all that the compiled program has.
    pub(crate) fn wanted(&self, id: u32) -> Result<Vec<Arc<T>>> {
        match id {
            0 => Ok(self.compiled().cloned().collect()),
            _ => Ok(vec![Arc::clone(self.find(id)?)]),
        }
    }
}

/// Refuses an object without id, and one whose id another one has.
pub(crate) fn check_id<'n>(
    kind: &str,
    id: u32,
    name: &str,
    holder: impl FnOnce(u32) -> Option<&'n str>,
) -> Result {
    if id == 0 {
        return Err(invalid!("P4Info: {kind} {name} has no id"));
    }
    match holder(id) {
        Some(other) => Err(invalid!("P4Info: {kind}s {other} and {name} share id {id:#010x}")),
        None => Ok(()),
    }
}

/// Ids and names, to be read.
pub(crate) fn listed<'n>(items: impl Iterator<Item = (u32, &'n str)>) -> String {
    text::listed(items.map(|(id, name)| format!("{id:#010x} ({name})")))
}
