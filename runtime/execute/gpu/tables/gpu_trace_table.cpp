#include "runtime/execute/gpu/tables/gpu_trace_table.h"

#include "codegen/bundle/open_variables.h"
#include "codegen/bundle/table_driven_shape.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

GpuTraceTable buildGpuTraceTable(const Bundle &bundle, const DeviceBuffers &buffers,
                                 uint64_t inputArena, uint64_t workArena) {
  GpuTraceTable result;
  const std::vector<std::vector<VarId>> openOfSteps = openVariables(bundle);
  for (size_t number = 0; number < bundle.traceback.size(); ++number) {
    const BundleTraceback &source = bundle.traceback[number];
    const std::vector<VarId> &open = openOfSteps[number];
    GpuTraceStep step;
    step.openStates = static_cast<uint32_t>(jointStates(bundle, open));
    step.variable = static_cast<int32_t>(source.variable.value);
    step.extent = bundle.variables[source.variable.index()].extent;
    step.firstPart = static_cast<int32_t>(result.parts.size());
    step.partCount = static_cast<int32_t>(source.tables.size());
    step.firstTerm = static_cast<int32_t>(result.terms.size());
    for (const BundleTraceback::Table &table : source.tables) {
      const BundleBuffer &buffer = bundle.buffer(table.buffer);
      GpuStepTable part;
      part.table = (buffer.input ? inputArena : workArena) + buffers.offsetBytes(table.buffer);
      part.state = static_cast<int32_t>(table.buffer.value);
      part.firstTerm = static_cast<int32_t>(result.terms.size());
      uint64_t stride = 1;
      for (size_t i = table.layout.size(); i-- > 0;) {
        const VarId id = table.layout[i];
        const uint32_t extent = bundle.variables[id.index()].extent;
        if (id == source.variable)
          part.ownStrideElems = stride;
        else if (extent > 1 && std::ranges::binary_search(open, id))
          result.terms.push_back({stride, -static_cast<int32_t>(extent),
                                  static_cast<uint32_t>(openStride(bundle, open, id))});
        else if (extent > 1)
          result.terms.push_back({stride, static_cast<int32_t>(id.value), 0});
        stride *= extent;
      }
      part.termCount = static_cast<int32_t>(result.terms.size()) - part.firstTerm;
      result.parts.push_back(part);
    }
    step.termCount = static_cast<int32_t>(result.terms.size()) - step.firstTerm;
    result.steps.push_back(step);
  }
  return result;
}

void stageTogether(std::span<GpuTraceStep> steps) {
  for (size_t first = 0; first < steps.size();) {
    size_t count = 0;
    const auto fits = [&steps, first](const GpuTraceStep &last) {
      return last.firstPart + last.partCount - steps[first].firstPart <= kStagedTraceParts &&
             last.firstTerm + last.termCount - steps[first].firstTerm <= kStagedTraceTerms;
    };
    while (count < kStagedTraceSteps && first + count < steps.size() && fits(steps[first + count]))
      ++count;
    steps[first].staged = static_cast<int32_t>(count);
    const size_t next = first + std::max<size_t>(count, 1);
    while (++first < next)
      steps[first].staged = 0;
  }
}

std::vector<std::vector<uint32_t>> assignmentsFromDevice(std::span<const uint32_t> states,
                                                         size_t variables, Decoding decoding) {
  MPF_CHECK(std::ranges::find(states, kTraceUnknown) == states.end(),
            "the kernel mpf_traceback has no decoding {}", static_cast<int>(decoding));
  std::vector<std::vector<uint32_t>> assignments;
  if (variables == 0) // one start without states
    assignments.emplace_back();
  for (; !states.empty(); states = states.subspan(variables)) {
    const std::span<const uint32_t> one = states.first(variables);
    const bool isNone = std::ranges::find(one, kTraceNone) != one.end();
    assignments.emplace_back(one.begin(), isNone ? one.begin() : one.end());
  }
  return assignments;
}

} // namespace mpf
