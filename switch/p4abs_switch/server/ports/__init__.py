"""The service beside P4Runtime for ports, queues and traces; see p4abs_switch.port_service."""
