#include "tools/mpfc/cases/case_list.h"

#include "codegen/simplify/state/query_support.h"
#include "dsl/formats/cases/evidence_cases.h"
#include "dsl/formats/cases/swept_cases.h"
#include "dsl/formats/cases/tables/formula_cases.h"
#include "dsl/formats/cases/tables/input_cases.h"
#include "tools/mpfc/process/output.h"

#include <algorithm>
#include <utility>

namespace mpf::driver {

namespace {

/// Removes the sweeps of params that rows set: values of rows replace those of the sweep.
void leaveToRows(std::vector<SweptParam> &sweeps, const CaseSchema &rows) {
  std::erase_if(sweeps, [&rows](const SweptParam &sweep) {
    return std::ranges::find(rows.params, sweep.name) != rows.params.end();
  });
}

/// Returns the cases without the tables that follow from params.
CaseList givenCases(const Model &model, const EntryNeeds &needs, bool normalises) {
  CaseList list{model, nullptr, {}, {}};
  list.swept = std::exchange(list.single.sweeps, {});
  list.source = std::exchange(list.single.cases, nullptr);
  if (model.evidence.listed) {
    SplitEvidence split = splitListedEvidence(
        model.evidence, [&](VarId id) { return model.variable(id).extent; }, "the evidence");
    list.single.evidence = std::move(split.common);
    list.source = std::move(split.cases);
  }
  if (list.source) {
    list.source = withInputChecks(std::move(list.source), model, needs, {list.rowSums, normalises});
    leaveToRows(list.swept, list.source->schema());
  }
  if (!list.swept.empty())
    list.source = sweptCases(std::move(list.source), list.swept);
  return list;
}

void addFormulas(CaseList &list, CaseFormulas formulas) {
  list.formulas = formulas.set();
  formulas.countRowSums(list.rowSums);
  list.source = withFormulas(std::move(list.source), std::move(formulas));
}

} // namespace

CaseList caseListOf(const Model &model, const std::vector<Query> &queries, const Options &options) {
  const EntryNeeds needs = entryNeedsOf(model, queries, options.type);
  CaseList list = givenCases(model, needs, options.reading.build.normalise);
  const CaseSchema &given = list.source->schema();
  if (!given.params.empty())
    addFormulas(list, CaseFormulas(model, given, needs));
  return list;
}

CaseList caseListOf(const Model &model, const FormulaSet &formulas) {
  CaseList list = givenCases(model, entryNeedsOf(model, model.queries, {}), false);
  if (!formulas.tables.empty())
    addFormulas(list, CaseFormulas(formulas, list.source->schema()));
  return list;
}

void sayRowSums(const CaseList &list) {
  if (const std::string rows = list.rowSums->takenText(); !rows.empty())
    say("mpfc: warning: {}: {}\n", list.source->name(), rows);
  if (const std::string rows = list.rowSums->dividedText(); !rows.empty())
    say("mpfc: note: {}: {}\n", list.source->name(), rows);
}

} // namespace mpf::driver
