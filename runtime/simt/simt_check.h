// The SIMT checker: runs emitted CUDA text on the CPU and watches every access.
//
// The text is compiled by the system's compiler against simt_device.cuh; every CUDA thread is a
// fibre, blocks run one after another, a warp's lanes run to their next synchronisation in lane
// order. Reported per site: bank-conflict ratio, sectors, out-of-bounds, misalignment, races within
// a barrier epoch and between blocks, uninitialised shared reads, divergent barriers. Asynchronous
// copies show only once they are waited for; matrix instructions use the lanes' registers.
// Limits: sectors are a model of the hardware, not a measurement.
#pragma once

#include "runtime/simt/host_library.h"
#include "runtime/simt/launch.h"
#include "runtime/simt/report.h"

#include <span>
#include <string>
#include <vector>

namespace mpf::simt {

/// A compiled source. Errors as HostLibrary's.
class Program {
public:
  /// `kernels`: entry points with their C++ parameter lists, in order: {"k", {"const float *",
  /// "int"}}.
  struct Entry {
    std::string name;
    std::vector<std::string> parameters;
  };
  Program(const std::string &source, const std::vector<Entry> &kernels);

  /// Runs the blocks of a launch. Not thread-safe: one launch at a time in a process.
  Report run(const std::string &kernel, const Launch &launch, std::span<Buffer> buffers,
             std::span<const Argument> arguments);

private:
  HostLibrary library_;
  bool overlaps_; ///< its kernels may start while launches before them still run
};

} // namespace mpf::simt
