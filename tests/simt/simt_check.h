// The SIMT checker: runs emitted CUDA text on the CPU and watches every access.
//
// The text is compiled by the system's compiler against simt_device.h; every CUDA thread is a
// fibre, blocks run one after another, a warp's lanes run to their next synchronisation in lane
// order. Reported per site: bank-conflict ratio, sectors, out-of-bounds, misalignment, races within
// a barrier epoch and between blocks, uninitialised shared reads, divergent barriers. Asynchronous
// copies show only once they are waited for; matrix instructions use the lanes' registers.
// Limits: sectors are a model of the hardware, not a measurement.
#pragma once

#include "tests/simt/host_library.h"
#include "tests/simt/report.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf::simt {

/// Global memory of one kernel argument. Copied to a place of its own with forbidden zones around.
struct Buffer {
  std::string name;
  std::span<std::byte> contents; ///< written back after the run
  bool holdsBytes = false;       ///< neighbouring threads may store single bytes of it
};

/// A 64-bit word in a buffer that holds an offset into another one: the kernel sees the address.
struct PointerPlace {
  size_t buffer = 0;
  uint64_t offsetBytes = 0;
  size_t target = 0;
};

/// An array inside the block's dynamic shared memory. A site named after it may touch only it.
struct SharedArray {
  std::string name;
  uint64_t offsetBytes = 0, sizeBytes = 0;
};

struct Launch {
  uint64_t gridBlocks = 1;
  uint32_t blockThreads = 1;
  uint32_t sharedBytes = 0;
  std::vector<SharedArray> sharedArrays;
  /// Site number -> name of the array or buffer that it may touch; "" = any.
  std::vector<std::string> siteObjects;
  std::vector<PointerPlace> pointers;
};

/// One argument of the kernel: a buffer (pointer) or an int.
struct Argument {
  static Argument buffer(size_t index) { return {true, static_cast<int>(index)}; }
  static Argument number(int value) { return {false, value}; }
  bool pointer = false;
  int value = 0; ///< index into the buffers, or the int
};

/// A compiled source. Throws mpf::Error with the compiler's output when it does not compile.
class Program {
public:
  /// `kernels`: entry points with their C++ parameter lists, in order: {"k", {"const float *",
  /// "int"}}.
  struct Entry {
    std::string name;
    std::vector<std::string> parameters;
  };
  Program(const std::string &source, const std::vector<Entry> &kernels);

  /// Runs every block of a launch. Not thread-safe: one launch at a time in a process.
  Report run(const std::string &kernel, const Launch &launch, std::span<Buffer> buffers,
             std::span<const Argument> arguments);

private:
  HostLibrary library_;
  bool overlaps_; ///< its kernels may start while launches before them still run
};

} // namespace mpf::simt
