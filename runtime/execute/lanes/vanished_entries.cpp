#include "runtime/execute/lanes/vanished_entries.h"

#include "codegen/bundle/table_state.h"

#include <algorithm>
#include <cmath>

namespace mpf {

bool mayVanish(const LaneProgram &program, const LinearPlan &plan, size_t output,
               ElementType type) {
  return program.outputs[output].normalised &&
         plan.outputOrders[output] > -exponentRange(type).least;
}

VanishedEntries::VanishedEntries(const LaneProgram &program, const LinearPlan &plan,
                                 ElementType type)
    : program_(program), isAsked_(traitsOf(program.kind).outputs == QueryOutputs::Asked),
      leastNormal_(std::ldexp(1, exponentRange(type).least)) {
  for (size_t output = 0; output < program.outputs.size(); ++output)
    mayVanish_.push_back(mayVanish(program, plan, output, type) ? 1 : 0);
  if (!isAsked_)
    return;
  for (const VarId variable : program.outputs.front().variables) {
    const auto found =
        std::ranges::find(program.schema.observed, variable, &CaseVariable::variable);
    columns_.push_back(found == program.schema.observed.end()
                           ? kNone
                           : static_cast<size_t>(found - program.schema.observed.begin()));
  }
}

bool VanishedEntries::isRuledOut(const CaseBlock &block, uint32_t i, size_t entry) const {
  const std::vector<uint32_t> &extents = program_.outputs.front().extents;
  for (size_t v = extents.size(); v-- > 0; entry /= extents[v])
    if (columns_[v] != kNone) {
      const uint32_t code = block.code(columns_[v], i);
      if (code < extents[v] && code != entry % extents[v])
        return true;
    }
  return false;
}

void VanishedEntries::add(const CaseBlock *block, const CaseAnswers &answers,
                          std::vector<uint32_t> &left) const {
  for (size_t output = 0; output < mayVanish_.size(); ++output) {
    if (mayVanish_[output] == 0)
      continue;
    const CaseTable &table = answers.tables[output];
    for (uint32_t i = 0; i < answers.count; ++i) {
      const double *const entries = table.entries.data() + size_t{i} * table.size;
      for (size_t e = 0; e < table.size; ++e)
        if (std::abs(entries[e]) < leastNormal_ && (entries[e] != 0 || isAsked_) &&
            (block == nullptr || !isAsked_ || !isRuledOut(*block, i, e))) {
          left.push_back(i);
          break;
        }
    }
  }
  std::ranges::sort(left);
  left.erase(std::ranges::unique(left).begin(), left.end());
}

} // namespace mpf
