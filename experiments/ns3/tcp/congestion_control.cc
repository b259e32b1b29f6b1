#include "tcp/congestion_control.h"

#include <ns3/object-factory.h>

#include <map>

#include "base/errors.h"
#include "tcp/bbr.h"

namespace p4abs {

namespace {

const std::map<std::string, std::string> TYPE_NAMES = {
    {"bbr", "p4abs::Bbr"},
    {"bic", "ns3::TcpBic"},
    {"cubic", "p4abs::Cubic"},
    {"dctcp", "p4abs::Dctcp"},
    {"highspeed", "ns3::TcpHighSpeed"},
    {"htcp", "ns3::TcpHtcp"},
    {"hybla", "ns3::TcpHybla"},
    {"illinois", "ns3::TcpIllinois"},
    {"ledbat", "ns3::TcpLedbat"},
    {"lp", "ns3::TcpLp"},
    {"newreno", "p4abs::NewReno"},
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

ns3::Ptr<ns3::TcpCongestionOps> make_congestion_control(const CongestionControl& control,
                                                        Random* random) {
    ns3::ObjectFactory factory;
    factory.SetTypeId(control.type);
    const auto made = factory.Create<ns3::TcpCongestionOps>();
    if (const auto bbr = ns3::DynamicCast<Bbr>(made)) {
        bbr->set_random(random);
    }
    return made;
}

}  // namespace p4abs
