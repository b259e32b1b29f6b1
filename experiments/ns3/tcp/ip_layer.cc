#include "tcp/ip_layer.h"

#include <ns3/ipv4-l3-protocol.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-routing-protocol.h>

namespace p4abs {

namespace {

class OneRoute : public ns3::Ipv4RoutingProtocol {
  public:
    OneRoute() : route_(ns3::Create<ns3::Ipv4Route>()) {
        route_->SetSource(ns3::Ipv4Address("10.0.0.1"));
    }

    ns3::Ptr<ns3::Ipv4Route> RouteOutput(ns3::Ptr<ns3::Packet>, const ns3::Ipv4Header&,
                                         ns3::Ptr<ns3::NetDevice>,
                                         ns3::Socket::SocketErrno&) override {
        return route_;
    }
    bool RouteInput(ns3::Ptr<const ns3::Packet>, const ns3::Ipv4Header&,
                    ns3::Ptr<const ns3::NetDevice>, UnicastForwardCallback,
                    MulticastForwardCallback, LocalDeliverCallback, ErrorCallback) override {
        return false;
    }
    void NotifyInterfaceUp(uint32_t) override {}
    void NotifyInterfaceDown(uint32_t) override {}
    void NotifyAddAddress(uint32_t, ns3::Ipv4InterfaceAddress) override {}
    void NotifyRemoveAddress(uint32_t, ns3::Ipv4InterfaceAddress) override {}
    void SetIpv4(ns3::Ptr<ns3::Ipv4>) override {}
    void PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper>, ns3::Time::Unit) const override {}

  private:
    ns3::Ptr<ns3::Ipv4Route> route_;
};

// Without the loopback device that ns-3 gives every node.
class BareIpv4 : public ns3::Ipv4L3Protocol {
  protected:
    void NotifyNewAggregate() override { ns3::Ipv4::NotifyNewAggregate(); }
};

}  // namespace

ns3::Ptr<ns3::Node> make_node() {
    const auto ipv4 = ns3::CreateObject<BareIpv4>();
    ipv4->SetRoutingProtocol(ns3::CreateObject<OneRoute>());
    const auto node = ns3::CreateObject<ns3::Node>();
    node->AggregateObject(ipv4);
    return node;
}

}  // namespace p4abs
