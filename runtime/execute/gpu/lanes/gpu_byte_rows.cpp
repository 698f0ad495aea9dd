#include "runtime/execute/gpu/lanes/gpu_byte_rows.h"

#include "dsl/support/check.h"
#include "runtime/compile/nvrtc_compiler.h"

#include <string_view>

namespace mpf {

extern const std::string_view kByteRowsText;

std::string rowTurnerSource() { return std::string(kByteRowsText); }

std::string rowTurnerName() { return "byte_rows"; }

std::vector<GpuRowByte> rowBytesOf(const ByteRows &rows, const LaneKernel &kernel) {
  MPF_CHECK(kernel.codesPerWord == 4 && kernel.codeOrder.size() == rows.bytes().size(),
            "{} codes of a byte in a word, {} in a row of {}", kernel.codesPerWord,
            kernel.codeOrder.size(), rows.bytes().size());
  std::vector<GpuRowByte> bytes(4 * kernel.wordCount());
  for (size_t i = 0; i < kernel.codeOrder.size(); ++i) {
    const RowByte &byte = rows.bytes()[kernel.codeOrder[i]];
    bytes[i] = {static_cast<int32_t>(byte.place), static_cast<int32_t>(byte.states),
                static_cast<int32_t>(byte.none), 0};
  }
  return bytes;
}

SlotRows::SlotRows(const CudaDevice &device, size_t rowBytes, uint32_t rows)
    : bytes(device, rowBytes * rows), refused(device, sizeof(uint32_t)),
      deviceBytes(device, rowBytes * rows), deviceRefused(device, sizeof(uint32_t)) {}

RowTurner::RowTurner(const CudaDevice &device, const KernelStoreOptions &kernels,
                     std::vector<GpuRowByte> bytes, size_t rowBytes)
    : device_(device), bytes_(std::move(bytes)), rowBytes_(rowBytes) {
  KernelStoreOptions own = kernels;
  own.dumpedBehind.clear(); // it runs any program
  KernelStore store(openNvrtcCompiler, own);
  const std::vector<CompiledKernel> compiled =
      store.compileAll({{rowTurnerName(), rowTurnerSource(), device.properties().arch}});
  module_ = std::make_unique<CudaModule>(device, compiled[0].cubin, false);
  kernel_ = module_->function("mpf_turn_rows", 0);
  const uint64_t size = bytes_.size() * sizeof(GpuRowByte);
  onDevice_ = DeviceMemory(device, size);
  onDevice_.upload(bytes_.data(), size);
  device.synchronize();
}

void RowTurner::launch(const SlotRows &slot, CudaDevicePointer words, uint64_t pitch,
                       uint32_t count) const {
  GpuRowLaunch launch;
  launch.rows = slot.deviceBytes.address();
  launch.bytes = onDevice_.address();
  launch.words = words;
  launch.refused = slot.deviceRefused.address();
  launch.rowBytes = static_cast<int32_t>(rowBytes_);
  launch.wordCount = static_cast<int32_t>(bytes_.size() / 4);
  launch.pitch = static_cast<int32_t>(pitch);
  launch.count = static_cast<int32_t>(count);
  void *arguments[] = {&launch};
  device_.launch(kernel_, {(pitch + kRowThreads - 1) / kRowThreads, kRowThreads, 0}, arguments,
                 "mpf_turn_rows");
}

} // namespace mpf
