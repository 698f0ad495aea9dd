#include "runtime/choose/answer/verify_answer.h"

#include "runtime/choose/answer/choose_for_list.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

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

std::string faultOfTimes(const AnswerPlan &plan) {
  const AnswerCandidate &choice = plan.choice();
  if (!plan.devices.isAuto() || !choice.runUs)
    return "";
  for (const AnswerCandidate &other : plan.candidates)
    if (other.refusal.empty() && other.runUs && other.totalUs() < choice.totalUs())
      return fmt::format("candidate {} takes {} us, and {} would take {}",
                         placementMethodName(choice.method), choice.totalUs(),
                         placementMethodName(other.method), other.totalUs());
  return "";
}

/// Repeats the choice of a list.
std::string faultOfListChoice(const AnswerPlan &plan) {
  const std::optional<size_t> chosen = chooseForList(plan.candidates);
  return chosen == plan.chosen ? ""
                               : fmt::format("candidate {} is chosen, and candidate {} would be",
                                             plan.chosen, chosen.value_or(plan.chosen));
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
  if (std::string fault = plan.cases ? faultOfListChoice(plan) : faultOfTimes(plan); !fault.empty())
    return fault;
  return bundle == nullptr ? "" : faultOfPlacement(plan, *bundle);
}

} // namespace mpf
