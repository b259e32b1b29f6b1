//! `p4.v1.ActionProfileActionSet`, which tells when it has fields of a later P4Runtime: what they ask
//! for must not be left out in silence.

use prost::bytes::{Buf, BufMut};
use prost::encoding::{int32, message, skip_field, DecodeContext, WireType};
use prost::{DecodeError, Message};

use super::actions::ActionProfileAction;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ActionProfileActionSet {
    pub actions: Vec<ActionProfileAction>,
    pub action_selection_mode: i32,
    pub size_semantics: i32,
    pub has_unknown_fields: bool,
}

impl Message for ActionProfileActionSet {
    fn encode_raw(&self, buffer: &mut impl BufMut) {
        message::encode_repeated(1, &self.actions, buffer);
        for (tag, value) in [(2, self.action_selection_mode), (3, self.size_semantics)] {
            if value != 0 {
                int32::encode(tag, &value, buffer);
            }
        }
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buffer: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        match tag {
            1 => message::merge_repeated(wire_type, &mut self.actions, buffer, context),
            2 => int32::merge(wire_type, &mut self.action_selection_mode, buffer, context),
            3 => int32::merge(wire_type, &mut self.size_semantics, buffer, context),
            _ => {
                self.has_unknown_fields = true;
                skip_field(wire_type, tag, buffer, context)
            }
        }
    }

    fn encoded_len(&self) -> usize {
        let numbers = [(2, self.action_selection_mode), (3, self.size_semantics)];
        let numbers = numbers.iter().filter(|(_, value)| *value != 0);
        message::encoded_len_repeated(1, &self.actions)
            + numbers.map(|(tag, value)| int32::encoded_len(*tag, value)).sum::<usize>()
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}
