// Draws rows of states from a Bayesian network by forward sampling: each variable after its
// parents, from the row of its table that these choose. So every row has a probability above 0.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf::bench {

/// A sampler for one network. It never changes, so threads may share it.
class NetworkSampler {
public:
  /// Makes a sampler. Returns none unless every variable has one conditional table, with the
  /// variable as the last of its scope, and there are no cycles. Sums of rows may differ from 1 by
  /// at most 1 %; rows are read as shares.
  static std::optional<NetworkSampler> of(const Model &model);

  /// Draws `count` rows; equal seeds give equal rows. The states of variable v are states[v *
  /// count] to states[v * count + count - 1].
  void draw(uint64_t seed, uint32_t count, std::vector<uint32_t> &states) const;

private:
  struct Table {
    VarId child;
    uint32_t extent = 1;
    std::vector<VarId> parents;    ///< most significant first
    std::vector<uint64_t> strides; ///< stride of each parent, in rows
    /// The first extent - 1 prefix sums of each row's shares, times 2^32. The state for a random
    /// number u is the number of sums that are at most u.
    std::vector<uint64_t> thresholds;
  };

  static std::optional<Table> tableOf(const Model &model, const Factor &factor);
  static bool setThresholds(const std::vector<double> &values, Table &table);

  std::vector<Table> tables_; ///< parents before children
};

} // namespace mpf::bench
