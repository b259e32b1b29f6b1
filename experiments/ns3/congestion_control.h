#pragma once

#include <ns3/type-id.h>

#include <string>
#include <vector>

namespace p4abs {

// The short names of ns-3's congestion controls, sorted.
std::vector<std::string> congestion_control_names();

// UserError that lists the names if there is none like this.
ns3::TypeId congestion_control_type(const std::string& name);

}  // namespace p4abs
