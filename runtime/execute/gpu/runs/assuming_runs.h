// Which whole runs assume that linear arithmetic is exact
// (runtime/schedule/launches/linear_assumption.h). After a broken assumption some runs assume
// nothing, because such inputs come in series.
#pragma once

#include "codegen/bundle/bundle.h"
#include "runtime/execute/gpu/runs/gpu_plans.h"
#include "runtime/schedule/launches/linear_assumption.h"

#include <vector>

namespace mpf {

class AssumingRuns {
public:
  /// The bundle must outlive it.
  explicit AssumingRuns(const Bundle &bundle) : bundle_(bundle) {}

  /// Returns the kind of the next whole run. `canRunAgain`: its operations can run once more.
  GpuPlans::Kind next(bool canRunAgain) {
    const bool isCareful = carefulRuns_ != 0;
    carefulRuns_ -= isCareful ? 1 : 0;
    assumes_ = !isCareful && canRunAgain && mayAssumeLinear(bundle_);
    // The host does not read ranges between slices.
    return {true, assumes_, bundle_.sliced.empty()};
  }
  /// Notes that a run without an assumption begins.
  void skip() { assumes_ = false; }
  /// Returns whether the last begun run assumed what did not hold. `states`: by buffer, as its
  /// `plan` left them. `isBroken`: the device found so in an earlier slice.
  bool wasWrong(const GpuPlan &plan, bool isBroken, const std::vector<TableState> &states) {
    if (!assumes_ || (!isBroken && plan.assumption.held(states)))
      return false;
    carefulRuns_ = kCarefulRuns;
    return true;
  }

private:
  static constexpr unsigned kCarefulRuns = 64;
  const Bundle &bundle_;
  bool assumes_ = false;     ///< the last begun run assumes exact linear arithmetic
  unsigned carefulRuns_ = 0; ///< remaining runs without assumption
};

} // namespace mpf
