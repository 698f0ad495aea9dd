// Converts rows of a file with a byte for each variable, packed or not
// (runtime/execute/lanes/sent/sent_rows.h), to words of codes on the device. The kernel of
// codegen/emit/preamble/mpf_byte_rows.cuh does it, and checks the rows too.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "dsl/support/cases/byte_rows.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_stream.h"

#include <string>
#include <vector>

namespace mpf {

inline constexpr uint32_t kRowThreads = 256;

/// Return the text of the kernel and its name.
std::string rowTurnerSource();
std::string rowTurnerName();

// These two structs have the kernel's layout.
struct alignas(16) GpuRowByte {
  int32_t place = -1, states = 0, none = 0, unused = 0;

  bool operator==(const GpuRowByte &) const = default;
};
struct GpuRowLaunch {
  CudaDevicePointer rows = 0, bytes = 0, words = 0, refused = 0;
  int32_t rowCodes = 0, wordCount = 0, pitch = 0, count = 0;
  int32_t halves = 0, unused = 0;
};

/// The form in which the rows of a list are sent to the device.
struct GpuRowForm {
  std::vector<GpuRowByte> bytes; ///< bytes of the codes of a kernel's words, four for each word
  size_t rowCodes = 0;
  uint32_t codeBits = 8; ///< 4 or 8 (sentCodeBits)

  bool operator==(const GpuRowForm &) const = default;
};
GpuRowForm rowFormOf(const ByteRows &rows, const LaneKernel &kernel);

/// Rows on the device, and the kernel's results.
struct RowPointers {
  CudaDevicePointer rows = 0, words = 0, refused = 0;
  uint64_t pitch = 0; ///< pitch of the words
  uint32_t count = 0; ///< number of cases
};

/// Converts the rows of one list for one kernel of lanes. The device must outlive it. Only the
/// constructor waits.
class RowTurner {
public:
  /// Throws as KernelStore::compileAll, and Error(Device).
  RowTurner(const CudaDevice &device, const KernelStoreOptions &kernels, GpuRowForm form);

  const GpuRowForm &form() const { return form_; }
  void launch(const RowPointers &part, CudaStreamHandle stream) const;

private:
  const CudaDevice &device_;
  const GpuRowForm form_;
  std::unique_ptr<CudaModule> module_;
  CudaKernel kernel_;
  DeviceMemory onDevice_; ///< form_.bytes on the device
};

} // namespace mpf
