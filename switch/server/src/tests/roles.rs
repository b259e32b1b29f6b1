//! What a role may ask for (P4Runtime 1.5, section 5.2). The rest is in `switch/tests/test_roles.py`.

use p4runtime::messages::streams::Role;
use p4runtime::messages::Any;
use p4runtime::{Code, Error};
use prost::encoding::encode_varint;

use crate::arbitration::roles::Scope;

/// A role that is to have so many objects to itself.
fn role(ids: usize) -> Result<Scope, Error> {
    let mut value = vec![0x0a]; // field 1, of bytes, each an id
    encode_varint(ids as u64, &mut value);
    value.extend(vec![1; ids]);
    let type_url = "type.googleapis.com/stratum.P4RoleConfig".to_owned();
    let config = Some(Any { type_url, value });
    Scope::of(Some(&Role { name: "many".to_owned(), config }))
}

#[test]
fn a_role_names_so_many_objects_at_most() {
    assert_eq!(role(4096).unwrap().exclusive_ids().len(), 4096);
    let refused = role(4097).unwrap_err();
    let message = "role.config of role many has 4097 ids; valid: up to 4096";
    assert_eq!(refused, Error::new(Code::InvalidArgument, message));
}
