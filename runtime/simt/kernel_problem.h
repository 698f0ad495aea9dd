// What is wrong with a kernel, for people.
#pragma once

#include "runtime/simt/report.h"

#include <cstdint>
#include <string>

namespace mpf::simt {

struct KernelProblem {
  uint32_t site = 0; ///< access site where it was seen; 0: no single site
  std::string message;
  unsigned line = 0; ///< of the kernel's text; 0: the site says where it is
};

KernelProblem problemOf(const Fault &fault);

} // namespace mpf::simt
