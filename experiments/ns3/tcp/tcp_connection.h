#pragma once

#include <ns3/ipv4-route.h>
#include <ns3/tcp-l4-protocol.h>

#include <functional>
#include <memory>

#include "network/path.h"
#include "tcp/congestion_control.h"
#include "tcp/tcp_socket.h"

namespace p4abs {

// What is the same for all connections of a source.
struct TcpProfile {
    CongestionControl congestion_control;
    uint32_t segment_bytes;
    uint32_t window_bytes;
    uint32_t initial_window_segments;
    bool ecn;
    ns3::Time jitter;
    std::vector<Port*> ports;
    std::vector<Port*> reverse_ports;
};

// A pair of TCP ends and the paths between them; carries one connection at a time.
class TcpConnection {
  public:
    // `number` tells the connections of a simulation apart: it gives their addresses.
    TcpConnection(const TcpProfile& profile, ns3::Ptr<ns3::Node> node, uint32_t number,
                  Random* random, Traffic* traffic);
    ~TcpConnection();
    TcpConnection(const TcpConnection&) = delete;
    TcpConnection& operator=(const TcpConnection&) = delete;

    // Opens a connection that sends size_bytes (0: without end). `completed` is called when the
    // receiver has them all; the connection has then been ended.
    void start(ns3::Time rtt, uint64_t size_bytes, std::function<void()> completed);
    // Ends the connection at once, without another packet; what is under way gets lost.
    void stop();
    // While paused, the sender's application has nothing to send.
    void set_paused(bool paused);
    // Whether nothing of an earlier connection could disturb a new one.
    bool idle() const;

    uint32_t congestion_window_bytes() const;

  private:
    void send_data(ns3::Ptr<ns3::Packet> packet, ns3::Ipv4Address, ns3::Ipv4Address, uint8_t,
                   ns3::Ptr<ns3::Ipv4Route>);
    void send_acknowledgement(ns3::Ptr<ns3::Packet> packet, ns3::Ipv4Address, ns3::Ipv4Address,
                              uint8_t, ns3::Ptr<ns3::Ipv4Route>);
    void received(uint32_t bytes);

    TcpProfile profile_;
    ns3::Ptr<ns3::Node> node_;
    Random* random_;
    Traffic* traffic_;
    ns3::Address sender_address_;
    ns3::Address receiver_address_;
    Path data_path_;
    Path acknowledgement_path_;
    ns3::Ptr<ns3::TcpL4Protocol> sender_tcp_;
    ns3::Ptr<ns3::TcpL4Protocol> receiver_tcp_;
    ns3::Ptr<TcpSocket> listener_;
    ns3::Ptr<TcpSocket> sender_;
    ns3::Ptr<TcpSocket> receiver_;  // answers the sender; null before the first SYN has arrived
    bool open_ = false;
    bool paused_ = false;
    ns3::Time stopped_at_;
    uint64_t missing_bytes_ = 0;  // until completion; 0: endless
    std::function<void()> completed_;
};

}  // namespace p4abs
