//! A P4 program as its P4Info describes it: the dictionary between controllers and engine.

mod agreement;
mod compiled;
pub(crate) mod data_type;
pub(crate) mod objects;
mod p4info;
mod restriction;
mod translated_types;
pub(crate) mod translation;

use std::sync::Arc;

use prost::Message;

pub(crate) use compiled::Compiled;
pub(crate) use objects::{
    Action, ActionProfile, Counter, Digest, Field, KeyField, Keyed, MatchKind, Meter, Objects,
    Register, Table, TableAction, ValueSet,
};
pub(crate) use p4info::index;
pub(crate) use translation::{SdnStrings, Translation};

/// All objects of a P4Info.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) tables: Objects<Table>,
    pub(crate) registers: Objects<Register>,
    pub(crate) counters: Objects<Counter>,
    pub(crate) meters: Objects<Meter>,
    pub(crate) profiles: Objects<ActionProfile>,
    pub(crate) value_sets: Objects<ValueSet>,
    pub(crate) digests: Objects<Digest>,
    /// Empty where the program has no such header.
    pub(crate) packet_in: Vec<Field>,
    pub(crate) packet_out: Vec<Field>,
    /// What ports that are watched or replicated to are called, where not by their numbers.
    pub(crate) ports: Option<Arc<SdnStrings>>,
    /// What the user should know of it, in lines.
    pub(crate) remarks: Vec<String>,
}

impl Program {
    /// Kind, name and id of an object, such as `table MyIngress.routes (0x02610db3)`; of no object, the
    /// id.
    pub(crate) fn name_of(&self, id: u32) -> String {
        let known = [
            self.tables.title(id),
            self.profiles.title(id),
            self.registers.title(id),
            self.counters.title(id),
            self.meters.title(id),
            self.value_sets.title(id),
            self.digests.title(id),
        ];
        match known.into_iter().flatten().next() {
            Some(title) => format!("{title} ({id:#010x})"),
            None => format!("object {id:#010x}"),
        }
    }

    /// The id of a digest, by the engine's name for it, and the `p4.v1.P4Data` of the values that it has
    /// brought. None for a digest of another program, as one may come in just before a commit.
    pub(crate) fn digest_data(
        &self,
        name_in_engine: &str,
        values: &[Vec<u8>],
    ) -> Option<(u32, Vec<u8>)> {
        let mut digests = self.digests.compiled();
        let digest = digests.find(|digest| digest.name_in_engine == name_in_engine)?;
        let mut values = values.iter().map(Vec::as_slice);
        let data = digest.data_type.data(&mut values)?;
        values.next().is_none().then(|| (digest.id, data.encode_to_vec()))
    }
}
