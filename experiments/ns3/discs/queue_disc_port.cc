#include "discs/queue_disc_port.h"

#include <ns3/cobalt-queue-disc.h>
#include <ns3/data-rate.h>
#include <ns3/object-factory.h>
#include <ns3/pie-queue-disc.h>
#include <ns3/red-queue-disc.h>
#include <ns3/string.h>

#include <utility>

#include "base/errors.h"
#include "discs/rem_queue_disc.h"

namespace p4abs {

namespace {

// The form in which ns-3 queues a packet.
class Item : public ns3::QueueDiscItem {
  public:
    explicit Item(Transit transit)
        : QueueDiscItem(transit.packet, ns3::Address(), 0x0800), transit_(std::move(transit)) {}

    uint32_t GetSize() const override { return transit_.frame_bytes; }
    void AddHeader() override {}
    bool Mark() override { return Port::mark(&transit_); }

    const Transit& transit() const { return transit_; }
    Transit take() { return std::move(transit_); }

  private:
    Transit transit_;
};

const Transit& transit_of(const ns3::Ptr<const ns3::QueueDiscItem>& item) {
    return static_cast<const Item&>(*item).transit();
}

std::string known_queue_discs() {
    std::string names;
    for (uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i) {
        const ns3::TypeId type = ns3::TypeId::GetRegistered(i);
        if (type.IsChildOf(ns3::QueueDisc::GetTypeId()) && type.HasConstructor()) {
            names += (names.empty() ? "" : ", ") + type.GetName().substr(5);
        }
    }
    return names;
}

ns3::Ptr<ns3::QueueDisc> make_queue_disc(const std::string& type_id) {
    ns3::TypeId type;
    if (!ns3::TypeId::LookupByNameFailSafe("ns3::" + type_id, &type) ||
        !type.IsChildOf(ns3::QueueDisc::GetTypeId()) || !type.HasConstructor()) {
        throw UserError("no queue disc " + type_id + "; there are " + known_queue_discs());
    }
    ns3::ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<ns3::QueueDisc>();
}

void assign_random_streams(const ns3::Ptr<ns3::QueueDisc>& disc, int64_t stream) {
    if (const auto red = ns3::DynamicCast<ns3::RedQueueDisc>(disc)) {
        red->AssignStreams(stream);
    } else if (const auto pie = ns3::DynamicCast<ns3::PieQueueDisc>(disc)) {
        pie->AssignStreams(stream);
    } else if (const auto cobalt = ns3::DynamicCast<ns3::CobaltQueueDisc>(disc)) {
        cobalt->AssignStreams(stream);
    } else if (const auto rem = ns3::DynamicCast<RemQueueDisc>(disc)) {
        rem->AssignStreams(stream);
    }
}

}  // namespace

QueueDiscPort::QueueDiscPort(std::string name, uint64_t rate_bps, const std::string& type_id,
                             const std::map<std::string, std::string>& attributes,
                             int64_t random_stream)
    : Port(std::move(name), rate_bps), disc_(make_queue_disc(type_id)) {
    // Some discs need the rate of their link; the others have no such attribute.
    disc_->SetAttributeFailSafe("LinkBandwidth", ns3::DataRateValue(ns3::DataRate(rate_bps)));
    for (const auto& [attribute, value] : attributes) {
        if (!disc_->SetAttributeFailSafe(attribute, ns3::StringValue(value))) {
            throw UserError(type_id + " has no attribute " + attribute + " that takes " + value);
        }
    }
    assign_random_streams(disc_, random_stream);
    disc_->TraceConnectWithoutContext(
        "DropBeforeEnqueue", ns3::MakeCallback(&QueueDiscPort::dropped_on_arrival, this));
    disc_->TraceConnectWithoutContext(
        "DropAfterDequeue", ns3::MakeCallback(&QueueDiscPort::dropped_from_queue, this));
    disc_->Initialize();
}

QueueDiscPort::~QueueDiscPort() {
    disc_->Dispose();
}

Snapshot QueueDiscPort::snapshot() {
    const ns3::QueueSize limit = disc_->GetMaxSize();
    const bool in_bytes = limit.GetUnit() == ns3::QueueSizeUnit::BYTES;
    return {now_us(), admitted_bytes_, dropped_bytes_, departed_bytes_,
            in_bytes ? limit.GetValue() : 0, unsaturated_us(), unsaturated_bytes()};
}

void QueueDiscPort::set_limit_bytes(uint64_t) {
    throw UserError("port " + name() + " is a queue disc of ns-3; its MaxSize cannot be changed");
}

void QueueDiscPort::set_ecn_marking(bool) {
    throw UserError("port " + name() + " is a queue disc of ns-3; its UseEcn says if it marks");
}

bool QueueDiscPort::enqueue(Transit transit) {
    const uint32_t frame_bytes = transit.frame_bytes;
    if (!disc_->Enqueue(ns3::Create<Item>(std::move(transit)))) {
        return false;
    }
    admitted_bytes_ += frame_bytes;
    return true;
}

std::optional<Transit> QueueDiscPort::dequeue() {
    const ns3::Ptr<ns3::QueueDiscItem> item = disc_->Dequeue();
    if (!item) {
        return std::nullopt;
    }
    departed_bytes_ += item->GetSize();
    return static_cast<Item&>(*item).take();
}

void QueueDiscPort::dropped_on_arrival(ns3::Ptr<const ns3::QueueDiscItem> item, const char*) {
    dropped_bytes_ += item->GetSize();
    count_loss(transit_of(item));
}

void QueueDiscPort::dropped_from_queue(ns3::Ptr<const ns3::QueueDiscItem> item, const char*) {
    dropped_bytes_ += item->GetSize();
    admitted_bytes_ -= item->GetSize();
    count_loss_from_queue(transit_of(item));
}

}  // namespace p4abs
