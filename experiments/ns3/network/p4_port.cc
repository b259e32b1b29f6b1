#include "network/p4_port.h"

#include <algorithm>
#include <utility>

#include "base/errors.h"
#include "network/way.h"

namespace p4abs {

namespace {

constexpr uint16_t INGRESS_PORT = 0;
constexpr uint16_t EGRESS_PORT = 1;
constexpr uint32_t PORTS = 512;  // that the program numbers
constexpr uint8_t TIME_TO_LIVE = 64;

// Transport headers are copied into the frame; payload is zeros.
constexpr uint32_t LONGEST_TRANSPORT_HEADER_BYTES = 60;

using MacAddress = std::array<uint8_t, 6>;
constexpr MacAddress ROUTER = {0x02, 0, 0, 0, 0, 0x01};
constexpr MacAddress SENDER = {0x02, 0, 0, 0, 0, 0x02};
constexpr MacAddress NEXT_HOP = {0x02, 0, 0, 0, 0, 0x03};

uint8_t* put16(uint8_t* to, uint32_t value) {
    to[0] = static_cast<uint8_t>(value >> 8);
    to[1] = static_cast<uint8_t>(value);
    return to + 2;
}

uint8_t* put32(uint8_t* to, uint32_t value) {
    return put16(put16(to, value >> 16), value & 0xffff);
}

Ecn ecn_of(const uint8_t* frame) {
    return static_cast<Ecn>(frame[ETHERNET_HEADER_BYTES + 1] & 3);
}

void check(p4abs_pipeline* pipeline, const char* attempt, bool succeeded) {
    if (!succeeded) {
        throw UserError(std::string("the P4 program: ") + attempt +
                        " failed: " + p4abs_pipeline_error(pipeline));
    }
}

// Everything is routed to the one port.
void add_route(p4abs_pipeline* pipeline) {
    const uint8_t any_address[4] = {};
    const uint8_t port[] = {0, EGRESS_PORT};
    const p4abs_match destination = {{any_address, sizeof any_address}, 0};
    const p4abs_bytes arguments[] = {{port, sizeof port},
                                     {ROUTER.data(), ROUTER.size()},
                                     {NEXT_HOP.data(), NEXT_HOP.size()}};
    check(pipeline, "adding the route",
          p4abs_pipeline_table_add(pipeline, "AbsIngress.forwarding.ipv4_route", &destination, 1,
                                   "AbsIngress.forwarding.route_ipv4", arguments, 3));
}

uint32_t internet_checksum(const uint8_t* bytes, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i += 2) {
        sum += static_cast<uint32_t>(bytes[i]) << 8 | bytes[i + 1];
    }
    sum = (sum & 0xffff) + (sum >> 16);
    return ~(sum + (sum >> 16)) & 0xffff;
}

}  // namespace

std::shared_ptr<p4abs_pipeline> load_p4_program(std::string_view program_json) {
    std::array<char, 512> error{};
    p4abs_pipeline* const pipeline =
        p4abs_pipeline_load(reinterpret_cast<const uint8_t*>(program_json.data()),
                            program_json.size(), error.data(), error.size());
    if (pipeline == nullptr) {
        throw UserError(std::string("the P4 program cannot be loaded: ") + error.data());
    }
    const std::shared_ptr<p4abs_pipeline> loaded(pipeline, p4abs_pipeline_free);
    add_route(pipeline);
    return loaded;
}

P4Port::P4Port(std::string name, uint64_t rate_bps, std::string_view program_json,
               uint64_t limit_bytes)
    : P4Port(std::move(name),
             std::make_shared<Link>(rate_bps, std::make_unique<StrictPriority>()),
             load_p4_program(program_json), 0, limit_bytes) {}

P4Port::P4Port(std::string name, std::shared_ptr<Link> link,
               std::shared_ptr<p4abs_pipeline> program, uint8_t queue, uint64_t limit_bytes)
    : Port(std::move(name), std::move(link)), pipeline_(std::move(program)), queue_number_(queue) {
    if (queue_number_ != 0) {
        select_queue();
    }
    set_limit_bytes(limit_bytes);
    uint8_t* next = std::copy(ROUTER.begin(), ROUTER.end(), frame_.data());
    next = std::copy(SENDER.begin(), SENDER.end(), next);
    put16(next, 0x0800);
}

uint64_t P4Port::marked_bytes() {
    return read_register("marked_bytes");
}

std::optional<FlowCounts> P4Port::flow_counts() {
    return FlowCounts{read_register("active_flow_us"), read_register("long_flow_us"),
                      read_register("untracked_bytes"), read_register("timed_bytes"),
                      read_register("timed_byte_us")};
}

