// Records the effect of every pass through the pipelines' hooks, for the tables "what
// simplification removed" and "how the plan was made".
#pragma once

#include "codegen/pipeline/pipeline_hooks.h"
#include "tools/mpfc/explain/facts/explanation.h"

#include <optional>
#include <string>
#include <vector>

namespace mpf {

/// Records what every simplification pass removed, in all its rounds together. It must outlive the
/// use of its hooks.
class SimplifyPassRecord {
public:
  PipelineHooks hooks();

  /// Returns a table. Its first row is the declared network. Passes that changed something follow
  /// by their first change, with signed differences. The last row is the simplified network. Empty
  /// if no pass ran.
  PassTable table() const;

private:
  struct Effect {
    std::string pass;
    unsigned rounds = 0;
    SimplifySize before, after; ///< sums over the rounds in which it changed something
  };
  void record(const SimplifyEvent &event);

  std::vector<Effect> effects_;
  std::optional<SimplifySize> declared_;
  SimplifySize left_;
};

/// Records one row per plan pass. It must outlive the use of its hooks.
class PlanPassRecord {
public:
  explicit PlanPassRecord(ElementType type) : type_(type) {}

  PipelineHooks hooks();

  /// Returns the rows of the last run of the passes; the planner may run them for several orders.
  PassTable table() const;

  /// Returns the effort of the last search for an order.
  const SearchEffort &effort() const { return effort_; }

private:
  void record(const PassEvent &event);

  ElementType type_;
  std::vector<PassRow> initial_, rows_;
  SearchEffort effort_;
};

} // namespace mpf
