#include "tcp/dctcp.h"

#include <ns3/tcp-socket-state.h>

#include <algorithm>

namespace p4abs {

NS_OBJECT_ENSURE_REGISTERED(Dctcp);

ns3::TypeId Dctcp::GetTypeId() {
    static ns3::TypeId type =
        ns3::TypeId("p4abs::Dctcp").SetParent<ns3::TcpDctcp>().AddConstructor<Dctcp>();
    return type;
}

uint32_t Dctcp::GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> socket, uint32_t in_flight_bytes) {
    const bool marked = socket->m_ecnState == ns3::TcpSocketState::ECN_ECE_RCVD &&
                        socket->m_congState != ns3::TcpSocketState::CA_RECOVERY;
    const uint32_t threshold_bytes =
        marked ? TcpDctcp::GetSsThresh(socket, in_flight_bytes) : socket->m_cWnd.Get() / 2;
    return std::max(threshold_bytes, 2 * socket->m_segmentSize);
}

ns3::Ptr<ns3::TcpCongestionOps> Dctcp::Fork() {
    return ns3::CopyObject<Dctcp>(this);
}

}  // namespace p4abs
