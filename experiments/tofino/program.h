#pragma once

#include <p4abs_pipeline.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace p4abs::tofino {

// The ingress of the Tofino programs, compiled for v1model (p4src/tna/on_v1model.p4): a switch of
// one port. Whoever calls has the clock: each packet brings its stamp, 48 bits of nanoseconds.
// std::runtime_error: the pipeline refuses something.
class Program {
  public:
    static constexpr uint16_t PORT = 1;

    // `drain_rate` is an action of the table of that name, such as "gbps_10".
    Program(std::string_view json, const std::string& drain_rate);

    // Whether the port's virtual queue takes a frame that takes so many bytes of the link: a link of
    // the simulator carries nothing beside its frames, so these are bytes of a wire.
    bool admits(uint32_t frame_bytes, uint64_t stamp_ns);
    // The packet-in that answers a packet-out of one request (p4src/tna/headers.p4), whose Ethernet
    // source becomes the stamp.
    std::string ask(std::string_view packet_out, uint64_t stamp_ns);

    uint64_t limit_bytes();

  private:
    struct Free {
        void operator()(p4abs_pipeline* pipeline) const { p4abs_pipeline_free(pipeline); }
    };

    void add_station();
    void lift_mtu();
    void set_drain_rate(const std::string& action);
    void add_entry(const std::string& table, const uint8_t* key, size_t key_bytes,
                   const std::string& action, const p4abs_bytes* argument);
    [[noreturn]] void fail(const std::string& attempt) const;

    std::unique_ptr<p4abs_pipeline, Free> pipeline_;
    // Ethernet and IPv4 headers: the program knows a frame's length by what its IP header says.
    std::array<uint8_t, 34> frame_{};
};

}  // namespace p4abs::tofino
