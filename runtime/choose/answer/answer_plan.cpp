#include "runtime/choose/answer/answer_plan.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

bool usesGpu(PlacementMethod method) { return method != PlacementMethod::Cpu; }

/// Returns why a candidate contradicts the request; empty: it does not.
std::string contradiction(const DeviceRequest &devices, PlacementMethod method) {
  if (usesGpu(method) && !devices.mayUseGpu())
    return "it uses a GPU, which the devices exclude";
  if (!usesGpu(method) && devices.requiresGpu())
    return "it uses no GPU, which the devices require";
  return "";
}

/// Lists of cases take a slower candidate if it comes first and the gain is not clear
/// (choose_engine.h), so only single results have the least time.
std::string faultOfTimes(const AnswerPlan &plan) {
  const AnswerCandidate &choice = plan.choice();
  if (plan.cases || !plan.devices.isAuto() || !choice.runUs)
    return "";
  for (const AnswerCandidate &other : plan.candidates)
    if (other.refusal.empty() && other.runUs && other.totalUs() < choice.totalUs())
      return fmt::format("candidate {} takes {} us, and {} would take {}",
                         placementMethodName(choice.method), choice.totalUs(),
                         placementMethodName(other.method), other.totalUs());
  return "";
}

std::string faultOfPlacement(const AnswerPlan &plan, const Bundle &bundle) {
  const size_t operations = bundle.operations.size();
  if (plan.placement.devices.size() != plan.supersteps.size())
    return "devices and supersteps are placed for different operations";
  if (plan.isSpread() && plan.placement.devices.size() != operations)
    return fmt::format("{} operations are placed, the program has {}",
                       plan.placement.devices.size(), operations);
  return "";
}

} // namespace

std::string_view answerFormName(AnswerForm form) {
  switch (form) {
  case AnswerForm::Tables:
    return "tables";
  case AnswerForm::Lanes:
    return "lanes";
  case AnswerForm::SingleRuns:
    return "single-runs";
  }
  MPF_UNREACHABLE("form {}", static_cast<int>(form));
}

std::string answerPlanFault(const AnswerPlan &plan, const Bundle *bundle) {
  if (plan.chosen >= plan.candidates.size())
    return fmt::format("candidate {} is chosen, there are {}", plan.chosen, plan.candidates.size());
  const AnswerCandidate &choice = plan.choice();
  if (!choice.refusal.empty())
    return fmt::format("the chosen candidate is refused: {}", choice.refusal);
  for (const AnswerCandidate &candidate : plan.candidates)
    if (candidate.method == PlacementMethod::Auto)
      return "a candidate leaves its placement open";
  if (std::string fault = contradiction(plan.devices, choice.method); !fault.empty())
    return "the chosen candidate is not allowed: " + fault;
  if (plan.isSpread() && (choice.method == PlacementMethod::Cpu ||
                          choice.method == PlacementMethod::Gpu || plan.cases))
    return "operations are placed on several devices, the chosen candidate uses one";
  if (std::string fault = faultOfTimes(plan); !fault.empty())
    return fault;
  return bundle == nullptr ? "" : faultOfPlacement(plan, *bundle);
}

} // namespace mpf
