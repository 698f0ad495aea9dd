#include "tools/mpfc/cases/case_list.h"

#include "codegen/simplify/state/query_support.h"
#include "dsl/formats/cases/evidence_cases.h"
#include "dsl/formats/cases/formula_cases.h"
#include "dsl/formats/cases/swept_cases.h"

#include <algorithm>
#include <utility>

namespace mpf::driver {

CaseList caseListOf(const Model &model, const std::vector<Query> &queries) {
  CaseList list{model, nullptr, {}};
  list.swept = std::exchange(list.single.sweeps, {});
  list.source = std::exchange(list.single.cases, nullptr);
  if (model.evidence.listed) {
    SplitEvidence split = splitListedEvidence(
        model.evidence, [&](VarId id) { return model.variable(id).extent; }, "the evidence");
    list.single.evidence = std::move(split.common);
    list.source = std::move(split.cases);
  }
  if (!list.swept.empty())
    list.source = sweptCases(std::move(list.source), list.swept);
  if (!list.source->schema().params.empty())
    list.source =
        withFormulas(std::move(list.source), model, std::ranges::any_of(queries, needsNonNegative));
  return list;
}

} // namespace mpf::driver
