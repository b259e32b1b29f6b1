#pragma once

#include <ns3/tcp-congestion-ops.h>
#include <ns3/type-id.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace p4abs {

// The short names of the congestion controls, sorted.
std::vector<std::string> congestion_control_names();

struct CongestionControl {
    ns3::TypeId type;
    bool needs_timestamps;  // measures delays in one direction
};

// UserError that lists the names if there is none like this.
CongestionControl congestion_control(const std::string& name);

// `random` is what it may draw from; null if it controls nothing.
ns3::Ptr<ns3::TcpCongestionOps> make_congestion_control(const CongestionControl& control,
                                                        Random* random);

}  // namespace p4abs
