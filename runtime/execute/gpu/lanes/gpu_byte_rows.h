// Rows of a file that hold a byte for each variable, packed or not (runtime/execute/lanes/
// sent_rows.h), become words of codes on the device: the kernel of
// codegen/emit/preamble/mpf_byte_rows.cuh, which checks them too.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "dsl/support/cases/byte_rows.h"
#include "runtime/compile/kernel_store.h"
#include "runtime/execute/gpu/cuda_stream.h"

#include <string>
#include <vector>

namespace mpf {

inline constexpr uint32_t kRowThreads = 256;

/// The text of the kernel, and a name for it.
std::string rowTurnerSource();
std::string rowTurnerName();

// As the kernel has them.
struct alignas(16) GpuRowByte {
  int32_t place = -1, states = 0, none = 0, unused = 0;

  bool operator==(const GpuRowByte &) const = default;
};
struct GpuRowLaunch {
  CudaDevicePointer rows = 0, bytes = 0, words = 0, refused = 0;
  int32_t rowCodes = 0, wordCount = 0, pitch = 0, count = 0;
  int32_t halves = 0, unused = 0;
};

/// What the rows of a list are when they come to the device.
struct GpuRowForm {
  std::vector<GpuRowByte> bytes; ///< of the codes of each word of a kernel, four for each
  size_t rowCodes = 0;
  uint32_t codeBits = 8; ///< 4 or 8 (sentCodeBits)

  bool operator==(const GpuRowForm &) const = default;
};
GpuRowForm rowFormOf(const ByteRows &rows, const LaneKernel &kernel);

/// Rows on the device, and what the kernel makes of them there.
struct RowPointers {
  CudaDevicePointer rows = 0, words = 0, refused = 0;
  uint64_t pitch = 0; ///< of the words
  uint32_t count = 0; ///< of the cases
};

/// Of one list, for one kernel. The device must outlive it. Nothing of it waits but making it.
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
  DeviceMemory onDevice_; ///< of form_.bytes
};

} // namespace mpf
