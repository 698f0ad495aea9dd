#include "runtime/execute/gpu/chosen_operations.h"

#include "dsl/support/check.h"
#include "runtime/schedule/launches/linear_assumption.h"

#include <algorithm>

namespace mpf {

namespace {

uint64_t mostChoicesOf(const ReplicatedBundle &program) {
  const uint64_t choiceBytes = program.first.size() + 2 * program.bundle.operations.size();
  return std::clamp<uint64_t>(ChosenOperations::kMostBytes / std::max<uint64_t>(choiceBytes, 1), 1,
                              ChosenOperations::kMostChoices);
}

} // namespace

ChosenOperations::ChosenOperations(const ReplicatedBundle &program)
    : program_(program), mostChoices_(mostChoicesOf(program)) {
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
  if (choices_.size() > mostChoices_)
    choices_.pop_back();
}

} // namespace mpf
