#include "tcp/new_reno.h"

#include <ns3/tcp-socket-state.h>

#include <algorithm>

namespace p4abs {

NS_OBJECT_ENSURE_REGISTERED(NewReno);

ns3::TypeId NewReno::GetTypeId() {
    static ns3::TypeId type =
        ns3::TypeId("p4abs::NewReno").SetParent<ns3::TcpNewReno>().AddConstructor<NewReno>();
    return type;
}

// Equation 4. While a lost retransmission holds up the acknowledgements, more than a window is
// outstanding.
uint32_t NewReno::GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> socket, uint32_t) {
    const auto flight_bytes =
        static_cast<uint32_t>(socket->m_highTxMark.Get() - socket->m_lastAckedSeq);
    return std::max(std::min(flight_bytes, socket->m_cWnd.Get()) / 2, 2 * socket->m_segmentSize);
}

ns3::Ptr<ns3::TcpCongestionOps> NewReno::Fork() {
    return ns3::CopyObject<NewReno>(this);
}

// Equation 3, for an acknowledgement of whatever length.
void NewReno::CongestionAvoidance(ns3::Ptr<ns3::TcpSocketState> socket, uint32_t segments) {
    if (segments == 0) {
        return;
    }
    const double segment_bytes = socket->m_segmentSize;
    fraction_bytes_ += segment_bytes * segment_bytes / socket->m_cWnd.Get();
    const auto whole_bytes = static_cast<uint32_t>(fraction_bytes_);
    fraction_bytes_ -= whole_bytes;
    socket->m_cWnd += whole_bytes;
}

}  // namespace p4abs
