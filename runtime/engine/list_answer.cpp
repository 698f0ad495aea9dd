#include "runtime/engine/list_answer.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <span>
#include <string>
#include <utility>

namespace mpf {

namespace {

constexpr const char *kCostsMore = "planning it costs more than it can save";

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

void add(std::string &text, const std::string &more) { text += text.empty() ? more : "; " + more; }

AnswerForm formOf(CaseEngineKind kind) {
  switch (kind) {
  case CaseEngineKind::Lanes:
  case CaseEngineKind::GpuLanes:
    return AnswerForm::Lanes;
  case CaseEngineKind::Tables:
    return AnswerForm::Tables;
  case CaseEngineKind::Single:
    return AnswerForm::SingleRuns;
  }
  MPF_UNREACHABLE("engine {}", static_cast<int>(kind));
}

/// Returns the candidate of an engine, with the memory of the first of its facts that does not
/// refuse.
AnswerCandidate candidateOf(const ConsideredEngine &engine, const std::vector<EngineFacts> &facts,
                            const CaseProblem &problem) {
  AnswerCandidate candidate;
  candidate.form = formOf(engine.kind);
  const bool onGpu = engine.kind == CaseEngineKind::GpuLanes || problem.gpu;
  candidate.method = onGpu ? PlacementMethod::Gpu : PlacementMethod::Cpu;
  const auto taken = std::ranges::find(facts, false, &EngineFacts::refused);
  if (taken == facts.end()) {
    candidate.refusal = facts.front().why;
    return candidate;
  }
  const EngineSpeed &speed = engine.plan->speed;
  candidate.onceUs = 1e6 * (speed.startSeconds + speed.compileSeconds);
  candidate.runUs = std::max(0.0, 1e6 * taken->listSeconds - candidate.onceUs);
  candidate.memory = {
      {{onGpu ? DeviceKind::Gpu : DeviceKind::Cpu, 0},
       saturatingAdd(taken->sharedBytes, saturatingMul(taken->casesAtOnce, taken->caseBytes))}};
  return candidate;
}

} // namespace

std::vector<std::vector<EngineFacts>> engineFacts(const std::vector<ConsideredEngine> &engines,
                                                  double cases) {
  std::vector<std::vector<EngineFacts>> ways;
  for (const ConsideredEngine &engine : engines) {
    ways.push_back(engine.plan ? engine.plan->facts()
                               : std::vector{refusedFor(engine.kind, engine.refusal)});
    if (!engine.plan)
      continue;
    for (EngineFacts &way : ways.back()) {
      way.listSeconds = way.refused ? 0 : listSeconds(engine.plan->speed, way, cases);
      if (engine.plan->speed.startSeconds > 0)
        add(way.why, fmt::format("bringing it up takes {:.2g} s", engine.plan->speed.startSeconds));
      if (!engine.isConsidered)
        add(way.why, fmt::format("not asked: {}", kCostsMore));
    }
  }
  return ways;
}

AnswerPlan listAnswerPlan(const CaseProblem &problem, const std::vector<ConsideredEngine> &engines,
                          const std::vector<std::vector<EngineFacts>> &facts) {
  AnswerPlan plan;
  const CaseLoad load = loadOf(problem);
  plan.query = problem.query.name;
  plan.devices = problem.settings.compile.devices;
  plan.cases = load.cases();
  for (size_t e = 0; e < engines.size(); ++e)
    plan.candidates.push_back(candidateOf(engines[e], facts[e], problem));
  const std::vector<size_t> order = openingOrder(load, engines);
  const auto chosen =
      std::ranges::find_if(order, [&plan](size_t e) { return plan.candidates[e].refusal.empty(); });
  if (chosen == order.end())
    rethrowRefusal(engines);
  plan.chosen = *chosen;
  for (size_t e = 0; e < engines.size(); ++e)
    if (e != plan.chosen && !engines[e].isConsidered && plan.candidates[e].refusal.empty())
      plan.candidates[e].refusal = kCostsMore;
  const bool isFirst =
      std::ranges::all_of(std::span(plan.candidates).first(plan.chosen),
                          [](const AnswerCandidate &one) { return !one.refusal.empty(); });
  plan.why = isFirst
                 ? fmt::format("no later candidate is predicted to be {} times as fast", kClearly)
                 : "it is predicted to be clearly faster than the candidates before it";
  return plan;
}

} // namespace mpf
