// The Python module p4abs_experiments._tofino; its interface is described in _tofino.pyi.
//
// It gives ns-3 one more queue disc, TofinoQueueDisc. The simulator (ns3/) takes any queue disc
// that there is, and knows nothing of this one.
//   program     the compiled P4 program and its packets
//   switch      with a clock and a controller
//   queue_disc  what ns-3 sees of it

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>

#include "switch.h"

namespace py = pybind11;

PYBIND11_MODULE(_tofino, module) {
    using p4abs::tofino::Switch;
    module.attr("PORT") = p4abs::tofino::Program::PORT;
    py::class_<Switch>(module, "Switch")
        .def(py::init([](const py::bytes& program_json, const std::string& drain_rate,
                         uint64_t link_bps, uint64_t clock_bps, uint64_t start_ns) {
                 return std::make_unique<Switch>(static_cast<std::string_view>(program_json),
                                                 drain_rate,
                                                 Switch::Clock{link_bps, clock_bps, start_ns});
             }),
             py::arg("program_json"), py::arg("drain_rate"), py::kw_only(), py::arg("link_bps"),
             py::arg("clock_bps"), py::arg("start_ns"))
        .def_property_readonly("number", &Switch::number)
        .def("ask",
             [](Switch& self, const py::bytes& packet_out) {
                 return py::bytes(self.ask(static_cast<std::string_view>(packet_out)));
             },
             py::arg("packet_out"))
        .def("set_control", &Switch::set_control, py::arg("interval_us"), py::arg("step"))
        .def("clear_control", &Switch::clear_control);
}
