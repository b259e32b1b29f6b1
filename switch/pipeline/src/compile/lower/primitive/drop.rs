//! Lowers the primitives that drop packets.

use super::arguments::{arguments, condition_of, name};
use crate::compile::lower::lowering::Lowering;
use crate::error::Result;
use crate::json::Primitive;
use crate::program::{LogMessage, Place, DROP_PORT};

impl Lowering<'_> {
    /// The header may be a copy of `standard_metadata`, which p4c makes for actions with it as a
    /// parameter.
    pub(super) fn mark_header_to_drop(&mut self, primitive: &Primitive) -> Result {
        let [header] = arguments(primitive)?;
        let header = name(header, "header")?;
        let egress_spec = self.layout.field(&(header.into(), "egress_spec".into()))?;
        self.set_drop(egress_spec, self.layout.optional_field(header, "mcast_grp"))
    }

    /// Emits what drops the packet.
    pub(crate) fn mark_to_drop(&mut self) -> Result {
        let standard = self.standard_metadata;
        self.set_drop(standard.egress_spec.place, standard.mcast_grp.map(|word| word.place))
    }

    fn set_drop(&mut self, egress_spec: Place, mcast_grp: Option<Place>) -> Result {
        let drop = self.code.small_constant(DROP_PORT)?;
        self.touch(egress_spec)?;
        self.code.copy(egress_spec.slot, drop)?;
        match mcast_grp {
            Some(group) => {
                self.touch(group)?;
                let none = self.code.small_constant(0)?;
                self.code.copy(group.slot, none)
            }
            None => Ok(()),
        }
    }

    /// A failed assertion drops the packet and says so (BMv2 ends itself).
    pub(super) fn assert(&mut self, primitive: &Primitive) -> Result {
        let [condition] = arguments(primitive)?;
        let holds = self.code.new_label();
        self.branch(&condition_of(condition)?, true, holds)?;
        let place = primitive.source_info.as_ref().map(ToString::to_string);
        let place = place.unwrap_or_else(|| "unknown place".to_string());
        self.log(LogMessage::plain(format!("{} failed: {place}", primitive.op)))?;
        self.mark_to_drop()?;
        self.code.jump(self.exit)?;
        self.code.place(holds);
        Ok(())
    }
}
