#include "runtime/execute/gpu/lanes/gpu_byte_rows.h"

#include "dsl/support/check.h"
#include "runtime/execute/gpu/compiled_module.h"
#include "runtime/execute/lanes/sent/half_bytes.h"
#include "runtime/execute/lanes/sent/sent_rows.h"

#include <string_view>

namespace mpf {

extern const std::string_view kByteRowsText;

std::string rowTurnerSource() { return std::string(kByteRowsText); }

std::string rowTurnerName() { return "byte_rows"; }

GpuRowForm rowFormOf(const ByteRows &rows, const LaneKernel &kernel) {
  MPF_CHECK(kernel.codesPerWord == 4 && kernel.codeOrder.size() == rows.bytes().size(),
            "{} codes of a byte in a word, {} in a row of {}", kernel.codesPerWord,
            kernel.codeOrder.size(), rows.bytes().size());
  GpuRowForm form;
  form.rowCodes = rows.rowBytes();
  form.codeBits = sentCodeBits(rows);
  form.bytes.resize(4 * kernel.wordCount());
  for (size_t i = 0; i < kernel.codeOrder.size(); ++i) {
    const RowByte &byte = rows.bytes()[kernel.codeOrder[i]];
    const uint32_t none = form.codeBits == 4 ? kHalfByteNone : byte.none;
    form.bytes[i] = {static_cast<int32_t>(byte.place), static_cast<int32_t>(byte.states),
                     static_cast<int32_t>(none), 0};
  }
  return form;
}

RowTurner::RowTurner(const CudaDevice &device, const KernelStoreOptions &kernels, GpuRowForm form)
    : device_(device), form_(std::move(form)) {
  module_ =
      compiledModule(device, forAnyProgram(kernels), rowTurnerName(), rowTurnerSource(), false);
  kernel_ = module_->function("mpf_turn_rows", 0);
  const uint64_t size = form_.bytes.size() * sizeof(GpuRowByte);
  onDevice_ = DeviceMemory(device, size);
  onDevice_.upload(form_.bytes.data(), size);
  device.synchronize();
}

void RowTurner::launch(const RowPointers &part, CudaStreamHandle stream) const {
  GpuRowLaunch launch;
  launch.rows = part.rows;
  launch.bytes = onDevice_.address();
  launch.words = part.words;
  launch.refused = part.refused;
  launch.rowCodes = static_cast<int32_t>(form_.rowCodes);
  launch.wordCount = static_cast<int32_t>(form_.bytes.size() / 4);
  launch.pitch = static_cast<int32_t>(part.pitch);
  launch.count = static_cast<int32_t>(part.count);
  launch.halves = form_.codeBits == 4 ? 1 : 0;
  void *arguments[] = {&launch};
  device_.launch(kernel_, {(part.pitch + kRowThreads - 1) / kRowThreads, kRowThreads, 0}, arguments,
                 "mpf_turn_rows", stream);
}

} // namespace mpf
