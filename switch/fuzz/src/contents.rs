//! What a switch holds, as text that can be compared.

use engine::Switch;

use crate::switch::{CPU_PORT, PORTS};

/// Cells of an array that are looked at, from the first one.
const CELLS: usize = 64;

/// Its objects as the control plane sees them, and its accounts; the order is always the same.
pub(crate) fn contents(switch: &mut Switch) -> Vec<String> {
    let mut lines = vec![format!("{:?}", switch.statistics())];
    lines.extend(
        (0..PORTS)
            .chain([CPU_PORT])
            .map(|port| format!("{:?}", switch.port_statistics(port).expect("the port exists"))),
    );
    let control = switch.control().expect("a program is loaded");
    for table in control.tables() {
        lines.push(format!("{} {:?}", table.name, control.table_default(&table.name)));
        let entries = control.table_entries(&table.name).expect("the table exists");
        let mut entries: Vec<_> = entries.iter().map(|entry| format!("{entry:?}")).collect();
        entries.sort();
        lines.extend(entries);
    }
    for profile in control.profiles() {
        let (name, all) = (&profile.name, 0..=u32::MAX);
        let members = control.profile_members_within(name, all.clone()).expect("it exists");
        lines.extend(members.map(|member| format!("{member:?}")));
        let groups = control.profile_groups_within(name, all).expect("it exists");
        lines.extend(groups.map(|group| format!("{group:?}")));
    }
    for array in control.registers() {
        let cell =
            |index| format!("{} {:?}", array.name, control.register_read(&array.name, index));
        lines.extend((0..array.size.min(CELLS)).map(cell));
    }
    for array in control.counters() {
        let cells = control.counter_cells(&array.name).expect("it exists").iter().take(CELLS);
        lines.extend(cells.map(|cell| format!("{} {cell:?}", array.name)));
    }
    for array in control.meters() {
        let cells = control.meter_cells(&array.name, 0).expect("it exists").take(CELLS);
        lines.extend(cells.map(|cell| format!("{} {cell:?}", array.name)));
    }
    lines
}
