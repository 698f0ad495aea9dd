// Launches that assume linear arithmetic to be exact, and the look afterwards whether it was.
//
// Where the ranges of the inputs prove nothing, linear arithmetic is exact all the same in nearly
// every run: tables carry scales. So a plan may assume it (LaunchArithmetic::Assumed): it has
// neither fallbacks nor normalisations behind its kernels, and no chain for which the host waits.
// The states that kernels record tell afterwards whether the assumption held for every operation;
// if not, the plan without it runs, on the same inputs. Both give the same bits where it holds, but
// for chains that nobody decides on (LaunchOptions::hostLooks). The host holds the assumption
// against the states, or the device (codegen/emit/preamble/mpf_guard.cuh).
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/schedule/launches/launch_plan.h"

#include <cstdint>
#include <vector>

namespace mpf {

/// What a plan assumes, worked out once; each run is held against it.
class LinearAssumption {
public:
  LinearAssumption() = default; ///< nothing
  LinearAssumption(const Bundle &bundle, const LaunchPlan &plan);

  /// `states`: by buffer, after all launches of the plan have run. Of a sliced program: those of
  /// the last slices; of the others, whose states are gone, a GPU checks each before the next one
  /// begins (codegen/emit/preamble/mpf_slices.cuh).
  bool held(const std::vector<TableState> &states) const;

  struct Product {
    uint32_t operation = 0;         ///< of a chain the first one
    std::vector<uint32_t> operands; ///< buffers
    int32_t termsLog2 = 0;
  };
  /// Linear arithmetic is exact for them. In the order of the launches.
  const std::vector<Product> &products() const { return products_; }
  /// Buffers that are left in linear form: large results of levels, which a plan without the
  /// assumption would bring back to it.
  const std::vector<uint32_t> &linear() const { return linear_; }

private:
  ElementType type_ = ElementType::F64;
  std::vector<Product> products_;
  std::vector<uint32_t> linear_;
};

/// Whether a plan of the bundle may assume anything: not in logarithms throughout.
inline bool mayAssumeLinear(const Bundle &bundle) { return !bundle.forcedLog; }

/// Whether the operations that run can do so once more: beside inputs and results of each other
/// they read only what other runs have left in memory that none of them writes. `runs`: one flag
/// per operation.
bool canRunAgain(const Bundle &bundle, const std::vector<char> &runs);

} // namespace mpf
