// The ways of answering cases that a sweep compares.
#pragma once

#include "codegen/lanes/build_lane_program.h"
#include "dsl/support/cases/case_block.h"
#include "runtime/engine/planned_engine.h"
#include "tools/mpf-bench/measure/case_bench_options.h"
#include "tools/mpf-bench/measure/random_cases.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf::bench {

/// Rows in the form of a host program or a file: the codes and weights of a case side by side.
class CaseRows {
public:
  explicit CaseRows(const CaseBlock &block);

  uint64_t count() const { return count_; }
  uint32_t code(uint64_t row, size_t column) const { return codes_[row * columns_ + column]; }
  double weight(uint64_t row, size_t number) const { return weights_[row * weightCount_ + number]; }
  /// Interleaves `v` rows from `first` on; row 0 follows the last one.
  void interleave(uint64_t first, uint32_t v, CaseBlock &block) const;

private:
  uint64_t count_ = 0;
  size_t columns_ = 0, weightCount_ = 0;
  std::vector<uint32_t> codes_;
  std::vector<double> weights_;
};

/// Plans lanes like `mpfc run`: tables and the model's evidence are final.
LanePlan planLanes(const MeasuredCases &cases, const Query &query, const CaseBenchOptions &options);

/// Makes the engine that `mpfc run` would use for lists of `v` cases; single runs are the naive
/// scheme. Returns none if its engine does not answer the query, or has too little memory.
/// Throws like making the engine.
std::optional<CaseEngine> engineFor(AnswerForm form, const MeasuredCases &cases, const Query &query,
                                    uint32_t v, const CaseBenchOptions &options);

} // namespace mpf::bench
