#include "flows/cbr_flow.h"

#include <ns3/udp-header.h>

#include <algorithm>
#include <cmath>

namespace p4abs {

namespace {

constexpr uint8_t UDP_PROTOCOL_NUMBER = 17;
constexpr uint16_t UDP_PORT = 4000;
constexpr uint32_t UDP_HEADER_BYTES = 8;
constexpr uint32_t FIRST_SENDER_ADDRESS = 0x0a400002;    // 10.64.0.2
constexpr uint32_t FIRST_RECEIVER_ADDRESS = 0x0ac00002;  // 10.192.0.2

ns3::Ptr<ns3::Packet> udp_packet(uint32_t packet_bytes) {
    ns3::UdpHeader header;
    header.SetSourcePort(UDP_PORT);
    header.SetDestinationPort(UDP_PORT);
    const auto packet =
        ns3::Create<ns3::Packet>(packet_bytes - NETWORK_HEADER_BYTES - UDP_HEADER_BYTES);
    packet->AddHeader(header);
    return packet;
}

}  // namespace

CbrFlow::CbrFlow(std::vector<Port*> ports, ns3::Time delay, ns3::Time jitter,
                 uint32_t packet_bytes, const Schedule& schedule, uint32_t number, Random random)
    : schedule_(schedule),
      random_(random),
      path_(std::move(ports), delay, jitter, &random_, &traffic_,
            {ns3::Ipv4Address(FIRST_SENDER_ADDRESS + number),
             ns3::Ipv4Address(FIRST_RECEIVER_ADDRESS + number), UDP_PROTOCOL_NUMBER}),
      packet_(udp_packet(packet_bytes)),
      phase_timer_(this),
      send_timer_(this) {
    path_.set_receiver([this](ns3::Ptr<ns3::Packet> packet, Ecn) { received(std::move(packet)); });
    phase_timer_.start(schedule_.start);
}

void CbrFlow::start_phase() {
    phase_end_ = schedule_.stop;
    if (std::isfinite(schedule_.on_s)) {
        const ns3::Time on = ns3::Seconds(random_.exponential(schedule_.on_s));
        phase_end_ = std::min(phase_end_, ns3::Simulator::Now() + on);
    }
    send();
}

void CbrFlow::send() {
    const ns3::Time now = ns3::Simulator::Now();
    if (now < phase_end_) {
        if (!paused_) {
            path_.send(packet_->Copy());
        }
        send_timer_.start(schedule_.interval);
    } else if (now < schedule_.stop) {
        phase_timer_.start(ns3::Seconds(random_.exponential(schedule_.off_s)));
    }
}

void CbrFlow::received(ns3::Ptr<ns3::Packet> packet) {
    traffic_.goodput_bytes += packet->GetSize() - UDP_HEADER_BYTES;
}

}  // namespace p4abs
