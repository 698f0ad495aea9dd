// The sliced side of GpuProgram: addresses and states that change from slice to slice.
#include "runtime/execute/gpu/gpu_program.h"

#include <algorithm>
#include <utility>

namespace mpf {

void GpuProgram::beginSlices(bool grouped) {
  prepareRun();
  setPlan(planFor(grouped));
  std::fill(slice_.begin(), slice_.end(), 0);
  resetLoops(0);
}

void GpuProgram::enterSlice(const SliceStates &states) {
  const SliceStates before = std::exchange(slice_, states);
  uint32_t reset = 0;
  // Outer loops come before those inside them. A loop that has ended is back at 0: nothing of it
  // runs before a loop around it moves on. Siblings may change together: where one slice alone
  // runs, the next loop starts at its own state, not at 0.
  for (uint32_t loop = 1; loop <= states.size(); ++loop) {
    if (states[loop - 1] == before[loop - 1] || states[loop - 1] == 0 ||
        (reset != 0 && bundle_.loops.contains(reset, loop)))
      continue;
    resetLoops(loop);
    reset = loop;
  }
}

/// What runs in `loop` (0: in any) and deeper writes its tables anew: neutral states, counters at
/// 0, operands at the entries of this slice.
void GpuProgram::resetLoops(uint32_t loop) {
  size_t first = table_.size(), end = 0;
  std::vector<size_t> results;
  for (size_t i = 0; i < table_.size(); ++i) {
    const BundleOperation &operation = bundle_.operations[i];
    if (operation.loop == 0 || !bundle_.loops.contains(loop, operation.loop))
      continue; // outside of all loops it is prepareRun that decides
    first = std::min(first, i);
    end = i + 1;
    for (size_t slot = 0; slot < operation.operands.size(); ++slot) {
      const BundleAccess &access = operation.operands[slot];
      if (access.sliceStridesElems.empty())
        continue;
      table_[i].table[slot] = addressOf(access);
      if (table_[i].signs[slot] != 0)
        table_[i].signs[slot] = inputs_.address() + buffers_.signOffsetBytes(access.buffer) +
                                sliceOffsetElems(access, slice_);
    }
    if (!operation.accumulates)
      results.push_back(operation.result.buffer.index());
  }
  resetStates(results);
  if (first < end)
    operations_.upload(&table_[first], (end - first) * sizeof(GpuOperation),
                       first * sizeof(GpuOperation));
  finishedBlocks_.fill(0);
  device_.synchronize(); // table_ changes with the next slice
}

/// Results are numbered in execution order, inputs before them, so these are few stretches.
void GpuProgram::resetStates(const std::vector<size_t> &buffers) {
  for (size_t i = 0; i < buffers.size();) {
    size_t next = i + 1;
    while (next < buffers.size() && buffers[next] == buffers[next - 1] + 1)
      ++next;
    states_.upload(&initialStates_[buffers[i]], (next - i) * sizeof(TableState),
                   buffers[i] * sizeof(TableState));
    i = next;
  }
}

void GpuProgram::runOperation(uint32_t index, double *timeUs) {
  const std::vector<Launch> &launches = plan_.launches;
  const auto first = std::lower_bound(
      launches.begin(), launches.end(), index,
      [](const Launch &each, uint32_t operation) { return each.first < operation; });
  const auto launchAll = [&] {
    for (auto each = first; each != launches.end() && each->first == index; ++each)
      launch(*each);
  };
  if (timeUs == nullptr)
    return launchAll();
  const CudaEvent begin(device_), end(device_);
  begin.record();
  launchAll();
  end.record();
  device_.synchronize();
  *timeUs += end.microsecondsSince(begin);
}

void GpuProgram::startWrite(BufferId buffer, std::span<const std::byte> bytes,
                            const TableState &state) {
  const BundleBuffer &place = bundle_.buffer(buffer);
  work_.upload(bytes.data(), bytes.size(), place.offsetBytes);
  states_.upload(&state, sizeof(TableState), buffer.index() * sizeof(TableState));
}

} // namespace mpf
