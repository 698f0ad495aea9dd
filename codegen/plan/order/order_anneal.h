// Improves an order by simulated annealing on elimination trees (Kjaerulff 1992, "Optimal
// decomposition of probabilistic networks by simulated annealing"). The schedule and the local
// acceptance rule follow Kalachev, Panteleev and Yung 2021, "Recursive multi-tensor contraction",
// which anneals contraction trees.
//
// A step tries the rotation of elimination_tree.h at a random edge. It is accepted when the cost of
// its two buckets grows by no more than a random factor u^-T, where T is the temperature and u is
// uniform in (0, 1). The factor is relative, so cheap and expensive parts of the tree obey the same
// rule. order_thread.h runs one schedule after another.
#pragma once

#include "codegen/plan/order/elimination_tree.h"

#include <cstdint>

namespace mpf {

/// One cooling schedule: `temperatures` steps that fall from `hot` to `cold` in equal ratios. hot
/// >= cold > 0.
struct AnnealingSchedule {
  double hot = 0.5;
  double cold = 0.02;
  uint32_t temperatures = 16;
};

/// The walk of one schedule over elimination trees, one temperature after another. The same seed
/// gives the same walk. Not thread-safe.
class AnnealingWalk {
public:
  /// `start`: the order to begin with, as EliminationTree wants it. `problem` must outlive the
  /// walk. Throws Error(Internal) for a wrong order or schedule.
  AnnealingWalk(const OrderProblem &problem, const std::vector<Vertex> &start,
                const AnnealingSchedule &schedule, uint64_t seed);

  /// Anneals at the next temperature: as many steps as there are edges below buckets that are not
  /// negligible in cost. Returns false after the last and lowest temperature; no descent to a local
  /// optimum follows. Later calls do nothing.
  bool nextTemperature();
  /// The tree as the walk left it; not the best tree of the walk.
  const EliminationTree &tree() const { return tree_; }

private:
  void chooseActive();
  /// Whether a step accepts the rotation when it draws the number u of index i.
  bool accepts(const EliminationTree::Rotation &rotation, size_t i) const;

  AnnealingSchedule schedule_;
  EliminationTree tree_;
  uint64_t state_;
  uint32_t temperaturesDone_ = 0;
  std::vector<Vertex> active_;
  double temperature_ = 0;
};

} // namespace mpf
