#include "runtime/execute/host/fastest_candidate.h"

#include "dsl/support/check.h"
#include "dsl/support/median.h"

#include <algorithm>

namespace mpf {

namespace {

constexpr size_t kRounds = 15;
constexpr size_t kTrialRounds = 3; ///< rounds after which a candidate may drop out
/// The factor by which the median of a dropped candidate exceeds the least.
constexpr double kHopeless = 1.3;
constexpr double kMostRunsUs = 1000000; ///< time of all candidates together

} // namespace

std::vector<double> measureCandidates(size_t count, const CandidateRun &run) {
  std::vector<std::vector<double>> times(count);
  std::vector<double> medians(count);
  std::vector<char> dropped(count, 0);
  double sumUs = 0;
  for (size_t round = 0; round < kRounds && (round == 0 || sumUs < kMostRunsUs); ++round) {
    for (size_t i = 0; i < count; ++i) {
      if (dropped[i])
        continue;
      times[i].push_back(run(i));
      sumUs += times[i].back();
      medians[i] = median(times[i]);
    }
    if (round + 1 == kTrialRounds) {
      const double least = *std::min_element(medians.begin(), medians.end());
      for (size_t i = 0; i < count; ++i)
        dropped[i] = medians[i] > kHopeless * least;
    }
  }
  return medians;
}

size_t fastestCandidate(std::span<const double> mediansUs) {
  MPF_CHECK(!mediansUs.empty(), "no candidate was measured");
  const auto least = std::min_element(mediansUs.begin(), mediansUs.end());
  return mediansUs.front() > kLeastTuningGain * *least
             ? static_cast<size_t>(least - mediansUs.begin())
             : 0;
}

} // namespace mpf
