#include "tools/mpfc/emit_case_tables.h"

#include "dsl/source/line_reader.h"
#include "dsl/support/error.h"
#include "runtime/cases/choose_engine.h"
#include "runtime/cases/table_engine.h"
#include "tools/mpfc/cases/case_list.h"
#include "tools/mpfc/compile/case_settings_for.h"
#include "tools/mpfc/compile/memory_bound.h"
#include "tools/mpfc/compile/select_query.h"

#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// A factor whose entries a run binds: the case first, then what the factor has in one case.
std::string boundText(const Model &model, FactorId id, const char *what) {
  const Factor &factor = model.factor(id);
  uint64_t elems = 1;
  for (const VarId variable : factor.scope)
    elems *= model.variable(variable).extent;
  return fmt::format("# bound in each run: {}, {} entries, {}\n", commentText(factor.name), elems,
                     what);
}

std::string headingOf(const CaseTables &tables, const CaseSchema &schema) {
  const CaseModel &cases = tables.cases;
  std::string text = fmt::format(
      "# cases: {} in a run, the states of variable {}; {} rows in a block\n", tables.runCases,
      commentText(cases.model.variable(cases.axis).name), kRunsOfBlock * tables.runCases);
  for (const CaseIndicator &indicator : cases.indicators)
    text += boundText(cases.model, indicator.factor, "the states that a case allows");
  for (const VaryingTable &table : schema.tables)
    for (const FactorId id : table.factors)
      text += boundText(cases.model, id, "the entries of a case");
  return text;
}

} // namespace

CaseTablesInput caseTablesOf(const Model &model, const Options &given) {
  if (!hasManyCases(model))
    fail(ErrorKind::Usage, "--engine is for lists of cases: {} has none (--cases FILE)",
         given.input);
  const std::vector<Query> queries = selectQueries(model, given);
  if (queries.size() != 1)
    fail(ErrorKind::Usage,
         "--engine tables: each query has a program of its own, there are {} queries: choose with "
         "--task or --query-name",
         queries.size());
  const CaseList list = caseListOf(model, queries, given.type);
  Options options = withMemoryBound(withStreamMemory(given), list.single);
  options.purpose = Purpose::OneRun; // as a run, which binds what it may bind
  // Which device runs it is for the settings; no device is opened for a text.
  const CaseProblem problem{list.single,
                            list.source->schema(),
                            queries.front(),
                            caseSettingsFor(options),
                            list.source->likelyCount(),
                            {}};
  CaseTables tables = compileCaseTables(problem);
  CaseTablesInput made{{}, given, headingOf(tables, problem.schema)};
  made.model = std::move(tables.cases.model);
  static_cast<CompileSettings &>(made.options) = tables.options;
  made.options.caseEngine = CaseEngineKind::Tables;
  made.options.task.reset(); // of the model before
  made.options.queryName.clear();
  made.options.queryFile.clear();
  return made;
}

bool isAnsweredByTables(const Model &model, const Options &given, Stage stage) {
  const std::vector<Query> queries = selectQueries(model, given);
  if (queries.size() != 1)
    return false;
  const CaseList list = caseListOf(model, queries, given.type);
  Options options = withStreamMemory(given);
  options.purpose = Purpose::OneRun;
  std::optional<Target> gpu;
  if (stage == Stage::Cuda || stage == Stage::Ptx) {
    options.device = "gpu";
    if (options.target.empty()) // else the machine's GPU would be asked, which may have none
      options.target = kReferenceTarget;
    gpu = targetNamed(options.target);
  }
  options = withMemoryBound(options, list.single);
  const CaseProblem problem =
      caseProblemFor(list.single, *list.source, queries.front(), options, gpu);
  const std::vector<AskedEngine> engines = planEngines(problem, false);
  for (const size_t e : openingOrder(loadOf(problem), engines))
    if (engines[e].plan)
      return engines[e].kind == CaseEngineKind::Tables;
  return false;
}

} // namespace mpf::driver
