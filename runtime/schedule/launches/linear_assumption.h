// LINEAR ASSUMPTION: launches that assume linear arithmetic to be exact, and the test of this
// assumption after a run.
//
// Tables carry scales, so linear arithmetic is exact in nearly every run, even where the ranges of
// the inputs do not prove it. So a plan may assume it (LaunchArithmetic::Assumed). It then has no
// fallbacks and normalisations, and no chain for which the host waits. The states that kernels
// record show afterwards whether the assumption held for every operation. If not, the plan without
// it runs, on the same inputs. The host tests the assumption, or the device does
// (codegen/emit/preamble/mpf_guard.cuh).
//
// If the assumption holds, both plans give the same bits. The exception is a plan without decisions
// of the host (LaunchOptions::hostLooks), whose chains differ.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// The assumption of a plan, found once; every run is tested against it.
class LinearAssumption {
public:
  LinearAssumption() = default; ///< a plan that assumes nothing
  LinearAssumption(const Bundle &bundle, const LaunchPlan &plan);

  /// Whether the assumption held. `states`: by buffer, after all launches of the plan. In a sliced
  /// program they are those of the last slices. The device tests each earlier slice before the next
  /// begins (codegen/emit/preamble/mpf_slices.cuh).
  bool held(const std::vector<TableState> &states) const;

  struct Product {
    uint32_t operation = 0;         ///< the operation, or the first of a chain
    std::vector<uint32_t> operands; ///< buffers
    int32_t termsLog2 = 0;
  };
  /// Returns the products for which linear arithmetic is assumed exact, in the order of launches.
  const std::vector<Product> &products() const { return products_; }
  /// Returns the buffers that are assumed to be in linear form: large results of levels, which a
  /// plan without the assumption would normalise.
  const std::vector<uint32_t> &linear() const { return linear_; }

private:
  ElementType type_ = ElementType::F64;
  std::vector<Product> products_;
  std::vector<uint32_t> linear_;
};

/// Whether a plan of the bundle may assume linear arithmetic: false if it computes in logarithms.
inline bool mayAssumeLinear(const Bundle &bundle) { return !bundle.forcedLog; }

/// Whether the operations of a run can run again with the same results. They may read inputs,
/// results of each other, and results of earlier runs whose memory none of them writes. `runs`: one
/// flag per operation.
bool canRunAgain(const Bundle &bundle, const std::vector<char> &runs);

} // namespace mpf
