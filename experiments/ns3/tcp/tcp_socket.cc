#include "tcp/tcp_socket.h"

#include <ns3/node.h>
#include <ns3/rtt-estimator.h>
#include <ns3/simulator.h>
#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-l4-protocol.h>
#include <ns3/tcp-rx-buffer.h>
#include <ns3/tcp-tx-buffer.h>

#include <algorithm>

#include "tcp/delivery_rate.h"
#include "tcp/window_reduction.h"

namespace p4abs {

namespace {

// More than any window: the send buffer is filled up to it.
constexpr uint32_t FILLED_BYTES = 1U << 28;
// ns-3 stores no zeros until a retransmission joins some to others: then it stores all of a write.
constexpr uint32_t WRITE_BYTES = 1U << 24;

// Read from the bytes of the header, which is much faster than ns-3's parsing.
ns3::SequenceNumber32 sequence_of(const ns3::Ptr<ns3::Packet>& packet) {
    uint8_t header[8];
    packet->CopyData(header, sizeof header);
    return ns3::SequenceNumber32(static_cast<uint32_t>(header[4]) << 24 |
                                 static_cast<uint32_t>(header[5]) << 16 |
                                 static_cast<uint32_t>(header[6]) << 8 | header[7]);
}

}  // namespace

NS_OBJECT_ENSURE_REGISTERED(TcpSocket);

ns3::TypeId TcpSocket::GetTypeId() {
    static ns3::TypeId type = ns3::TypeId("p4abs::TcpSocket")
                                  .SetParent<ns3::TcpSocketBase>()
                                  .AddConstructor<TcpSocket>();
    return type;
}

TcpSocket::TcpSocket() {
    m_rateOps = ns3::CreateObject<DeliveryRate>(m_txBuffer);
}

ns3::Ptr<TcpSocket> TcpSocket::create(ns3::Ptr<ns3::Node> node, ns3::Ptr<ns3::TcpL4Protocol> tcp,
                                      const CongestionControl& congestion_control,
                                      Random* random) {
    auto socket = ns3::CreateObject<TcpSocket>();
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(ns3::CreateObject<ns3::RttMeanDeviation>());
    socket->SetCongestionControlAlgorithm(make_congestion_control(congestion_control, random));
    socket->SetRecoveryAlgorithm(ns3::CreateObject<WindowReduction>());
    socket->m_timestampEnabled = congestion_control.needs_timestamps;
    return socket;
}

void TcpSocket::set_addresses(const ns3::Address& local, const ns3::Address& peer) {
    local_ = local;
    peer_ = peer;
}

void TcpSocket::set_data_bytes(uint64_t bytes) {
    endless_ = bytes == 0;
    unwritten_bytes_ = bytes;
    SetConnectCallback(ns3::MakeCallback(&TcpSocket::connected, this),
                       ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
}

void TcpSocket::set_paused(bool paused) {
    if (paused == paused_) {
        return;
    }
    paused_ = paused;
    if (paused) {
        paused_at_ = ns3::Simulator::Now();
    } else if (m_state == ESTABLISHED) {
        if (UnAckDataCount() == 0) {
            restart_window();
        }
        SendPendingData(m_connected);
    }
}

// After a pause longer than the retransmission timeout the window tells nothing of the path any more
// (RFC 5681, section 4.1); slow start leads back to near where it was (RFC 2861, section 3.1). A
// congestion control with a model of its own is left alone, as in Linux.
void TcpSocket::restart_window() {
    const ns3::Time now = ns3::Simulator::Now();
    retransmission_due_ = now + m_rto;
    const uint32_t window = m_tcb->m_cWnd;
    const uint32_t initial = m_tcb->m_initialCWnd * m_tcb->m_segmentSize;
    const bool window_rules = !m_congestionControl->HasCongControl();
    if (window_rules && now - paused_at_ > m_rto.Get() && window > initial) {
        m_tcb->m_ssThresh = std::max<uint32_t>(m_tcb->m_ssThresh, window / 4 * 3);
        m_tcb->m_cWnd = initial;
        m_tcb->m_cWndInfl = initial;
    }
}

void TcpSocket::set_ecn(bool ecn) {
    if (ecn) {
        SetUseEcn(ns3::TcpSocketState::On);
    }
}

void TcpSocket::receive(ns3::Ptr<ns3::Packet> packet, Ecn ecn) {
    if (m_endPoint == nullptr) {
        return;
    }
    if (sink_ && !is_next(packet)) {
        ns3::TcpHeader header;
        const uint32_t header_bytes = packet->PeekHeader(header);
        if (!IsValidTcpSegment(header.GetSequenceNumber(), header_bytes,
                               packet->GetSize() - header_bytes)) {
            return;
        }
    }
    if (ecn != Ecn::NOT_CAPABLE) {
        note_mark(packet, ecn);
    }
    DoForwardUp(packet, peer_, local_);
}

// Whether the segment continues what has been received.
bool TcpSocket::is_next(const ns3::Ptr<ns3::Packet>& packet) const {
    return sequence_of(packet) == m_tcb->m_rxBuffer->NextRxSequence();
}

// As ns-3's socket notes what the IP header says.
void TcpSocket::note_mark(const ns3::Ptr<ns3::Packet>& packet, Ecn ecn) {
    const ns3::SequenceNumber32 sequence = sequence_of(packet);
    if (ecn == Ecn::CONGESTION && m_ecnCESeq < sequence) {
        m_ecnCESeq = sequence;
        m_tcb->m_ecnState = ns3::TcpSocketState::ECN_CE_RCVD;
        m_congestionControl->CwndEvent(m_tcb, ns3::TcpSocketState::CA_EVENT_ECN_IS_CE);
    } else if (ecn != Ecn::NOT_CAPABLE && m_tcb->m_ecnState != ns3::TcpSocketState::ECN_DISABLED) {
        m_congestionControl->CwndEvent(m_tcb, ns3::TcpSocketState::CA_EVENT_ECN_NO_CE);
    }
}

void TcpSocket::abort() {
    CancelAllTimers();
    m_state = CLOSED;
    DeallocateEndPoint();
}

ns3::Ptr<ns3::TcpSocketBase> TcpSocket::Fork() {
    const ns3::Ptr<TcpSocket> child = ns3::CopyObject<TcpSocket>(ns3::Ptr<TcpSocket>(this));
    child->SetRecvCallback(ns3::MakeCallback(&TcpSocket::readable, ns3::PeekPointer(child)));
    accept_(child);
    return child;
}

// A receiver sends no data, so it needs no round-trip time ... A sender's last one is the sample:
// ns-3.37 calls so what it has smoothed, and takes the least of that.
void TcpSocket::EstimateRtt(const ns3::TcpHeader& header) {
    if (sink_) {
        return;
    }
    ns3::Time sample;
    if (!m_history.empty() && !m_timestampEnabled) {
        const ns3::RttHistory& oldest = m_history.front();
        if (!oldest.retx && header.GetAckNumber() >= oldest.seq + oldest.count) {
            sample = ns3::Simulator::Now() - oldest.time;
        }
    }
    TcpSocketBase::EstimateRtt(header);
    if (sample.IsStrictlyPositive()) {
        m_tcb->m_lastRtt = sample;
        m_tcb->m_minRtt = std::min(m_tcb->m_minRtt, sample);
    }
}

// ... and acknowledgements tell it nothing.
void TcpSocket::ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header) {
    if (!sink_) {
        look_for_losses_among_marks();
        answer_mark_in_recovery(header);
        TcpSocketBase::ReceivedAck(packet, header);
        reduce_once();
    } else if (packet->GetSize() > 0) {
        ReceivedData(packet, header);
    }
}

// While a mark brings the window down, ns-3.37 sees no losses, and then waits for the timer.
void TcpSocket::look_for_losses_among_marks() {
    if (m_tcb->m_congState == ns3::TcpSocketState::CA_CWR && m_txBuffer->GetSacked() > 0) {
        m_tcb->m_congState = ns3::TcpSocketState::CA_DISORDER;
        marked_threshold_bytes_ = m_tcb->m_ssThresh;
    }
}

// A recovery among marks keeps the threshold that they have set.
void TcpSocket::reduce_once() {
    if (marked_threshold_bytes_ == 0 ||
        m_tcb->m_congState == ns3::TcpSocketState::CA_DISORDER) {
        return;
    }
    if (m_tcb->m_congState == ns3::TcpSocketState::CA_RECOVERY) {
        m_tcb->m_ssThresh = marked_threshold_bytes_;
    }
    marked_threshold_bytes_ = 0;
}

// A mark during a recovery has been answered by it already. ns-3.37 would end the recovery.
void TcpSocket::answer_mark_in_recovery(const ns3::TcpHeader& header) {
    const auto state = m_tcb->m_congState.Get();
    const bool recovering = state == ns3::TcpSocketState::CA_RECOVERY ||
                            state == ns3::TcpSocketState::CA_LOSS;
    const ns3::SequenceNumber32 acknowledged = header.GetAckNumber();
    if (recovering && m_tcb->m_ecnState != ns3::TcpSocketState::ECN_DISABLED &&
        (header.GetFlags() & ns3::TcpHeader::ECE) != 0 && m_ecnEchoSeq.Get() < acknowledged) {
        m_ecnEchoSeq = acknowledged;
        m_tcb->m_ecnState = ns3::TcpSocketState::ECN_ECE_RCVD;
    }
}

// The base class asks for the window before every segment that it sends, and then walks over all
// that is in flight to find the next one. While nothing is lost, the next one is new data: it is
// sent from here, and the base class is told that the window is full.
uint32_t TcpSocket::AvailableWindow() const {
    if (waits_for_pacing() || (paused_ && next_is_new_data())) {
        return 0;
    }
    const bool nothing_lost = m_txBuffer->GetLost() == 0 && m_txBuffer->GetSacked() == 0 &&
                              m_tcb->m_congState == ns3::TcpSocketState::CA_OPEN;
    if (nothing_lost && m_state == ESTABLISHED && UnAckDataCount() > 0) {
        return const_cast<TcpSocket*>(this)->send_new_data();
    }
    return sendable_window();
}

bool TcpSocket::next_is_new_data() const {
    const bool in_recovery = m_tcb->m_congState == ns3::TcpSocketState::CA_RECOVERY;
    ns3::SequenceNumber32 begin;
    ns3::SequenceNumber32 end;
    return !m_txBuffer->NextSeg(&begin, &end, in_recovery && m_sackEnabled) ||
           begin >= m_tcb->m_highTxMark;
}

// Returns the window that is left for the base class: none, unless it ends the data.
uint32_t TcpSocket::send_new_data() {
    for (;;) {
        const uint32_t available = waits_for_pacing() ? 0 : sendable_window();
        const ns3::SequenceNumber32 next = m_tcb->m_highTxMark;
        const uint32_t unsent = m_txBuffer->SizeFromSequence(next);
        if (available < m_tcb->m_segmentSize || unsent < m_tcb->m_segmentSize) {
            return available < std::min(unsent, m_tcb->m_segmentSize) ? 0 : available;
        }
        m_tcb->m_nextTxSequence = next;
        m_tcb->m_nextTxSequence += SendDataPacket(next, m_tcb->m_segmentSize, m_connected);
    }
}

// SendDataPacket() starts the timer.
bool TcpSocket::waits_for_pacing() const {
    return m_pacingTimer.IsRunning() && IsPacingEnabled();
}

// When the sent data fill the receiver's window exactly, ns-3.37's send buffer names an empty range
// as the next segment, which the base class then fails to send. No window is what is meant.
uint32_t TcpSocket::sendable_window() const {
    const uint32_t available = TcpSocketBase::AvailableWindow();
    if (available > 0 && UnAckDataCount() >= m_rWnd) {
        const bool in_recovery = m_tcb->m_congState == ns3::TcpSocketState::CA_RECOVERY;
        ns3::SequenceNumber32 begin;
        ns3::SequenceNumber32 end;
        if (m_txBuffer->NextSeg(&begin, &end, in_recovery && m_sackEnabled) && begin == end) {
            return 0;
        }
    }
    return available;
}

// For the same reason a retransmission may be asked for that is empty; then, as ns-3 does when there
// is nothing better to retransmit, the oldest segment is.
uint32_t TcpSocket::SendDataPacket(ns3::SequenceNumber32 begin, uint32_t most_bytes,
                                   bool with_acknowledgement) {
    if (most_bytes == 0) {
        begin = m_txBuffer->HeadSequence();
        most_bytes = m_tcb->m_segmentSize;
        m_tcb->m_nextTxSequence = begin;
    }
    const bool may_be_marked = m_tcb->m_ecnState != ns3::TcpSocketState::ECN_DISABLED &&
                               begin >= m_tcb->m_highTxMark;
    ecn_of_packet_ = may_be_marked ? Ecn::CAPABLE_0 : Ecn::NOT_CAPABLE;
    const uint32_t sent_bytes =
        TcpSocketBase::SendDataPacket(begin, most_bytes, with_acknowledgement);
    ecn_of_packet_ = Ecn::NOT_CAPABLE;
    return sent_bytes;
}

// The base class cancels the timer at every acknowledgement and schedules a new one; all the
// cancelled ones stay in the simulator's queue. Here the pending one is left to expire, and
// ReTxTimeout() puts it off if it is not due yet.
void TcpSocket::NewAck(const ns3::SequenceNumber32& sequence, bool reset_timer) {
    refill();
    TcpSocketBase::NewAck(sequence, false);
    if (reset_timer && m_state != SYN_RCVD && m_txBuffer->Size() > 0) {
        m_rto = std::max(m_rtt->GetEstimate() +
                             std::max(m_clockGranularity, m_rtt->GetVariation() * 4),
                         m_minRto);
        retransmission_due_ = ns3::Simulator::Now() + m_rto;
        const ns3::Time pending = ns3::TimeStep(m_retxEvent.GetTs());
        if (m_retxEvent.IsExpired() || pending > retransmission_due_) {
            m_retxEvent.Cancel();
            m_retxEvent = ns3::Simulator::Schedule(m_rto, &TcpSocket::ReTxTimeout, this);
        }
    }
}

void TcpSocket::ReTxTimeout() {
    const ns3::Time left = retransmission_due_ - ns3::Simulator::Now();
    if (paused_ && UnAckDataCount() == 0) {
        return;  // nothing is under way, though the buffer holds data
    }
    if (left.IsStrictlyPositive()) {
        m_retxEvent = ns3::Simulator::Schedule(left, &TcpSocket::ReTxTimeout, this);
    } else {
        TcpSocketBase::ReTxTimeout();
    }
}

void TcpSocket::connected(ns3::Ptr<ns3::Socket>) {
    refill();
    SendPendingData(m_connected);
}

void TcpSocket::readable(ns3::Ptr<ns3::Socket>) {
    const ns3::Ptr<ns3::Packet> data = m_tcb->m_rxBuffer->Extract(UINT32_MAX);
    if (data) {
        sink_(data->GetSize());
    }
}

void TcpSocket::refill() {
    while ((endless_ || unwritten_bytes_ > 0) && m_txBuffer->Size() < FILLED_BYTES) {
        const uint64_t bytes =
            endless_ ? WRITE_BYTES : std::min<uint64_t>(unwritten_bytes_, WRITE_BYTES);
        unwritten_bytes_ -= endless_ ? 0 : bytes;
        m_txBuffer->Add(ns3::Create<ns3::Packet>(static_cast<uint32_t>(bytes)));
    }
}

}  // namespace p4abs
