#include "runtime/execute/gpu/chosen_operations.h"

#include "dsl/support/check.h"
#include "runtime/schedule/linear_assumption.h"

#include <algorithm>

namespace mpf {

ChosenOperations::ChosenOperations(const ReplicatedBundle &program) : program_(program) {
  use(std::vector<char>(program.first.size(), 1));
}

void ChosenOperations::use(const std::vector<char> &given) {
  MPF_CHECK(given.size() == program_.first.size(), "{} flags for {} operations", given.size(),
            program_.first.size());
  const auto known = std::ranges::find(choices_, given, &Choice::given);
  if (known != choices_.end()) {
    choices_.splice(choices_.begin(), choices_, known);
    return;
  }
  Choice choice{given, program_.flagsOf(given, true), program_.flagsOf(given, false)};
  choice.canRunAgain = mpf::canRunAgain(program_.bundle, choice.runs);
  choices_.push_front(std::move(choice));
  if (choices_.size() > kMostChoices)
    choices_.pop_back();
}

} // namespace mpf
