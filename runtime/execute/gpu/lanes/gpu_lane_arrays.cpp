#include "runtime/execute/gpu/lanes/gpu_lane_arrays.h"

#include "dsl/support/error.h"
#include "runtime/execute/gpu/cuda_stream.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace mpf {

GpuLaneArrays::GpuLaneArrays(LaneLauncher &launcher, const KernelStoreOptions &kernels)
    : launcher_(launcher), program_(launcher.program()), kernel_(launcher.kernel()),
      kernels_(kernels) {}

DeviceCaseLayout GpuLaneArrays::layout() const {
  DeviceCaseLayout layout;
  layout.wordRows = kernel_.wordCount();
  layout.codes.resize(program_.schema.observed.size());
  const uint32_t bits = 32 / kernel_.codesPerWord;
  for (uint32_t place = 0; place < kernel_.codeOrder.size(); ++place)
    layout.codes[kernel_.codeOrder[place]] = {place / kernel_.codesPerWord,
                                              place % kernel_.codesPerWord * bits};
  layout.weightRows = program_.schema.weightCount();
  layout.isDouble = launcher_.type() == ElementType::F64;
  layout.resultRows = kernel_.resultElems;
  uint64_t row = 0;
  for (uint32_t o = 0; o < program_.outputs.size(); ++o) {
    const LaneOutput &output = program_.outputs[o];
    DeviceCaseLayout::Table &table = layout.tables.emplace_back();
    table.name = output.name;
    table.firstRow = row;
    table.rows = output.sizeElems();
    row += table.rows;
    table.isPosterior = output.normalised;
    if (!output.normalised)
      table.exponent = launcher_.plan().scales[output.access.table];
    const auto at = std::ranges::find(kernel_.exponentOutputs, o);
    if (at != kernel_.exponentOutputs.end())
      table.exponentRow = static_cast<uint64_t>(at - kernel_.exponentOutputs.begin());
  }
  layout.exponentRows = kernel_.exponentOutputs.size();
  layout.stateRows = launcher_.caseSize().stateBytes / sizeof(uint32_t);
  return layout;
}

void GpuLaneArrays::run(const DeviceCaseBlock &block, void *stream) {
  if (block.count > block.pitch || block.pitch > uint32_t{std::numeric_limits<int>::max()})
    fail(ErrorKind::Usage, "{} cases at a pitch of {}", block.count, block.pitch);
  for (const auto &[bytes, pointer, what] :
       {std::tuple(launcher_.caseSize().codeBytes, block.words, "words"),
        std::tuple(launcher_.caseSize().weightBytes, block.weights, "weights"),
        std::tuple(launcher_.caseSize().resultBytes, block.results, "results"),
        std::tuple(launcher_.caseSize().exponentBytes, block.exponents, "exponents"),
        std::tuple(launcher_.caseSize().stateBytes, block.states, "states")})
    if (bytes != 0 && pointer == 0 && block.count != 0)
      fail(ErrorKind::Usage, "the block has no {}", what);
  if (!copiesOverlap(launcher_.device()))
    fail(ErrorKind::Device, "the driver has no cuStreamWaitEvent");
  launcher_.launch({block.pitch, block.count, block.words, block.weights, block.results,
                    block.exponents, block.states},
                   static_cast<CudaStreamHandle>(stream));
}

void GpuLaneArrays::run(const DeviceCaseArrays &arrays, void *stream) {
  if (program_.schema.weightCount() != 0)
    fail(ErrorKind::Unsupported, "query {}: cases have weights or tables, which these arrays lack",
         program_.name);
  if (!copiesOverlap(launcher_.device()))
    fail(ErrorKind::Device, "the driver has no cuStreamWaitEvent");
  const CurrentContext current(launcher_.device());
  {
    const std::lock_guard lock(making_);
    if (arrays_ == nullptr)
      arrays_ = std::make_unique<GpuCaseArrays>(launcher_, kernels_, layout());
  }
  arrays_->run(arrays, static_cast<CudaStreamHandle>(stream));
}

DeviceCaseCounts GpuLaneArrays::counts() {
  const std::lock_guard lock(making_);
  if (arrays_ == nullptr)
    return {};
  const CurrentContext current(launcher_.device());
  return arrays_->counts();
}

} // namespace mpf
