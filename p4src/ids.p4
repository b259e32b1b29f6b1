// The P4Runtime ids of the programs, and who may write what. An id stays that of its object for ever:
// a number whose object is gone is not given to another one. The first byte is the kind's
// (P4Runtime specification, section 6.3), the second one tells where an object belongs:
//
//   0x00   the shared program and its v1model builds, below
//   0x01   tna/router and tna/queue
//   0x02 to 0x7f   reserved for this project
//   0x80 to 0xff   free for programs that include these files
//
// Ids of match fields, parameters and packet metadata count from 1 within their object and stand where
// these are declared.
#ifndef ADAPTIVE_IDS_P4
#define ADAPTIVE_IDS_P4

// Roles (P4Runtime specification, section 5): who routes, and who sizes buffers.
#define ROLE_FORWARDING     "forwarding"
#define ROLE_BUFFER_CONTROL "buffer_control"

// Actions, 0x01
#define REFUSE_ACTION_ID                0x01000001
#define FORWARD_ACTION_ID               0x01000002
#define ROUTE_IPV4_ACTION_ID            0x01000003
#define ROUTE_IPV6_ACTION_ID            0x01000004
#define SET_MEMORY_ACTION_ID            0x01000005
#define SHARE_ACTION_ID                 0x01000006
#define SET_SCALE_ACTION_ID             0x01000007
#define KEEP_LIMIT_ACTION_ID            0x01000008
#define COPY_ACTION_ID                  0x01000009
#define REDIRECT_ACTION_ID              0x0100000a
#define PASS_ACTION_ID                  0x0100000b
#define REPLICATE_ACTION_ID             0x0100000c
#define NOT_REPLICATED_ACTION_ID        0x0100000d
#define SET_QUEUE_ACTION_ID             0x0100000e
#define KEEP_QUEUE_ACTION_ID            0x0100000f

// Tables, 0x02
#define ETHERNET_FORWARD_TABLE_ID       0x02000001
#define IPV4_ROUTE_TABLE_ID             0x02000002
#define IPV6_ROUTE_TABLE_ID             0x02000003
#define MEMORY_SIZE_TABLE_ID            0x02000004
#define MEMORY_SHARING_TABLE_ID         0x02000005
#define MEMORY_CLASS_SCALE_TABLE_ID     0x02000006
#define TRAP_TABLE_ID                   0x02000007
#define ETHERNET_MULTICAST_TABLE_ID     0x02000008
#define QUEUE_SELECTION_TABLE_ID        0x02000009

// Counters, 0x12, direct ones, 0x13, and meters, 0x14
#define REFUSED_PACKETS_COUNTER_ID      0x12000001
#define EXCESS_PACKET_INS_COUNTER_ID    0x12000002
#define BYPASSING_PACKETS_COUNTER_ID    0x12000003
#define REFUSED_PACKET_OUTS_COUNTER_ID  0x12000004
#define MARTIAN_PACKETS_COUNTER_ID      0x12000005
#define TRAPPED_PACKETS_COUNTER_ID      0x13000001
#define PACKET_IN_METER_ID              0x14000001

// Registers, 0x16
#define ADMITTED_BYTES_ID               0x16000001
#define DROPPED_BYTES_ID                0x16000002
#define DEPARTED_BYTES_ID               0x16000003
#define DEPARTED_AT_US_ID               0x16000004
#define QUEUE_LIMIT_BYTES_ID            0x16000005
#define DRAIN_RATE_ID                   0x16000006
#define STALLED_BYTES_ID                0x16000007  // where the queue is a real one
#define DEPARTED_FRACTION_ID            0x16000007  // where it is a virtual one
#define BUSY_SINCE_US_ID                0x16000008
#define UNSATURATED_US_ID               0x16000009
#define UNSATURATED_WAIT_US_ID          0x1600000a
#define UNSATURATED_BYTES_ID            0x1600000b
#define LEAST_BACKLOG_BYTES_ID          0x1600000c
#define GREATEST_BACKLOG_BYTES_ID       0x1600000d
#define MEASURED_WINDOW_ID              0x1600000e
#define BACKLOG_WINDOW_ID               0x1600000f
#define LAST_FRAME_BYTES_ID             0x16000010
#define ECN_MARKING_ID                  0x16000011
#define MARKED_BYTES_ID                 0x16000012
#define OCCUPIED_BYTES_ID               0x16000013
#define RELEASED_BYTES_ID               0x16000014
#define STANDING_SINCE_US_ID            0x16000015
#define LAST_QUEUE_ID                   0x16000016
#define OVERTAKEN_AT_US_ID              0x16000017
#define ACTIVE_FLOW_US_ID               0x16000020
#define LONG_FLOW_US_ID                 0x16000021
#define UNTRACKED_BYTES_ID              0x16000022
#define FLOW_CELLS_ID                   0x16000023
#define TIMED_BYTES_ID                  0x16000024
#define TIMED_BYTE_US_ID                0x16000025

#endif
