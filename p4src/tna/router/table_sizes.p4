// How much a router of usual size holds.
#ifndef TNA_ROUTER_TABLE_SIZES_P4
#define TNA_ROUTER_TABLE_SIZES_P4

#define ROUTER_STATIONS         512
#define IPV4_HOST_ENTRIES       32768
#define IPV4_ROUTE_ENTRIES      32768
#define IPV4_ROUTE_PARTITIONS   1024
#define IPV6_HOST_ENTRIES       8192
#define IPV6_ROUTE_ENTRIES      16384
#define IPV6_ROUTE_PARTITIONS   1024
#define IPV6_LONG_ROUTE_ENTRIES 512
#define IPV4_ACCESS_RULES       2048
#define IPV6_ACCESS_RULES       512
#define NEXT_HOPS               4096
#define NEXT_HOP_MEMBERS        8192
#define NEXT_HOP_GROUPS         256
#define NEXT_HOPS_OF_GROUP      64
#define NEIGHBOURS              8192

#endif
