#include "runtime/engine/list/planned_list.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"
#include "runtime/choose/answer/choose_for_list.h"
#include "runtime/choose/answer/verify_answer.h"
#include "runtime/engine/refusal.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace mpf {

namespace {

EngineFacts refusedFacts(std::string name, std::string why) {
  EngineFacts facts;
  facts.name = std::move(name);
  facts.refused = true;
  facts.why = std::move(why);
  return facts;
}

/// Returns the predicted seconds for a list by one way of an engine.
double listSeconds(EngineSpeed engine, const EngineFacts &way, double cases) {
  engine.rowsPerSecond = way.rowsPerSecond;
  engine.casesAtOnce = way.casesAtOnce;
  engine.partRounds = way.partRounds;
  return engine.secondsOf(cases);
}

} // namespace

std::string ListEngine::name() const {
  return fmt::format("{}{}", traitsOf(form).name, triesGpu ? " on the GPU" : "");
}

PlannedList::PlannedList(ListQuestion question, std::vector<ListEngine> engines,
                         std::shared_ptr<const std::string> gpuFault)
    : load_(question.load), engines_(std::move(engines)), gpuFault_(std::move(gpuFault)) {
  answer_.query = std::move(question.query);
  answer_.devices = std::move(question.devices);
  answer_.cases = load_.cases();
}

bool PlannedList::choose() {
  while (true) {
    answer_.candidates.clear();
    for (const ListEngine &engine : engines_)
      answer_.candidates.push_back(candidateOf(engine));
    answer_.gpuFault = *gpuFault_;
    if (const std::optional<size_t> chosen = chooseForList(answer_.candidates)) {
      answer_.chosen = *chosen;
      answer_.why = reasonOfList(answer_.candidates, *chosen);
      return true;
    }
    const auto late = std::ranges::find_if(engines_, [](const ListEngine &engine) {
      return !engine.isWorthPlanning && !engine.refusal;
    });
    if (late == engines_.end())
      return false;
    late->isWorthPlanning = true;
    if (!late->plan)
      late->refusal = refusalOf([&] { late->plan = late->makePlan(); });
  }
}

OpenedEngine PlannedList::open(const EngineOpening &opening) {
  while (choose()) {
    MPF_CHECK(answerPlanFault(answer_).empty(), "{}: {}", answer_.query, answerPlanFault(answer_));
    ListEngine &engine = engines_[answer_.chosen];
    CaseEngine calls;
    engine.refusal = refusalOf([&] {
      if (opening)
        opening(engine.plan->speed, engine.onGpu);
      calls = engine.plan->open();
    });
    if (!engine.refusal)
      return opened(std::move(calls));
  }
  rethrowRefusal();
}

OpenedEngine PlannedList::opened(CaseEngine engine) const {
  if (!gpuFault_->empty())
    engine.deviceFault = [first = *gpuFault_, later = std::move(engine.deviceFault)] {
      const std::string fault = later ? later() : "";
      return fault.empty() || fault == first ? first : first + "; then " + fault;
    };
  const bool isLast = std::ranges::all_of(
      engines_.begin(), engines_.begin() + static_cast<ptrdiff_t>(answer_.chosen),
      [](const ListEngine &before) { return before.refusal != nullptr; });
  const bool lacksMemory = std::ranges::any_of(
      engines_, [](const ListEngine &one) { return one.refusal && isAboutMemory(one.refusal); });
  const AnswerForm form = answer_.choice().form;
  return {std::move(engine), form, *answer_.choice().runUs / load_.cases(),
          traitsOf(form).isOneByOne && isLast && lacksMemory};
}

void PlannedList::describe() {
  for (ListEngine &engine : engines_)
    engine.facts = factsOf(engine);
  if (!choose())
    rethrowRefusal();
  std::ranges::find(engines_[answer_.chosen].facts, false, &EngineFacts::refused)->chosen = true;
}

AnswerCandidate PlannedList::candidateOf(const ListEngine &engine) const {
  AnswerCandidate candidate;
  candidate.form = engine.form;
  candidate.method = engine.onGpu ? PlacementMethod::Gpu : PlacementMethod::Cpu;
  if (engine.plan) {
    const EngineSpeed &speed = engine.plan->speed;
    candidate.onceUs = 1e6 * speed.onceSeconds();
    candidate.runUs = 1e6 * speed.secondsFor(load_.cases());
  }
  if (engine.refusal)
    candidate.refusal = refusalText(engine.refusal);
  else if (!engine.isWorthPlanning)
    candidate.refusal = kCostsMore;
  const auto taken = std::ranges::find(engine.facts, false, &EngineFacts::refused);
  if (taken != engine.facts.end())
    candidate.memory = {
        {{engine.onGpu ? DeviceKind::Gpu : DeviceKind::Cpu, 0},
         saturatingAdd(taken->sharedBytes, saturatingMul(taken->casesAtOnce, taken->caseBytes))}};
  return candidate;
}

std::vector<EngineFacts> PlannedList::factsOf(ListEngine &engine) const {
  MPF_CHECK(engine.plan || engine.refusal, "{} are described before they are planned",
            engine.name());
  std::vector<EngineFacts> facts;
  if (!engine.refusal)
    engine.refusal = refusalOf([&] {
      facts = engine.plan->facts();
      if (std::ranges::find(facts, false, &EngineFacts::refused) == facts.end())
        fail(ErrorKind::Unsupported, "{}", facts.front().why);
    });
  if (engine.refusal)
    return {refusedFacts(engine.name(), refusalText(engine.refusal))};
  const EngineSpeed &speed = engine.plan->speed;
  for (EngineFacts &way : facts) {
    way.listSeconds = way.refused ? 0 : listSeconds(speed, way, load_.cases());
    if (speed.startSeconds > 0)
      way.addReason(fmt::format("bringing it up takes {:.2g} s", speed.startSeconds));
    if (!engine.isWorthPlanning)
      way.addReason(fmt::format("not asked: {}", kCostsMore));
  }
  return facts;
}

void PlannedList::rethrowRefusal() const {
  std::exception_ptr last, aboutMemory;
  for (const ListEngine &engine : engines_) {
    if (engine.refusal)
      last = engine.refusal;
    if (engine.refusal && isAboutMemory(engine.refusal))
      aboutMemory = engine.refusal;
  }
  MPF_CHECK(last, "{} engines, and none refuses", engines_.size());
  std::rethrow_exception(aboutMemory ? aboutMemory : last);
}

} // namespace mpf
