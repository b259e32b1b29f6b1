#include "network/shared_memory_port.h"

#include <utility>

#include "base/errors.h"

namespace p4abs {

SharedMemoryPort::SharedMemoryPort(std::string name, uint64_t rate_bps, SharedMemory* memory,
                                   double alpha)
    : PlainPort(std::move(name), rate_bps, 0), memory_(memory), queue_(memory->add(this, alpha)) {}

void SharedMemoryPort::set_limit_bytes(uint64_t) {
    throw UserError("port " + name() + " shares its memory; its limit cannot be set");
}

bool SharedMemoryPort::enqueue(Transit transit) {
    memory_->arrival(queue_);
    return PlainPort::enqueue(std::move(transit));
}

}  // namespace p4abs
