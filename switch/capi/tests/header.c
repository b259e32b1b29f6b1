/* The header as C understands it: three packets, a limit for two, one departure. */
#include "p4abs_pipeline.h"

#include <stdio.h>
#include <stdlib.h>

#define PORT 2
#define FRAME_BYTES 1000

static uint8_t frame[FRAME_BYTES] = {2, 0, 0, 0, 0, PORT, 2, 0, 0, 0, 0, 9, 0x88, 0xb5};

static void check(int holds, const char *what, const p4abs_pipeline *pipeline)
{
    if (!holds) {
        fprintf(stderr, "%s: %s\n", what, p4abs_pipeline_error(pipeline));
        exit(1);
    }
}

static void check_register(p4abs_pipeline *pipeline, const char *name, uint64_t expected)
{
    uint64_t value = 0;
    check(p4abs_pipeline_register_read(pipeline, name, PORT, &value), name, pipeline);
    check(value == expected, name, pipeline);
}

static p4abs_pipeline *load(const char *path)
{
    static uint8_t json[1 << 20];
    char error[200] = "";
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(json, 1, sizeof json, file) : 0;
    p4abs_pipeline *pipeline = p4abs_pipeline_load(json, count, error, sizeof error);
    if (file)
        fclose(file);
    check(pipeline != NULL, error, pipeline);
    return pipeline;
}

static void add_station(p4abs_pipeline *pipeline)
{
    static const uint8_t port[] = {PORT};
    p4abs_match key;
    p4abs_bytes argument;
    key.value.bytes = frame;
    key.value.count = 6;
    key.prefix_bits = P4ABS_EXACT;
    argument.bytes = port;
    argument.count = sizeof port;
    check(p4abs_pipeline_table_add(pipeline, "AbsIngress.forwarding.ethernet_forward", &key, 1,
                                   "AbsIngress.forwarding.forward", &argument, 1),
          "table_add", pipeline);
}

static p4abs_verdict ingress(p4abs_pipeline *pipeline, p4abs_packet *packet)
{
    uint16_t port = 0;
    p4abs_verdict verdict =
        p4abs_pipeline_ingress(pipeline, 1, frame, sizeof frame, 7, packet, &port);
    check(verdict != P4ABS_FORWARD || port == PORT, "egress port", pipeline);
    return verdict;
}

int main(int argc, char **argv)
{
    p4abs_pipeline *pipeline = load(argc > 1 ? argv[1] : "");
    p4abs_packet packets[3];
    p4abs_queue_info queue = {7, 0, 1};
    const uint8_t *sent = NULL;
    size_t sent_bytes = 0;

    add_station(pipeline);
    check(p4abs_pipeline_register_write(pipeline, "queue_limit_bytes", PORT, 2 * FRAME_BYTES),
          "register_write", pipeline);
    check(ingress(pipeline, &packets[0]) == P4ABS_FORWARD, "first packet", pipeline);
    check(ingress(pipeline, &packets[1]) == P4ABS_FORWARD, "second packet", pipeline);
    check(ingress(pipeline, &packets[2]) == P4ABS_DROP, "third packet", pipeline);
    check(p4abs_pipeline_egress(pipeline, packets[0], PORT, 9, &queue, &sent, &sent_bytes) ==
              P4ABS_FORWARD, "egress", pipeline);
    check(sent_bytes == FRAME_BYTES && sent[13] == 0xb5, "frame", pipeline);
    check(p4abs_pipeline_discard(pipeline, packets[1]), "discard", pipeline);
    check_register(pipeline, "admitted_bytes", 2 * FRAME_BYTES);
    check_register(pipeline, "dropped_bytes", FRAME_BYTES);
    check_register(pipeline, "departed_bytes", FRAME_BYTES);
    check_register(pipeline, "departed_at_us", 9);
    p4abs_pipeline_free(pipeline);
    return 0;
}
