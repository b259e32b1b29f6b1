#pragma once

#include <ns3/node.h>
#include <ns3/ptr.h>

namespace p4abs {

// The node that all TCP stacks of a simulation share. It has as much of an IPv4 layer as ns3's TCP
// asks for: a route, always the same one. Packets take their path from TCP itself.
ns3::Ptr<ns3::Node> make_node();

}  // namespace p4abs
