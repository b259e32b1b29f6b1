#include "tcp/window_reduction.h"

#include <ns3/tcp-socket-state.h>

#include <algorithm>

namespace p4abs {

NS_OBJECT_ENSURE_REGISTERED(WindowReduction);

ns3::TypeId WindowReduction::GetTypeId() {
    static ns3::TypeId type = ns3::TypeId("p4abs::WindowReduction")
                                  .SetParent<ns3::TcpRecoveryOps>()
                                  .AddConstructor<WindowReduction>();
    return type;
}

void WindowReduction::EnterRecovery(ns3::Ptr<ns3::TcpSocketState> socket, uint32_t,
                                    uint32_t outstanding_bytes, uint32_t delivered_bytes) {
    delivered_bytes_ = 0;
    sent_bytes_ = 0;
    outstanding_bytes_ = outstanding_bytes;
    DoRecovery(socket, delivered_bytes);
}

void WindowReduction::DoRecovery(ns3::Ptr<ns3::TcpSocketState> socket, uint32_t delivered_bytes) {
    const int64_t segment_bytes = socket->m_segmentSize;
    const int64_t threshold_bytes = socket->m_ssThresh.Get();
    const int64_t in_flight_bytes = socket->m_bytesInFlight.Get();
    const int64_t delivered_now = delivered_bytes;
    delivered_bytes_ += delivered_now;
    int64_t to_send = 0;
    if (in_flight_bytes > threshold_bytes) {
        const int64_t share = delivered_bytes_ * threshold_bytes;
        to_send = (share + outstanding_bytes_ - 1) / outstanding_bytes_ - sent_bytes_;
    } else {
        int64_t bound = delivered_now;
        if (socket->m_isRetransDataAcked) {
            bound = std::max(delivered_bytes_ - sent_bytes_, delivered_now) + segment_bytes;
        }
        to_send = std::min(bound, threshold_bytes - in_flight_bytes);
    }
    // The first retransmission goes out at once.
    to_send = std::max(to_send, sent_bytes_ > 0 ? int64_t{0} : segment_bytes);
    socket->m_cWnd = static_cast<uint32_t>(in_flight_bytes + to_send);
    socket->m_cWndInfl = socket->m_cWnd;
}

void WindowReduction::ExitRecovery(ns3::Ptr<ns3::TcpSocketState> socket) {
    socket->m_cWndInfl = socket->m_cWnd;
}

ns3::Ptr<ns3::TcpRecoveryOps> WindowReduction::Fork() {
    return ns3::CopyObject<WindowReduction>(this);
}

}  // namespace p4abs
