#pragma once

#include <ns3/tcp-rate-ops.h>
#include <ns3/tcp-tx-buffer.h>

namespace p4abs {

// Samples of the delivery rate (draft-cheng-iccrg-delivery-rate-estimation-02, section 3), in the
// place of ns-3.37's, which begins a sample's acknowledgement phase one acknowledgement too early,
// repeats samples, takes repaired losses for new ones and errs beyond 4 GB.
class DeliveryRate : public ns3::TcpRateOps {
  public:
    // `buffer` says how much is lost.
    explicit DeliveryRate(ns3::Ptr<ns3::TcpTxBuffer> buffer);

    void SkbSent(ns3::TcpTxItem* segment, bool nothing_in_flight) override;
    void SkbDelivered(ns3::TcpTxItem* segment) override;
    void CalculateAppLimited(uint32_t window_bytes, uint32_t in_flight_bytes,
                             uint32_t segment_bytes, const ns3::SequenceNumber32& end,
                             const ns3::SequenceNumber32& next, uint32_t lost_bytes,
                             uint32_t retransmitted_bytes) override;
    // Of what has been delivered since the last call; m_delivered is -1 where there is no rate.
    const TcpRateSample& GenerateSample(uint32_t delivered_bytes, uint32_t lost_bytes,
                                        bool reneged, uint32_t prior_in_flight_bytes,
                                        const ns3::Time& least_rtt) override;
    const TcpRateConnection& GetConnectionRate() override { return connection_; }

  private:
    bool measure(const ns3::Time& least_rtt);

    ns3::Ptr<ns3::TcpTxBuffer> buffer_;
    uint32_t lost_bytes_ = 0;  // at the last sample
    bool sampling_ = false;    // something was delivered since the last sample
    uint64_t prior_delivered_ = 0;
    TcpRateConnection connection_;
    TcpRateSample sample_;
};

}  // namespace p4abs
