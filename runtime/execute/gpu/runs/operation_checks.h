// Verifies the operations of a program on one GPU: after each has run, the host reads its operands
// and its result, and computes some entries again.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/execute/gpu/cuda_device.h"
#include "runtime/execute/gpu/host_image.h"
#include "runtime/execute/gpu/runs/gpu_program.h"
#include "runtime/schedule/walk_steps.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

/// Not thread-safe; what the constructor takes must outlive it. It waits for the device.
class OperationChecks {
public:
  /// `inputs`: the input arena in the bundle's layout.
  OperationChecks(const CudaDevice &device, const Bundle &bundle, GpuProgram &program,
                  const HostImage &inputs);

  /// Runs the chosen operations one by one and verifies each. A chain's kernel runs before its
  /// operations; their result is compared with the kernel's.
  void run(size_t samples);
  /// Verifies `samples` entries of an operation that has run last, in the slice `slice`.
  void verify(uint32_t index, const SliceStates &slice, size_t samples) const;

private:
  /// The result of a chain's kernel, to be compared after the chain's last operation.
  struct Together {
    std::vector<std::byte> bytes;
    TableState state;
    uint32_t last = 0;
  };
  std::optional<Together> startChain(uint32_t index) const;
  void endChain(const Together &together, size_t samples) const;
  std::vector<std::byte> read(BufferId buffer, const TableState &state) const;

  const CudaDevice &device_;
  const Bundle &bundle_;
  GpuProgram &program_;
  const HostImage &inputs_;
};

} // namespace mpf
