"""The running switch: device, gRPC service, and all that is started and ended with them."""
