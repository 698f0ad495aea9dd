// A fault of a kernel as a message for people.
#pragma once

#include "runtime/simt/report.h"

#include <cstdint>
#include <string>

namespace mpf::simt {

struct KernelProblem {
  uint32_t site = 0; ///< access site of the fault; 0: no single site
  std::string message;
  unsigned line = 0; ///< line of the kernel's text; 0: only the site is known
};

KernelProblem problemOf(const Fault &fault);

} // namespace mpf::simt
