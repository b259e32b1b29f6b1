// The Python module p4abs_experiments._ns3; its interface is described in _ns3.pyi.
//
// The rooms, from the ground up; a room includes only what stands before it:
//   base/     errors, random numbers, timers, the event queue, histograms and means over time
//   network/  a packet's way: a path with its access delay, and ports with their buffers, which
//             the compiled P4 program, the same rule in C++ or an ns-3 queue disc admits to; links,
//             and the order in which one serves several queues
//   tcp/      ns-3's TCP on such paths: settings, congestion controls, sockets, connections
//   flows/    the sources: endless and finite TCP, UDP of constant rate, web users, Poisson arrivals
//   simulation.h  the network and its clock: one at a time

#include <ns3/simulator.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <limits>

#include "base/errors.h"
#include "simulation.h"
#include "tcp/congestion_control.h"
#include "tcp/tcp_settings.h"

namespace py = pybind11;

namespace {

using p4abs::Simulation;
using p4abs::UserError;

constexpr double NEVER = std::numeric_limits<double>::infinity();

// Something that a simulation owns, for as long as the simulation is open.
template <class T>
class Handle {
  public:
    Handle(const std::shared_ptr<Simulation>& simulation, T* object)
        : simulation_(simulation), object_(object) {}

    T* operator->() const { return get(); }
    T* get() const {
        if (simulation_.expired()) {
            throw UserError("the simulation has been closed");
        }
        return object_;
    }
    bool belongs_to(const std::shared_ptr<Simulation>& simulation) const {
        return simulation_.lock() == simulation;
    }

  private:
    std::weak_ptr<Simulation> simulation_;
    T* object_;
};

using Port = Handle<p4abs::Port>;
using Flow = Handle<p4abs::Flow>;
using FlowSet = Handle<p4abs::FlowSet>;
using SharedMemory = Handle<p4abs::SharedMemory>;
using Ports = std::vector<Port>;

// A simulation that can be closed.
class OpenSimulation {
  public:
    OpenSimulation(uint32_t seed, uint32_t delayed_ack_segments)
        : simulation_(std::make_shared<Simulation>(seed, delayed_ack_segments)) {}

    void close() { simulation_.reset(); }
    Simulation* operator->() const {
        if (!simulation_) {
            throw UserError("the simulation has been closed");
        }
        return simulation_.get();
    }
    template <class T>
    Handle<T> handle(T* object) const {
        return {simulation_, object};
    }
    template <class T>
    std::vector<Handle<T>> handles(const std::vector<T*>& objects) const {
        std::vector<Handle<T>> handles;
        for (T* object : objects) {
            handles.push_back(handle(object));
        }
        return handles;
    }
    std::vector<p4abs::Port*> path(const Ports& ports) const {
        std::vector<p4abs::Port*> path;
        for (const Port& port : ports) {
            if (!port.belongs_to(simulation_)) {
                throw UserError("a port of another simulation cannot be on a path of this one");
            }
            path.push_back(port.get());
        }
        return path;
    }

