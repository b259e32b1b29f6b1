#pragma once

#include <ns3/type-id.h>

#include <string>
#include <vector>

namespace p4abs {

// The short names of ns-3's congestion controls, sorted.
std::vector<std::string> congestion_control_names();

struct CongestionControl {
    ns3::TypeId type;
    bool needs_timestamps;  // measures delays in one direction
};

// UserError that lists the names if there is none like this.
CongestionControl congestion_control(const std::string& name);

}  // namespace p4abs
