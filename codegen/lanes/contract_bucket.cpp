#include "codegen/lanes/contract_bucket.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace mpf {

namespace {

constexpr size_t kMostOperands = 16;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// The cheapest way to compute the product of one subset of the operands.
struct Subset {
  VariableMask needed = 0;  ///< its variables that the result or other operands hold
  VariableMask whole = 0;   ///< all its variables
  bool isFree = false;      ///< one free table can hold it
  double freeCost = kNever; ///< cost of picking a row of that table
  double laneCost = kNever; ///< cost of computing it in the lane
  uint32_t left = 0;        ///< the subset that the lane multiplies with the rest; 0: one operand
  bool leftWhole = false;   ///< `left` is a single operand that is not reduced before
  bool rightWhole = false;  ///< the rest is a single operand that is not reduced before
  double cost() const { return std::min(freeCost, laneCost); }
};

class BucketSearch {
public:
  BucketSearch(const Bucket &bucket, const std::vector<uint32_t> &columnExtents,
               const LaneCosts &costs, const LaneLimits &limits)
      : bucket_(bucket), columnExtents_(columnExtents), costs_(costs), limits_(limits),
        count_(bucket.operands.size()), subsets_(size_t{1} << count_), sides_(subsets_.size()) {
    MPF_CHECK(count_ >= 1 && count_ <= kMostOperands, "{} operands", count_);
    MPF_CHECK(bucket.extents.size() <= kMaxBucketVariables, "{} variables", bucket.extents.size());
  }

  Contraction search() {
    for (uint32_t set = 1; set < subsets_.size(); ++set) {
      Subset &subset = subsets_[set];
      findScopes(set, subset);
      findFree(set, subset);
      if (isSingle(set))
        findSingle(set, subset);
      else
        findSplit(set, subset);
      findSides(set, subset);
    }
    Contraction contraction;
    const auto all = static_cast<uint32_t>(subsets_.size() - 1);
    contraction.cost = subsets_[all].cost();
    append(contraction, all, false);
    return contraction;
  }

private:
  /// Tests for one bit. std::has_single_bit makes a call where the processor's instruction is not
  /// used.
  static bool isSingle(uint32_t set) { return (set & (set - 1)) == 0; }
  static uint32_t indexOf(uint32_t single) {
    return static_cast<uint32_t>(std::countr_zero(single));
  }
  const BucketOperand &operand(uint32_t single) const { return bucket_.operands[indexOf(single)]; }

  double elems(VariableMask scope) const {
    double product = 1;
    for (; scope != 0; scope &= scope - 1)
      product *= bucket_.extents[static_cast<size_t>(std::countr_zero(scope))];
    return product;
  }

  void findScopes(uint32_t set, Subset &subset) const {
    VariableMask others = bucket_.kept;
    for (size_t i = 0; i < count_; ++i)
      (set >> i & 1 ? subset.whole : others) |= bucket_.operands[i].scope;
    subset.needed = subset.whole & others;
  }

  std::vector<uint32_t> columnsOf(uint32_t set) const {
    std::vector<uint32_t> columns;
    for (size_t i = 0; i < count_; ++i)
      if (set >> i & 1)
        columns.insert(columns.end(), bucket_.operands[i].columns.begin(),
                       bucket_.operands[i].columns.end());
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  }

  void findFree(uint32_t set, Subset &subset) const {
    for (size_t i = 0; i < count_; ++i)
      if ((set >> i & 1) && bucket_.operands[i].perCase)
        return;
    const std::vector<uint32_t> columns = columnsOf(set);
    double rows = 1;
    for (const uint32_t column : columns)
      rows *= columnExtents_[column] + 1.0;
    const double entries = elems(subset.needed);
    const double addresses = elems(subset.whole) * rows;
    const bool isOperand = isSingle(set) && subset.needed == subset.whole;
    if (!isOperand && !mayBeCommon(columns.empty(), rows * entries, addresses))
      return;
    subset.isFree = true;
    const bool isThere = columns.empty() || (isOperand && operand(set).isGathered);
    subset.freeCost = (isThere ? 0
                               : costs_.gatheredElem * entries +
                                     costs_.gatheredCode * static_cast<double>(columns.size())) +
                      (isOperand ? 0 : costs_.commonAddress * addresses);
  }

  /// Whether a product may be computed once for all cases. Tables over evidence digits have to be
  /// worth their size. A constant table is worth it unless it is too large, since each lane would
  /// take as long to compute it.
  bool mayBeCommon(bool isConstant, double entries, double addresses) const {
    if (isConstant)
      return entries <= static_cast<double>(limits_.constantElems);
    return entries <= static_cast<double>(limits_.tableElems) &&
           addresses <= static_cast<double>(limits_.commonAddresses);
  }

