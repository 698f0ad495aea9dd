#include "codegen/emit/lanes/lane_kernel_parts.h"

#include "codegen/emit/nest/preambles.h"
#include "dsl/support/hash.h"

#include <algorithm>
#include <span>

namespace mpf {

extern const std::string_view kLanePreamble;

/// Columns in the order in which the program reads them: those of one row lie in one word.
static std::vector<uint32_t> codeOrder(const LaneProgram &program) {
  std::vector<uint32_t> order;
  const auto add = [&order](uint32_t column) {
    if (std::find(order.begin(), order.end(), column) == order.end())
      order.push_back(column);
  };
  for (const LaneStep &step : program.steps)
    if (const auto *gather = std::get_if<LaneGather>(&step))
      for (const LaneCode &code : gather->codes)
        add(code.column);
  return order;
}

void describeLaneKernel(const LaneProgram &program, const LinearPlan &plan, LaneKernel &kernel) {
  kernel.codeOrder = codeOrder(program);
  kernel.codesPerWord = 4 / codeBytesFor(program.schema);
  for (uint32_t o = 0; o < program.outputs.size(); ++o) {
    const LaneOutput &output = program.outputs[o];
    kernel.resultElems += output.sizeElems();
    if (!output.normalised && plan.hasExponent[output.access.table] != 0)
      kernel.exponentOutputs.push_back(o);
  }
}

void nameLaneKernel(LaneKernel &kernel, const std::string &body) {
  HashBuilder hash;
  hash.addBytes(std::as_bytes(std::span(body)));
  kernel.name = fmt::format("lanes_{:016x}", hash.finish().low);
  kernel.source = fmt::format("{}{}\n#define MPF_LANES {}\n{}", preambleText({}), kLanePreamble,
                              kernel.name, body);
}

} // namespace mpf
