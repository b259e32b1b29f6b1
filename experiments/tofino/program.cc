#include "program.h"

#include <algorithm>
#include <stdexcept>

namespace p4abs::tofino {

namespace {

constexpr uint16_t INGRESS_PORT = 0;
constexpr uint16_t CPU_PORT = 510;  // p4src/adaptive/types.p4

constexpr size_t PACKET_OUT_BYTES = 2;  // an Ethernet header follows
constexpr size_t ETHERNET_BYTES = 14;
constexpr size_t IPV4_BYTES = 20;
constexpr uint32_t WIRE_OVERHEAD_BYTES = 24;  // p4src/tna/frame_bytes.p4
constexpr uint32_t LEAST_BYTES = ETHERNET_BYTES + IPV4_BYTES + WIRE_OVERHEAD_BYTES;
constexpr uint8_t LARGEST_MTU[] = {0xff, 0xff};
constexpr size_t STAMP_AT = 6;  // the Ethernet source address
constexpr size_t STAMP_BYTES = 6;
constexpr size_t IPV4_LENGTH_AT = ETHERNET_BYTES + 2;
constexpr size_t IPV4_CHECKSUM_AT = ETHERNET_BYTES + 10;

constexpr uint8_t STATION[6] = {0x02, 0, 0, 0, 0, 0x01};
constexpr uint8_t PORT_KEY[] = {0, Program::PORT};

// IPv4, 5 words, 64 hops, UDP, 10.0.0.1 to 10.0.0.2.
constexpr uint8_t IPV4_HEADER[IPV4_BYTES] = {0x45, 0, 0,  0, 0, 0, 0x40, 0,  64, 17,
                                             0,    0, 10, 0, 0, 1, 10,   0, 0,  2};

const std::string INGRESS = "OnV1modelIngress.tofino.";

void put16(uint8_t* to, uint32_t value) {
    to[0] = static_cast<uint8_t>(value >> 8);
    to[1] = static_cast<uint8_t>(value);
}

void put_stamp(uint8_t* ethernet, uint64_t stamp_ns) {
    for (size_t i = 0; i < STAMP_BYTES; ++i) {
        ethernet[STAMP_AT + i] = static_cast<uint8_t>(stamp_ns >> 8 * (STAMP_BYTES - 1 - i));
    }
}

uint32_t internet_checksum(const uint8_t* bytes, size_t count) {
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i += 2) {
        sum += static_cast<uint32_t>(bytes[i]) << 8 | bytes[i + 1];
    }
    sum = (sum & 0xffff) + (sum >> 16);
    return ~(sum + (sum >> 16)) & 0xffff;
}

}  // namespace

Program::Program(std::string_view json, const std::string& drain_rate) {
    std::array<char, 512> error{};
    pipeline_.reset(p4abs_pipeline_load(reinterpret_cast<const uint8_t*>(json.data()), json.size(),
                                        error.data(), error.size()));
    if (!pipeline_) {
        throw std::runtime_error(std::string("the program cannot be loaded: ") + error.data());
    }
    add_station();
    set_drain_rate(drain_rate);
    lift_mtu();
    std::copy(std::begin(STATION), std::end(STATION), frame_.begin());
    put16(&frame_[ETHERNET_BYTES - 2], 0x0800);
    std::copy(std::begin(IPV4_HEADER), std::end(IPV4_HEADER), &frame_[ETHERNET_BYTES]);
}

bool Program::admits(uint32_t frame_bytes, uint64_t stamp_ns) {
    put_stamp(frame_.data(), stamp_ns);
    put16(&frame_[IPV4_LENGTH_AT], std::max(frame_bytes, LEAST_BYTES) - LEAST_BYTES + IPV4_BYTES);
    put16(&frame_[IPV4_CHECKSUM_AT], 0);
    put16(&frame_[IPV4_CHECKSUM_AT], internet_checksum(&frame_[ETHERNET_BYTES], IPV4_BYTES));
    p4abs_packet packet = 0;
    uint16_t port = 0;
    switch (p4abs_pipeline_ingress(pipeline_.get(), INGRESS_PORT, frame_.data(), frame_.size(), 0,
                                   &packet, &port)) {
        case P4ABS_DROP:
            return false;
        case P4ABS_FORWARD:
            p4abs_pipeline_discard(pipeline_.get(), packet);
            return true;
        default:
            fail("a frame");
    }
}

std::string Program::ask(std::string_view packet_out, uint64_t stamp_ns) {
    std::string request(packet_out);
    put_stamp(reinterpret_cast<uint8_t*>(&request.at(PACKET_OUT_BYTES)), stamp_ns);
    p4abs_packet packet = 0;
    uint16_t port = 0;
    if (p4abs_pipeline_ingress(pipeline_.get(), CPU_PORT,
                               reinterpret_cast<const uint8_t*>(request.data()), request.size(), 0,
                               &packet, &port) != P4ABS_FORWARD) {
        fail("a request");
    }
    const p4abs_queue_info queue{};
    const uint8_t* reply = nullptr;
    size_t reply_bytes = 0;
    if (p4abs_pipeline_egress(pipeline_.get(), packet, port, 0, &queue, &reply, &reply_bytes) !=
        P4ABS_FORWARD) {
        fail("a reply");
    }
    return {reinterpret_cast<const char*>(reply), reply_bytes};
}

uint64_t Program::limit_bytes() {
    uint64_t value = 0;
    const std::string name = INGRESS + "queue_limit_bytes";
    if (!p4abs_pipeline_register_read(pipeline_.get(), name.c_str(), PORT, &value)) {
        fail("reading the limit");
    }
    return value;
}

void Program::add_station() {
    const p4abs_bytes port = {PORT_KEY, sizeof PORT_KEY};
    add_entry(INGRESS + "forwarding.ethernet_forward", STATION, sizeof STATION,
              INGRESS + "forwarding.forward", &port);
}

void Program::set_drain_rate(const std::string& action) {
    const std::string place = INGRESS + "virtual_queue.drain_rate.";
    add_entry(place + "drain_rate", PORT_KEY, sizeof PORT_KEY, place + action, nullptr);
}

// The simulator's links carry frames of any length.
void Program::lift_mtu() {
    const p4abs_bytes mtu = {LARGEST_MTU, sizeof LARGEST_MTU};
    add_entry(INGRESS + "wire.port_mtu", PORT_KEY, sizeof PORT_KEY, INGRESS + "wire.at_most", &mtu);
}

void Program::add_entry(const std::string& table, const uint8_t* key, size_t key_bytes,
                        const std::string& action, const p4abs_bytes* argument) {
    const p4abs_match match = {{key, key_bytes}, P4ABS_EXACT};
    if (!p4abs_pipeline_table_add(pipeline_.get(), table.c_str(), &match, 1, action.c_str(),
                                  argument, argument == nullptr ? 0 : 1)) {
        fail("an entry of " + table);
    }
}

void Program::fail(const std::string& attempt) const {
    throw std::runtime_error("the Tofino program refuses " + attempt + ": " +
                             p4abs_pipeline_error(pipeline_.get()));
}

}  // namespace p4abs::tofino
