#include "codegen/bundle/head/case_input_fault.h"

#include "dsl/support/counts.h"

#include <cmath>
#include <fmt/format.h>
#include <set>

namespace mpf {

namespace {

std::string faultOf(const CaseInput &input, const VaryingTable &table, const ProgramHead &head) {
  std::set<VarId> seen;
  uint64_t elems = 1;
  for (const VarId id : input.scope) {
    if (!seen.insert(id).second)
      return fmt::format("variable {} twice", head.variables[id.index()].name);
    elems = saturatingMul(elems, head.variables[id.index()].extent);
  }
  if (elems != table.sizeElems)
    return fmt::format("a scope of {} entries, its table has {}", elems, table.sizeElems);
  if (input.conditional && input.scope.empty())
    return "it is conditional, and depends on no variable";
  if (input.defaults == nullptr)
    return "";
  if (input.defaults->size() != elems)
    return fmt::format("{} defaults for {} entries", input.defaults->size(), elems);
  for (const double value : *input.defaults)
    if (!std::isfinite(value) || (table.nonNegative && value < 0))
      return fmt::format("the default entry {}", value);
  return "";
}

} // namespace

std::string caseInputFault(const ProgramHead &head) {
  const size_t given = head.schema.tables.size() - head.formulas.tables.size();
  if (head.caseInputs.size() > given)
    return fmt::format("{} inputs for {} tables of the cases", head.caseInputs.size(), given);
  std::set<std::string> names;
  for (size_t i = 0; i < head.caseInputs.size(); ++i) {
    const CaseInput &input = head.caseInputs[i];
    const std::string fault = names.insert(input.name).second
                                  ? faultOf(input, head.schema.tables[i], head)
                                  : "a second one of this name";
    if (!fault.empty())
      return fmt::format("input {}: {}", input.name, fault);
  }
  return "";
}

} // namespace mpf
