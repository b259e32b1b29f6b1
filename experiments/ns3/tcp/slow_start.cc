#include "tcp/slow_start.h"

#include <algorithm>

namespace p4abs {

namespace {

// RFC 9406, section 4.3.
const ns3::Time LEAST_GROWTH = ns3::MilliSeconds(4);
const ns3::Time MOST_GROWTH = ns3::MilliSeconds(16);
constexpr int64_t GROWTH_DIVISOR = 8;
constexpr uint32_t ENOUGH_SAMPLES = 8;
constexpr uint32_t CONSERVATIVE_DIVISOR = 4;
constexpr uint32_t CONSERVATIVE_ROUNDS = 5;
constexpr uint32_t MOST_SEGMENTS = 8;  // that one acknowledgement counts for

}  // namespace

void SlowStart::sample(const ns3::Time& rtt) {
    least_rtt_ = std::min(least_rtt_, rtt);
    ++samples_;
}

uint32_t SlowStart::increase(const ns3::Ptr<ns3::TcpSocketState>& socket, uint32_t segments) {
    if (socket->m_lastAckedSeq >= round_end_) {
        end_round(socket);
    }
    if (!conservative_ && has_grown()) {
        conservative_ = true;
        baseline_rtt_ = least_rtt_;
        conservative_rounds_ = 0;
    } else if (conservative_ && samples_ >= ENOUGH_SAMPLES && least_rtt_ < baseline_rtt_) {
        conservative_ = false;
    }
    const uint32_t bytes = std::min(segments, MOST_SEGMENTS) * socket->m_segmentSize;
    const uint32_t window_bytes =
        socket->m_cWnd + (conservative_ ? bytes / CONSERVATIVE_DIVISOR : bytes);
    if (conservative_ && conservative_rounds_ >= CONSERVATIVE_ROUNDS) {
        socket->m_ssThresh = window_bytes;
    }
    return window_bytes;
}

void SlowStart::end_round(const ns3::Ptr<ns3::TcpSocketState>& socket) {
    round_end_ = socket->m_highTxMark;
    former_least_rtt_ = least_rtt_;
    least_rtt_ = ns3::Time::Max();
    samples_ = 0;
    conservative_rounds_ += conservative_ ? 1 : 0;
}

bool SlowStart::has_grown() const {
    if (samples_ < ENOUGH_SAMPLES || former_least_rtt_ == ns3::Time::Max()) {
        return false;
    }
    const ns3::Time growth =
        std::clamp(ns3::Time(former_least_rtt_ / GROWTH_DIVISOR), LEAST_GROWTH, MOST_GROWTH);
    return least_rtt_ >= former_least_rtt_ + growth;
}

}  // namespace p4abs
