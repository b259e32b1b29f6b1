#pragma once

#include <stdexcept>

namespace p4abs {

// Something the caller asked for cannot be; becomes p4abs.errors.UserError in Python.
class UserError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace p4abs
