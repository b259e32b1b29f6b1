#include "tcp/bbr.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <array>

namespace p4abs {

namespace {

constexpr double HIGH_GAIN = 2.885;  // 2 / ln 2: doubles the rate each round
constexpr std::array<double, 8> CYCLE_GAINS = {1.25, 0.75, 1, 1, 1, 1, 1, 1};
constexpr double CYCLE_WINDOW_GAIN = 2.0;
constexpr double PACING_MARGIN = 0.01;  // below the estimate, so that no queue stays
constexpr double FULL_PIPE_GROWTH = 1.25;
constexpr uint32_t FULL_PIPE_ROUNDS = 3;
constexpr uint32_t LEAST_WINDOW_SEGMENTS = 4;
constexpr uint32_t SEGMENTS_ON_THEIR_WAY = 3;  // in the ends' own buffers
const ns3::Time LEAST_RTT_VALID = ns3::Seconds(10);
const ns3::Time PROBE_RTT_TIME = ns3::MilliSeconds(200);

// Of counts modulo 2^32.
bool reaches(uint32_t count, uint32_t mark) {
    return static_cast<int32_t>(count - mark) >= 0;
}

}  // namespace

NS_OBJECT_ENSURE_REGISTERED(Bbr);

void RoundMaximum::add(uint64_t round, double value) {
    while (!entries_.empty() && entries_.back().value <= value) {
        entries_.pop_back();
    }
    entries_.push_back({round, value});
    while (entries_.front().round + rounds_ <= round) {
        entries_.pop_front();
    }
}

ns3::TypeId Bbr::GetTypeId() {
    static ns3::TypeId type =
        ns3::TypeId("p4abs::Bbr").SetParent<ns3::TcpCongestionOps>().AddConstructor<Bbr>();
    return type;
}

void Bbr::CongControl(Socket socket, const ns3::TcpRateOps::TcpRateConnection& connection,
                      const Sample& sample) {
    delivered_ = static_cast<uint32_t>(connection.m_delivered);
    if (sample.m_delivered > 0) {
        update_round(sample);
        update_bandwidth(sample);
    } else {
        round_begins_ = false;
    }
    update_cycle(socket, sample);
    check_full_pipe(sample);
    check_drain(socket);
    update_least_rtt(socket);
    restarted_ = restarted_ && sample.m_delivered <= 0;
    set_pacing_rate(socket);
    set_window(socket, sample);
}

void Bbr::CongestionStateSet(Socket socket, ns3::TcpSocketState::TcpCongState_t state) {
    const auto former = socket->m_congState.Get();
    if (state == ns3::TcpSocketState::CA_OPEN) {
        if (!started_) {
            start(socket);
        } else if (former == ns3::TcpSocketState::CA_RECOVERY ||
                   former == ns3::TcpSocketState::CA_LOSS) {
            restore_window();
        }
    } else if (state == ns3::TcpSocketState::CA_RECOVERY) {
        save_window(socket);
        window_bytes_ = socket->m_bytesInFlight.Get() +
                        std::max(socket->m_lastAckedSackedBytes, socket->m_segmentSize);
        conserving_ = true;
        round_end_ = delivered_;
    } else if (state == ns3::TcpSocketState::CA_LOSS) {
        save_window(socket);
        window_bytes_ = socket->m_segmentSize;
        full_bandwidth_ = 0.0;
    }
}

// A pause has drained the queue: its end needs no probe for the round-trip time.
void Bbr::CwndEvent(Socket socket, ns3::TcpSocketState::TcpCAEvent_t event) {
    if (event == ns3::TcpSocketState::CA_EVENT_TX_START && mode_ == Mode::PROBE_BANDWIDTH &&
        socket->m_congState == ns3::TcpSocketState::CA_OPEN) {
        restarted_ = true;
        pacing_gain_ = 1.0;
        set_pacing_rate(socket);
    }
}

uint32_t Bbr::GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> socket, uint32_t) {
    return socket->m_ssThresh;
}

ns3::Ptr<ns3::TcpCongestionOps> Bbr::Fork() {
    return ns3::CopyObject<Bbr>(this);
}

