#include "tcp/delivery_rate.h"

#include <ns3/simulator.h>
#include <ns3/tcp-tx-item.h>

#include <algorithm>
#include <utility>

namespace p4abs {

DeliveryRate::DeliveryRate(ns3::Ptr<ns3::TcpTxBuffer> buffer) : buffer_(std::move(buffer)) {}

void DeliveryRate::SkbSent(ns3::TcpTxItem* segment, bool nothing_in_flight) {
    if (nothing_in_flight) {
        connection_.m_firstSentTime = ns3::Simulator::Now();
        connection_.m_deliveredTime = ns3::Simulator::Now();
    }
    ns3::TcpTxItem::RateInformation& sent = segment->GetRateInformation();
    sent.m_firstSent = connection_.m_firstSentTime;
    sent.m_deliveredTime = connection_.m_deliveredTime;
    sent.m_delivered = connection_.m_delivered;
    sent.m_isAppLimited = connection_.m_appLimited != 0;
}

void DeliveryRate::SkbDelivered(ns3::TcpTxItem* segment) {
    ns3::TcpTxItem::RateInformation& sent = segment->GetRateInformation();
    if (sent.m_deliveredTime == ns3::Time::Max()) {
        return;  // counted when it was acknowledged selectively
    }
    const ns3::Time now = ns3::Simulator::Now();
    connection_.m_delivered += segment->GetSeqSize();
    connection_.m_deliveredTime = now;
    // The segment that was sent last makes the sample.
    if (!sampling_ || sent.m_delivered >= prior_delivered_) {
        sampling_ = true;
        prior_delivered_ = sent.m_delivered;
        sample_.m_priorTime = sent.m_deliveredTime;
        sample_.m_isAppLimited = sent.m_isAppLimited;
        sample_.m_sendElapsed = segment->GetLastSent() - sent.m_firstSent;
        sample_.m_ackElapsed = now - sent.m_deliveredTime;
        connection_.m_firstSentTime = segment->GetLastSent();
    }
    sent.m_deliveredTime = ns3::Time::Max();
}

void DeliveryRate::CalculateAppLimited(uint32_t window_bytes, uint32_t in_flight_bytes,
                                       uint32_t segment_bytes, const ns3::SequenceNumber32& end,
                                       const ns3::SequenceNumber32& next, uint32_t lost_bytes,
                                       uint32_t retransmitted_bytes) {
    const bool nothing_to_send = end - next < static_cast<int32_t>(segment_bytes);
    if (nothing_to_send && in_flight_bytes < window_bytes && lost_bytes <= retransmitted_bytes) {
        const uint64_t mark = connection_.m_delivered + in_flight_bytes;
        connection_.m_appLimited = std::max(static_cast<uint32_t>(mark), 1U);
    }
}

const DeliveryRate::TcpRateSample& DeliveryRate::GenerateSample(uint32_t delivered_bytes, uint32_t,
                                                                bool reneged,
                                                                uint32_t prior_in_flight_bytes,
                                                                const ns3::Time& least_rtt) {
    const auto delivered = static_cast<uint32_t>(connection_.m_delivered);
    if (connection_.m_appLimited != 0 &&
        static_cast<int32_t>(delivered - connection_.m_appLimited) > 0) {
        connection_.m_appLimited = 0;
    }
    const uint32_t lost_bytes = buffer_->GetLost();
    sample_.m_bytesLoss = lost_bytes - std::min(lost_bytes, lost_bytes_);
    lost_bytes_ = lost_bytes;
    sample_.m_ackedSacked = delivered_bytes;
    sample_.m_priorInFlight = prior_in_flight_bytes;
    sample_.m_priorDelivered = static_cast<uint32_t>(prior_delivered_);
    if (!sampling_ || reneged || !measure(least_rtt)) {
        sample_.m_delivered = -1;
        sample_.m_interval = ns3::Time();
        sample_.m_priorTime = ns3::Time();
        sample_.m_deliveryRate = ns3::DataRate(0);
    }
    sampling_ = false;
    return sample_;
}

// False: acknowledged sooner than a segment can be, so it was one sent before that.
bool DeliveryRate::measure(const ns3::Time& least_rtt) {
    sample_.m_interval = std::max(sample_.m_sendElapsed, sample_.m_ackElapsed);
    if (!sample_.m_interval.IsStrictlyPositive() || sample_.m_interval < least_rtt) {
        return false;
    }
    sample_.m_delivered = static_cast<int32_t>(connection_.m_delivered - prior_delivered_);
    const double bits = 8.0 * sample_.m_delivered;
    sample_.m_deliveryRate =
        ns3::DataRate(static_cast<uint64_t>(bits / sample_.m_interval.GetSeconds()));
    return true;
}

}  // namespace p4abs
