#include "tools/mpfc/explain_cases.h"

#include "runtime/engine/list/choose_engine.h"
#include "tools/mpfc/compile/case_settings_for.h"
#include "tools/mpfc/explain/varying_tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// Compares a way that a run does not take with the chosen one, for the expected number of cases.
/// The number matters: few cases leave lanes empty, and starting a GPU takes time.
std::string comparison(const EngineFacts &chosen, const EngineFacts &other) {
  const double ratio = other.listSeconds / chosen.listSeconds;
  if (std::abs(ratio - 1) < 0.005)
    return "predicted to take as long";
  return ratio >= 1 ? fmt::format("predicted {:.3g} times slower", ratio)
                    : fmt::format("predicted {:.3g} times as fast", 1 / ratio);
}

} // namespace

CaseFacts explainCases(const CaseList &list, const Query &query, const Options &options,
                       const Target &gpu) {
  const CaseSchema &schema = list.source->schema();
  const CaseProblem problem =
      caseProblemFor(list.single, *list.source, query, options,
                     options.devices.requiresGpu() ? std::optional(gpu) : std::nullopt);
  PlannedList planned = planList(problem, true);
  planned.describe();
  CaseFacts facts;
  for (const ListEngine &engine : planned.engines())
    facts.engines.insert(facts.engines.end(), engine.facts.begin(), engine.facts.end());
  const EngineFacts &chosen = facts.chosen();
  for (EngineFacts &way : facts.engines)
    if (!way.chosen && !way.refused)
      way.addReason(comparison(chosen, way));
  facts.source = list.source->name();
  facts.rows = list.source->caseCount();
  facts.likely = list.source->likelyCount();
  facts.expected = loadOf(problem).cases();
  facts.observed = schema.observed.size();
  facts.likelihoods = schema.likelihoods.size();
  facts.params = schema.params.size();
  facts.tables = list.formulas.tables.size();
  facts.kept = schema.kept.size();
  facts.sentCodeBits = problem.sentCodeBits;
  facts.varying = varyingTables(list);
  return facts;
}

} // namespace mpf::driver
