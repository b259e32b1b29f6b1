#pragma once

#include <ns3/tcp-dctcp.h>

namespace p4abs {

// ns-3.37's DCTCP (RFC 8257), which answers losses with as little as marks: here with half the
// window (section 3.5), and keeps a window of two segments.
class Dctcp : public ns3::TcpDctcp {
  public:
    static ns3::TypeId GetTypeId();

    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> socket,
                         uint32_t in_flight_bytes) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;
};

}  // namespace p4abs
