#include "runtime/execute/lanes/vanished_entries.h"

#include "codegen/bundle/table_state.h"

#include <algorithm>
#include <cmath>

namespace mpf {

bool mayVanish(const LaneProgram &program, const LinearPlan &plan, ElementType type) {
  return traitsOf(program.kind).outputs == QueryOutputs::Asked &&
         program.outputs.front().normalised &&
         plan.outputOrders.front() > -exponentRange(type).least;
}

VanishedEntries::VanishedEntries(const LaneProgram &program, const LinearPlan &plan,
                                 ElementType type)
    : program_(program), mayVanish_(mayVanish(program, plan, type)),
      leastNormal_(std::ldexp(1, exponentRange(type).least)) {
  if (!mayVanish_)
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
  if (!mayVanish_)
    return;
  const CaseTable &table = answers.tables.front();
  for (uint32_t i = 0; i < answers.count; ++i) {
    const double *const entries = table.entries.data() + size_t{i} * table.size;
    for (size_t e = 0; e < table.size; ++e)
      if (std::abs(entries[e]) < leastNormal_ && (block == nullptr || !isRuledOut(*block, i, e))) {
        left.push_back(i);
        break;
      }
  }
  std::ranges::sort(left);
  left.erase(std::ranges::unique(left).begin(), left.end());
}

} // namespace mpf
