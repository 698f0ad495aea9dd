#include "tools/mpfc/emit_case_tables.h"

#include "dsl/source/line_reader.h"
#include "dsl/support/check.h"
#include "runtime/choose/jit_memory.h"
#include "runtime/engine/list/choose_engine.h"
#include "runtime/engine/tables/table_engine.h"
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

/// Describes a factor whose entries a run binds. Its table is over the case variable, then over the
/// variables that it has in one case.
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

/// The list of one query with the settings of a run. The run is on the CPU, or on the GPU of
/// --target if the text is for a GPU. The GPU of this machine does not matter.
struct ShownList {
  ShownList(const Model &model, Query asked, const Options &given, Stage stage)
      : query(std::move(asked)), list(caseListOf(model, {query}, given)),
        options(withStreamMemory(given)) {
    const bool onGpu = given.devices.requiresGpu() || stage == Stage::Cuda || stage == Stage::Ptx;
    options.purpose = Purpose::OneRun; // a run binds every input that it may bind
    options.devices = onGpu ? DeviceRequest::gpu() : DeviceRequest::cpu();
    if (onGpu) {
      gpu = targetOrReference(given.target);
      options.target = gpu->name;
      if (!options.maxMemoryBytes) {
        const MemoryBound bound = targetMemory(*gpu);
        options.maxMemoryBytes = bound.bytes;
        options.memorySource = bound.source;
      }
    }
    options = withMemoryBound(options, list.single);
  }

  /// Returns the problem; it refers to this object.
  CaseProblem problem() const {
    return caseProblemFor(list.single, *list.source, query, options, gpu);
  }

  Query query;
  CaseList list;
  Options options;
  std::optional<Target> gpu;
};

} // namespace

CaseTablesInput caseTablesOf(const Model &model, const Options &given, Stage stage) {
  std::vector<Query> queries = selectQueries(model, given);
  if (queries.size() != 1)
    fail(ErrorKind::Usage,
         "--engine tables: each query has a program of its own, there are {} queries: choose with "
         "--task or --query",
         queries.size());
  const ShownList shown(model, std::move(queries.front()), given, stage);
  CaseTables tables = compileCaseTables(shown.problem());
  CaseTablesInput made{{}, shown.options, headingOf(tables, shown.list.source->schema())};
  made.model = std::move(tables.cases.model);
  static_cast<CompileSettings &>(made.options) = tables.options;
  made.options.caseEngine = AnswerForm::Tables;
  made.options.task.reset(); // it selected the query of `model`
  made.options.queryFile.clear();
  return made;
}

bool isAnsweredByTables(const Model &model, const Options &given, Stage stage) {
  std::vector<Query> queries = selectQueries(model, given);
  if (queries.size() != 1)
    return false;
  Options options = given;
  options.printAfter.clear(); // these options are for the plan that is shown
  options.printChanged = options.timePasses = false;
  const ShownList shown(model, std::move(queries.front()), options, stage);
  const CaseProblem problem = shown.problem();
  PlannedList planned = planList(problem, false);
  return planned.choose() && planned.answer().choice().form == AnswerForm::Tables;
}

} // namespace mpf::driver
