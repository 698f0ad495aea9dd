#include "tools/mpfc/compile/search_end.h"

#include <chrono>

namespace mpf::driver {

Options withOneSearchEnd(Options options) {
  if (options.ends != std::chrono::steady_clock::time_point::max())
    options.searchTime = {SearchTime{options.ends, kListShare}.deadline()};
  return options;
}

} // namespace mpf::driver