void Bbr::start(const Socket& socket) {
    started_ = true;
    socket->m_pacing = true;
    window_bytes_ = saved_window_bytes_ = socket->m_cWnd;
    const bool measured = socket->m_lastRtt.Get().IsStrictlyPositive();
    const ns3::Time rtt = measured ? socket->m_lastRtt.Get() : ns3::MilliSeconds(1);
    enter_startup();
    pacing_bytes_per_s_ = HIGH_GAIN * window_bytes_ / rtt.GetSeconds();
    set_pacing_rate(socket);
}

void Bbr::update_round(const Sample& sample) {
    round_begins_ = reaches(sample.m_priorDelivered, round_end_);
    if (round_begins_) {
        round_end_ = delivered_;
        ++round_;
        conserving_ = false;
    }
}

void Bbr::update_bandwidth(const Sample& sample) {
    const bool while_probing_rtt = probed_rtt_ &&
                                   reaches(sample.m_priorDelivered, probe_rtt_from_) &&
                                   reaches(probe_rtt_to_, sample.m_priorDelivered);
    const double bytes_per_s = static_cast<double>(sample.m_deliveryRate.GetBitRate()) / 8.0;
    const bool limited = sample.m_isAppLimited || while_probing_rtt;
    if (!limited || bytes_per_s >= bandwidth_.get()) {
        bandwidth_.add(round_, bytes_per_s);
    }
}

void Bbr::update_cycle(const Socket& socket, const Sample& sample) {
    if (mode_ == Mode::PROBE_BANDWIDTH && phase_is_over(socket, sample)) {
        start_phase((phase_ + 1) % CYCLE_GAINS.size());
    }
}

bool Bbr::phase_is_over(const Socket& socket, const Sample& sample) const {
    const bool lasted = ns3::Simulator::Now() - phase_began_ > least_rtt_;
    if (pacing_gain_ > 1.0) {
        return lasted && (sample.m_bytesLoss > 0 ||
                          sample.m_priorInFlight >= target_bytes(socket, pacing_gain_));
    }
    const bool drained =
        pacing_gain_ < 1.0 && sample.m_priorInFlight <= target_bytes(socket, 1.0);
    return lasted || drained;
}

void Bbr::start_phase(uint32_t index) {
    phase_ = index;
    phase_began_ = ns3::Simulator::Now();
    pacing_gain_ = CYCLE_GAINS[index];
}

void Bbr::check_full_pipe(const Sample& sample) {
    if (pipe_is_full_ || !round_begins_ || sample.m_isAppLimited) {
        return;
    }
    if (bandwidth_.get() >= full_bandwidth_ * FULL_PIPE_GROWTH) {
        full_bandwidth_ = bandwidth_.get();
        full_rounds_ = 0;
    } else {
        pipe_is_full_ = ++full_rounds_ >= FULL_PIPE_ROUNDS;
    }
}

void Bbr::check_drain(const Socket& socket) {
    if (mode_ == Mode::STARTUP && pipe_is_full_) {
        mode_ = Mode::DRAIN;
        pacing_gain_ = 1.0 / HIGH_GAIN;
    }
    if (mode_ == Mode::DRAIN && socket->m_bytesInFlight <= target_bytes(socket, 1.0)) {
        enter_probe_bandwidth();
    }
}

void Bbr::update_least_rtt(const Socket& socket) {
    const ns3::Time now = ns3::Simulator::Now();
    const bool expired = now > least_rtt_at_ + LEAST_RTT_VALID;
    const ns3::Time rtt = socket->m_lastRtt;
    if (rtt.IsStrictlyPositive() && (rtt <= least_rtt_ || expired)) {
        least_rtt_ = rtt;
        least_rtt_at_ = now;
    }
    if (expired && mode_ != Mode::PROBE_RTT && !restarted_) {
        save_window(socket);
        mode_ = Mode::PROBE_RTT;
        pacing_gain_ = window_gain_ = 1.0;
        probe_rtt_end_ = ns3::Time();
        probed_rtt_ = true;
        probe_rtt_from_ = delivered_;
    }
    if (mode_ == Mode::PROBE_RTT) {
        stay_in_probe_rtt(socket);
    }
}

