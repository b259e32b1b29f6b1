// The widths and constants of memory that queues share.
#ifndef ADAPTIVE_MEMORY_TYPES_P4
#define ADAPTIVE_MEMORY_TYPES_P4

typedef bit<41> memory_bytes_t; // of all queues together
typedef bit<3>  memory_class_t; // of queues whose thresholds have one scale
typedef bit<16> alpha_t;        // in 2^-MEMORY_ALPHA_SHIFT
typedef bit<17> memory_scale_t; // in 2^-MEMORY_SCALE_SHIFT; no product of the three exceeds 64 bits

// One for each number that 3 bits can name.
#define MEMORY_CLASS_COUNT 8

// log2 of what alpha_t and memory_scale_t count in.
#define MEMORY_ALPHA_SHIFT 10
#define MEMORY_SCALE_SHIFT 16

#endif
