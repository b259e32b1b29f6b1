#include "flows/tcp_flow.h"

namespace p4abs {

TcpFlow::TcpFlow(const TcpProfile& profile, const Schedule& schedule, ns3::Ptr<ns3::Node> node,
                 uint32_t number, Random random)
    : schedule_(schedule),
      random_(random),
      connection_(profile, std::move(node), number, &random_, &traffic_) {
    ns3::Simulator::Schedule(schedule_.start, &TcpFlow::start, this);
    if (schedule_.stop != ns3::Time::Max()) {
        ns3::Simulator::Schedule(schedule_.stop, &TcpConnection::stop, &connection_);
    }
}

uint32_t TcpFlow::congestion_window_bytes() const {
    return connection_.congestion_window_bytes();
}

void TcpFlow::start() {
    connection_.start(schedule_.rtt, schedule_.size_bytes, [this] { completed(); });
}

void TcpFlow::completed() {
    completion_s_ = (ns3::Simulator::Now() - schedule_.start).GetSeconds();
}

}  // namespace p4abs
