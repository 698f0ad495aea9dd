// The sliced side of GpuProgram: addresses and states that change from slice to slice.
#include "runtime/execute/gpu/gpu_program.h"

#include <algorithm>
#include <utility>

namespace mpf {

void GpuProgram::beginSlices(bool grouped) {
  assumes_ = false;
  prepareRun({grouped, false});
  resetPlanned();
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
  std::vector<GpuOperation> &table = table_.operations;
  uint32_t first = static_cast<uint32_t>(table.size()), end = 0;
  std::vector<size_t> results;
  for (uint32_t i = 0; i < table.size(); ++i) {
    const BundleOperation &operation = bundle_.operations[i];
    if (operation.loop == 0 || !bundle_.loops.contains(loop, operation.loop))
      continue; // outside of all loops it is prepareRun that decides
    first = std::min(first, i);
    end = i + 1;
    for (size_t slot = 0; slot < operation.operands.size(); ++slot) {
      const BundleAccess &access = operation.operands[slot];
      if (access.sliceStridesElems.empty())
        continue;
      table[i].table[slot] = addressOf(access);
      if (table[i].signs[slot] != 0)
        table[i].signs[slot] = inputs_.address() + buffers_.signOffsetBytes(access.buffer) +
                               sliceOffsetElems(access, slice_);
    }
    recordTable_.set(i, table[i]);
    if (!operation.accumulates)
      results.push_back(operation.result.buffer.index());
  }
  resetStates(results);
  if (first < end) {
    operations_.upload(&table[first], (end - first) * sizeof(GpuOperation),
                       first * sizeof(GpuOperation));
    const uint64_t record = recordTable_.first[first];
    records_.upload(recordTable_.units.data() + record,
                    (recordTable_.first[end] - record) * sizeof(GpuRecordUnit),
                    record * sizeof(GpuRecordUnit));
  }
  run_.fill(0, counterBytes(), stateBytes_);
  device_.synchronize(); // the tables change with the next slice
}

void GpuProgram::runOperation(uint32_t index, double *timeUs) {
  const GpuPlan &plan = plans_.inUse();
  const GpuPlan::DueLaunches &due = plan.due[index];
  if (due.begins)
    nextLaunch_ = due.first;
  const auto launchAll = [&] {
    for (; nextLaunch_ < due.end; ++nextLaunch_)
      launch(plan.launches.launches[nextLaunch_]);
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

} // namespace mpf
