#pragma once

#include <ns3/node.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flows/cbr_flow.h"
#include "flows/poisson_flows.h"
#include "flows/tcp_flow.h"
#include "flows/web_user.h"
#include "network/port.h"
#include "network/shared_memory.h"

namespace p4abs {

// What the sources that speak TCP have in common, as the user says it.
struct TcpDescription {
    std::vector<Port*> ports;
    std::vector<Port*> reverse_ports;
    std::string congestion_control;
    uint32_t packet_bytes;
    uint32_t window_bytes;
    uint32_t initial_window_segments;
    bool ecn;
    double jitter_s;  // negative: one packet's serialisation time at the first port
};

// The network and its clock. There is one at a time, because ns-3 has one clock. Whatever add_*()
// returns lives as long as the simulation. UserError: an argument that makes no sense.
class Simulation {
  public:
    Simulation(uint32_t seed, uint32_t delayed_ack_segments);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    Port* add_p4_port(std::string name, uint64_t rate_bps, std::string_view program_json,
                      uint64_t limit_bytes);
    Port* add_plain_port(std::string name, uint64_t rate_bps, uint64_t limit_bytes);
    // The queues of one link, numbered from 0 in the order of their names: by strict priority, the
    // highest number first, or in turns by `weights`. They have no limits yet.
    std::vector<Port*> add_p4_queues(const std::vector<std::string>& names, uint64_t rate_bps,
                                     std::string_view program_json,
                                     const std::vector<uint32_t>& weights);
    std::vector<Port*> add_plain_queues(const std::vector<std::string>& names, uint64_t rate_bps,
                                        const std::vector<uint32_t>& weights);
    // `alpha` is the port's factor of the memory that is free.
    SharedMemory* add_shared_memory(uint64_t size_bytes, SharedMemory::Sharing sharing);
    Port* add_shared_memory_port(std::string name, uint64_t rate_bps, SharedMemory* memory,
                                 double alpha);
    Port* add_queue_disc_port(std::string name, uint64_t rate_bps, const std::string& type_id,
                              const std::map<std::string, std::string>& attributes);

    Flow* add_tcp_flow(const TcpDescription& tcp, double rtt_s, double start_s, double stop_s,
                       uint64_t size_bytes);
    Flow* add_cbr_flow(const std::vector<Port*>& ports, double delay_s, double jitter_s,
                       uint32_t packet_bytes, double rate_bps, double start_s, double stop_s,
                       double on_s, double off_s);
    FlowSet* add_web_user(const TcpDescription& tcp, const WebUser::Behaviour& behaviour);
    FlowSet* add_poisson_flows(const TcpDescription& tcp, const PoissonFlows::Arrivals& arrivals);

    double now_s() const;
    void run_until(double time_s);
    uint64_t event_count() const;

  private:
    Port* add(std::unique_ptr<Port> port);
    Random next_random();

    uint32_t seed_;
    uint64_t next_stream_ = 0;
    uint32_t next_connection_ = 0;
    ns3::Ptr<ns3::Node> node_;
    std::vector<std::unique_ptr<SharedMemory>> memories_;
    std::vector<std::unique_ptr<Port>> ports_;
    std::vector<std::unique_ptr<Flow>> flows_;
    std::vector<std::unique_ptr<FlowSet>> flow_sets_;
};

}  // namespace p4abs
