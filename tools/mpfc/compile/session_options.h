// The part of the command line that a session takes.
#pragma once

#include "runtime/api/session.h"
#include "tools/mpfc/options/options.h"

namespace mpf::driver {

SessionOptions sessionOptionsFor(const Options &options);

} // namespace mpf::driver
