#include "runtime/simt/kernel_problem.h"

#include <fmt/format.h>

namespace mpf::simt {

KernelProblem problemOf(const Fault &fault) {
  const std::string times =
      fault.count > 1 ? fmt::format(" ({} times)", fault.count) : std::string();
  return {fault.site, fmt::format("{}: {}{}", faultName(fault.kind), fault.text, times),
          fault.line};
}

} // namespace mpf::simt
