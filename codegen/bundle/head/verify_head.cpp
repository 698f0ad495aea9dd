#include "codegen/bundle/head/verify_head.h"

#include "codegen/bundle/head/case_input_fault.h"
#include "codegen/bundle/head/formula_set_fault.h"
#include "dsl/support/counts.h"

#include <set>

namespace mpf {

namespace {

/// A limit of the weights of one case, beyond the memory of any machine.
constexpr uint64_t kMostWeights = uint64_t{1} << 40;

std::string columnFault(const ProgramHead &head, const CaseVariable &column,
                        std::string_view what) {
  if (column.variable.index() >= head.variables.size())
    return fmt::format("{} refers to variable {} of {}", what, column.variable.value,
                       head.variables.size());
  const HeadVariable &variable = head.variables[column.variable.index()];
  if (column.extent != variable.extent)
    return fmt::format("{} of variable {} has {} states instead of {}", what, variable.name,
                       column.extent, variable.extent);
  if (head.evidence.observes(column.variable))
    return fmt::format("{} of variable {}, which is fixed", what, variable.name);
  return {};
}

std::string columnsFault(const ProgramHead &head, const std::vector<CaseVariable> &columns,
                         std::string_view what) {
  std::set<VarId> seen;
  for (const CaseVariable &column : columns) {
    if (std::string fault = columnFault(head, column, what); !fault.empty())
      return fault;
    if (!seen.insert(column.variable).second)
      return fmt::format("variable {} has {} twice", head.variables[column.variable.index()].name,
                         what);
  }
  return {};
}

std::string schemaFault(const ProgramHead &head) {
  const CaseSchema &schema = head.schema;
  if (std::string fault = columnsFault(head, schema.observed, "an observed column"); !fault.empty())
    return fault;
  if (std::string fault = columnsFault(head, schema.likelihoods, "a likelihood"); !fault.empty())
    return fault;
  std::set<std::string> names;
  for (const std::string &name : schema.params)
    if (!names.insert(name).second)
      return fmt::format("param {} twice", name);
  uint64_t weights = 0;
  for (size_t number = 0; number < schema.weightTableCount(); ++number)
    weights = saturatingAdd(weights, schema.weightTableElems(number));
  for (const VaryingTable &table : schema.tables)
    if (table.sizeElems < 1)
      return "a table of the cases is empty";
  if (weights > kMostWeights)
    return fmt::format("cases of {} weights, the limit is {}", weights, kMostWeights);
  return {};
}

std::string variablesFault(const ProgramHead &head) {
  for (const HeadVariable &variable : head.variables) {
    if (variable.extent < 1)
      return fmt::format("variable {} has no states", variable.name);
    if (std::string fault = labelsFault(variable); !fault.empty())
      return fault;
  }
  return {};
}

} // namespace

std::string headFault(const ProgramHead &head) {
  if (const QueryTraits &traits = traitsOf(head.kind); !traits.isPlanned)
    return fmt::format("a query of kind {} is not supported", traits.name);
  if (std::string fault = variablesFault(head); !fault.empty())
    return fault;
  if (std::string fault = findEvidenceFault(head.evidence, head.variables); !fault.empty())
    return fault;
  if (head.evidence.listed)
    return "a list of cases";
  if (std::string fault = schemaFault(head); !fault.empty())
    return fault;
  if (std::string fault = formulaSetFault(head.formulas, head.schema); !fault.empty())
    return fault;
  return caseInputFault(head);
}

} // namespace mpf
