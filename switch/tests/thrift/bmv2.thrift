// BMv2's services, as far as the tests call them: for a client that is not this project's.

enum Kind { EXACT = 0, LPM = 1, TERNARY = 2, VALID = 3, RANGE = 4 }

struct Exact { 1: binary key }
struct Prefix { 1: binary key, 2: i32 length }
struct Ternary { 1: binary key, 2: binary mask }
struct Valid { 1: bool key }
struct Range { 1: binary start, 2: binary stop }
struct Param {
    1: Kind type,
    2: optional Exact exact,
    3: optional Prefix lpm,
    4: optional Ternary ternary,
    5: optional Valid valid,
    6: optional Range range
}
struct Options { 1: optional i32 priority }
struct Count { 1: i64 bytes, 2: i64 packets }
struct Rate { 1: double units_per_micros, 2: i32 burst_size }
struct ActionEntry {
    1: i32 type,
    2: optional string name,
    3: optional list<binary> data,
    4: optional i32 member,
    5: optional i32 group
}
struct Life { 1: i32 timeout_ms, 2: i32 time_since_hit_ms }
struct Entry {
    1: list<Param> key,
    2: Options options,
    3: i32 handle,
    4: ActionEntry action,
    5: optional Life life
}
struct Member { 1: i32 handle, 2: string action, 3: list<binary> data }
struct Group { 1: i32 handle, 2: list<i32> members }
struct Port { 1: i32 number, 2: string ifname, 3: bool is_up, 4: map<string, string> extra }
struct Info { 1: i64 device_id, 2: i32 thrift_port, 3: optional string notifications }
struct Crc16 {
    1: i16 polynomial, 2: i16 initial, 3: i16 final_xor, 4: bool data, 5: bool remainder
}
struct Crc32 {
    1: i32 polynomial, 2: i32 initial, 3: i32 final_xor, 4: bool data, 5: bool remainder
}
struct Mirror { 1: optional i32 port, 2: optional i32 mgid }

exception Refused { 1: i32 code }

// What its exceptions say; in BMv2 each exception declares the code as its own one of these.
enum TableCode {
    TABLE_FULL = 1, INVALID_HANDLE = 2, EXPIRED_HANDLE = 3, COUNTERS_DISABLED = 4, METERS_DISABLED = 5,
    AGEING_DISABLED = 6, INVALID_TABLE_NAME = 7, INVALID_ACTION_NAME = 8, WRONG_TABLE_TYPE = 9,
    INVALID_MBR_HANDLE = 10, MBR_STILL_USED = 11, MBR_ALREADY_IN_GRP = 12, MBR_NOT_IN_GRP = 13,
    INVALID_GRP_HANDLE = 14, GRP_STILL_USED = 15, EMPTY_GRP = 16, DUPLICATE_ENTRY = 17, BAD_MATCH_KEY = 18,
    INVALID_METER_OPERATION = 19, DEFAULT_ACTION_IS_CONST = 20, DEFAULT_ENTRY_IS_CONST = 21,
    NO_DEFAULT_ENTRY = 22, INVALID_ACTION_PROFILE_NAME = 23, NO_ACTION_PROFILE_SELECTION = 24,
    IMMUTABLE_TABLE_ENTRIES = 25, BAD_ACTION_DATA = 26, NO_TABLE_KEY = 27, ERROR = 100
}
enum CounterCode { INVALID_COUNTER_NAME = 1, INVALID_INDEX = 2, ERROR = 3 }
enum MeterCode {
    INVALID_METER_NAME = 1, INVALID_INDEX = 2, BAD_RATES_LIST = 3, INVALID_INFO_RATE_VALUE = 4,
    INVALID_BURST_SIZE_VALUE = 5, ERROR = 6
}
enum RegisterCode { INVALID_REGISTER_NAME = 1, INVALID_INDEX = 2, ERROR = 3 }
enum ValueSetCode { INVALID_PARSE_VSET_NAME = 1, ERROR = 2 }
enum SwapCode { CONFIG_SWAP_DISABLED = 1, ONGOING_SWAP = 2, NO_ONGOING_SWAP = 3 }
enum PortCode { ERROR = 1 }
enum IdCode { INVALID_RESOURCE_TYPE = 0, INVALID_RESOURCE_NAME = 1 }
enum HashCode { INVALID_CALCULATION_NAME = 1, WRONG_TYPE_CALCULATION = 2, INVALID_CONFIG_OR_KEY = 3 }
enum LearnCode { INVALID_LIST_ID = 1, INVALID_LIST_NAME = 2, ERROR = 3 }
enum MulticastCode { TABLE_FULL = 1, INVALID_MGID = 2, INVALID_MGRP_HANDLE = 3, INVALID_L1_HANDLE = 4, ERROR = 5 }
enum MirroringCode { SESSION_NOT_FOUND = 1 }

