#include "queue_disc.h"

#include <ns3/drop-tail-queue.h>
#include <ns3/object-factory.h>
#include <ns3/simulator.h>
#include <ns3/uinteger.h>

#include <limits>

namespace p4abs::tofino {

namespace {

// The real queue holds whatever the virtual one has admitted.
constexpr uint32_t UNLIMITED_BYTES = std::numeric_limits<uint32_t>::max();

ns3::QueueSize bytes(uint64_t count) {
    return {ns3::QueueSizeUnit::BYTES, static_cast<uint32_t>(count)};
}

}  // namespace

NS_OBJECT_ENSURE_REGISTERED(QueueDisc);

ns3::TypeId QueueDisc::GetTypeId() {
    static ns3::TypeId type =
        ns3::TypeId("ns3::TofinoQueueDisc")
            .SetParent<ns3::QueueDisc>()
            .SetGroupName("TrafficControl")
            .AddConstructor<QueueDisc>()
            .AddAttribute("Switch", "The number of the switch.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&QueueDisc::number_),
                          ns3::MakeUintegerChecker<uint64_t>());
    return type;
}

QueueDisc::QueueDisc()
    : ns3::QueueDisc(ns3::QueueDiscSizePolicy::MULTIPLE_QUEUES, ns3::QueueSizeUnit::BYTES) {}

bool QueueDisc::DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) {
    if (!switch_->admits(item->GetSize())) {
        DropBeforeEnqueue(item, "the virtual queue is full");
        return false;
    }
    return GetInternalQueue(0)->Enqueue(item);
}

ns3::Ptr<ns3::QueueDiscItem> QueueDisc::DoDequeue() {
    return GetInternalQueue(0)->Dequeue();
}

bool QueueDisc::CheckConfig() {
    switch_ = &Switch::numbered(number_);
    AddInternalQueue(ns3::CreateObjectWithAttributes<ns3::DropTailQueue<ns3::QueueDiscItem>>(
        "MaxSize", ns3::QueueSizeValue(bytes(UNLIMITED_BYTES))));
    ns3::Simulator::ScheduleNow(&QueueDisc::control, this);
    return true;
}

void QueueDisc::control() {
    switch_->control();
    SetMaxSize(bytes(switch_->limit_bytes()));
    if (switch_->interval_us() > 0) {
        ns3::Simulator::Schedule(ns3::MicroSeconds(switch_->interval_us()), &QueueDisc::control,
                                 this);
    }
}

}  // namespace p4abs::tofino