void Bbr::stay_in_probe_rtt(const Socket& socket) {
    const ns3::Time now = ns3::Simulator::Now();
    const uint32_t in_flight_bytes = socket->m_bytesInFlight;
    probe_rtt_to_ = delivered_ + in_flight_bytes;
    if (probe_rtt_end_.IsZero()) {
        if (in_flight_bytes <= LEAST_WINDOW_SEGMENTS * socket->m_segmentSize) {
            probe_rtt_end_ = now + PROBE_RTT_TIME;
            probe_rtt_round_done_ = false;
            round_end_ = delivered_;
        }
        return;
    }
    probe_rtt_round_done_ = probe_rtt_round_done_ || round_begins_;
    if (probe_rtt_round_done_ && now > probe_rtt_end_) {
        least_rtt_at_ = now;
        restore_window();
        if (pipe_is_full_) {
            enter_probe_bandwidth();
        } else {
            enter_startup();
        }
    }
}

void Bbr::enter_startup() {
    mode_ = Mode::STARTUP;
    pacing_gain_ = window_gain_ = HIGH_GAIN;
}

// Any phase may be the first but the one that drains.
void Bbr::enter_probe_bandwidth() {
    mode_ = Mode::PROBE_BANDWIDTH;
    window_gain_ = CYCLE_WINDOW_GAIN;
    const int64_t last = static_cast<int64_t>(CYCLE_GAINS.size()) - 1;
    const auto drawn = static_cast<uint32_t>(random_->integer(1, last));
    start_phase(drawn == 1 ? 0 : drawn);
}

void Bbr::save_window(const Socket& socket) {
    const auto state = socket->m_congState.Get();
    const bool own = state != ns3::TcpSocketState::CA_RECOVERY &&
                     state != ns3::TcpSocketState::CA_LOSS && mode_ != Mode::PROBE_RTT;
    saved_window_bytes_ = own ? window_bytes_ : std::max(saved_window_bytes_, window_bytes_);
}

void Bbr::restore_window() {
    conserving_ = false;
    window_bytes_ = std::max(window_bytes_, saved_window_bytes_);
}

void Bbr::set_pacing_rate(const Socket& socket) {
    const double bytes_per_s = pacing_gain_ * (1.0 - PACING_MARGIN) * bandwidth_.get();
    if (pipe_is_full_ || bytes_per_s > pacing_bytes_per_s_) {
        pacing_bytes_per_s_ = bytes_per_s;
    }
    socket->m_pacingRate = ns3::DataRate(static_cast<uint64_t>(8.0 * pacing_bytes_per_s_));
}

void Bbr::set_window(const Socket& socket, const Sample& sample) {
    const uint32_t segment_bytes = socket->m_segmentSize;
    const uint32_t least_bytes = LEAST_WINDOW_SEGMENTS * segment_bytes;
    const uint32_t acknowledged_bytes = sample.m_ackedSacked;
    if (socket->m_congState == ns3::TcpSocketState::CA_RECOVERY && sample.m_bytesLoss > 0) {
        window_bytes_ = std::max(window_bytes_ - std::min(window_bytes_, sample.m_bytesLoss),
                                 segment_bytes);
    }
    if (conserving_) {
        window_bytes_ =
            std::max(window_bytes_, socket->m_bytesInFlight.Get() + acknowledged_bytes);
    } else {
        const auto target = static_cast<uint32_t>(target_bytes(socket, window_gain_));
        if (pipe_is_full_) {
            window_bytes_ = std::min(window_bytes_ + acknowledged_bytes, target);
        } else if (window_bytes_ < target || round_ == 0) {
            window_bytes_ += acknowledged_bytes;
        }
        window_bytes_ = std::max(window_bytes_, least_bytes);
    }
    if (mode_ == Mode::PROBE_RTT) {
        window_bytes_ = std::min(window_bytes_, least_bytes);
    }
    socket->m_cWnd = window_bytes_;
}

double Bbr::target_bytes(const Socket& socket, double gain) const {
    if (bandwidth_.get() == 0.0 || least_rtt_ == ns3::Time::Max()) {
        return static_cast<double>(socket->m_initialCWnd) * socket->m_segmentSize;
    }
    return gain * bandwidth_.get() * least_rtt_.GetSeconds() +
           static_cast<double>(SEGMENTS_ON_THEIR_WAY) * socket->m_segmentSize;
}

}  // namespace p4abs
