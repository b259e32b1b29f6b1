#pragma once

#include <ns3/tcp-socket-base.h>

#include <functional>

#include "network/transit.h"
#include "tcp/congestion_control.h"

namespace p4abs {

// ns-3's TCP with short ways: packets come straight from a path, data are counted instead of
// handed over, and the retransmission timer is moved instead of cancelled. What goes over the
// wire, and when, is what ns-3's own socket would send, but where ns-3.37 is at fault: the last
// round-trip time is a sample and not the smoothed mean, delivery rates are those of the draft,
// the window's proportional reduction does not overflow, and marks and losses of one round-trip time
// are answered together.
class TcpSocket : public ns3::TcpSocketBase {
  public:
    static ns3::TypeId GetTypeId();
    ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }

    TcpSocket();

    // A socket over `tcp`, with the congestion control of that type, which draws from `random`
    // (null: of a socket that sends no data).
    static ns3::Ptr<TcpSocket> create(ns3::Ptr<ns3::Node> node, ns3::Ptr<ns3::TcpL4Protocol> tcp,
                                      const CongestionControl& congestion_control,
                                      Random* random);

    // Both ends' addresses and ports.
    void set_addresses(const ns3::Address& local, const ns3::Address& peer);
    void set_segment_bytes(uint32_t bytes) { SetSegSize(bytes); }
    void set_initial_window_segments(uint32_t segments) { SetInitialCwnd(segments); }
    void set_window_bytes(uint32_t bytes) { SetRcvBufSize(bytes); }

    // The sender's application: data to send once connected. 0: without end.
    void set_data_bytes(uint64_t bytes);
    // While paused, the application has no new data; what is lost is still sent again.
    void set_paused(bool paused);
    // The receiver's application: called with the length of data received in order.
    void set_sink(std::function<void(uint32_t)> sink) { sink_ = std::move(sink); }
    // Called with the socket that answers a SYN.
    void set_accept(std::function<void(ns3::Ptr<TcpSocket>)> accept) { accept_ = std::move(accept); }

    // Whether to ask for explicit congestion notification (RFC 3168); DCTCP always does.
    void set_ecn(bool ecn);
    // For the packet that is being sent: only new data may be marked.
    Ecn ecn_of_packet() const { return ecn_of_packet_; }

    // A packet from the path, beginning with its TCP header.
    void receive(ns3::Ptr<ns3::Packet> packet, Ecn ecn);
    // Ends the connection without another packet.
    void abort();

    uint32_t congestion_window_bytes() const { return m_tcb->m_cWnd.Get(); }

  protected:
    ns3::Ptr<ns3::TcpSocketBase> Fork() override;
    void EstimateRtt(const ns3::TcpHeader& header) override;
    void ReceivedAck(ns3::Ptr<ns3::Packet> packet, const ns3::TcpHeader& header) override;
    uint32_t AvailableWindow() const override;
    uint32_t SendDataPacket(ns3::SequenceNumber32 begin, uint32_t most_bytes,
                            bool with_acknowledgement) override;
    void NewAck(const ns3::SequenceNumber32& sequence, bool reset_timer) override;
    void ReTxTimeout() override;

  private:
    uint32_t sendable_window() const;
    bool waits_for_pacing() const;
    uint32_t send_new_data();
    bool next_is_new_data() const;
    void restart_window();
    void note_mark(const ns3::Ptr<ns3::Packet>& packet, Ecn ecn);
    void look_for_losses_among_marks();
    void reduce_once();
    void answer_mark_in_recovery(const ns3::TcpHeader& header);
    bool is_next(const ns3::Ptr<ns3::Packet>& packet) const;
    void connected(ns3::Ptr<ns3::Socket> socket);
    void readable(ns3::Ptr<ns3::Socket> socket);
    // Keeps data in the send buffer.
    void refill();

    ns3::Address local_;
    ns3::Address peer_;
    bool endless_ = false;
    uint64_t unwritten_bytes_ = 0;  // of data still to be put into the send buffer
    bool paused_ = false;
    ns3::Time paused_at_;
    ns3::Time retransmission_due_;
    Ecn ecn_of_packet_ = Ecn::NOT_CAPABLE;
    uint32_t marked_threshold_bytes_ = 0;  // of a reduction that losses have interrupted
    std::function<void(uint32_t)> sink_;
    std::function<void(ns3::Ptr<TcpSocket>)> accept_;
};

}  // namespace p4abs
