#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "program.h"

namespace p4abs::tofino {

// A link's switch: the program, its clock and its controller. A queue disc finds it by its number.
//
// The program drains at a rate that Tofinos have, the link at another one, so the program's time
// is not the simulation's: it passes link_bps / clock_bps times as fast. A frame takes as many of
// the program's bytes, and as many of its steps of 8 ns, as on a link of clock_bps.
class Switch {
  public:
    struct Clock {
        uint64_t link_bps;
        uint64_t clock_bps;
        uint64_t start_ns;  // the stamp at the beginning of the simulation
    };

    Switch(std::string_view program_json, const std::string& drain_rate, Clock clock);
    ~Switch();
    Switch(const Switch&) = delete;
    Switch& operator=(const Switch&) = delete;

    // std::runtime_error: there is none of this number.
    static Switch& numbered(uint64_t number);
    uint64_t number() const { return number_; }

    bool admits(uint32_t frame_bytes) { return program_.admits(frame_bytes, stamp_ns()); }
    std::string ask(std::string_view packet_out) { return program_.ask(packet_out, stamp_ns()); }
    uint64_t limit_bytes() { return program_.limit_bytes(); }

    // `step` is called at the beginning of the simulation and then at every interval.
    void set_control(uint64_t interval_us, std::function<void()> step);
    void clear_control() { step_ = nullptr; }
    uint64_t interval_us() const { return interval_us_; }
    // Nothing without a controller.
    void control() const;

  private:
    uint64_t stamp_ns() const;

    uint64_t number_;
    Program program_;
    Clock clock_;
    uint64_t interval_us_ = 0;
    std::function<void()> step_;
};

}  // namespace p4abs::tofino
