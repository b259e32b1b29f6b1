#pragma once

#include <p4abs_pipeline.h>

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "network/port.h"

namespace p4abs {

// A P4 program on a switch that has one port. UserError: it cannot be loaded or is not the project's.
std::shared_ptr<p4abs_pipeline> load_p4_program(std::string_view program_json);

// The compiled P4 program decides what the buffer admits. It sees every packet as a frame: ingress
// when it arrives, egress when the link takes it.
class P4Port : public Port {
  public:
    // With a link and a program of its own.
    P4Port(std::string name, uint64_t rate_bps, std::string_view program_json,
           uint64_t limit_bytes);
    // The link's queue of this number; all of them are served by the one program, which tells them
    // apart by DSCP.
    P4Port(std::string name, std::shared_ptr<Link> link, std::shared_ptr<p4abs_pipeline> program,
           uint8_t queue, uint64_t limit_bytes);

    Snapshot snapshot() override;
    uint64_t marked_bytes() override;
    std::optional<FlowCounts> flow_counts() override;
    void set_limit_bytes(uint64_t limit) override;
    void set_ecn_marking(bool marking) override;

    std::optional<Transit> dequeue() override;

  protected:
    bool enqueue(Transit transit) override;

  private:
    struct Entry {
        Transit transit;
        p4abs_packet packet;
        p4abs_queue_info queue;
    };

    void select_queue();
    void write_frame(const Transit& transit);
    uint64_t read_register(const char* register_name);
    [[noreturn]] void fail(const std::string& attempt) const;

    uint32_t register_index() const;

    std::shared_ptr<p4abs_pipeline> pipeline_;
    uint8_t queue_number_;
    std::deque<Entry> queue_;
    uint16_t identification_ = 0;
    std::array<uint8_t, 65536> frame_{};  // all zeros behind the headers
};

}  // namespace p4abs
