// Decides how one operation of a table program is computed in lanes: in which pairs its operands
// are multiplied, and which products are tables over evidence digits, computed once.
//
// An operand is *free* when no lane has to compute it: a constant, or a table over evidence digits.
// Free operands can be multiplied once and for all, which multiplies the numbers of their evidence
// digits' values; a lane then picks a row of the product. All other products are formed in the
// lane. Dynamic programming over subsets finds the cheapest of all binary trees over the operands,
// of which there are at most kMaxOperands. This is the method for matrix chains and tensor networks
// (Pfeifer, Haegeman and Verstraete 2014; codegen/PAPERS.md). A variable is reduced as soon as no
// other operand holds it.
#pragma once

#include "codegen/lanes/lane_cost.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpf {

/// A set of the variables of one operation, by their places in Bucket::extents.
using VariableMask = uint64_t;
inline constexpr size_t kMaxBucketVariables = 64;

struct BucketOperand {
  VariableMask scope = 0;
  bool perCase = false;
  std::vector<uint32_t> columns; ///< free: its evidence digits, ascending
  bool isGathered = false;       ///< free: a lane has its row already
};

struct Bucket {
  std::vector<BucketOperand> operands;
  std::vector<uint32_t> extents; ///< by variable
  VariableMask kept = 0;         ///< variables of the result; all others are reduced
};

/// A product of some operands, reduced to `scope`.
struct ContractionNode {
  uint32_t operands = 0; ///< bit i: operand i is in it
  VariableMask scope = 0;
  /// True: one table, computed once from its operands, all of which are free.
  bool free = false;
  /// Not free: the one or two nodes that a lane multiplies. Empty for a node of one operand that
  /// reduces nothing: it is the operand.
  std::vector<uint32_t> children;
};

/// Nodes in an order in which children come first; the last one is the result.
struct Contraction {
  std::vector<ContractionNode> nodes;
  double cost = 0; ///< cost in a lane (LaneCosts); 0 for a free result that no lane picks
  const ContractionNode &result() const { return nodes.back(); }
};

/// Finds the cheapest contraction of a bucket of 1 to 16 operands. `columnExtents`: states of the
/// observed variable by column. The result is free when that does not make the operation that reads
/// it more expensive. Deterministic.
Contraction contractBucket(const Bucket &bucket, const std::vector<uint32_t> &columnExtents,
                           const LaneCosts &costs, const LaneLimits &limits);

} // namespace mpf
