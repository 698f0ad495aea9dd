// Answers cases that a host program stores in the memory of the device.
#include "dsl/support/check.h"
#include "runtime/execute/gpu/lanes/gpu_lanes.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace mpf {

DeviceCaseLayout GpuLanes::layout() const {
  DeviceCaseLayout layout;
  layout.wordRows = kernel_.wordCount();
  layout.codes.resize(program_.schema.observed.size());
  const uint32_t bits = 32 / kernel_.codesPerWord;
  for (uint32_t place = 0; place < kernel_.codeOrder.size(); ++place)
    layout.codes[kernel_.codeOrder[place]] = {place / kernel_.codesPerWord,
                                              place % kernel_.codesPerWord * bits};
  layout.weightRows = program_.schema.weightCount();
  layout.isDouble = type_ == ElementType::F64;
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
      table.exponent = plan_.scales[output.access.table];
    const auto at = std::ranges::find(kernel_.exponentOutputs, o);
    if (at != kernel_.exponentOutputs.end())
      table.exponentRow = static_cast<uint64_t>(at - kernel_.exponentOutputs.begin());
  }
  layout.exponentRows = kernel_.exponentOutputs.size();
  layout.stateRows = caseSize_.stateBytes / sizeof(uint32_t);
  return layout;
}

void GpuLanes::run(const DeviceCaseBlock &block, void *stream) {
  if (block.count > block.pitch || block.pitch > uint32_t{std::numeric_limits<int>::max()})
    fail(ErrorKind::Usage, "{} cases at a pitch of {}", block.count, block.pitch);
  for (const auto &[bytes, pointer, what] :
       {std::tuple(caseSize_.codeBytes, block.words, "words"),
        std::tuple(caseSize_.weightBytes, block.weights, "weights"),
        std::tuple(caseSize_.resultBytes, block.results, "results"),
        std::tuple(caseSize_.exponentBytes, block.exponents, "exponents"),
        std::tuple(caseSize_.stateBytes, block.states, "states")})
    if (bytes != 0 && pointer == 0 && block.count != 0)
      fail(ErrorKind::Usage, "the block has no {}", what);
  if (!copiesOverlap(device_))
    fail(ErrorKind::Device, "the driver has no cuStreamWaitEvent");
  launchInTurn({block.pitch, block.count, block.words, block.weights, block.results,
                block.exponents, block.states},
               static_cast<CudaStreamHandle>(stream));
}

void GpuLanes::run(const DeviceCaseArrays &arrays, void *stream) {
  if (program_.schema.weightCount() != 0)
    fail(ErrorKind::Unsupported, "query {}: cases have weights or tables, which these arrays lack",
         program_.name);
  if (!copiesOverlap(device_))
    fail(ErrorKind::Device, "the driver has no cuStreamWaitEvent");
  const CurrentContext current(device_);
  {
    const std::lock_guard lock(makingArrays_);
    if (arrays_ == nullptr)
      arrays_ = std::make_unique<GpuCaseArrays>(device_, kernelOptions_, program_, plan_, kernel_,
                                                caseSize_, layout());
  }
  const auto handle = static_cast<CudaStreamHandle>(stream);
  arrays_->run(arrays, handle, [&](const LanePointers &part) { launchInTurn(part, handle); });
}

DeviceCaseCounts GpuLanes::counts() {
  const std::lock_guard lock(makingArrays_);
  if (arrays_ == nullptr)
    return {};
  const CurrentContext current(device_);
  return arrays_->counts();
}

} // namespace mpf
