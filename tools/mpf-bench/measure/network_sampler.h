// Draws rows of states from a Bayesian network by forward sampling: each variable after its
// parents, from the row of its table that these choose. So every row has a probability above 0.
#pragma once

#include "dsl/model/model.h"
#include "dsl/support/cases/case_block.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf::bench {

/// Immutable once made: threads share it.
class NetworkSampler {
public:
  /// None where the factors are not one conditional table for each variable, its last one, without
  /// cycles. Rows of a table sum to 1 but for rounding: at most 1 % off, and are read as shares.
  static std::optional<NetworkSampler> of(const Model &model);

  /// Draws `count` rows; those of one `seed` are always the same. States of variable v are at
  /// states[v * count], and up to `count` more.
  void draw(uint64_t seed, uint32_t count, std::vector<uint32_t> &states) const;

private:
  struct Table {
    VarId child;
    uint32_t extent = 1;
    std::vector<VarId> parents;    ///< most significant first
    std::vector<uint64_t> strides; ///< of the parents, in rows
    /// Of each row the first extent - 1 sums of shares, of 2^32: the state of a number u is how
    /// many of them are at most u.
    std::vector<uint64_t> thresholds;
  };

  static std::optional<Table> tableOf(const Model &model, const Factor &factor);
  static bool setThresholds(const std::vector<double> &values, Table &table);

  std::vector<Table> tables_; ///< parents before children
};

} // namespace mpf::bench
