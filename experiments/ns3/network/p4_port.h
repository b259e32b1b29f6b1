#pragma once

#include <p4abs_pipeline.h>

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "network/port.h"

namespace p4abs {

// The compiled P4 program decides what the buffer admits. It sees every packet as a frame on a
// switch that has this one port: ingress when it arrives, egress when the link takes it.
class P4Port : public Port {
  public:
    // UserError: the program cannot be loaded or is not the project's.
    P4Port(std::string name, uint64_t rate_bps, std::string_view program_json,
           uint64_t limit_bytes);

    Snapshot snapshot() override;
    uint64_t marked_bytes() override;
    std::optional<FlowCounts> flow_counts() override;
    void set_limit_bytes(uint64_t limit) override;
    void set_ecn_marking(bool marking) override;

  protected:
    bool enqueue(Transit transit) override;
    std::optional<Transit> dequeue() override;

  private:
    struct Entry {
        Transit transit;
        p4abs_packet packet;
        p4abs_queue_info queue;
    };
    struct Free {
        void operator()(p4abs_pipeline* pipeline) const { p4abs_pipeline_free(pipeline); }
    };

    void add_route();
    void write_frame(const Transit& transit);
    uint64_t read_register(const char* register_name);
    [[noreturn]] void fail(const std::string& attempt) const;

    std::unique_ptr<p4abs_pipeline, Free> pipeline_;
    std::deque<Entry> queue_;
    uint16_t identification_ = 0;
    std::array<uint8_t, 65536> frame_{};  // all zeros behind the headers
};

}  // namespace p4abs
