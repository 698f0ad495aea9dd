#include "tools/mpfc/compile/bundled_lanes.h"

#include "dsl/support/check.h"
#include "dsl/support/spares.h"
#include "runtime/engine/lanes/lane_model.h"
#include "runtime/engine/list/choose_engine.h"
#include "runtime/execute/lanes/sent/sent_rows.h"
#include "tools/mpfc/compile/case_settings_for.h"
#include "tools/mpfc/compile/column_map.h"
#include "tools/mpfc/compile/load_model.h"
#include "tools/mpfc/compile/memory_bound.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// Names the columns that a list may have, for messages.
std::string columnNames(const ProgramHead &program) {
  std::vector<std::string> names;
  for (const CaseVariable &column : program.schema.observed)
    names.push_back(program.variables[column.variable.index()].name);
  for (const CaseVariable &column : program.schema.likelihoods) {
    const std::string &name = program.variables[column.variable.index()].name;
    names.push_back(fmt::format("{}=STATE for each state of {}", name, name));
  }
  for (const CaseInput &input : program.caseInputs)
    names.push_back(fmt::format("entries of {}", input.name));
  names.insert(names.end(), program.schema.params.begin(), program.schema.params.end());
  constexpr size_t kMostNamed = 8;
  const size_t shown = std::min(names.size(), kMostNamed);
  std::string text;
  for (size_t i = 0; i < shown; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", names[i]);
  return shown == names.size() ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

/// Maps the columns of a list to those of the program.
ColumnMap columnsOf(const ProgramHead &program, const CaseSource &cases, const Options &options) {
  try {
    return ColumnMap(cases.schema(), program);
  } catch (const MissingColumn &missing) {
    fail(ErrorKind::BadInput,
         "{}: variable {}: the bundle {} was built for cases that do not {} it", cases.name(),
         program.variables[missing.variable.index()].name, options.input,
         missing.isLikelihood ? "weigh the states of" : "observe");
  } catch (const MissingTable &missing) {
    fail(ErrorKind::BadInput,
         "{}: the bundle {} was built for cases that give the entries of '{}', which has no "
         "defaults: columns for them are missing",
         cases.name(), options.input, program.caseInputs[missing.input].name);
  }
}

} // namespace

Model modelOfBundle(const CaseQuestion &question, const Options &options) {
  Model model = question.model;
  if (!options.cases.empty())
    addCasesOrFail(options, model);
  else if (model.sweeps.empty())
    fail(ErrorKind::Usage,
         "{} answers lists of cases: name one with --cases FILE, its columns may be {}",
         options.input, columnNames(question.lanes.plan->program));
  return model;
}

CaseEngine makeBundledLanes(const CaseQuestion &question, const CaseSource &cases,
                            const Options &given, const EngineOpening &opening) {
  const LaneProgram &program = question.lanes.plan->program;
  const Options options = withMemoryBound(given, runFacts(program, given.threads));
  const ColumnMap columns = columnsOf(program, cases, options);
  CaseProblem problem{question.model,           program.schema,      question.query,
                      caseSettingsFor(options), cases.likelyCount(), gpuForCases(options.devices)};
  if (columns.isIdentity())
    problem.sentCodeBits = sentCodeBits(rowsToSend(cases));
  problem.settings.opening = opening;
  problem.settings.lanes = question.lanes;
  problem.settings.engine = AnswerForm::Lanes;
  CaseEngine engine = openCaseEngine(problem).engine;
  if (columns.isIdentity())
    return engine;
  CaseEngine mapped = engine;
  mapped.send = {};
  mapped.answer = [columns, engine, blocks = std::make_shared<Spares<CaseBlock>>()](
                      const CaseBlock &block, CaseAnswers &answers) {
    blocks->with([&](CaseBlock &mine) {
      columns.fill(block, mine);
      engine.answer(mine, answers);
    });
  };
  return mapped;
}

} // namespace mpf::driver
