// SIMT CHECKER: runs emitted CUDA text on the CPU and checks every access.
//
// The system's compiler compiles the text together with simt_device.cuh. Every CUDA thread is a
// fibre. Blocks run one after another, those of a cooperative launch in turn; the lanes of a warp
// run in lane order, each up to its next synchronisation.
//
// It reports for each site: the bank-conflict ratio, sectors, accesses out of bounds, misalignment,
// uninitialised shared reads. It reports races within a barrier epoch and between blocks, and
// divergent barriers. It stops a launch whose loops do not end (Launch::mostSteps).
//
// The data of an asynchronous copy appear only when the thread has waited for it. Matrix
// instructions use the lanes' registers. Sectors are counted by a model of the hardware, not
// measured.
#pragma once

#include "runtime/simt/host_library.h"
#include "runtime/simt/launch.h"
#include "runtime/simt/report.h"

#include <span>
#include <string>
#include <vector>

namespace mpf::simt {

/// A compiled source. The constructor throws as that of HostLibrary does.
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
  bool overlaps_; ///< its kernels may start while earlier launches still run
};

} // namespace mpf::simt
