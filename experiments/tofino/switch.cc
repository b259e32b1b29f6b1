#include "switch.h"

#include <ns3/simulator.h>

#include <map>
#include <stdexcept>
#include <utility>

namespace p4abs::tofino {

namespace {

constexpr uint64_t STAMP_MASK = (uint64_t{1} << 48) - 1;

uint64_t next_number = 1;

std::map<uint64_t, Switch*>& switches() {
    static std::map<uint64_t, Switch*> all;
    return all;
}

}  // namespace

Switch::Switch(std::string_view program_json, const std::string& drain_rate, Clock clock)
    : number_(next_number++), program_(program_json, drain_rate), clock_(clock) {
    switches()[number_] = this;
}

Switch::~Switch() {
    switches().erase(number_);
}

Switch& Switch::numbered(uint64_t number) {
    const auto found = switches().find(number);
    if (found == switches().end()) {
        throw std::runtime_error("no Tofino switch has the number " + std::to_string(number));
    }
    return *found->second;
}

void Switch::set_control(uint64_t interval_us, std::function<void()> step) {
    interval_us_ = interval_us;
    step_ = std::move(step);
}

void Switch::control() const {
    if (step_) {
        step_();
    }
}

uint64_t Switch::stamp_ns() const {
    const auto now_ns = static_cast<uint64_t>(ns3::Simulator::Now().GetNanoSeconds());
    const auto product = static_cast<unsigned __int128>(now_ns) * clock_.link_bps;
    return (clock_.start_ns + static_cast<uint64_t>(product / clock_.clock_bps)) & STAMP_MASK;
}

}  // namespace p4abs::tofino