Snapshot P4Port::snapshot() {
    Snapshot now{now_us(),
                 read_register("admitted_bytes"),
                 read_register("dropped_bytes"),
                 read_register("departed_bytes"),
                 read_register("queue_limit_bytes"),
                 read_register("unsaturated_us") + read_register("unsaturated_wait_us"),
                 read_register("unsaturated_bytes")};
    if (now.admitted_bytes == now.departed_bytes) {
        // What the next packet would count; see p4src/adaptive/departures/queue.p4.
        now.unsaturated_us += now.timestamp_us - std::max(read_register("departed_at_us"),
                                                          read_register("busy_since_us"));
        now.unsaturated_bytes += read_register("last_frame_bytes");
    }
    return now;
}

void P4Port::set_limit_bytes(uint64_t limit) {
    if (!p4abs_pipeline_register_write(pipeline_.get(), "queue_limit_bytes", register_index(),
                                        limit)) {
        fail("writing the queue limit");
    }
}

void P4Port::set_ecn_marking(bool marking) {
    if (!p4abs_pipeline_register_write(pipeline_.get(), "ecn_marking", register_index(),
                                        marking)) {
        fail("switching marks");
    }
}

bool P4Port::enqueue(Transit transit) {
    write_frame(transit);
    Entry entry{};
    uint16_t egress_port = 0;
    const p4abs_verdict verdict =
        p4abs_pipeline_ingress(pipeline_.get(), INGRESS_PORT, frame_.data(), transit.frame_bytes,
                               now_us(), &entry.packet, &egress_port);
    if (verdict == P4ABS_ERROR) {
        fail("ingress");
    }
    if (verdict == P4ABS_DROP) {
        count_loss(transit);
        return false;
    }
    entry.transit = std::move(transit);
    entry.queue.enqueued_at_us = now_us();
    entry.queue.enqueue_depth_packets = static_cast<uint32_t>(queue_.size());
    queue_.push_back(std::move(entry));
    return true;
}

std::optional<Transit> P4Port::dequeue() {
    while (!queue_.empty()) {
        Entry entry = std::move(queue_.front());
        queue_.pop_front();
        entry.queue.dequeue_depth_packets = static_cast<uint32_t>(queue_.size());
        const bool may_be_marked = entry.transit.ecn != Ecn::NOT_CAPABLE;
        const uint8_t* frame = nullptr;
        const p4abs_verdict verdict =
            p4abs_pipeline_egress(pipeline_.get(), entry.packet, EGRESS_PORT, now_us(),
                                  &entry.queue, may_be_marked ? &frame : nullptr, nullptr);
        if (verdict == P4ABS_ERROR) {
            fail("egress");
        }
        if (verdict == P4ABS_FORWARD) {
            if (may_be_marked && ecn_of(frame) == Ecn::CONGESTION) {
                mark(&entry.transit);
            }
            return std::move(entry.transit);
        }
        count_loss_from_queue(entry.transit);
    }
    return std::nullopt;
}

// Packets of this queue carry its number as their DSCP.
void P4Port::select_queue() {
    const uint8_t port[] = {0, EGRESS_PORT};
    const p4abs_bytes number = {&queue_number_, sizeof queue_number_};
    const p4abs_match key[] = {{{port, sizeof port}, P4ABS_EXACT}, {number, P4ABS_EXACT}};
    check(pipeline_.get(), "adding a queue",
          p4abs_pipeline_table_add(pipeline_.get(), "AbsIngress.queue_selection.queue_selection",
                                   key, 2, "AbsIngress.queue_selection.set_queue", &number, 1));
}

// Of the queue in the program's arrays (p4src/adaptive/queues.p4).
uint32_t P4Port::register_index() const {
    return PORTS * queue_number_ + EGRESS_PORT;
}

void P4Port::write_frame(const Transit& transit) {
    const Way::Endpoints& endpoints = transit.way->endpoints();
    uint8_t* const ip = frame_.data() + ETHERNET_HEADER_BYTES;
    uint8_t* next = put16(ip, 0x4500U | static_cast<uint32_t>(queue_number_) << 2 |
                                  static_cast<uint32_t>(transit.ecn));  // version 4, 5 words
    next = put16(next, transit.frame_bytes - ETHERNET_HEADER_BYTES);
    next = put16(next, identification_++);
    next = put16(next, 0x4000);  // not to be fragmented
    next = put16(next, static_cast<uint32_t>(TIME_TO_LIVE) << 8 | endpoints.protocol);
    uint8_t* const checksum = next;
    next = put16(next, 0);
    next = put32(next, endpoints.source.Get());
    next = put32(next, endpoints.destination.Get());
    put16(checksum, internet_checksum(ip, IPV4_HEADER_BYTES));
    transit.packet->CopyData(next, LONGEST_TRANSPORT_HEADER_BYTES);
}

uint64_t P4Port::read_register(const char* register_name) {
    uint64_t value = 0;
    if (!p4abs_pipeline_register_read(pipeline_.get(), register_name, register_index(), &value)) {
        fail(std::string("reading ") + register_name);
    }
    return value;
}

void P4Port::fail(const std::string& attempt) const {
    throw UserError("port " + name() + ": " + attempt +
                    " failed: " + p4abs_pipeline_error(pipeline_.get()));
}

}  // namespace p4abs
