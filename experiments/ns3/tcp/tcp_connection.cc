#include "tcp/tcp_connection.h"

#include <ns3/node.h>

#include <algorithm>
#include <utility>

namespace p4abs {

namespace {

constexpr uint8_t TCP_PROTOCOL_NUMBER = 6;
constexpr uint16_t SENDER_PORT = 49152;
constexpr uint16_t RECEIVER_PORT = 5001;
constexpr uint32_t FIRST_SENDER_ADDRESS = 0x0a000002;    // 10.0.0.2
constexpr uint32_t FIRST_RECEIVER_ADDRESS = 0x0a800002;  // 10.128.0.2

Path::Endpoints endpoints(uint32_t source, uint32_t destination) {
    return {ns3::Ipv4Address(source), ns3::Ipv4Address(destination), TCP_PROTOCOL_NUMBER};
}

}  // namespace

TcpConnection::TcpConnection(const TcpProfile& profile, ns3::Ptr<ns3::Node> node, uint32_t number,
                             Random* random, Traffic* traffic)
    : profile_(profile),
      node_(std::move(node)),
      random_(random),
      traffic_(traffic),
      sender_address_(ns3::InetSocketAddress(ns3::Ipv4Address(FIRST_SENDER_ADDRESS + number),
                                             SENDER_PORT)),
      receiver_address_(ns3::InetSocketAddress(ns3::Ipv4Address(FIRST_RECEIVER_ADDRESS + number),
                                               RECEIVER_PORT)),
      data_path_(profile.ports, ns3::Time(), profile.jitter, random, traffic,
                 endpoints(FIRST_SENDER_ADDRESS + number, FIRST_RECEIVER_ADDRESS + number)),
      acknowledgement_path_(
          profile.reverse_ports, ns3::Time(), ns3::Time(), nullptr, nullptr,
          endpoints(FIRST_RECEIVER_ADDRESS + number, FIRST_SENDER_ADDRESS + number)),
      sender_tcp_(ns3::CreateObject<ns3::TcpL4Protocol>()),
      receiver_tcp_(ns3::CreateObject<ns3::TcpL4Protocol>()) {
    sender_tcp_->SetNode(node_);
    sender_tcp_->SetDownTarget(ns3::MakeCallback(&TcpConnection::send_data, this));
    receiver_tcp_->SetNode(node_);
    receiver_tcp_->SetDownTarget(ns3::MakeCallback(&TcpConnection::send_acknowledgement, this));

    listener_ = TcpSocket::create(node_, receiver_tcp_, profile_.congestion_control, nullptr);
    listener_->set_ecn(profile_.ecn);
    listener_->set_segment_bytes(profile_.segment_bytes);
    listener_->set_window_bytes(profile_.window_bytes);
    listener_->set_sink([this](uint32_t bytes) { received(bytes); });
    listener_->set_accept([this](ns3::Ptr<TcpSocket> socket) { receiver_ = std::move(socket); });
    listener_->set_addresses(receiver_address_, sender_address_);
    listener_->Bind(receiver_address_);
    listener_->Listen();

    data_path_.set_receiver([this](ns3::Ptr<ns3::Packet> packet, Ecn ecn) {
        const ns3::Ptr<TcpSocket> socket = receiver_ ? receiver_ : listener_;
        socket->receive(std::move(packet), ecn);
    });
    acknowledgement_path_.set_receiver([this](ns3::Ptr<ns3::Packet> packet, Ecn ecn) {
        const ns3::Ptr<TcpSocket> socket = sender_;
        socket->receive(std::move(packet), ecn);
    });
}

TcpConnection::~TcpConnection() {
    stop();
    listener_->abort();
    sender_tcp_->Dispose();
    receiver_tcp_->Dispose();
}

void TcpConnection::start(ns3::Time rtt, uint64_t size_bytes, std::function<void()> completed) {
    data_path_.set_delay(rtt / 2);
    acknowledgement_path_.set_delay(rtt - rtt / 2);
    missing_bytes_ = size_bytes;
    completed_ = std::move(completed);
    receiver_ = nullptr;
    sender_ = TcpSocket::create(node_, sender_tcp_, profile_.congestion_control, random_);
    sender_->set_ecn(profile_.ecn);
    sender_->set_segment_bytes(profile_.segment_bytes);
    sender_->set_initial_window_segments(profile_.initial_window_segments);
    sender_->set_data_bytes(size_bytes);
    sender_->set_paused(paused_);
    sender_->set_addresses(sender_address_, receiver_address_);
    sender_->Bind(sender_address_);
    open_ = true;
    sender_->Connect(receiver_address_);
}

// The sockets stay until the next start(), because events of this instant may still refer to them.
void TcpConnection::stop() {
    if (!open_) {
        return;
    }
    open_ = false;
    stopped_at_ = ns3::Simulator::Now();
    data_path_.abandon();
    acknowledgement_path_.abandon();
    sender_->abort();
    if (receiver_) {
        receiver_->abort();
    }
}

void TcpConnection::set_paused(bool paused) {
    paused_ = paused;
    if (open_) {
        sender_->set_paused(paused);
    }
}

bool TcpConnection::idle() const {
    return !open_ && stopped_at_ < ns3::Simulator::Now() && data_path_.access_is_empty() &&
           acknowledgement_path_.access_is_empty();
}

uint32_t TcpConnection::congestion_window_bytes() const {
    return open_ ? sender_->congestion_window_bytes() : 0;
}

void TcpConnection::send_data(ns3::Ptr<ns3::Packet> packet, ns3::Ipv4Address, ns3::Ipv4Address,
                              uint8_t, ns3::Ptr<ns3::Ipv4Route>) {
    data_path_.send(std::move(packet), sender_->ecn_of_packet());
}

void TcpConnection::send_acknowledgement(ns3::Ptr<ns3::Packet> packet, ns3::Ipv4Address,
                                         ns3::Ipv4Address, uint8_t, ns3::Ptr<ns3::Ipv4Route>) {
    acknowledgement_path_.send(std::move(packet));
}

void TcpConnection::received(uint32_t bytes) {
    traffic_->goodput_bytes += bytes;
    if (missing_bytes_ == 0) {
        return;
    }
    missing_bytes_ -= std::min<uint64_t>(missing_bytes_, bytes);
    if (missing_bytes_ == 0) {
        stop();
        completed_();
    }
}

}  // namespace p4abs
