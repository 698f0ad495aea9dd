#include "dsl/model/read/read_evidence.h"

#include "dsl/model/build/open_listed_cases.h"
#include "dsl/support/text/call_for_word.h"

#include <algorithm>
#include <utility>

namespace mpf {

bool EvidenceLines::readLine() {
  using Read = void (EvidenceLines::*)();
  static constexpr std::pair<std::string_view, Read> kLines[] = {
      {"case", &EvidenceLines::readCase},
      {"observe", &EvidenceLines::readObserve},
      {"cases", &EvidenceLines::readCases},
      {"cases-file", &EvidenceLines::readCasesFile}};
  return callForWord(kLines, lines_.keyword().text, *this);
}

void EvidenceLines::readObserve() {
  if (const auto observation = names_.takeObservation())
    observations_.push_back(*observation);
}

void EvidenceLines::readCases() {
  if (cases_ || casesFile_)
    lines_.report("a second list of cases");
  cases_ = Cases{names_.takeVariables(), {}, 0};
  model_.listedCases = lines_.here();
}

void EvidenceLines::readCasesFile() {
  const auto path = lines_.takeWord("the name of a file");
  if (cases_ || casesFile_)
    lines_.report("a second list of cases");
  else if (!files_.openCases)
    lines_.report("files of cases cannot be read here");
  casesFile_ = path;
  model_.listedCases = lines_.here();
}

void EvidenceLines::readCase() {
  if (!cases_)
    return lines_.report("a case without a list of cases");
  const size_t before = cases_->states.size();
  while (!lines_.atEndOfLine()) {
    const auto state = lines_.acceptLiteral("-")
                           ? std::optional<uint64_t>(Evidence::kNotObserved)
                           : lines_.takeUnsigned("a state or '-'", UINT32_MAX - 1);
    if (!state)
      return;
    cases_->states.push_back(static_cast<uint32_t>(*state));
  }
  if (const size_t entries = cases_->states.size() - before; entries != cases_->variables.size())
    lines_.report("case {} has {} entries, {} columns", cases_->count, entries,
                  cases_->variables.size());
  ++cases_->count;
}

void EvidenceLines::finish() {
  std::vector<VarId> variables = cases_ ? cases_->variables : std::vector<VarId>();
  for (const Observation &seen : observations_)
    variables.push_back(seen.variable);
  std::ranges::sort(variables);
  if (const auto twice = std::ranges::adjacent_find(variables); twice != variables.end())
    lines_.report("'{}' is observed twice", model_.variable(*twice).name);
  if (lines_.diagnostics().errorCount() != 0)
    return; // rows may not fit their columns
  std::vector<FactorId> likelihoods = std::move(model_.evidence.likelihoods);
  if (cases_)
    model_.evidence = listedEvidence(cases_->variables, std::move(cases_->states), cases_->count);
  model_.evidence.likelihoods = std::move(likelihoods);
  const uint64_t entries = model_.evidence.entriesWith(observations_.size());
  if (entries > limits_.maxCaseEntries)
    return lines_.report("the cases have {} states, the limit is {}", entries,
                         limits_.maxCaseEntries);
  model_.evidence.add(std::move(observations_));
  if (casesFile_)
    openListedCases(model_, files_, *casesFile_, lines_.diagnostics());
}

} // namespace mpf
