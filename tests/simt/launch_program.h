// Kernels whose one argument is a struct, in the checker: there it comes through a pointer.
#pragma once

#include "runtime/simt/simt_check.h"

#include <memory>
#include <span>
#include <string>

namespace mpf::simt {

struct LaunchEntry {
  const char *kernel = "", *argument = ""; ///< its name and the type of its argument
};

/// With an entry test_KERNEL for each.
std::unique_ptr<Program> makeLaunchProgram(std::string source,
                                           std::span<const LaunchEntry> kernels);

} // namespace mpf::simt