  private:
    std::shared_ptr<Simulation> simulation_;
};

double checked_quantile(double q) {
    if (!(q >= 0.0 && q <= 1.0)) {
        throw UserError("a quantile must be from 0 to 1");
    }
    return q;
}

uint64_t checked_rate(uint64_t rate_bps) {
    if (rate_bps == 0) {
        throw UserError("rate_bps must be more than 0");
    }
    return rate_bps;
}

void bind_port(py::module_& module) {
    py::class_<Port>(module, "Port")
        .def_property_readonly("name", [](const Port& port) { return port->name(); })
        .def_property_readonly("rate_bps", [](const Port& port) { return port->rate_bps(); })
        .def("snapshot",
             [](const Port& port) {
                 const p4abs::Snapshot s = port->snapshot();
                 return py::make_tuple(s.timestamp_us, s.admitted_bytes, s.dropped_bytes,
                                       s.departed_bytes, s.limit_bytes, s.unsaturated_us,
                                       s.unsaturated_bytes);
             })
        .def("set_limit_bytes",
             [](const Port& port, uint64_t limit) { port->set_limit_bytes(limit); },
             py::arg("limit"))
        .def("set_rate_bps",
             [](const Port& port, uint64_t rate_bps) { port->set_rate_bps(checked_rate(rate_bps)); },
             py::arg("rate_bps"))
        .def("set_stalled", [](const Port& port, bool stalled) { port->set_stalled(stalled); },
             py::arg("stalled"))
        .def("set_down", [](const Port& port, bool down) { port->set_down(down); },
             py::arg("down"))
        .def("idle_s", [](const Port& port) { return port->idle_time().GetSeconds(); })
        .def("start_backlog_window",
             [](const Port& port) {
                 const p4abs::BacklogWindow::Extremes e = port->start_backlog_window();
                 return py::make_tuple(e.least_bytes, e.greatest_bytes);
             })
        .def("marked_bytes", [](const Port& port) { return port->marked_bytes(); })
        .def("flow_counts",
             [](const Port& port) -> py::tuple {
                 const auto counts = port->flow_counts();
                 if (!counts) {
                     return py::make_tuple(py::none(), py::none(), py::none(), py::none(),
                                           py::none());
                 }
                 return py::make_tuple(counts->active_flow_us, counts->long_flow_us,
                                       counts->untracked_bytes, counts->timed_bytes,
                                       counts->timed_byte_us);
             })
        .def("set_ecn_marking",
             [](const Port& port, bool marking) { port->set_ecn_marking(marking); },
             py::arg("marking"))
        .def("occupancy_bytes",
             [](const Port& port) {
                 const p4abs::Snapshot s = port->snapshot();
                 return s.admitted_bytes - s.departed_bytes;
             })
        .def("start_delay_record", [](const Port& port) { port->start_record(); })
        .def("delay_quantile_s",
             [](const Port& port, double q) {
                 return port->delays().quantile_s(checked_quantile(q));
             },
             py::arg("q"))
        .def("mean_occupancy_bytes",
             [](const Port& port) { return port->mean_occupancy_bytes(); })
        .def("delay_mean_s", [](const Port& port) { return port->delays().mean_s(); });
}

template <class Source>
py::class_<Source> bind_source(py::module_& module, const char* name) {
    return py::class_<Source>(module, name)
        .def("set_paused", [](const Source& s, bool paused) { s->set_paused(paused); },
             py::arg("paused"))
        .def("goodput_bytes", [](const Source& s) { return s->traffic().goodput_bytes; })
        .def("sent_packets", [](const Source& s) { return s->traffic().sent_packets; })
        .def("offered_packets", [](const Source& s) { return s->traffic().offered_packets; })
        .def("offered_bytes", [](const Source& s) { return s->traffic().offered_bytes; })
        .def("marked_packets", [](const Source& s) { return s->traffic().marked_packets; })
        .def("lost_packets", [](const Source& s) { return s->traffic().lost_packets; })
        .def("lost_bytes", [](const Source& s) { return s->traffic().lost_bytes; });
}

void bind_flows(py::module_& module) {
    bind_source<Flow>(module, "Flow")
        .def("completion_s", [](const Flow& flow) { return flow->completion_s(); })
        .def("congestion_window_bytes",
             [](const Flow& flow) { return flow->congestion_window_bytes(); });
    bind_source<FlowSet>(module, "FlowSet")
        .def("started", [](const FlowSet& flows) { return flows->started(); })
        .def("completed", [](const FlowSet& flows) { return flows->completed(); })
        .def("mean_completion_s",
             [](const FlowSet& flows) { return flows->completions().mean_s(); })
        .def("completion_quantile_s",
             [](const FlowSet& flows, double q) {
                 return flows->completions().quantile_s(checked_quantile(q));
             },
             py::arg("q"))
        .def("restart_record", [](const FlowSet& flows) { flows->restart_record(); });
}

void bind_ports(py::class_<OpenSimulation>& simulation) {
    simulation
        .def("add_p4_port",
             [](OpenSimulation& self, std::string name, uint64_t rate_bps,
                const py::bytes& program_json, uint64_t limit_bytes) {
                 return self.handle(
                     self->add_p4_port(std::move(name), rate_bps, program_json, limit_bytes));
             },
             py::arg("name"), py::arg("rate_bps"), py::arg("program_json"),
             py::arg("limit_bytes"))
        .def("add_plain_port",
             [](OpenSimulation& self, std::string name, uint64_t rate_bps, uint64_t limit_bytes) {
                 return self.handle(self->add_plain_port(std::move(name), rate_bps, limit_bytes));
             },
             py::arg("name"), py::arg("rate_bps"), py::arg("limit_bytes"))
        .def("add_p4_queues",
             [](OpenSimulation& self, const std::vector<std::string>& names, uint64_t rate_bps,
                const py::bytes& program_json, const std::vector<uint32_t>& weights) {
                 return self.handles(self->add_p4_queues(names, rate_bps, program_json, weights));
             },
             py::arg("names"), py::arg("rate_bps"), py::arg("program_json"),
             py::arg("weights") = std::vector<uint32_t>())
        .def("add_plain_queues",
             [](OpenSimulation& self, const std::vector<std::string>& names, uint64_t rate_bps,
                const std::vector<uint32_t>& weights) {
                 return self.handles(self->add_plain_queues(names, rate_bps, weights));
             },
             py::arg("names"), py::arg("rate_bps"), py::arg("weights") = std::vector<uint32_t>())
        .def("add_shared_memory",
             [](OpenSimulation& self, uint64_t size_bytes, bool by_congested_queues) {
                 using Sharing = p4abs::SharedMemory::Sharing;
                 return self.handle(self->add_shared_memory(
                     size_bytes, by_congested_queues ? Sharing::ACTIVE_BUFFER_MANAGEMENT
                                                     : Sharing::DYNAMIC_THRESHOLDS));
             },
             py::arg("size_bytes"), py::arg("by_congested_queues") = false)
        .def("add_shared_memory_port",
             [](OpenSimulation& self, std::string name, uint64_t rate_bps,
                const SharedMemory& memory, double alpha) {
                 return self.handle(
                     self->add_shared_memory_port(std::move(name), rate_bps, memory.get(), alpha));
             },
             py::arg("name"), py::arg("rate_bps"), py::arg("memory"), py::arg("alpha"))
        .def("add_queue_disc_port",
             [](OpenSimulation& self, std::string name, uint64_t rate_bps,
                const std::string& type_id, const std::map<std::string, std::string>& attributes) {
                 return self.handle(
                     self->add_queue_disc_port(std::move(name), rate_bps, type_id, attributes));
             },
             py::arg("name"), py::arg("rate_bps"), py::arg("type_id"), py::arg("attributes"));
}

void bind_single_flows(py::class_<OpenSimulation>& simulation) {
    simulation
        .def("add_tcp_flow",
             [](OpenSimulation& self, const Ports& ports, double rtt_s, uint32_t packet_bytes,
                const std::string& congestion_control, double start_s, double stop_s,
                uint64_t size_bytes, uint32_t window_bytes,
                uint32_t initial_window_segments, bool ecn, double jitter_s,
                const Ports& reverse_ports) {
                 const p4abs::TcpDescription tcp = {
                     self.path(ports), self.path(reverse_ports), congestion_control, packet_bytes,
                     window_bytes,     initial_window_segments,  ecn,
                     jitter_s};
                 return self.handle(self->add_tcp_flow(tcp, rtt_s, start_s, stop_s, size_bytes));
             },
             py::arg("ports"), py::kw_only(), py::arg("rtt_s"), py::arg("packet_bytes"),
             py::arg("congestion_control") = "reno", py::arg("start_s") = 0.0,
             py::arg("stop_s") = NEVER, py::arg("size_bytes") = 0,
             py::arg("window_bytes") = p4abs::DEFAULT_WINDOW_BYTES,
             py::arg("initial_window_segments") = p4abs::DEFAULT_INITIAL_WINDOW_SEGMENTS,
             py::arg("ecn") = false, py::arg("jitter_s") = -1.0,
             py::arg("reverse_ports") = Ports())
        .def("add_cbr_flow",
             [](OpenSimulation& self, const Ports& ports, double delay_s, uint32_t packet_bytes,
                double rate_bps, double start_s, double stop_s, double on_s, double off_s,
                double jitter_s) {
                 return self.handle(self->add_cbr_flow(self.path(ports), delay_s, jitter_s,
                                                       packet_bytes, rate_bps, start_s, stop_s,
                                                       on_s, off_s));
             },
             py::arg("ports"), py::kw_only(), py::arg("delay_s"), py::arg("packet_bytes"),
             py::arg("rate_bps"), py::arg("start_s") = 0.0, py::arg("stop_s") = NEVER,
             py::arg("on_s") = NEVER, py::arg("off_s") = 0.0, py::arg("jitter_s") = 0.0);
}

void bind_flow_sets(py::class_<OpenSimulation>& simulation) {
    using Range = std::pair<int64_t, int64_t>;
    simulation
        .def("add_web_user",
             [](OpenSimulation& self, const Ports& ports, double rtt_s, uint32_t packet_bytes,
                const std::string& congestion_control, double start_s, Range pages,
                double page_gap_s, Range objects, double object_gap_s, double object_bytes,
                double pareto_shape, uint32_t window_bytes,
                uint32_t initial_window_segments, bool ecn, double jitter_s,
                const Ports& reverse_ports) {
                 const p4abs::TcpDescription tcp = {
                     self.path(ports), self.path(reverse_ports), congestion_control, packet_bytes,
                     window_bytes,     initial_window_segments,  ecn,
                     jitter_s};
                 const p4abs::WebUser::Behaviour behaviour = {
                     rtt_s,         start_s,        pages.first,  pages.second, page_gap_s,
                     objects.first, objects.second, object_gap_s, object_bytes, pareto_shape};
                 return self.handle(self->add_web_user(tcp, behaviour));
             },
             py::arg("ports"), py::kw_only(), py::arg("rtt_s"), py::arg("packet_bytes"),
             py::arg("congestion_control") = "reno", py::arg("start_s") = 0.0,
             py::arg("pages") = Range(10, 2000), py::arg("page_gap_s") = 1.0,
             py::arg("objects") = Range(1, 5), py::arg("object_gap_s") = 0.01,
             py::arg("object_bytes") = 10'000.0, py::arg("pareto_shape") = 1.2,
             py::arg("window_bytes") = p4abs::DEFAULT_WINDOW_BYTES,
             py::arg("initial_window_segments") = p4abs::DEFAULT_INITIAL_WINDOW_SEGMENTS,
             py::arg("ecn") = false, py::arg("jitter_s") = -1.0,
             py::arg("reverse_ports") = Ports())
        .def("add_poisson_flows",
             [](OpenSimulation& self, const Ports& ports, std::pair<double, double> rtt_s,
                uint32_t packet_bytes, double flows_per_s, double size_bytes, double pareto_shape,
                const std::string& congestion_control, double start_s, double stop_s,
                uint32_t window_bytes,
                uint32_t initial_window_segments, bool ecn, double jitter_s,
                const Ports& reverse_ports) {
                 const p4abs::TcpDescription tcp = {
                     self.path(ports), self.path(reverse_ports), congestion_control, packet_bytes,
                     window_bytes,     initial_window_segments,  ecn,
                     jitter_s};
                 const p4abs::PoissonFlows::Arrivals arrivals = {
                     rtt_s.first, rtt_s.second, start_s,     stop_s,
                     flows_per_s, size_bytes,   pareto_shape};
                 return self.handle(self->add_poisson_flows(tcp, arrivals));
             },
             py::arg("ports"), py::kw_only(), py::arg("rtt_s"), py::arg("packet_bytes"),
             py::arg("flows_per_s"), py::arg("size_bytes"), py::arg("pareto_shape") = 0.0,
             py::arg("congestion_control") = "reno", py::arg("start_s") = 0.0,
             py::arg("stop_s") = NEVER, py::arg("window_bytes") = p4abs::DEFAULT_WINDOW_BYTES,
             py::arg("initial_window_segments") = p4abs::DEFAULT_INITIAL_WINDOW_SEGMENTS,
             py::arg("ecn") = false, py::arg("jitter_s") = -1.0,
             py::arg("reverse_ports") = Ports());
}

void bind_simulation(py::module_& module) {
    py::class_<SharedMemory>(module, "SharedMemory");
    py::class_<OpenSimulation> simulation(module, "Simulation");
    simulation
        .def(py::init<uint32_t, uint32_t>(), py::arg("seed"), py::arg("delayed_ack_segments") = 1)
        .def("close", &OpenSimulation::close)
        .def("__enter__", [](py::object self) { return self; })
        .def("__exit__", [](OpenSimulation& self, const py::args&) { self.close(); })
        .def("now_s", [](const OpenSimulation& self) { return self->now_s(); })
        .def("run_until",
             [](const OpenSimulation& self, double time_s) {
                 const py::gil_scoped_release release;
                 self->run_until(time_s);
             },
             py::arg("time_s"))
        .def("event_count", [](const OpenSimulation& self) { return self->event_count(); });
    bind_ports(simulation);
    bind_single_flows(simulation);
    bind_flow_sets(simulation);
}

void translate_errors() {
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) {
                std::rethrow_exception(thrown);
            }
        } catch (const UserError& error) {
            const py::object type = py::module_::import("p4abs.errors").attr("UserError");
            PyErr_SetString(type.ptr(), error.what());
        }
    });
}

}  // namespace

PYBIND11_MODULE(_ns3, module) {
    translate_errors();
    module.attr("CONGESTION_CONTROLS") = py::tuple(py::cast(p4abs::congestion_control_names()));
    module.attr("MINIMUM_PACKET_BYTES") = p4abs::MINIMUM_TCP_PACKET_BYTES;
    module.attr("NS3_VERSION") = NS3_VERSION;
    bind_port(module);
    bind_flows(module);
    bind_simulation(module);
}
