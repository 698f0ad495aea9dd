// The result of the emitters of CUDA text.
#pragma once

#include "codegen/emit/nest/site.h"

#include <string>
#include <vector>

namespace mpf {

struct EmittedKernel {
  std::string name;
  std::string text;        ///< without the preamble
  std::vector<Site> sites; ///< ascending numbers from kFirstKernelSite
};

} // namespace mpf
