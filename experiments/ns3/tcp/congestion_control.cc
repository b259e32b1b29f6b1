#include "tcp/congestion_control.h"

#include <map>

#include "base/errors.h"

namespace p4abs {

namespace {

const std::map<std::string, std::string> TYPE_NAMES = {
    {"bbr", "ns3::TcpBbr"},
    {"bic", "ns3::TcpBic"},
    {"cubic", "ns3::TcpCubic"},
    {"highspeed", "ns3::TcpHighSpeed"},
    {"htcp", "ns3::TcpHtcp"},
    {"hybla", "ns3::TcpHybla"},
    {"illinois", "ns3::TcpIllinois"},
    {"ledbat", "ns3::TcpLedbat"},
    {"lp", "ns3::TcpLp"},
    {"newreno", "ns3::TcpNewReno"},
    {"reno", "ns3::TcpLinuxReno"},
    {"scalable", "ns3::TcpScalable"},
    {"vegas", "ns3::TcpVegas"},
    {"veno", "ns3::TcpVeno"},
    {"westwood", "ns3::TcpWestwood"},
    {"yeah", "ns3::TcpYeah"},
};

}  // namespace

std::vector<std::string> congestion_control_names() {
    std::vector<std::string> names;
    for (const auto& entry : TYPE_NAMES) {
        names.push_back(entry.first);
    }
    return names;
}

CongestionControl congestion_control(const std::string& name) {
    const auto found = TYPE_NAMES.find(name);
    if (found == TYPE_NAMES.end()) {
        std::string list;
        for (const auto& entry : TYPE_NAMES) {
            list += (list.empty() ? "" : ", ") + entry.first;
        }
        throw UserError("no congestion control " + name + "; there are " + list);
    }
    return {ns3::TypeId::LookupByName(found->second), name == "lp" || name == "ledbat"};
}

}  // namespace p4abs
