#include "runtime/execute/gpu/tables/device_run_table.h"

#include "codegen/bundle/table_map.h"
#include "runtime/execute/host/bind_input.h"

#include <algorithm>

namespace mpf {

namespace {

/// Joins digits whose entries together are evenly spaced, because the kernel divides once for each
/// digit.
std::vector<GpuMapDigit> joined(const std::vector<MapDigit> &digits) {
  std::vector<GpuMapDigit> list;
  for (const MapDigit &digit : digits)
    if (!list.empty() && list.back().strideElems == digit.strideElems * digit.extent)
      list.back() = {list.back().extent * digit.extent, digit.strideElems};
    else
      list.push_back({digit.extent, digit.strideElems});
  return list;
}

class Places {
public:
  Places(const Bundle &bundle, const DeviceBuffers &buffers, const ArenaPlaces &arenas)
      : bundle_(bundle), buffers_(buffers), arenas_(arenas) {}

  uint64_t table(BufferId id) const { return arenaOf(id) + buffers_.offsetBytes(id); }
  uint64_t signs(BufferId id) const {
    return bundle_.signedValues ? arenaOf(id) + buffers_.signOffsetBytes(id) : 0;
  }

private:
  uint64_t arenaOf(BufferId id) const {
    return bundle_.buffer(id).input ? arenas_.inputs : arenas_.work;
  }

  const Bundle &bundle_;
  const DeviceBuffers &buffers_;
  const ArenaPlaces arenas_;
};

/// Adds a task with its digits and chunks; `task` has the rest.
template <class Task>
void add(GpuMapTable<Task> &table, Task task, const TableMap &map, uint64_t elems) {
  const std::vector<GpuMapDigit> digits = joined(map.digits);
  task.firstDigit = static_cast<int32_t>(table.digits.size());
  task.digitCount = static_cast<int32_t>(digits.size());
  table.digits.insert(table.digits.end(), digits.begin(), digits.end());
  for (uint64_t first = 0; first < elems; first += kChunkElems)
    table.chunks.push_back(
        {static_cast<int32_t>(table.tasks.size()), 0, first, std::min(first + kChunkElems, elems)});
  table.tasks.push_back(task);
}

} // namespace

int bindKind(const Bundle &bundle) {
  const bool plain = hasPlainTables(bundle);
  const bool negative = plain || bundle.logInputs || bundle.signedValues;
  return (bundle.logInputs ? kBindLogs : 0) | (plain ? kBindPlain : 0) |
         (negative ? kBindNegative : 0) | (bundle.forcedLog ? kBindForcedLog : 0);
}

GpuMapTable<GpuBindTask> buildBindTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                        std::span<const uint32_t> inputs,
                                        const ArenaPlaces &arenas) {
  const Places places(bundle, buffers, arenas);
  GpuMapTable<GpuBindTask> table;
  for (const uint32_t i : inputs) {
    const BundleInput &input = bundle.inputs[i];
    GpuBindTask task;
    task.table = places.table(input.buffer);
    task.signs = places.signs(input.buffer);
    task.state = static_cast<int32_t>(input.buffer.value);
    add(table, task, mapOfInput(bundle, input, bundle.evidence),
        bundle.buffer(input.buffer).sizeElems);
  }
  return table;
}

GpuMapTable<GpuReadTask> buildReadTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                        const ArenaPlaces &arenas) {
  const Places places(bundle, buffers, arenas);
  GpuMapTable<GpuReadTask> table;
  uint64_t results = 0;
  for (const BundleOutput &output : bundle.outputs) {
    const uint64_t elems = bundle.buffer(output.buffer).sizeElems;
    GpuReadTask task;
    task.table = places.table(output.buffer);
    task.signs = places.signs(output.buffer);
    task.firstResult = results;
    task.state = static_cast<int32_t>(output.buffer.value);
    task.isPosterior = output.normalised ? 1 : 0;
    task.firstChunk = static_cast<int32_t>(table.chunks.size());
    task.chunkCount = static_cast<int32_t>((elems + kChunkElems - 1) / kChunkElems);
    add(table, task, mapOfOutput(bundle, output), elems);
    results += elems;
  }
  return table;
}

} // namespace mpf
