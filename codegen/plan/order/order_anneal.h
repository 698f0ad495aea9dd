// Simulated annealing on elimination trees (Kjaerulff 1992, "Optimal decomposition of probabilistic
// networks by simulated annealing"; the schedule and the local acceptance rule as in Kalachev,
// Panteleev and Yung 2021, "Recursive multi-tensor contraction", for contraction trees).
//
// The move is the rotation of elimination_tree.h. A rotation is accepted when the cost of its two
// buckets grows by no more than a factor drawn from the temperature, so cheap parts of the tree are
// kept in order by the same rule as dear ones. Cycles of growing length cool down from a hot start
// and give up their best tree; each begins from the best order known then.
#pragma once

#include "codegen/plan/order/elimination_tree.h"

#include <cstdint>

namespace mpf {

/// One cooling: `sweeps` sweeps over the active variables, from `hot` to `cold` (natural logs of
/// cost ratios) in equal ratios.
struct AnnealingSchedule {
  double hot = 0.5;
  double cold = 0.02;
  uint32_t sweeps = 16;
};

/// A walk over elimination trees that can be stopped and continued. Deterministic by its seed.
class AnnealingWalk {
public:
  AnnealingWalk(const OrderProblem &problem, const std::vector<Vertex> &start,
                const AnnealingSchedule &schedule, uint64_t seed);

  /// One sweep; false when the schedule is over. The last sweep is the coldest; none descends to a
  /// local optimum.
  bool sweep();
  const EliminationTree &tree() const { return tree_; }

private:
  void chooseActive();
  double threshold(size_t i);

  AnnealingSchedule schedule_;
  EliminationTree tree_;
  uint64_t state_;
  uint32_t sweepsDone_ = 0;
  std::vector<Vertex> active_;
  double temperature_ = 0;         ///< of the sweep
  std::vector<double> thresholds_; ///< of the sweep, by draw; 0: not known yet
};

} // namespace mpf
