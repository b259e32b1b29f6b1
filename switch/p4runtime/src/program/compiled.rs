//! What a compiled program has, to be compared with a P4Info.

use std::collections::{HashMap, HashSet};

use pipeline::{
    ActionInfo, ArrayInfo, Control, DigestInfo, HeaderTypeInfo, ProfileInfo, RegisterInfo,
    TableInfo, ValueSetInfo,
};

/// The objects of a compiled program by name.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) tables: HashMap<String, TableInfo>,
    /// The tables that run an action if no entry matches.
    pub(crate) with_default: HashSet<String>,
    pub(crate) registers: HashMap<String, RegisterInfo>,
    pub(crate) counters: HashMap<String, ArrayInfo>,
    pub(crate) meters: HashMap<String, ArrayInfo>,
    pub(crate) profiles: HashMap<String, ProfileInfo>,
    pub(crate) value_sets: HashMap<String, ValueSetInfo>,
    pub(crate) digests: Vec<DigestInfo>,
    pub(crate) header_types: Vec<HeaderTypeInfo>,
}

impl Compiled {
    pub(crate) fn of(control: &Control<'_>) -> Compiled {
        let tables = by_name(control.tables(), |table| &table.name);
        let has_default = |name: &&String| matches!(control.table_default(name), Ok(Some(_)));
        Compiled {
            with_default: tables.keys().filter(has_default).cloned().collect(),
            tables,
            registers: by_name(control.registers(), |register| &register.name),
            counters: by_name(control.counters(), |counter| &counter.name),
            meters: by_name(control.meters(), |meter| &meter.name),
            profiles: by_name(control.profiles(), |profile| &profile.name),
            value_sets: by_name(control.value_sets(), |set| &set.name),
            digests: control.digests(),
            header_types: control.header_types(),
        }
    }

    /// Whether there is anything that a P4Info could name.
    pub(crate) fn is_empty(&self) -> bool {
        self.tables.is_empty()
            && self.registers.is_empty()
            && self.counters.is_empty()
            && self.meters.is_empty()
            && self.profiles.is_empty()
            && self.value_sets.is_empty()
            && self.digests.is_empty()
    }

    /// All actions of this name: the compiler may have written several.
    pub(crate) fn actions<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a ActionInfo> {
        let of_tables = self.tables.values().flat_map(|table| &table.actions);
        let of_profiles = self.profiles.values().flat_map(|profile| &profile.actions);
        of_tables.chain(of_profiles).filter(move |action| action.name == name)
    }
}

fn by_name<T>(objects: Vec<T>, name: impl Fn(&T) -> &String) -> HashMap<String, T> {
    objects.into_iter().map(|object| (name(&object).clone(), object)).collect()
}
