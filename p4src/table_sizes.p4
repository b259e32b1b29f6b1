// The least number of entries that every table holds on every target. A target may hold more;
// a client that plans for these sizes is never refused for lack of room.
#ifndef TABLE_SIZES_P4
#define TABLE_SIZES_P4

#define ETHERNET_FORWARD_MINIMUM_ENTRIES 4096
#define IPV4_ROUTE_MINIMUM_ENTRIES       16384
#define IPV6_ROUTE_MINIMUM_ENTRIES       16384
#define TRAP_MINIMUM_ENTRIES             128
#define MULTICAST_MINIMUM_ENTRIES        1024
#define QUEUE_SELECTION_MINIMUM_ENTRIES  4096

#endif
