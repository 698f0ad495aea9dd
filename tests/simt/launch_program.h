// Kernels whose only argument is a struct, in the checker: there the kernel gets it through a
// pointer.
#pragma once

#include "runtime/simt/simt_check.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mpf::simt {

struct LaunchEntry {
  const char *kernel = "", *argument = ""; ///< name of the kernel and type of its argument
};

/// Returns the values as contents of a Buffer.
template <class T> std::span<std::byte> bytesOf(std::vector<T> &values) {
  return std::as_writable_bytes(std::span(values));
}

/// Compiles `source` with an entry test_KERNEL for each kernel.
std::unique_ptr<Program> makeLaunchProgram(std::string source,
                                           std::span<const LaunchEntry> kernels);

} // namespace mpf::simt
