// THE ENGINES of all forms of program (runtime/choose/answer/answer_form.h): their functions, as
// one table. The list of engines (choose_engine.h) knows them only through it.
#pragma once

#include "runtime/choose/answer/answer_form.h"
#include "runtime/engine/planned_engine.h"

#include <string_view>

namespace mpf {

struct EngineRow {
  AnswerForm form;
  /// Plans the engine for the GPU of the problem, or for the CPU. Throws as planning does.
  PlannedEngine (*plan)(const CaseProblem &);
  /// Returns why no query is answered under these settings, one sentence; empty: some may be. May
  /// be null.
  std::string_view (*refusal)(const CaseSettings &) = nullptr;
  /// Returns the time of `plan` in microseconds of a core, counted by the factors of the model. It
  /// leaves out the search for an order, which has a separate budget, and the start of a GPU.
  double (*planningUs)(const CaseProblem &);
  /// Whether the machine's GPU makes another engine of the form if the devices are left open.
  bool triesGpu = false;
  /// Whether a plan without a search for orders takes time in proportion to the model.
  bool plansQuickly = false;
  /// Whether few cases are answered by it before other engines are planned (plansTablesFirst).
  bool isForFewCases = false;
};

const EngineRow &engineRowOf(AnswerForm form);

} // namespace mpf
