#include "tools/mpfc/explain_cases.h"

#include "dsl/support/error.h"
#include "tools/mpfc/compile/case_settings_for.h"
#include "tools/mpfc/varying_tables.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace mpf::driver {

namespace {

/// Describes a refusal without the line of text with its caret, which only a terminal can show.
EngineFacts refusedFor(CaseEngineKind kind, const std::exception_ptr &refusal) {
  EngineFacts facts;
  facts.name = engineName(kind);
  facts.refused = true;
  try {
    std::rethrow_exception(refusal);
  } catch (const Error &error) {
    const std::string why = error.what();
    facts.why = why.substr(0, why.find('\n'));
  }
  return facts;
}

/// Returns the predicted seconds for a list by one way of an engine.
double listSeconds(EngineSpeed engine, const EngineFacts &way, double cases) {
  engine.rowsPerSecond = way.rowsPerSecond;
  engine.casesAtOnce = way.casesAtOnce;
  engine.partRounds = way.partRounds;
  return engine.secondsOf(cases);
}

/// Compares a way that a run does not take with the chosen one, for the expected number of cases.
/// The number matters: few cases leave lanes empty, and starting a GPU takes time.
std::string comparison(const EngineFacts &chosen, const EngineFacts &other) {
  const double ratio = other.listSeconds / chosen.listSeconds;
  if (std::abs(ratio - 1) < 0.005)
    return "predicted to take as long";
  return ratio >= 1 ? fmt::format("predicted {:.3g} times slower", ratio)
                    : fmt::format("predicted {:.3g} times as fast", 1 / ratio);
}

void add(std::string &text, const std::string &more) { text += text.empty() ? more : "; " + more; }

/// Returns the ways of every engine, in the order in which a run plans them.
std::vector<std::vector<EngineFacts>> waysOf(const std::vector<AskedEngine> &engines,
                                             double cases) {
  std::vector<std::vector<EngineFacts>> ways;
  for (const AskedEngine &engine : engines) {
    ways.push_back(engine.plan ? engine.plan->facts()
                               : std::vector{refusedFor(engine.kind, engine.refusal)});
    if (!engine.plan)
      continue;
    for (EngineFacts &way : ways.back()) {
      way.listSeconds = way.refused ? 0 : listSeconds(engine.plan->speed, way, cases);
      if (engine.plan->speed.startSeconds > 0)
        add(way.why, fmt::format("bringing it up takes {:.2g} s", engine.plan->speed.startSeconds));
      if (!engine.isAsked)
        add(way.why, "not asked: planning it costs more than it can save");
    }
  }
  return ways;
}

} // namespace

CaseFacts explainCases(const CaseList &list, const Query &query, const Options &options,
                       const Target &gpu) {
  const CaseSchema &schema = list.source->schema();
  const CaseProblem problem =
      caseProblemFor(list.single, *list.source, query, options,
                     options.devices.requiresGpu() ? std::optional(gpu) : std::nullopt);
  const CaseLoad load = loadOf(problem);
  const std::vector<AskedEngine> engines = planEngines(problem, true);
  std::vector<std::vector<EngineFacts>> ways = waysOf(engines, load.cases());
  EngineFacts *chosen = nullptr;
  for (const size_t e : openingOrder(load, engines)) {
    const auto way = std::ranges::find(ways[e], false, &EngineFacts::refused);
    if (chosen == nullptr && way != ways[e].end())
      chosen = &*way;
  }
  if (chosen == nullptr)
    rethrowRefusal(engines);
  chosen->chosen = true;
  CaseFacts facts;
  for (std::vector<EngineFacts> &ofEngine : ways)
    for (EngineFacts &way : ofEngine) {
      if (!way.chosen && !way.refused)
        add(way.why, comparison(*chosen, way));
      facts.engines.push_back(std::move(way));
    }
  facts.source = list.source->name();
  facts.rows = list.source->caseCount();
  facts.likely = list.source->likelyCount();
  facts.expected = load.cases();
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
