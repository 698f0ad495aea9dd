#include "codegen/plan/slicing/slice_starts.h"

#include "codegen/plan/order/order_components.h"
#include "codegen/plan/order/order_pivot.h"
#include "codegen/plan/slicing/slice_estimator.h"
#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

class Starts {
public:
  Starts(const TableProgram &initial, const std::vector<VarId> &base, double log2BoundElems)
      : base_(base), kept_(initial.table(initial.operations.front().result).scope),
        isReplaced_(initial.variables.size(), 0) {
    std::vector<uint32_t> localOf;
    problems_ = orderProblems(initial, kept_, false, nullptr, localOf);
    std::vector<char> isLarge(initial.variables.size(), 0);
    const SliceEstimate whole = SliceEstimator(initial).estimate(base, {}, LoopEnds::Last);
    // All messages of marginals together may be too large though no bucket is.
    const double limit = std::min(log2BoundElems, whole.log2LargestLocalElems - 1);
    for (const BucketEstimate &bucket : whole.buckets)
      if (bucket.log2LocalElems > limit)
        isLarge[whole.scope(bucket).front().index()] = 1;
    for (OrderProblem &problem : problems_) {
      const bool large = std::any_of(problem.variables.begin(), problem.variables.end(),
                                     [&](VarId id) { return isLarge[id.index()] != 0; });
      sweeps_.emplace_back();
      if (!large)
        continue;
      InteractionGraph graph(problem.extents, problem.cliques, FillCount::None);
      sweeps_.back() = pivotSweeps(graph);
      if (!sweeps_.back().empty())
        for (const VarId id : problem.variables)
          isReplaced_[id.index()] = 1;
    }
  }

  size_t count() const {
    size_t most = 0;
    for (const auto &sweeps : sweeps_)
      most = std::max(most, sweeps.size());
    return most;
  }

  std::vector<VarId> order(size_t direction) const {
    std::vector<VarId> order; // most significant first
    for (size_t i = 0; i < base_.size(); ++i)
      if (i < kept_.size() || !isReplaced_[base_[i].index()])
        order.push_back(base_[i]);
    for (size_t p = 0; p < problems_.size(); ++p)
      if (!sweeps_[p].empty()) {
        MPF_CHECK(direction < sweeps_[p].size(), "sweep {} of {}", direction, sweeps_[p].size());
        const std::vector<Vertex> &sequence = sweeps_[p][direction];
        for (auto v = sequence.rbegin(); v != sequence.rend(); ++v)
          if (!problems_[p].isOutput[*v])
            order.push_back(problems_[p].variables[*v]);
      }
    return order;
  }

private:
  const std::vector<VarId> &base_;
  const std::vector<VarId> kept_;
  std::vector<OrderProblem> problems_;
  std::vector<std::vector<std::vector<Vertex>>> sweeps_; ///< by component; empty: the base is kept
  std::vector<char> isReplaced_;                         ///< by variable
};

} // namespace

std::vector<std::vector<VarId>> sliceStarts(const TableProgram &initial,
                                            const std::vector<OrderChoice> &found,
                                            double log2BoundElems, bool asGiven) {
  std::vector<std::vector<VarId>> orders;
  for (const OrderChoice &choice : found)
    orders.push_back(choice.order);
  if (asGiven)
    return orders;
  MPF_CHECK(!found.empty(), "starts from {} orders", found.size());
  const Starts starts(initial, found.front().order, log2BoundElems);
  for (size_t i = 0; i < starts.count(); ++i)
    orders.push_back(starts.order(i));
  return orders;
}

} // namespace mpf
