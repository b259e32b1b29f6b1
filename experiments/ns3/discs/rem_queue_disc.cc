#include "discs/rem_queue_disc.h"

#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/drop-tail-queue.h>
#include <ns3/object-factory.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>

namespace p4abs {

NS_OBJECT_ENSURE_REGISTERED(RemQueueDisc);

ns3::TypeId RemQueueDisc::GetTypeId() {
    using Disc = RemQueueDisc;
    static const ns3::TypeId type =
        ns3::TypeId("ns3::RemQueueDisc")
            .SetParent<ns3::QueueDisc>()
            .AddConstructor<Disc>()
            .AddAttribute("MaxSize", "maximum queue length",
                          ns3::QueueSizeValue(ns3::QueueSize("1000p")),
                          ns3::MakeQueueSizeAccessor(&QueueDisc::SetMaxSize, &QueueDisc::GetMaxSize),
                          ns3::MakeQueueSizeChecker())
            .AddAttribute("LinkBandwidth", "the rate of the link",
                          ns3::DataRateValue(ns3::DataRate("1.5Mbps")),
                          ns3::MakeDataRateAccessor(&Disc::bandwidth_),
                          ns3::MakeDataRateChecker())
            .AddAttribute("UpdateInterval", "the time between two prices",
                          ns3::TimeValue(ns3::MilliSeconds(2)),
                          ns3::MakeTimeAccessor(&Disc::update_interval_), ns3::MakeTimeChecker())
            .AddAttribute("Target", "target queue length in packets", ns3::DoubleValue(20),
                          ns3::MakeDoubleAccessor(&Disc::target_packets_),
                          ns3::MakeDoubleChecker<double>(0))
            .AddAttribute("MeanPktSize", "the size of a packet in bytes", ns3::DoubleValue(1000),
                          ns3::MakeDoubleAccessor(&Disc::packet_bytes_),
                          ns3::MakeDoubleChecker<double>(1))
            .AddAttribute("Alpha", "the weight of the queue", ns3::DoubleValue(0.1),
                          ns3::MakeDoubleAccessor(&Disc::alpha_),
                          ns3::MakeDoubleChecker<double>(0))
            .AddAttribute("Gamma", "the step of the price", ns3::DoubleValue(0.001),
                          ns3::MakeDoubleAccessor(&Disc::gamma_),
                          ns3::MakeDoubleChecker<double>(0))
            .AddAttribute("Phi", "the base of the probability", ns3::DoubleValue(1.001),
                          ns3::MakeDoubleAccessor(&Disc::phi_), ns3::MakeDoubleChecker<double>(1))
            .AddAttribute("UseEcn", "whether packets of ECN flows are marked instead of dropped",
                          ns3::BooleanValue(false), ns3::MakeBooleanAccessor(&Disc::use_ecn_),
                          ns3::MakeBooleanChecker());
    return type;
}

RemQueueDisc::RemQueueDisc()
    : QueueDisc(ns3::QueueDiscSizePolicy::SINGLE_INTERNAL_QUEUE),
      random_(ns3::CreateObject<ns3::UniformRandomVariable>()) {}

void RemQueueDisc::AssignStreams(int64_t stream) {
    random_->SetStream(stream);
}

void RemQueueDisc::DoDispose() {
    next_update_.Cancel();
    QueueDisc::DoDispose();
}

bool RemQueueDisc::DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) {
    arrived_bytes_ += item->GetSize();
    if (GetCurrentSize() + item > GetMaxSize()) {
        DropBeforeEnqueue(item, "the queue is full");
        return false;
    }
    if (is_signalled() && !(use_ecn_ && Mark(item, "the price asks for it"))) {
        DropBeforeEnqueue(item, "the price asks for it");
        return false;
    }
    return GetInternalQueue(0)->Enqueue(item);
}

ns3::Ptr<ns3::QueueDiscItem> RemQueueDisc::DoDequeue() {
    return GetInternalQueue(0)->Dequeue();
}

bool RemQueueDisc::CheckConfig() {
    if (GetNInternalQueues() == 0) {
        AddInternalQueue(ns3::CreateObjectWithAttributes<ns3::DropTailQueue<ns3::QueueDiscItem>>(
            "MaxSize", ns3::QueueSizeValue(GetMaxSize())));
    }
    return GetNInternalQueues() == 1 && GetNQueueDiscClasses() == 0 && GetNPacketFilters() == 0;
}

void RemQueueDisc::InitializeParams() {
    next_update_ =
        ns3::Simulator::Schedule(update_interval_, &RemQueueDisc::update_price, this);
}

bool RemQueueDisc::is_signalled() {
    return random_->GetValue() < 1 - std::pow(phi_, -price_);
}

void RemQueueDisc::update_price() {
    const double queue_bytes = GetInternalQueue(0)->GetNBytes();
    const double carried_bytes = bandwidth_.GetBitRate() * update_interval_.GetSeconds() / 8;
    const double excess_packets = (arrived_bytes_ - carried_bytes) / packet_bytes_;
    const double above_target_packets = queue_bytes / packet_bytes_ - target_packets_;
    price_ = std::max(0.0, price_ + gamma_ * (alpha_ * above_target_packets + excess_packets));
    arrived_bytes_ = 0;
    next_update_ =
        ns3::Simulator::Schedule(update_interval_, &RemQueueDisc::update_price, this);
}

}  // namespace p4abs
