"""Commands of simple_switch_CLI for which P4Runtime has no message, and what to use instead."""

_HASHES = "P4Runtime cannot change a hash; it has the parameters that the program's JSON gives it"
_CLOCK = "P4Runtime does not tell the switch's time; a trace of the switch has it for each packet"
_STATE = "P4Runtime has no saved state; `p4abs runtime` writes entries from a file"
_DEFAULT = (
    "P4Runtime cannot change default entries of tables with a profile; an entry of lowest priority "
    "or of prefix 0 can lead to a member or a group"
)

REFUSED = {
    "set_crc16_parameters": _HASHES,
    "set_crc32_parameters": _HASHES,
    "set_toeplitz_hash_key": _HASHES,
    "get_time_elapsed": _CLOCK,
    "get_time_since_epoch": _CLOCK,
    "serialize_state": _STATE,
    "switch_info": "P4Runtime knows only the switch's program; show_tables shows its tables",
    "table_indirect_set_default": _DEFAULT,
    "table_indirect_set_default_with_group": _DEFAULT,
    "table_indirect_reset_default": _DEFAULT,
    "shell": "a terminal runs programs",
}
