#include "tcp/cubic.h"

#include <ns3/simulator.h>
#include <ns3/tcp-socket-state.h>

#include <algorithm>
#include <cmath>

namespace p4abs {

namespace {

constexpr double C = 0.4;     // segments per second cubed
constexpr double BETA = 0.7;  // multiplicative decrease
// Additive increase whose response function with BETA is Reno's.
constexpr double RENO_INCREASE = 3.0 * (1.0 - BETA) / (1.0 + BETA);
constexpr double MOST_GROWTH = 1.5;  // in a round-trip time
constexpr double LEAST_THRESHOLD = 2.0;

}  // namespace

NS_OBJECT_ENSURE_REGISTERED(Cubic);

ns3::TypeId Cubic::GetTypeId() {
    static ns3::TypeId type =
        ns3::TypeId("p4abs::Cubic").SetParent<ns3::TcpCongestionOps>().AddConstructor<Cubic>();
    return type;
}

// Sections 4.6 and 4.7.
uint32_t Cubic::GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> socket, uint32_t) {
    const double window = static_cast<double>(socket->m_cWnd.Get()) / socket->m_segmentSize;
    const bool converging = window < largest_window_;
    largest_window_ = converging ? window * (1.0 + BETA) / 2.0 : window;
    prior_window_ = window;
    has_reduced_ = true;
    in_epoch_ = false;
    const double threshold = std::max(LEAST_THRESHOLD, BETA * window);
    return static_cast<uint32_t>(std::lround(threshold * socket->m_segmentSize));
}

void Cubic::IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> socket, uint32_t segments) {
    // An acknowledgement that ends a recovery covers much that others acknowledged selectively.
    const uint32_t delivered = socket->m_lastAckedSackedBytes / socket->m_segmentSize;
    segments = std::min(segments, std::max(delivered, 1U));
    if (segments == 0) {
        return;
    }
    if (socket->m_cWnd < socket->m_ssThresh) {
        socket->m_cWnd = has_reduced_ ? socket->m_cWnd.Get() + segments * socket->m_segmentSize
                                      : slow_start_.increase(socket, segments);
        return;
    }
    if (socket->m_cWnd != window_bytes_) {  // set by a recovery or by slow start
        window_ = static_cast<double>(socket->m_cWnd.Get()) / socket->m_segmentSize;
    }
    avoid_congestion(segments, socket->m_lastRtt.Get().GetSeconds());
    window_bytes_ = static_cast<uint32_t>(window_ * socket->m_segmentSize);
    socket->m_cWnd = window_bytes_;
}

void Cubic::PktsAcked(ns3::Ptr<ns3::TcpSocketState> socket, uint32_t, const ns3::Time& rtt) {
    if (!has_reduced_ && socket->m_cWnd < socket->m_ssThresh) {
        slow_start_.sample(rtt);
    }
}

// Section 4.8: after a timeout the plateau is where congestion avoidance begins.
void Cubic::CongestionStateSet(ns3::Ptr<ns3::TcpSocketState>,
                               ns3::TcpSocketState::TcpCongState_t state) {
    if (state == ns3::TcpSocketState::CA_LOSS) {
        largest_window_ = 0.0;
    }
}

ns3::Ptr<ns3::TcpCongestionOps> Cubic::Fork() {
    return ns3::CopyObject<Cubic>(this);
}

void Cubic::start_epoch() {
    in_epoch_ = true;
    epoch_began_ = ns3::Simulator::Now();
    largest_window_ = std::max(largest_window_, window_);
    plateau_s_ = std::cbrt((largest_window_ - window_) / C);
    reno_window_ = window_;
}

double Cubic::cubic_window(double time_s) const {
    return C * std::pow(time_s - plateau_s_, 3) + largest_window_;
}

// Sections 4.2 to 4.5, for acknowledged segments.
void Cubic::avoid_congestion(double segments, double rtt_s) {
    if (!in_epoch_) {
        start_epoch();
    }
    const double time_s = (ns3::Simulator::Now() - epoch_began_).GetSeconds();
    reno_window_ +=
        (reno_window_ < prior_window_ ? RENO_INCREASE : 1.0) * segments / window_;
    if (cubic_window(time_s) < reno_window_) {
        window_ = std::max(window_, reno_window_);
        return;
    }
    const double target =
        std::clamp(cubic_window(time_s + rtt_s), window_, MOST_GROWTH * window_);
    window_ += (target - window_) / window_ * segments;
}

}  // namespace p4abs
