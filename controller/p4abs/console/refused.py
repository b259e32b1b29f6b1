"""Commands of simple_switch_CLI that P4Runtime has no words for, and what there is instead."""

_QUEUES = "P4Runtime has no queues; `p4abs switch --port N,rate=...,memory=...` sets them"
_PORTS = (
    "P4Runtime has no ports to configure; `p4abs switch -i N@INTERFACE --wait-for-interfaces` "
    "starts with ports whose interfaces come later"
)
_PROGRAM = "`p4abs runtime` pushes a program with its P4Info"
_HASHES = "P4Runtime cannot change a hash"
_CLOCK = "P4Runtime does not tell the switch's time"
_STATE = "P4Runtime has no such state; a program that is pushed again starts empty"
_MEMBERS = "the profile's own commands do it: act_prof_..."
_DEFAULT = "P4Runtime's default entries lead to actions, not to members or groups"

REFUSED = {
    "set_queue_depth": _QUEUES,
    "set_queue_rate": _QUEUES,
    "show_ports": _PORTS,
    "port_add": _PORTS,
    "port_remove": _PORTS,
    "mirroring_add_mc": "P4Runtime's clone sessions have ports, no multicast groups",
    "mc_set_lag_membership": "P4Runtime has no lags",
    "load_new_config_file": _PROGRAM,
    "swap_configs": _PROGRAM,
    "write_config_to_file": _PROGRAM,
    "set_crc16_parameters": _HASHES,
    "set_crc32_parameters": _HASHES,
    "set_toeplitz_hash_key": _HASHES,
    "get_time_elapsed": _CLOCK,
    "get_time_since_epoch": _CLOCK,
    "reset_state": _STATE,
    "serialize_state": _STATE,
    "switch_info": "P4Runtime tells nothing of the switch but its program",
    "table_indirect_set_default": _DEFAULT,
    "table_indirect_set_default_with_group": _DEFAULT,
    "table_indirect_reset_default": _DEFAULT,
    "act_prof_dump_member": "act_prof_dump shows all of them",
    "act_prof_dump_group": "act_prof_dump shows all of them",
    "table_dump_member": "act_prof_dump shows all of them",
    "table_dump_group": "act_prof_dump shows all of them",
    "table_indirect_create_member": _MEMBERS,
    "table_indirect_delete_member": _MEMBERS,
    "table_indirect_modify_member": _MEMBERS,
    "table_indirect_create_group": _MEMBERS,
    "table_indirect_delete_group": _MEMBERS,
    "table_indirect_add_member_to_group": _MEMBERS,
    "table_indirect_remove_member_from_group": _MEMBERS,
    "shell": "a terminal runs programs",
}
