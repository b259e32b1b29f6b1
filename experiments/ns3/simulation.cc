#include "simulation.h"

#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/errors.h"
#include "base/event_heap.h"
#include "discs/queue_disc_port.h"
#include "network/p4_port.h"
#include "network/plain_port.h"
#include "network/shared_memory_port.h"
#include "tcp/congestion_control.h"
#include "tcp/ip_layer.h"
#include "tcp/tcp_settings.h"

namespace p4abs {

namespace {

constexpr uint64_t NO_LIMIT = 0;

// More would not fit the lengths that IPv4 can say.
constexpr uint32_t LONGEST_FRAME_BYTES = ETHERNET_HEADER_BYTES + 65535;

void require(bool valid, const std::string& message) {
    if (!valid) {
        throw UserError(message);
    }
}

void require_time(const char* name, double seconds) {
    require(seconds >= 0.0 && std::isfinite(seconds),
            std::string(name) + " must be a number of seconds of at least 0");
}

// Of a `stop`: infinite is never.
ns3::Time time_or_never(double seconds) {
    return std::isfinite(seconds) ? ns3::Seconds(seconds) : ns3::Time::Max();
}

ns3::Time jitter_time(double jitter_s, const std::vector<Port*>& ports, uint32_t packet_bytes) {
    if (jitter_s >= 0.0) {
        return ns3::Seconds(jitter_s);
    }
    return ports.empty() ? ns3::Time() : ports.front()->serialization_time(packet_bytes);
}

void require_packet_bytes(uint32_t packet_bytes, uint32_t least) {
    require(packet_bytes >= least && packet_bytes <= LONGEST_FRAME_BYTES,
            "packet_bytes must be from " + std::to_string(least) + " to " +
                std::to_string(LONGEST_FRAME_BYTES));
}

TcpProfile profile_of(const TcpDescription& tcp) {
    require_packet_bytes(tcp.packet_bytes, MINIMUM_TCP_PACKET_BYTES);
    require(tcp.window_bytes > 0, "window_bytes must be more than 0");
    require(tcp.initial_window_segments > 0, "initial_window_segments must be more than 0");
    const CongestionControl control = congestion_control(tcp.congestion_control);
    const uint32_t options_bytes = control.needs_timestamps ? TIMESTAMP_OPTION_BYTES : 0;
    return {control,
            tcp.packet_bytes - NETWORK_HEADER_BYTES - TCP_HEADER_BYTES - options_bytes,
            tcp.window_bytes,
            tcp.initial_window_segments,
            tcp.ecn,
            jitter_time(tcp.jitter_s, tcp.ports, tcp.packet_bytes),
            tcp.ports,
            tcp.reverse_ports};
}

// Without weights by strict priority.
std::shared_ptr<Link> link_of_queues(size_t queues, uint64_t rate_bps,
                                     const std::vector<uint32_t>& weights) {
    constexpr size_t MOST_QUEUES = 8;
    require(rate_bps > 0, "rate_bps must be more than 0");
    require(queues >= 1 && queues <= MOST_QUEUES, "a link has from 1 to 8 queues");
    if (weights.empty()) {
        return std::make_shared<Link>(rate_bps, std::make_unique<StrictPriority>());
    }
    require(weights.size() == queues, "there must be as many weights as queues");
    require(std::find(weights.begin(), weights.end(), 0) == weights.end(),
            "weights must be at least 1");
    return std::make_shared<Link>(rate_bps, std::make_unique<DeficitRoundRobin>(weights));
}

bool simulation_exists = false;

}  // namespace

Simulation::Simulation(uint32_t seed, uint32_t delayed_ack_segments) : seed_(seed + 1) {
    require(!simulation_exists, "there is a simulation in this process already; close it first");
    require(delayed_ack_segments > 0, "delayed_ack_segments must be at least 1");
    ns3::RngSeedManager::SetSeed(seed_);
    apply_tcp_settings(delayed_ack_segments);
    ns3::ObjectFactory scheduler;
    scheduler.SetTypeId(EventHeap::GetTypeId());
    ns3::Simulator::SetScheduler(scheduler);
    node_ = make_node();
    simulation_exists = true;
}

// First the events, which refer to everything else.
Simulation::~Simulation() {
    ns3::Simulator::Destroy();
    flow_sets_.clear();
    flows_.clear();
    ports_.clear();
    memories_.clear();
    simulation_exists = false;
}

Port* Simulation::add_p4_port(std::string name, uint64_t rate_bps, std::string_view program_json,
                              uint64_t limit_bytes) {
    require(rate_bps > 0, "rate_bps must be more than 0");
    return add(std::make_unique<P4Port>(std::move(name), rate_bps, program_json, limit_bytes));
}

Port* Simulation::add_plain_port(std::string name, uint64_t rate_bps, uint64_t limit_bytes) {
    require(rate_bps > 0, "rate_bps must be more than 0");
    return add(std::make_unique<PlainPort>(std::move(name), rate_bps, limit_bytes));
}

std::vector<Port*> Simulation::add_p4_queues(const std::vector<std::string>& names,
                                             uint64_t rate_bps, std::string_view program_json,
                                             const std::vector<uint32_t>& weights) {
    const std::shared_ptr<Link> link = link_of_queues(names.size(), rate_bps, weights);
    const std::shared_ptr<p4abs_pipeline> program = load_p4_program(program_json);
    std::vector<Port*> queues;
    for (const std::string& name : names) {
        const auto number = static_cast<uint8_t>(queues.size());
        queues.push_back(add(std::make_unique<P4Port>(name, link, program, number, NO_LIMIT)));
    }
    return queues;
}

std::vector<Port*> Simulation::add_plain_queues(const std::vector<std::string>& names,
                                                uint64_t rate_bps,
                                                const std::vector<uint32_t>& weights) {
    const std::shared_ptr<Link> link = link_of_queues(names.size(), rate_bps, weights);
    std::vector<Port*> queues;
    for (const std::string& name : names) {
        queues.push_back(add(std::make_unique<PlainPort>(name, link, NO_LIMIT)));
    }
    return queues;
}

SharedMemory* Simulation::add_shared_memory(uint64_t size_bytes, SharedMemory::Sharing sharing) {
    require(size_bytes > 0, "size_bytes must be more than 0");
    memories_.push_back(std::make_unique<SharedMemory>(size_bytes, sharing));
    return memories_.back().get();
}

Port* Simulation::add_shared_memory_port(std::string name, uint64_t rate_bps,
                                         SharedMemory* memory, double alpha) {
    require(rate_bps > 0, "rate_bps must be more than 0");
    require(alpha > 0.0, "alpha must be more than 0");
    return add(std::make_unique<SharedMemoryPort>(std::move(name), rate_bps, memory, alpha));
}

Port* Simulation::add_queue_disc_port(std::string name, uint64_t rate_bps,
                                      const std::string& type_id,
                                      const std::map<std::string, std::string>& attributes) {
    require(rate_bps > 0, "rate_bps must be more than 0");
    // ns-3's own streams are numbered from there on, ours from 0.
    constexpr int64_t FIRST_STREAM = int64_t{1} << 32;
    const int64_t stream = FIRST_STREAM + static_cast<int64_t>(ports_.size()) * 16;
    return add(std::make_unique<QueueDiscPort>(std::move(name), rate_bps, type_id, attributes,
                                               stream));
}

Flow* Simulation::add_tcp_flow(const TcpDescription& tcp, double rtt_s, double start_s,
                               double stop_s, uint64_t size_bytes) {
    require_time("rtt_s", rtt_s);
    require_time("start_s", start_s);
    require(stop_s >= start_s, "stop_s must not be before start_s");
    const TcpFlow::Schedule schedule = {ns3::Seconds(rtt_s), ns3::Seconds(start_s),
                                        time_or_never(stop_s), size_bytes};
    flows_.push_back(std::make_unique<TcpFlow>(profile_of(tcp), schedule, node_,
                                               next_connection_++, next_random()));
    return flows_.back().get();
}

Flow* Simulation::add_cbr_flow(const std::vector<Port*>& ports, double delay_s, double jitter_s,
                               uint32_t packet_bytes, double rate_bps, double start_s,
                               double stop_s, double on_s, double off_s) {
    require_packet_bytes(packet_bytes, NETWORK_HEADER_BYTES + 8);
    require(rate_bps > 0.0, "rate_bps must be more than 0");
    require_time("delay_s", delay_s);
    require_time("start_s", start_s);
    require_time("off_s", off_s);
    require(stop_s >= start_s, "stop_s must not be before start_s");
    require(on_s > 0.0, "on_s must be more than 0");
    const CbrFlow::Schedule schedule = {ns3::Seconds(start_s), time_or_never(stop_s),
                                        ns3::Seconds(8.0 * packet_bytes / rate_bps), on_s, off_s};
    flows_.push_back(std::make_unique<CbrFlow>(ports, ns3::Seconds(delay_s),
                                               jitter_time(jitter_s, ports, packet_bytes),
                                               packet_bytes, schedule, next_connection_++,
                                               next_random()));
    return flows_.back().get();
}

FlowSet* Simulation::add_web_user(const TcpDescription& tcp,
                                  const WebUser::Behaviour& behaviour) {
    require(behaviour.least_pages >= 1 && behaviour.most_pages >= behaviour.least_pages,
            "pages must be the least and the largest number, 1 or more");
    require(behaviour.least_objects >= 1 && behaviour.most_objects >= behaviour.least_objects,
            "objects must be the least and the largest number, 1 or more");
    require(behaviour.pareto_shape > 1.0, "pareto_shape must be more than 1");
    const Random choices = next_random();
    flow_sets_.push_back(std::make_unique<WebUser>(profile_of(tcp), behaviour, node_,
                                                   &next_connection_, choices, next_random()));
    return flow_sets_.back().get();
}

FlowSet* Simulation::add_poisson_flows(const TcpDescription& tcp,
                                       const PoissonFlows::Arrivals& arrivals) {
    require(arrivals.flows_per_s > 0.0, "flows_per_s must be more than 0");
    require(arrivals.size_bytes >= 1.0, "size_bytes must be at least 1");
    require(arrivals.pareto_shape == 0.0 || arrivals.pareto_shape > 1.0,
            "pareto_shape must be 0 (all sizes equal) or more than 1");
    const Random choices = next_random();
    flow_sets_.push_back(std::make_unique<PoissonFlows>(
        profile_of(tcp), arrivals, node_, &next_connection_, choices, next_random()));
    return flow_sets_.back().get();
}

double Simulation::now_s() const {
    return ns3::Simulator::Now().GetSeconds();
}

void Simulation::run_until(double time_s) {
    const ns3::Time left = ns3::Seconds(time_s) - ns3::Simulator::Now();
    require(left.IsPositive(), "the simulation has passed " + std::to_string(time_s) + " s");
    ns3::Simulator::Stop(left);
    ns3::Simulator::Run();
}

uint64_t Simulation::event_count() const {
    return ns3::Simulator::GetEventCount();
}

Port* Simulation::add(std::unique_ptr<Port> port) {
    ports_.push_back(std::move(port));
    return ports_.back().get();
}

Random Simulation::next_random() {
    return Random(seed_, next_stream_++);
}

}  // namespace p4abs
