// THE ENGINES OF A LIST of cases, planned but not opened, and the answer plan that chooses among
// them. A run opens what this plan chooses; explain and --emit=answer describe and print it.
#pragma once

#include "runtime/choose/answer/answer_plan.h"
#include "runtime/choose/engine_facts.h"
#include "runtime/engine/planned_engine.h"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// One of the engines, in the order of choose_engine.h.
struct ListEngine {
  AnswerForm form = AnswerForm::Lanes;
  bool onGpu = false;
  bool triesGpu = false; ///< the machine's GPU, while the devices are left open
  std::function<PlannedEngine()> makePlan;
  bool isWorthPlanning = true; ///< false: it is planned only if no other engine can answer
  std::optional<PlannedEngine> plan;
  std::exception_ptr refusal; ///< why it cannot answer (refusal.h); null: it may
  /// The facts are set by PlannedList::describe, several if the device may refuse the first.
  std::vector<EngineFacts> facts = {};

  std::string name() const; ///< for people: "lanes on the GPU"
};

struct OpenedEngine {
  CaseEngine engine;
  AnswerForm form = AnswerForm::Lanes;
  double caseUs = 0; ///< predicted time of a case, beside others as in the list
  /// Single runs were taken because an engine for several cases exceeds the memory bound.
  bool wasTooLarge = false;
};

/// A list of cases, in short.
struct ListQuestion {
  std::string query;
  DeviceRequest devices;
  CaseLoad load;
};

class PlannedList {
public:
  /// `gpuFault`: the failure of a GPU that was given up for other engines, set while they are
  /// planned and opened; "": nothing failed.
  PlannedList(ListQuestion question, std::vector<ListEngine> engines,
              std::shared_ptr<const std::string> gpuFault);

  /// Chooses by chooseForList (choose_for_list.h). If all engines that were worth planning refuse,
  /// plans the others in turn. Returns whether an engine can answer.
  bool choose();

  /// Opens the chosen engine. If it refuses, chooses again among the others. `opening` (may be
  /// empty) hears of each before it is opened. Throws the errors of planning and opening that are
  /// no refusals. If all refuse, throws the last refusal that is about memory, otherwise the last
  /// one.
  OpenedEngine open(const EngineOpening &opening);

  /// Sets the facts of all engines and the memory of their candidates, then chooses. Computes the
  /// tables that all cases share, and emits kernels, as opening does, so that it finds most of the
  /// refusals of opening. Throws likewise.
  void describe();

  /// The plan with the last choice. Candidate i is that of engine i.
  const AnswerPlan &answer() const { return answer_; }
  const std::vector<ListEngine> &engines() const { return engines_; }

private:
  AnswerCandidate candidateOf(const ListEngine &engine) const;
  std::vector<EngineFacts> factsOf(ListEngine &engine) const;
  OpenedEngine opened(CaseEngine engine) const;
  [[noreturn]] void rethrowRefusal() const;

  CaseLoad load_;
  std::vector<ListEngine> engines_;
  std::shared_ptr<const std::string> gpuFault_;
  AnswerPlan answer_;
};

} // namespace mpf