service Standard {
    i64 bm_mt_get_num_entries(1: i32 c, 2: string table) throws (1: Refused e),
    void bm_mt_clear_entries(1: i32 c, 2: string table, 3: bool defaults) throws (1: Refused e),
    i32 bm_mt_add_entry(1: i32 c, 2: string table, 3: list<Param> key, 4: string action,
        5: list<binary> data, 6: Options options) throws (1: Refused e),
    void bm_mt_set_default_action(1: i32 c, 2: string table, 3: string action,
        4: list<binary> data) throws (1: Refused e),
    void bm_mt_reset_default_entry(1: i32 c, 2: string table) throws (1: Refused e),
    void bm_mt_delete_entry(1: i32 c, 2: string table, 3: i32 handle) throws (1: Refused e),
    void bm_mt_modify_entry(1: i32 c, 2: string table, 3: i32 handle, 4: string action,
        5: list<binary> data) throws (1: Refused e),
    void bm_mt_set_entry_ttl(1: i32 c, 2: string table, 3: i32 handle, 4: i32 timeout_ms)
        throws (1: Refused e),
    i32 bm_mt_act_prof_add_member(1: i32 c, 2: string profile, 3: string action,
        4: list<binary> data) throws (1: Refused e),
    void bm_mt_act_prof_delete_member(1: i32 c, 2: string profile, 3: i32 member)
        throws (1: Refused e),
    void bm_mt_act_prof_modify_member(1: i32 c, 2: string profile, 3: i32 member,
        4: string action, 5: list<binary> data) throws (1: Refused e),
    i32 bm_mt_act_prof_create_group(1: i32 c, 2: string profile) throws (1: Refused e),
    void bm_mt_act_prof_delete_group(1: i32 c, 2: string profile, 3: i32 group)
        throws (1: Refused e),
    void bm_mt_act_prof_add_member_to_group(1: i32 c, 2: string profile, 3: i32 member,
        4: i32 group) throws (1: Refused e),
    void bm_mt_act_prof_remove_member_from_group(1: i32 c, 2: string profile, 3: i32 member,
        4: i32 group) throws (1: Refused e),
    list<Member> bm_mt_act_prof_get_members(1: i32 c, 2: string profile) throws (1: Refused e),
    Member bm_mt_act_prof_get_member(1: i32 c, 2: string profile, 3: i32 member)
        throws (1: Refused e),
    list<Group> bm_mt_act_prof_get_groups(1: i32 c, 2: string profile) throws (1: Refused e),
    Group bm_mt_act_prof_get_group(1: i32 c, 2: string profile, 3: i32 group)
        throws (1: Refused e),
    i32 bm_mt_indirect_add_entry(1: i32 c, 2: string table, 3: list<Param> key, 4: i32 member,
        5: Options options) throws (1: Refused e),
    void bm_mt_indirect_modify_entry(1: i32 c, 2: string table, 3: i32 handle, 4: i32 member)
        throws (1: Refused e),
    void bm_mt_indirect_delete_entry(1: i32 c, 2: string table, 3: i32 handle)
        throws (1: Refused e),
    void bm_mt_indirect_set_default_member(1: i32 c, 2: string table, 3: i32 member)
        throws (1: Refused e),
    void bm_mt_indirect_reset_default_entry(1: i32 c, 2: string table) throws (1: Refused e),
    i32 bm_mt_indirect_ws_add_entry(1: i32 c, 2: string table, 3: list<Param> key, 4: i32 group,
        5: Options options) throws (1: Refused e),
    void bm_mt_indirect_ws_modify_entry(1: i32 c, 2: string table, 3: i32 handle, 4: i32 group)
        throws (1: Refused e),
    void bm_mt_indirect_ws_set_default_group(1: i32 c, 2: string table, 3: i32 group)
        throws (1: Refused e),
    Count bm_mt_read_counter(1: i32 c, 2: string table, 3: i32 handle) throws (1: Refused e),
    void bm_mt_reset_counters(1: i32 c, 2: string table) throws (1: Refused e),
    void bm_mt_write_counter(1: i32 c, 2: string table, 3: i32 handle, 4: Count count)
        throws (1: Refused e),
    void bm_mt_set_meter_rates(1: i32 c, 2: string table, 3: i32 handle, 4: list<Rate> rates)
        throws (1: Refused e),
    list<Rate> bm_mt_get_meter_rates(1: i32 c, 2: string table, 3: i32 handle)
        throws (1: Refused e),
    list<Entry> bm_mt_get_entries(1: i32 c, 2: string table) throws (1: Refused e),
    Entry bm_mt_get_entry(1: i32 c, 2: string table, 3: i32 handle) throws (1: Refused e),
    ActionEntry bm_mt_get_default_entry(1: i32 c, 2: string table) throws (1: Refused e),
    Entry bm_mt_get_entry_from_key(1: i32 c, 2: string table, 3: list<Param> key,
        4: Options options) throws (1: Refused e),
    Count bm_counter_read(1: i32 c, 2: string counter, 3: i32 index) throws (1: Refused e),
    void bm_counter_reset_all(1: i32 c, 2: string counter) throws (1: Refused e),
    void bm_counter_write(1: i32 c, 2: string counter, 3: i32 index, 4: Count count)
        throws (1: Refused e),
    void bm_learning_ack(1: i32 c, 2: i32 number, 3: i64 buffer, 4: list<i32> samples)
        throws (1: Refused e),
    void bm_learning_ack_buffer(1: i32 c, 2: i32 number, 3: i64 buffer) throws (1: Refused e),
    void bm_learning_set_timeout(1: i32 c, 2: i32 number, 3: i32 timeout_ms)
        throws (1: Refused e),
    void bm_learning_set_buffer_size(1: i32 c, 2: i32 number, 3: i32 samples)
        throws (1: Refused e),
    void bm_load_new_config(1: string json) throws (1: Refused e),
    void bm_swap_configs() throws (1: Refused e),
    void bm_meter_array_set_rates(1: i32 c, 2: string meter, 3: list<Rate> rates)
        throws (1: Refused e),
    void bm_meter_set_rates(1: i32 c, 2: string meter, 3: i32 index, 4: list<Rate> rates)
        throws (1: Refused e),
    list<Rate> bm_meter_get_rates(1: i32 c, 2: string meter, 3: i32 index)
        throws (1: Refused e),
    i64 bm_register_read(1: i32 c, 2: string array, 3: i32 index) throws (1: Refused e),
    list<i64> bm_register_read_all(1: i32 c, 2: string array) throws (1: Refused e),
    void bm_register_write(1: i32 c, 2: string array, 3: i32 index, 4: i64 value)
        throws (1: Refused e),
    void bm_register_write_range(1: i32 c, 2: string array, 3: i32 start, 4: i32 stop,
        5: i64 value) throws (1: Refused e),
    void bm_register_reset(1: i32 c, 2: string array) throws (1: Refused e),
    void bm_parse_vset_add(1: i32 c, 2: string value_set, 3: binary value) throws (1: Refused e),
    void bm_parse_vset_remove(1: i32 c, 2: string value_set, 3: binary value)
        throws (1: Refused e),
    list<binary> bm_parse_vset_get(1: i32 c, 2: string value_set) throws (1: Refused e),
    void bm_parse_vset_clear(1: i32 c, 2: string value_set) throws (1: Refused e),
    void bm_set_crc16_custom_parameters(1: i32 c, 2: string hash, 3: Crc16 crc)
        throws (1: Refused e),
    void bm_set_crc32_custom_parameters(1: i32 c, 2: string hash, 3: Crc32 crc)
        throws (1: Refused e),
    void bm_set_toeplitz_hash_key(1: i32 c, 2: string hash, 3: binary key)
        throws (1: Refused e),
    void bm_dev_mgr_add_port(1: string ifname, 2: i32 port, 3: string pcap)
        throws (1: Refused e),
    void bm_dev_mgr_remove_port(1: i32 port) throws (1: Refused e),
    list<Port> bm_dev_mgr_show_ports() throws (1: Refused e),
    Info bm_mgmt_get_info(),
    void bm_reset_state(),
    string bm_get_config(),
    binary bm_get_config_md5(),
    i32 bm_get_id_from_name(1: i32 c, 2: i32 kind, 3: string name) throws (1: Refused e),
    string bm_serialize_state(),
    void bm_no_such_call()
}

