// Kernels whose one argument is a struct, in the checker: there it comes through a pointer.
#pragma once

#include "runtime/simt/simt_check.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mpf::simt {

struct LaunchEntry {
  const char *kernel = "", *argument = ""; ///< its name and the type of its argument
};

/// For a Buffer.
template <class T> std::span<std::byte> bytesOf(std::vector<T> &values) {
  return std::as_writable_bytes(std::span(values));
}

/// With an entry test_KERNEL for each.
std::unique_ptr<Program> makeLaunchProgram(std::string source,
                                           std::span<const LaunchEntry> kernels);

} // namespace mpf::simt