  /// Sets the cost of a single operand: nothing if it is not reduced, else its addresses.
  void findSingle(uint32_t set, Subset &subset) const {
    const double asItIs = operand(set).perCase ? 0 : wholeCost(set);
    subset.laneCost = subset.needed == subset.whole
                          ? asItIs
                          : asItIs + costs_.address * elems(subset.whole) +
                                costs_.storedElem * elems(subset.needed);
  }

  /// Returns the cost of a single operand with all of its variables.
  double wholeCost(uint32_t single) const {
    const BucketOperand &only = operand(single);
    if (only.perCase || only.columns.empty() || only.isGathered)
      return 0;
    return costs_.gatheredElem * elems(only.scope) +
           costs_.gatheredCode * static_cast<double>(only.columns.size());
  }

  /// A side of a product: one node of the contraction.
  struct Side {
    VariableMask scope = 0;
    double cost = kNever;
  };
  /// The ways in which a subset may be a side of a product: reduced, and single operands also
  /// whole.
  struct Sides {
    Side reduced, whole;
    bool mayBeWhole = false;
  };

  /// Sets the sides of a subset; its costs must be known.
  void findSides(uint32_t set, const Subset &subset) {
    Sides &sides = sides_[set];
    sides.reduced = {subset.needed, subset.cost()};
    sides.mayBeWhole = isSingle(set) && subset.needed != subset.whole;
    if (sides.mayBeWhole)
      sides.whole = {subset.whole, wholeCost(set)};
  }

  /// Takes the product of `left` and the rest if that is cheaper. There are 3^n such pairs of n
  /// operands; the costs of their sides rule most of them out.
  void tryProduct(Subset &subset, uint32_t left, const Side &a, bool leftWhole, const Side &b,
                  bool rightWhole) const {
    if (a.cost + b.cost >= subset.laneCost)
      return;
    const double cost = a.cost + b.cost + costs_.address * elems(a.scope | b.scope) +
                        costs_.storedElem * elems(subset.needed);
    if (cost >= subset.laneCost)
      return;
    subset.laneCost = cost;
    subset.left = left;
    subset.leftWhole = leftWhole;
    subset.rightWhole = rightWhole;
  }

  void findSplit(uint32_t set, Subset &subset) const {
    const uint32_t lowest = set & (~set + 1);
    for (uint32_t left = (set - 1) & set; left != 0; left = (left - 1) & set) {
      if ((left & lowest) == 0) // each pair once
        continue;
      const Sides &a = sides_[left], &b = sides_[set ^ left];
      tryProduct(subset, left, a.reduced, false, b.reduced, false);
      if (b.mayBeWhole)
        tryProduct(subset, left, a.reduced, false, b.whole, true);
      if (a.mayBeWhole)
        tryProduct(subset, left, a.whole, true, b.reduced, false);
      if (a.mayBeWhole && b.mayBeWhole)
        tryProduct(subset, left, a.whole, true, b.whole, true);
    }
  }

  /// Appends the nodes of a subset; returns the index of the subset's node.
  uint32_t append(Contraction &contraction, uint32_t set, bool whole) const {
    const Subset &subset = subsets_[set];
    ContractionNode node;
    node.operands = set;
    node.scope = whole ? subset.whole : subset.needed;
    if (whole) {
      node.free = !operand(set).perCase;
    } else if (subset.isFree && subset.freeCost <= subset.laneCost) {
      node.free = true;
    } else if (subset.left != 0) {
      node.children.push_back(append(contraction, subset.left, subset.leftWhole));
      node.children.push_back(append(contraction, set ^ subset.left, subset.rightWhole));
    } else if (subset.needed != subset.whole) {
      node.children.push_back(append(contraction, set, true));
    }
    contraction.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(contraction.nodes.size() - 1);
  }

  const Bucket &bucket_;
  const std::vector<uint32_t> &columnExtents_;
  const LaneCosts &costs_;
  const LaneLimits &limits_;
  const size_t count_;
  std::vector<Subset> subsets_; ///< by set of operands; the empty set's is unused
  std::vector<Sides> sides_;    ///< by set of operands
};

} // namespace

Contraction contractBucket(const Bucket &bucket, const std::vector<uint32_t> &columnExtents,
                           const LaneCosts &costs, const LaneLimits &limits) {
  return BucketSearch(bucket, columnExtents, costs, limits).search();
}

} // namespace mpf
