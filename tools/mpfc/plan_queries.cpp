#include "tools/mpfc/plan_queries.h"

#include "codegen/plan/print_program.h"
#include "codegen/plan/read_program.h"
#include "dsl/source/suggest.h"
#include "dsl/support/error.h"
#include "tools/mpfc/load_model.h"
#include "tools/mpfc/output.h"
#include "tools/mpfc/select_query.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace mpf::driver {

namespace {

/// What --print-after, --print-changed and --time-passes say about one pass.
void showPass(const Options &options, const PassEvent &event) {
  const bool named = std::find(options.printAfter.begin(), options.printAfter.end(),
                               std::string(event.pass)) != options.printAfter.end();
  if (named || (options.printChanged && event.changed))
    fmt::print(stderr, "# after {}\n{}", event.pass, printProgram(event.program, options.type));
  else if (options.printChanged)
    fmt::print(stderr, "# after {}: unchanged\n", event.pass);
  if (options.timePasses)
    fmt::print(stderr, "# {} time_us={:.0f}\n", event.pass, event.seconds * 1e6);
}

void checkPass(const char *option, const std::string &name,
               const std::vector<std::string_view> &passes) {
  if (std::find(passes.begin(), passes.end(), name) != passes.end())
    return;
  const std::string hint = suggestHint(name, passes);
  fail(ErrorKind::Usage, "{} {}: no such pass{}{}; there are {}", option, name,
       hint.empty() ? "" : ", ", hint, fmt::join(passes, ", "));
}

} // namespace

PlanHooks planHooksFor(const Options &options) {
  std::vector<std::string_view> passes;
  for (const PlanPass &pass : planPasses())
    passes.push_back(pass.name);
  for (const std::string &name : options.offPasses)
    checkPass("--off-pass", name, passes);
  passes.insert(passes.begin(), "initial-program");
  for (const std::string &name : options.printAfter)
    checkPass("--print-after", name, passes);
  PlanHooks hooks;
  hooks.offPasses = options.offPasses;
  hooks.compareText = options.printChanged;
  if (!options.printAfter.empty() || options.printChanged || options.timePasses)
    hooks.after = [&options](const PassEvent &event) { showPass(options, event); };
  return hooks;
}

PlanOptions planOptionsFor(const Options &options) {
  PlanOptions plan;
  plan.order = options.order;
  plan.seed = options.seed;
  plan.type = options.type;
  plan.maxMemoryBytes = options.maxMemoryBytes.value_or(UINT64_MAX);
  return plan;
}

std::vector<TableProgram> planQueries(const Model &model, const Options &options) {
  std::vector<TableProgram> programs;
  for (const Query &query : selectQueries(model, options)) {
    Diagnostics diagnostics;
    programs.push_back(
        buildProgram(model, query, planOptionsFor(options), diagnostics, planHooksFor(options)));
    printDiagnostics(diagnostics);
  }
  return programs;
}

TableProgram readPlan(const std::string &path) {
  Diagnostics diagnostics;
  std::optional<TableProgram> program = readProgram(loadText(path), diagnostics);
  printDiagnostics(diagnostics);
  if (!program)
    fail(ErrorKind::Internal, "{}: no plan and no error reported", path);
  return std::move(*program);
}

std::vector<TableProgram> programsFor(const Options &options) {
  if (options.startStage == Stage::Plan)
    return {readPlan(options.input)};
  return planQueries(loadModelOrFail(options), options);
}

} // namespace mpf::driver
