#include "runtime/execute/gpu/tables/gpu_trace_table.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

GpuTraceTable buildGpuTraceTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                 uint64_t inputArena, uint64_t workArena) {
  GpuTraceTable result;
  for (const BundleTraceback &source : bundle.traceback) {
    GpuTraceStep step;
    step.variable = static_cast<int32_t>(source.variable.value);
    step.extent = bundle.variables[source.variable.index()].extent;
    step.firstPart = static_cast<int32_t>(result.parts.size());
    step.partCount = static_cast<int32_t>(source.tables.size());
    for (const BundleTraceback::Table &table : source.tables) {
      const BundleBuffer &buffer = bundle.buffer(table.buffer);
      GpuStepTable part;
      part.table = (buffer.input ? inputArena : workArena) + buffers.offsetBytes(table.buffer);
      part.state = static_cast<int32_t>(table.buffer.value);
      part.firstTerm = static_cast<int32_t>(result.terms.size());
      uint64_t stride = 1;
      for (size_t i = table.layout.size(); i-- > 0;) {
        const uint32_t extent = bundle.variables[table.layout[i].index()].extent;
        if (table.layout[i] == source.variable)
          part.ownStrideElems = stride;
        else if (extent > 1)
          result.terms.push_back({stride, static_cast<int32_t>(table.layout[i].value), 0});
        stride *= extent;
      }
      part.termCount = static_cast<int32_t>(result.terms.size()) - part.firstTerm;
      result.parts.push_back(part);
    }
    result.steps.push_back(step);
  }
  return result;
}

std::vector<std::vector<uint32_t>> assignmentsFromDevice(std::span<const uint32_t> states,
                                                         size_t variables, Decoding decoding) {
  MPF_CHECK(std::ranges::find(states, kTraceUnknown) == states.end(),
            "the kernel mpf_traceback has no decoding {}", static_cast<int>(decoding));
  std::vector<std::vector<uint32_t>> assignments;
  for (; !states.empty(); states = states.subspan(variables)) {
    const std::span<const uint32_t> one = states.first(variables);
    const bool isNone = std::ranges::find(one, kTraceNone) != one.end();
    assignments.emplace_back(one.begin(), isNone ? one.begin() : one.end());
  }
  return assignments;
}

} // namespace mpf