service SimplePreLAG {
    i32 bm_mc_mgrp_create(1: i32 c, 2: i32 group) throws (1: Refused e),
    void bm_mc_mgrp_destroy(1: i32 c, 2: i32 group) throws (1: Refused e),
    i32 bm_mc_node_create(1: i32 c, 2: i32 rid, 3: string ports, 4: string lags)
        throws (1: Refused e),
    void bm_mc_node_associate(1: i32 c, 2: i32 group, 3: i32 node) throws (1: Refused e),
    void bm_mc_node_dissociate(1: i32 c, 2: i32 group, 3: i32 node) throws (1: Refused e),
    void bm_mc_node_destroy(1: i32 c, 2: i32 node) throws (1: Refused e),
    void bm_mc_node_update(1: i32 c, 2: i32 node, 3: string ports, 4: string lags)
        throws (1: Refused e),
    void bm_mc_set_lag_membership(1: i32 c, 2: i16 lag, 3: string ports) throws (1: Refused e),
    string bm_mc_get_entries(1: i32 c) throws (1: Refused e)
}

service SimpleSwitch {
    i32 mirroring_mapping_add(1: i32 session, 2: i32 port),
    i32 mirroring_mapping_delete(1: i32 session),
    i32 mirroring_mapping_get_egress_port(1: i32 session),
    void mirroring_session_add(1: i32 session, 2: Mirror to) throws (1: Refused e),
    void mirroring_session_delete(1: i32 session) throws (1: Refused e),
    Mirror mirroring_session_get(1: i32 session) throws (1: Refused e),
    i32 set_egress_priority_queue_depth(1: i32 port, 2: i32 priority, 3: i32 packets),
    i32 set_egress_queue_depth(1: i32 port, 2: i32 packets),
    i32 set_all_egress_queue_depths(1: i32 packets),
    i32 set_egress_priority_queue_rate(1: i32 port, 2: i32 priority, 3: i64 packets_per_s),
    i32 set_egress_queue_rate(1: i32 port, 2: i64 packets_per_s),
    i32 set_all_egress_queue_rates(1: i64 packets_per_s),
    i64 get_time_elapsed_us(),
    i64 get_time_since_epoch_us()
}
