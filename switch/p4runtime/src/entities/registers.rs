//! Registers (P4Runtime 1.5, section 9.7).

use std::borrow::Cow;
use std::ops::Range;

use pipeline::Control;

use super::arrays::{selected, Cells};
use super::change::{check_modified, Change};
use super::cursor::Cursor;
use crate::messages::data::{Data, P4Data};
use crate::messages::runtime::{Entity, Index, RegisterEntry};
use crate::numbers;
use crate::plane::Plane;
use crate::program::Register;
use crate::status::Result;

/// Writes one cell, or all cells of the array if no index is given.
pub(super) fn write(plane: &mut Plane<'_>, change: Change, entry: &RegisterEntry) -> Result {
    let register = plane.program.registers.find(entry.register_id)?;
    check_modified(register, change)?;
    let value = value(register, entry.data.as_ref())?;
    let cells = selected(register.as_ref(), entry.index)?;
    plane.engine.control.register_fill(&register.name, cells, &value)?;
    Ok(())
}

/// The cells that a read asks for.
pub(super) fn read(plane: &mut Plane<'_>, wanted: &RegisterEntry) -> Result<Box<dyn Cursor>> {
    Cells::boxed(&plane.program.registers, wanted.register_id, wanted.index, tell)
}

fn tell(
    control: &Control<'_>,
    register: &Register,
    cells: Range<usize>,
    found: &mut Vec<Entity>,
) -> Result {
    let values = control.register_cells(&register.name, cells.start)?;
    found.extend(cells.zip(values).map(|(cell, value)| {
        Entity::Register(RegisterEntry {
            register_id: register.id,
            index: Some(Index { index: cell as i64 }),
            data: Some(P4Data { data: Some(data(register, value)) }),
        })
    }));
    Ok(())
}

/// The bits of a cell that is to be written. Values of an enum are `enum_value` both ways (section
/// 8.4.5), all others are `bitstring`.
fn value<'d>(register: &Register, given: Option<&'d P4Data>) -> Result<Cow<'d, [u8]>> {
    let what = format_args!("data of register {}", register.name);
    let given = given.and_then(|given| given.data.as_ref());
    match (register.is_enum, given) {
        (false, Some(Data::Bitstring(value))) | (true, Some(Data::EnumValue(value))) => {
            match register.signed {
                true => numbers::decode_signed(value, register.width_bits, &what).map(Cow::Owned),
                false => numbers::decode(value, register.width_bits, &what).map(Cow::Borrowed),
            }
        }
        (is_enum, given) => {
            let expected = if is_enum { "an enum_value" } else { "a bitstring" };
            let given = given.map_or("unset", Data::name);
            Err(invalid!("{what} must be {expected}, not {given}"))
        }
    }
}

fn data(register: &Register, bits: Vec<u8>) -> Data {
    match (register.is_enum, register.signed) {
        (true, _) => Data::EnumValue(numbers::into_canonical(bits)),
        (false, false) => Data::Bitstring(numbers::into_canonical(bits)),
        (false, true) => Data::Bitstring(numbers::encode_signed(&bits, register.width_bits)),
    }
}
