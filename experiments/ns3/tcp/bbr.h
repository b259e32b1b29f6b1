#pragma once

#include <ns3/tcp-congestion-ops.h>

#include <cstdint>
#include <deque>

#include "base/random.h"

namespace p4abs {

// The maximum over the last rounds.
class RoundMaximum {
  public:
    explicit RoundMaximum(uint64_t rounds) : rounds_(rounds) {}

    void add(uint64_t round, double value);
    double get() const { return entries_.empty() ? 0.0 : entries_.front().value; }

  private:
    struct Entry {
        uint64_t round;
        double value;
    };

    uint64_t rounds_;
    std::deque<Entry> entries_;  // descending values
};

// BBR, version 1 (draft-cardwell-iccrg-bbr-congestion-control-00, section 4), with Linux's pacing
// margin of 1 %. It replaces ns-3.37's, whose probes for the round-trip time make it forget the bandwidth and
// whose allowance for aggregated acknowledgements doubles the window.
class Bbr : public ns3::TcpCongestionOps {
  public:
    static ns3::TypeId GetTypeId();

    // Draws the first phase of a gain cycle. To be set before data is sent.
    void set_random(Random* random) { random_ = random; }

    std::string GetName() const override { return "Bbr"; }
    bool HasCongControl() const override { return true; }
    void CongControl(ns3::Ptr<ns3::TcpSocketState> socket,
                     const ns3::TcpRateOps::TcpRateConnection& connection,
                     const ns3::TcpRateOps::TcpRateSample& sample) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> socket,
                            ns3::TcpSocketState::TcpCongState_t state) override;
    void CwndEvent(ns3::Ptr<ns3::TcpSocketState> socket,
                   ns3::TcpSocketState::TcpCAEvent_t event) override;
    // The window does not follow the threshold: it stays as it is.
    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> socket, uint32_t) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

  private:
    using Socket = ns3::Ptr<ns3::TcpSocketState>;
    using Sample = ns3::TcpRateOps::TcpRateSample;
    enum class Mode { STARTUP, DRAIN, PROBE_BANDWIDTH, PROBE_RTT };

    void start(const Socket& socket);
    void update_round(const Sample& sample);
    void update_bandwidth(const Sample& sample);
    void update_cycle(const Socket& socket, const Sample& sample);
    bool phase_is_over(const Socket& socket, const Sample& sample) const;
    void start_phase(uint32_t index);
    void check_full_pipe(const Sample& sample);
    void check_drain(const Socket& socket);
    void update_least_rtt(const Socket& socket);
    void stay_in_probe_rtt(const Socket& socket);
    void enter_startup();
    void enter_probe_bandwidth();
    void save_window(const Socket& socket);
    void restore_window();
    void set_pacing_rate(const Socket& socket);
    void set_window(const Socket& socket, const Sample& sample);
    double target_bytes(const Socket& socket, double gain) const;

    Random* random_ = nullptr;
    bool started_ = false;
    Mode mode_ = Mode::STARTUP;
    double pacing_gain_ = 1.0;
    double window_gain_ = 1.0;
    double pacing_bytes_per_s_ = 0.0;
    uint32_t window_bytes_ = 0;
    uint32_t saved_window_bytes_ = 0;
    bool conserving_ = false;  // first round of a recovery: one packet out for one packet in

    RoundMaximum bandwidth_{10};  // bytes per second
    ns3::Time least_rtt_ = ns3::Time::Max();
    ns3::Time least_rtt_at_;
    bool restarted_ = false;  // after a pause, and nothing has been delivered since

    uint64_t round_ = 0;
    bool round_begins_ = false;
    uint32_t delivered_ = 0;        // bytes, modulo 2^32
    uint32_t round_end_ = 0;        // the value of delivered_ that ends the round
    double full_bandwidth_ = 0.0;   // the largest by steps of a quarter
    uint32_t full_rounds_ = 0;      // without such a step
    bool pipe_is_full_ = false;

    uint32_t phase_ = 0;  // of the gain cycle
    ns3::Time phase_began_;

    ns3::Time probe_rtt_end_;        // zero: not drained yet
    bool probe_rtt_round_done_ = false;
    bool probed_rtt_ = false;
    uint32_t probe_rtt_from_ = 0;    // what was sent at these values of delivered_ tells nothing
    uint32_t probe_rtt_to_ = 0;      // about the bandwidth
};

}  // namespace p4abs
